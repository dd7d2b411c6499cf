import type { Change as Announced } from '#backend/platform/live/event-bus.ts';
import { credentialTable } from '#backend/identity/users/on-behalf-of.ts';
import {
  type AlertPlace,
  NO_PROBLEM,
  type StoredAlert,
  alertColumn,
  publishedAlert,
} from '#backend/alerts/alert/alert.ts';
import { type UpdateReason, isNewsOf } from '#backend/contract/live-event.ts';
import { nameSortKey } from '#backend/contract/name.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { type SqlValue, insertSql } from '#backend/platform/database/dialect.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { BUILT_IN_SOURCE, type IncomingDelivery, type IncomingEvent } from './incoming-delivery.ts';
import type { Change, ProblemAlert } from './problems.ts';

/** An alert that a batch made or changed, as it is after the commit, for those who are to know. */
export interface WrittenAlert {
  alert: ProblemAlert;
  ownerName: string | null;
  isNew: boolean;
  /** Completed before, and open again. */
  isReopened: boolean;
  reason: UpdateReason | undefined;
  isQuiet: boolean;
  /** When the request was read that the batch met it in first, a moment of `performance.now()`. */
  readAt: number | undefined;
}

/** An alert that the batch touches, and what is to be written of it. */
export interface TouchedAlert extends WrittenAlert {
  /** The event that made it, while it is not stored yet. */
  made: { delivery: IncomingDelivery; event: IncomingEvent } | undefined;
  before: AlertPlace | undefined;
  entries: Change['entries'];
  repeats: number;
  isChanged: boolean;
  sourceName: string;
}

/** What every alert is stored with. */
const NEW_ALERT = [
  'id',
  'receivedAt',
  'status',
  'customer',
  'alertType',
  'url',
  'payload',
  'extraData',
  'sourceName',
  'sourceId',
  'sender',
  'title',
  'severity',
] as const satisfies (keyof StoredAlert)[];
/** What only alerts of problems have, and tests. */
const OF_PROBLEM = [
  'state',
  'dedupKey',
  'groupKey',
  'groupTitle',
  'previousAlertId',
  'isTest',
] as const satisfies (keyof StoredAlert)[];
const ALERT_COLUMNS = NEW_ALERT.map(alertColumn);
const ALERT_PROBLEM_COLUMNS = [...ALERT_COLUMNS, ...OF_PROBLEM.map(alertColumn)];
/**
 * The secrets of this batch that are still accepted, and the sessions and API tokens that still exist. Nobody can end them before the
 * commit, so that an end that commits first refuses the alert, on this server and on others with the same database.
 */
export async function findValidSenders(
  tx: Transaction,
  batch: readonly Pick<IncomingDelivery, 'source' | 'sessionId'>[],
): Promise<Set<string>> {
  const secretIds = new Set<string>();
  const credentials = { sessions: new Set<string>(), api_tokens: new Set<string>() };
  for (const { source, sessionId } of batch) {
    if (sessionId !== undefined) credentials[credentialTable(sessionId)].add(sessionId);
    else if (source.secretId !== null) secretIds.add(source.secretId);
  }
  const found = new Set<string>();
  const now = Date.now();
  for (const [table, ids] of [
    ['source_secrets', secretIds],
    ['sessions', credentials.sessions],
    ['api_tokens', credentials.api_tokens],
  ] as const) {
    if (ids.size === 0) continue;
    const columns = table === 'source_secrets' ? 'id, expires_at' : 'id';
    const places = Array.from(ids).fill('?').join(', ');
    const sql = `SELECT ${columns} FROM ${table} WHERE id IN (${places})${tx.dialect.forShare}`;
    const rows: { id: string; expires_at?: number | string | null }[] = await tx.query(sql, [...ids]);
    for (const { id, expires_at: expiresAt } of rows) {
      if (expiresAt === null || expiresAt === undefined || Number(expiresAt) > now) found.add(id);
    }
  }
  return found;
}

/** An alert as an event makes it, of a problem that had `previous` before. */
export function newAlert(
  { source, receivedAt }: IncomingDelivery,
  event: IncomingEvent,
  previous: ProblemAlert | undefined,
): ProblemAlert {
  const { customer, alertType, url, payload, extraData, title, severity, state, dedupKey, groupTitle, sender, isTest } =
    event;
  return {
    ...NO_PROBLEM,
    id: newId(),
    receivedAt,
    status: 'pending',
    customer,
    alertType,
    url,
    payload,
    extraData,
    ownerId: null,
    folderId: null,
    sourceName: source.name,
    sourceId: source.id === BUILT_IN_SOURCE ? null : source.id,
    sender,
    title,
    severity: severity === 'none' ? null : severity,
    state: state === 'event' ? null : state,
    dedupKey,
    groupTitle,
    resolvedAt: state === 'resolved' ? receivedAt : null,
    previousAlertId: previous?.id ?? null,
    isTest,
  };
}

/**
 * Stores the alerts that the batch made, as they were made. Every parameter of a statement costs, on MySQL most, so a
 * batch without problems leaves their columns out.
 */
