import { marksOf } from '#backend/platform/database/conditions.ts';
import { selectAlert } from '#backend/alerts/alert/alert.ts';
import { countChanges } from '#backend/alerts/alert/count-changes.ts';
import { scheduleWakes } from '#backend/alerts/alert/alert-store.ts';
import { type NewHistoryEntry, addHistories } from '#backend/alerts/alert/write-history.ts';
import { isSet, visibleStatusOf } from '#backend/alerts/alert/stored-status.ts';
import { findDisplayNames } from '#backend/identity/users/user.ts';
import { type SqlValue, inSizes, insertSql } from '#backend/platform/database/dialect.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import type { JsonText } from '#backend/platform/endpoint/json-text.ts';
import type { IncomingDelivery, IncomingEvent } from './incoming-delivery.ts';
import type { ProblemAlert } from './problems.ts';
import { updateReported, updateUnreported } from './update-alerts.ts';
import { type TouchedAlert, changesById } from './write-rows.ts';

/** The newest alert of a problem, to be written. */
export interface ProblemRow {
  sourceId: string;
  dedupKey: string;
  alertId: string;
  /** The problem has a row already, which this transaction locked. */
  isStored: boolean;
}

/** A problem's row, and its newest alert where that still is. */
export interface StoredProblem {
  alert: ProblemAlert | undefined;
}

export const problemKey = (sourceId: string, dedupKey: string): string => `${sourceId} ${dedupKey}`;

/** Whether a report may concern an alert that is there already. */
export const namesProblem = ({ dedupKey, state }: IncomingEvent): boolean => dedupKey !== null && state !== 'event';

/** The problems that the deliveries name: dedup keys by source. */
export function problemKeysOf(deliveries: IncomingDelivery[]): Map<string, Set<string>> {
  const keys = new Map<string, Set<string>>();
  for (const { source, events } of deliveries) {
    for (const event of events) {
      if (!namesProblem(event)) continue;
      const ofSource = keys.get(source.id) ?? new Set();
      keys.set(source.id, ofSource.add(event.dedupKey ?? ''));
    }
  }
  return keys;
}

/** A first payload up to this length is read with its alert, in bytes; larger alerts are announced by their ids. */
const MAX_READ_PAYLOAD = 64 * 1024;

const READ_COLUMNS = [
  'id',
  'version',
  'receivedAt',
  'status',
  'snoozedUntil',
  'wokenAt',
  'customer',
  'alertType',
  'url',
  'extraData',
  'ownerId',
  'folderId',
  'sourceName',
  'sourceId',
  'sender',
  'title',
  'severity',
  'state',
  'occurrences',
  'lastSeenAt',
  'resolvedAt',
  'completedAt',
  'dedupKey',
  'groupTitle',
  'previousAlertId',
  'repeatEntryId',
  'assignment',
  'assignedById',
  'assignedByName',
  'touchedAt',
  'isTest',
  'quietById',
  'quietByName',
  'groupId',
  'label',
  'rhythm',
  'flappingSince',
] as const satisfies (keyof ProblemAlert)[];

const READ_ALERT =
  `${selectAlert(READ_COLUMNS, 'a.')}, ` +
  `CASE WHEN OCTET_LENGTH(a.payload) <= ${MAX_READ_PAYLOAD} THEN a.payload END AS payload`;

/**
 * The problems that a batch names, with their newest alerts, which nobody else changes until the transaction ends: one
 * statement, in the order of the keys, so that two servers with the same keys do not wait for each other.
 *
 * @param keys dedup keys by source, at least one
 */
