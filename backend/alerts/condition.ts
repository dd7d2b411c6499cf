import type { SqlValue } from '#backend/database/dialect.ts';

/** A condition with its parameters. */
export interface Condition {
  sql: string;
  values: SqlValue[];
}

/** Rows that meet all conditions. */
export const allOf = (conditions: Condition[]): Condition => ({
  sql: conditions.map(({ sql }) => sql).join(' AND '),
  values: conditions.flatMap(({ values }) => values),
});

/** Rows that meet any of the conditions. */
export const anyOf = (conditions: Condition[]): Condition => ({
  sql: `(${conditions.map(({ sql }) => `(${sql})`).join(' OR ')})`,
  values: conditions.flatMap(({ values }) => values),
});