export async function insertNew(tx: Transaction, alerts: TouchedAlert[]): Promise<void> {
  const made = alerts.filter(({ made: by }) => by);
  const hasProblems = made.some(
    ({ alert, made: by }) =>
      alert.isTest ||
      alert.state !== null ||
      alert.dedupKey !== null ||
      alert.groupTitle !== null ||
      alert.previousAlertId !== null ||
      (by?.event.groupKey ?? null) !== null,
  );
  await insert(tx, 'alerts', hasProblems ? ALERT_PROBLEM_COLUMNS : ALERT_COLUMNS, made, ({ alert, made: by }) => {
    const values: SqlValue[] = [
      alert.id,
      alert.receivedAt,
      'pending',
      alert.customer,
      alert.alertType,
      alert.url,
      by?.event.payload ?? '',
      alert.extraData,
      alert.sourceName,
      alert.sourceId,
      alert.sender,
      alert.title,
      alert.severity,
    ];
    if (!hasProblems) return values;
    const groupKey = by?.event.groupKey ?? null;
    values.push(alert.state, alert.dedupKey, groupKey, alert.groupTitle, alert.previousAlertId, alert.isTest ? 1 : 0);
    return values;
  });
}

const insert = <T>(
  tx: Transaction,
  table: string,
  columns: readonly string[],
  rows: T[],
  valuesOf: (row: T) => SqlValue[],
): Promise<void> => tx.runRows((count) => insertSql(table, columns, count), rows.map(valuesOf));

/** What is announced of an alert of a batch. */
export function changesOf({ alert, ownerName, isNew, isReopened, reason, isQuiet, readAt }: WrittenAlert): Announced[] {
  const { payload } = alert;
  if (payload === null) {
    return [{ type: 'lists_changed', lists: ['inbox', 'mine', 'folder', 'all', 'snoozed'], ownerId: alert.ownerId }];
  }
  const published = publishedAlert({ ...alert, payload }, ownerName);
  if (isNew && alert.status === 'pending') {
    return [
      {
        type: 'new_alert',
        alert: published,
        ...(isQuiet && { quiet: true }),
        ...(readAt !== undefined && { readAt }),
      },
    ];
  }
  const silent = isQuiet && isNewsOf(reason, alert.ownerId);
  return [
    // Its owner's lists have it; a list that everybody sees gets it back.
    ...(isReopened && alert.ownerId === null ? [{ type: 'alert_unaccepted', alert: published } as const] : []),
    { type: 'alert_updated', alert: published, reason: silent ? 'repeated' : (reason ?? 'repeated') },
  ];
}

/**
 * The last time seen of a name that this process wrote so recently is not written again: in a storm it would be raised
 * a hundred times a second. A name's last time seen is therefore right up to this, in milliseconds.
 */
const WRITE_INTERVAL_MS = 250;

/** Names that are remembered as written; whoever names more of them pays for writing them again. */
const MAX_REMEMBERED = 10_000;

/** What of an alert is seen: its names, and when. */
export interface SeenAlert {
  customer: string | null;
  alertType: string | null;
  receivedAt: number;
}

/** Customers and types to be written, and when they were seen last: in the order of names. */
export interface DueNames {
  customers: [string, number][];
  types: [string, number][];
}

/** Remembers which names were written last. */
export interface SeenNames {
  /** The names of these alerts whose last time seen is to be written. */
  dueIn(alerts: readonly SeenAlert[]): DueNames;
  /** To be called after the commit. */
  noteWritten(due: DueNames): void;
}

export function createSeenNames(): SeenNames {
  const customers = new Map<string, number>();
  const types = new Map<string, number>();
  return {
    dueIn: (alerts) => ({
      customers: dueNames(customers, alerts, 'customer'),
      types: dueNames(types, alerts, 'alertType'),
    }),
    noteWritten(due) {
      remember(customers, due.customers);
      remember(types, due.types);
    },
  };
}

function remember(written: Map<string, number>, due: [string, number][]): void {
  if (written.size + due.length > MAX_REMEMBERED) written.clear();
  for (const [name, at] of due) written.set(name, at);
}

/** Names in a fixed order: two servers that touch the same rows in the same order do not deadlock. */
function dueNames(
  written: ReadonlyMap<string, number>,
  alerts: readonly SeenAlert[],
  field: 'customer' | 'alertType',
): [string, number][] {
  const due = new Map<string, number>();
  for (const alert of alerts) {
    const name = alert[field];
    if (name === null) continue;
    const writtenAt = written.get(name);
    // A clock may also go back.
    if (writtenAt !== undefined && Math.abs(alert.receivedAt - writtenAt) < WRITE_INTERVAL_MS) continue;
    due.set(name, Math.max(alert.receivedAt, due.get(name) ?? 0));
  }
  return [...due].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Adds customers and types that are named for the first time; of the others it raises the last time seen. */
export async function writeSeenNames(tx: Transaction, { customers, types }: DueNames): Promise<void> {
  await tx.runRows(
    upsertOf(tx, 'customers', ['id', 'name', 'sort_key', 'last_seen_at']),
    customers.map(([name, at]) => [newId(), name, nameSortKey(name), at]),
  );
  await tx.runRows(
    upsertOf(tx, 'alert_types', ['name', 'sort_key', 'last_seen_at']),
    types.map(([name, at]) => [name, nameSortKey(name), at]),
  );
}

const upsertOf =
  ({ dialect }: Transaction, table: string, columns: readonly string[]) =>
  (rows: number) =>
    dialect.upsertGreatest(insertSql(table, columns, rows), 'name', 'last_seen_at');
