import { marksOf } from '#backend/platform/database/conditions.ts';
import type { Change as Announced, PublishedAlert } from '#backend/platform/live/event-bus.ts';
import type { RuledAlert } from '#backend/alerts/rules/rule-set.ts';
import { credentialTable } from '#backend/identity/users/on-behalf-of.ts';
import type { User } from '#backend/identity/users/user.ts';
import {
  type AlertPlace,
  NO_PROBLEM,
  type StoredAlert,
  alertColumn,
  publishedAlert,
} from '#backend/alerts/alert/alert.ts';
import { type UpdateReason, isNewsOf } from '#backend/contract/live-event.ts';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { type SqlValue, inSizes, insertSql } from '#backend/platform/database/dialect.ts';
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
  /** Whom a rule assigns the new alert to. */
  assignee?: User | undefined;
  /** When the request was read that the batch met it in first, a moment of `performance.now()`. */
  readAt: number | undefined;
}

/** An alert that the batch touches, and what is to be written of it. */
export interface TouchedAlert extends WrittenAlert, RuledAlert {
  /** The event that made it, while it is not stored yet. */
  made: { delivery: IncomingDelivery; event: IncomingEvent } | undefined;
  before: AlertPlace | undefined;
  entries: Change['entries'];
  repeats: number;
  /** For how long it was not reported, where it notifies for that, in milliseconds. */
  notifiesAfterMs?: number | undefined;
  isChanged: boolean;
  sourceName: string;
}

/**
 * A change of a stored alert that the product itself has decided, in whose name its history has it.
 *
 * @param before where the alert was
 */
export const decidedByProduct = (
  alert: ProblemAlert,
  before: AlertPlace,
  { reason, entries }: Pick<Change, 'reason' | 'entries'>,
): TouchedAlert => ({
  alert,
  ownerName: null,
  isNew: false,
  isReopened: false,
  reason,
  isQuiet: false,
  ruled: [],
  readAt: undefined,
  made: undefined,
  before,
  entries,
  repeats: 0,
  isChanged: true,
  sourceName: PRODUCT_NAME,
});

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
/** What only alerts have that a maintenance window keeps quiet, that are in a group, or that a rule has filed under a label. */
const OF_MARKS = ['quietById', 'quietByName', 'groupId', 'label'] as const satisfies (keyof StoredAlert)[];
const ALERT_COLUMNS = NEW_ALERT.map(alertColumn);
const ALERT_PROBLEM_COLUMNS = [...ALERT_COLUMNS, ...OF_PROBLEM.map(alertColumn)];
const ALERT_MARK_COLUMNS = [...ALERT_PROBLEM_COLUMNS, ...OF_MARKS.map(alertColumn)];
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
    for (const some of inSizes([...ids])) {
      const places = marksOf(some);
      const sql = `SELECT ${columns} FROM ${table} WHERE id IN (${places})${tx.dialect.forShare}`;
      const rows = await tx.readPrepared<{ id: string; expires_at?: number | string | null }>(sql, some);
      for (const { id, expires_at: expiresAt } of rows) {
        if (expiresAt === null || expiresAt === undefined || Number(expiresAt) > now) found.add(id);
      }
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
    label: event.label ?? null,
    isTest,
  };
}

/**
 * Stores the alerts that the batch made, as they were made. Every parameter of a statement costs, on MySQL most, so a
 * batch without problems leaves their columns out.
 */
export async function insertNew(tx: Transaction, alerts: TouchedAlert[]): Promise<void> {
  const made = alerts.filter(({ made: by }) => by);
  const isMarked = made.some(({ alert }) =>
    [alert.quietById, alert.groupId, alert.label].some((mark) => mark !== null),
  );
  const hasProblems = made.some(
    ({ alert, made: by }) =>
      alert.isTest ||
      alert.state !== null ||
      alert.dedupKey !== null ||
      alert.groupTitle !== null ||
      alert.previousAlertId !== null ||
      (by?.event.groupKey ?? null) !== null,
  );
  const columns = isMarked ? ALERT_MARK_COLUMNS : hasProblems ? ALERT_PROBLEM_COLUMNS : ALERT_COLUMNS;
  await insert(tx, 'alerts', columns, made, ({ alert, made: by }) => {
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
    if (!hasProblems && !isMarked) return values;
    const groupKey = by?.event.groupKey ?? null;
    values.push(alert.state, alert.dedupKey, groupKey, alert.groupTitle, alert.previousAlertId, alert.isTest ? 1 : 0);
    if (isMarked) values.push(alert.quietById, alert.quietByName, alert.groupId, alert.label);
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

const hasPayload = (alert: ProblemAlert): alert is ProblemAlert & { payload: string } => alert.payload !== null;

/** What is announced of an alert of a batch. */
export const changesOf = (written: WrittenAlert): Announced[] => {
  const { alert, ownerName } = written;
  return hasPayload(alert) ? announcedOf(written, { alert: publishedAlert(alert, ownerName) }) : changesById(written);
};

/** The same by the alert's id, where not all of it is known: it is read when that is published. */
export const changesById = (written: WrittenAlert): Announced[] =>
  announcedOf(written, { alertIds: [written.alert.id] });

function announcedOf(
  { alert, isNew, isReopened, reason, isQuiet, assignee, readAt }: WrittenAlert,
  subject: { alert: PublishedAlert } | { alertIds: string[] },
): Announced[] {
  if (isNew && alert.status === 'pending') {
    return [
      {
        type: 'new_alert',
        ...subject,
        // Whom a rule gives it to is notified of that, and nobody else.
        ...((isQuiet || assignee) && { quiet: true }),
        ...(!isQuiet && assignee && { isGiven: true }),
        ...(readAt !== undefined && { readAt }),
      },
    ];
  }
  // A mark keeps a reopened alert quiet by itself; without one it would be notified of as a new alert.
  const silent = isQuiet && (isNewsOf(reason, alert.ownerId) || (reason === 'reopened' && alert.quietById === null));
  const isBack = isReopened && alert.ownerId === null;
  // What a report wakes is in its lists again, which a repeat never is.
  const said = silent && reason === 'woken' ? {} : ({ reason: silent ? 'repeated' : (reason ?? 'repeated') } as const);
  const announced: Announced[] = [{ type: 'alert_updated', ...subject, ...said }];
  // Its owner's lists have it; a list that everybody sees gets it back.
  if (isBack) {
    announced.unshift(
      silent
        ? { type: 'lists_changed', lists: ['inbox', 'all'], ownerId: null }
        : { type: 'alert_unaccepted', ...subject },
    );
  }
  return announced;
}
