import { alertColumn } from '#backend/alerts/alert/alert.ts';
import { storedStatusOf } from '#backend/alerts/alert/stored-status.ts';
import { type SqlValue, inSizes, insertSql } from '#backend/platform/database/dialect.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { ProblemAlert } from './problems.ts';

/** What changes of an alert without a report. */
const CHANGED = [
  'version',
  'status',
  'title',
  'severity',
  'state',
  'occurrences',
  'lastSeenAt',
  'resolvedAt',
  'completedAt',
  'snoozedUntil',
  'wokenAt',
  'groupTitle',
  'repeatEntryId',
] as const satisfies (keyof ProblemAlert)[];
/** Columns that a row cannot be without: they stay as they are, because every row is there. */
const KEPT = ['receivedAt', 'url', 'payload', 'extraData'] as const satisfies (keyof ProblemAlert)[];
/** What reports change of an alert. */
const REPORTED = [...CHANGED, 'latestPayload'] as const;
/** What names the row of a stored alert in a statement that changes other columns of it. */
export const KEPT_COLUMNS = ['id', ...KEPT.map(alertColumn)];

/** Writes what reports changed of locked alerts, many in one statement. */
export const updateReported = (tx: Transaction, alerts: readonly ProblemAlert[]): Promise<void> =>
  update(tx, alerts, REPORTED);

/** Writes what changed of locked alerts without a report: their newest payloads, which were not read, stay. */
export const updateUnreported = (tx: Transaction, alerts: readonly ProblemAlert[]): Promise<void> =>
  update(tx, alerts, CHANGED);

async function update(
  tx: Transaction,
  alerts: readonly ProblemAlert[],
  names: readonly (typeof REPORTED)[number][],
): Promise<void> {
  const changed = names.map(alertColumn);
  const columns = [...KEPT_COLUMNS, ...changed];
  for (const some of inSizes(alerts)) {
    await tx.runRows(
      (rows) => tx.dialect.upsertValues(insertSql('alerts', columns, rows), 'id', changed),
      some.map((alert) =>
        keptValues(alert).concat(names.map((name) => (name === 'status' ? storedStatusOf(alert) : alert[name]))),
      ),
    );
  }
}

/** The values of {@link KEPT_COLUMNS}. */
export const keptValues = ({ id, receivedAt }: Pick<ProblemAlert, 'id' | 'receivedAt'>): SqlValue[] => [
  id,
  receivedAt,
  '',
  '',
  '',
];
