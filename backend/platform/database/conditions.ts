import type { SqlValue } from './dialect.ts';

/** A condition with its parameters. */
export interface Condition {
  sql: string;
  values: SqlValue[];
}

/** Rows that meet all conditions; without any, every row. */
export const allOf = (conditions: readonly Condition[]): Condition => ({
  sql: conditions.map(({ sql }) => sql).join(' AND ') || '1 = 1',
  values: conditions.flatMap(({ values }) => values),
});

/** Rows that meet any of the conditions. */
export const anyOf = (conditions: readonly Condition[]): Condition => ({
  sql: joinByOr(conditions),
  values: conditions.flatMap(({ values }) => values),
});

/** In halves of halves, because SQLite takes no expression of more than 1,000 levels, and a chain has one for each member. */
function joinByOr(conditions: readonly Condition[]): string {
  if (conditions.length <= 8) return `(${conditions.map(({ sql }) => `(${sql})`).join(' OR ')})`;
  const middle = Math.ceil(conditions.length / 2);
  return `(${joinByOr(conditions.slice(0, middle))} OR ${joinByOr(conditions.slice(middle))})`;
}

/** SQLite joins 500 selects in one at most. */
const MAX_JOINED = 400;

/** Many selects in one, joined in groups where they are too many for the database; `finish` makes the select of each union. */
export function joinSelects(selects: readonly Condition[], finish: (union: string) => string): Condition {
  if (selects.length > MAX_JOINED) {
    const groups = Array.from({ length: Math.ceil(selects.length / MAX_JOINED) }, (_, group) =>
      joinSelects(selects.slice(group * MAX_JOINED, (group + 1) * MAX_JOINED), finish),
    );
    return joinSelects(groups, finish);
  }
  return {
    sql: finish(selects.map(({ sql }, part) => `SELECT * FROM (${sql}) AS part${part}`).join(' UNION ALL ')),
    values: selects.flatMap(({ values }) => values),
  };
}

/** A parameter mark for each of the values of a list, as `IN` takes them. */
export const marksOf = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

/** Rows whose column has one of the values. */
export const isOneOf = (column: string, values: readonly SqlValue[]): Condition =>
  values.length === 1
    ? { sql: `${column} = ?`, values: [...values] }
    : { sql: `${column} IN (${marksOf(values)})`, values: [...values] };

/** Rows whose column has one of the values, of which null may be one. */
export function isOneOfOrNull(column: string, values: readonly (string | null)[]): Condition {
  const named = values.filter((one) => one !== null);
  const conditions = [
    ...(named.length < values.length ? [{ sql: `${column} IS NULL`, values: [] }] : []),
    ...(named.length > 0 ? [isOneOf(column, named)] : []),
  ];
  return conditions.length === 1 && conditions[0] ? conditions[0] : anyOf(conditions);
}