export async function lockProblems(
  tx: Transaction,
  keys: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Map<string, StoredProblem>> {
  const problems = new Map<string, StoredProblem>();
  const conditions = [...keys].map(
    ([, dedupKeys]) => `(p.source_id = ? AND p.dedup_key IN (${Array.from(dedupKeys).fill('?').join(', ')}))`,
  );
  const values = [...keys].flatMap(([sourceId, dedupKeys]) => [sourceId].concat(...dedupKeys));
  const rows: (Omit<ProblemAlert, 'id' | 'latestPayload'> & { id: string | null; ofSource: string; ofKey: string })[] =
    await tx.query(
      `SELECT p.source_id AS ofSource, p.dedup_key AS ofKey, ${READ_ALERT} FROM problems p ` +
        `LEFT JOIN alerts a ON a.id = p.alert_id WHERE ${conditions.join(' OR ')} ` +
        `ORDER BY p.source_id, p.dedup_key${tx.dialect.forUpdate}`,
      values,
    );
  for (const { id, ofSource, ofKey, ...row } of rows) {
    problems.set(problemKey(ofSource, ofKey), {
      alert:
        id === null
          ? undefined
          : {
              ...row,
              id,
              ...numbersOf(row),
              status: visibleStatusOf(row.status),
              isTest: isSet(row.isTest),
              latestPayload: null,
            },
    });
  }
  return problems;
}

/** The newest payloads of locked alerts that are merged with what is reported of them, by the alerts' ids. */
export async function readNewestPayloads(
  tx: Transaction,
  deliveries: readonly IncomingDelivery[],
  problems: ReadonlyMap<string, StoredProblem>,
): Promise<Map<string, JsonText>> {
  const ids = new Set<string>();
  for (const { source, events } of deliveries) {
    for (const { merge, dedupKey } of events) {
      const id = merge && problems.get(problemKey(source.id, dedupKey ?? ''))?.alert?.id;
      if (id !== undefined) ids.add(id);
    }
  }
  const newest = new Map<string, JsonText>();
  for (const some of inSizes([...ids])) {
    const rows: { id: string; payload: JsonText }[] = await tx.query(
      'SELECT id, COALESCE(latest_payload, payload) AS payload FROM alerts ' +
        `WHERE id IN (${marksOf(some)})${tx.dialect.forUpdate}`,
      [...some],
    );
    for (const { id, payload } of rows) newest.set(id, payload);
  }
  return newest;
}

/** MySQL's driver hands whole numbers of 64 bits over as text. */
const numbersOf = (row: Pick<ProblemAlert, (typeof TIMES)[number] | 'receivedAt'>) => ({
  receivedAt: Number(row.receivedAt),
  ...Object.fromEntries(TIMES.map((name) => [name, row[name] === null ? null : Number(row[name])])),
});
const TIMES = [
  'lastSeenAt',
  'resolvedAt',
  'completedAt',
  'snoozedUntil',
  'wokenAt',
  'touchedAt',
  'flappingSince',
] as const;

const PROBLEM_COLUMNS = ['source_id', 'dedup_key', 'alert_id'] as const;
const PROBLEM_KEY = 'source_id, dedup_key';
const REPEAT_COLUMNS = ['alert_id', 'id', 'action', 'user_display_name', 'created_at', 'occurrences'] as const;

/** A repeat is counted in the entry of its alert's history that is no older than this, in milliseconds. */
const REPEAT_ENTRY_MS = 60 * 60 * 1000;

/** A problem without a row gets one: it fails as a duplicate when another server was first, and the batch runs again. */
export async function writeProblems(tx: Transaction, problems: ProblemRow[]): Promise<void> {
  const missing = problems.filter(({ isStored }) => !isStored);
  await tx.runRows(
    (rows) => insertSql('problems', PROBLEM_COLUMNS, rows),
    missing.map(({ sourceId, dedupKey, alertId }) => [sourceId, dedupKey, alertId]),
  );
  for (const some of inSizes(problems.filter(({ isStored }) => isStored))) {
    await tx.runRows(
      (rows) => tx.dialect.upsertValues(insertSql('problems', PROBLEM_COLUMNS, rows), PROBLEM_KEY, ['alert_id']),
      some.map(({ sourceId, dedupKey, alertId }) => [sourceId, dedupKey, alertId]),
    );
  }
}

/** Writes what reports changed, with its history. */
export async function writeChanges(
  tx: Transaction,
  changed: readonly TouchedAlert[],
  update = updateReported,
): Promise<void> {
  const entries: NewHistoryEntry[] = [];
  const counting: { touched: TouchedAlert; at: number }[] = [];
  const repeated: SqlValue[][] = [];
  for (const touched of changed) {
    const { alert, sourceName: userDisplayName, repeats } = touched;
    alert.version += 1;
    for (const entry of touched.entries) entries.push({ ...entry, alertId: alert.id, userDisplayName });
    if (repeats === 0) continue;
    if (alert.repeatEntryId !== null && isRecent(alert.repeatEntryId)) {
      repeated.push([alert.id, alert.repeatEntryId, 'repeated', userDisplayName, alert.lastSeenAt, repeats]);
    } else {
      counting.push({ touched, at: entries.length });
      entries.push({ action: 'repeated', occurrences: repeats, alertId: alert.id, userDisplayName });
    }
  }
  // Every entry is there: its number is raised.
  for (const some of inSizes(repeated)) {
    await tx.runRows(
      (rows) => tx.dialect.upsertSum(insertSql('alert_history', REPEAT_COLUMNS, rows), 'alert_id, id', 'occurrences'),
      some,
    );
  }
  const stored = await addHistories(tx, entries);
  for (const { touched, at } of counting) touched.alert.repeatEntryId = stored[at]?.id ?? null;
  await update(
    tx,
    changed.map(({ alert }) => alert),
  );
  const woken = changed.flatMap(({ alert, before }) => (before && alert.snoozedUntil === null ? [before] : []));
  await scheduleWakes(tx, woken, null);
  await nameOwners(tx, changed);
}

/** Writes what the product has decided of locked alerts, counts it and announces it. */
export async function writeEnded(tx: Transaction, ended: readonly TouchedAlert[]): Promise<void> {
  if (ended.length === 0) return;
  await writeChanges(tx, ended, updateUnreported);
  await countChanges(
    tx,
    ended.flatMap(({ alert: after, before }) => (before ? [{ before, after }] : [])),
  );
  // With their newest payloads, which were not read.
  announce(tx, ...ended.flatMap(changesById));
}

async function nameOwners(tx: Transaction, changed: readonly TouchedAlert[]): Promise<void> {
  const names = await findDisplayNames(
    tx,
    changed.flatMap(({ alert }) => alert.ownerId ?? []),
  );
  for (const touched of changed) touched.ownerName = names.get(touched.alert.ownerId ?? '') ?? null;
}

/** The first 48 bits of an id (UUIDv7) are the milliseconds at which it was made. */
const isRecent = (id: string): boolean =>
  Date.now() - Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) < REPEAT_ENTRY_MS;
