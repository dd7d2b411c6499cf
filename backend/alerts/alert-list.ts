import {
  type AlertFilter,
  type AlertSeverity,
  type AlertStatus,
  alertSeveritySchema,
} from '#backend/contract/alert.ts';
import type { SqlValue } from '#backend/database/dialect.ts';

/**
 * Which list: the shared inbox, one member's queue without what is filed in folders, one of their folders, all of them
 * together, or every alert.
 */
export type AlertList =
  | { list: 'inbox' }
  | { list: 'mine'; ownerId: string }
  | { list: 'folder'; ownerId: string; folderId: string }
  | { list: 'filed'; ownerId: string }
  | { list: 'all' };

/** Every status in the order of the status sort; `pending` comes last. */
const BY_RANK: readonly AlertStatus[] = ['accepted', 'in-progress', 'completed', 'pending'];

/** The statuses that a list's rows may have, by rank: none when the filter asks for one that cannot be there. */
export function statusesOf(list: AlertList, { status }: AlertFilter): AlertStatus[] {
  const possible = BY_RANK.filter((one) => list.list === 'all' || (list.list === 'inbox') === (one === 'pending'));
  return status === undefined ? possible : possible.filter((one) => one === status);
}

/** The severities that a filter asks for, highest first; all of them where it asks for none. */
export const severitiesOf = ({ severity }: AlertFilter): readonly AlertSeverity[] =>
  severity === undefined
    ? alertSeveritySchema.options
    : alertSeveritySchema.options.filter((one) => severity.includes(one));

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

/** Rows whose column has one of the values. */
export const isOneOf = (column: string, values: readonly SqlValue[]): Condition =>
  values.length === 1
    ? { sql: `${column} = ?`, values: [...values] }
    : { sql: `${column} IN (${values.map(() => '?').join(', ')})`, values: [...values] };

/** Rows, of alerts or of counters, that have the names that a filter asks for. */
export const withNames = ({ customer, alertType }: AlertFilter): Condition[] => [
  ...(customer === undefined ? [] : [{ sql: 'customer = ?', values: [customer] }]),
  ...(alertType === undefined ? [] : [{ sql: 'alert_type = ?', values: [alertType] }]),
];
