import type { AlertFilter } from '#backend/contract/alert.ts';
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

/** Rows, of alerts or of counters, that have the names that a filter asks for. */
export const withNames = ({ customer, alertType }: AlertFilter): Condition[] => [
  ...(customer === undefined ? [] : [{ sql: 'customer = ?', values: [customer] }]),
  ...(alertType === undefined ? [] : [{ sql: 'alert_type = ?', values: [alertType] }]),
];
