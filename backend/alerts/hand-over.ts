import { type EntityManager, In } from 'typeorm';
import { UserEntity } from '#backend/accounts/user.ts';
import type { AppContext } from '#backend/context.ts';
import type { AlertSeverity } from '#backend/contract/alert.ts';
import { type Colleague, type HandOver, type HandOverCounts, type OpenStatus } from '#backend/contract/assignment.ts';
import { type BulkLoss, type BulkResult, MAX_BULK_BATCH } from '#backend/contract/bulk.ts';
import { sortByName } from '#backend/contract/name.ts';
import type { Actor } from '#backend/endpoint/endpoint.ts';
import { conflict } from '#backend/endpoint/errors.ts';
import { onBehalfOf } from '#backend/sessions/on-behalf-of.ts';
import { BY_ORIGIN, WHOLE } from './alert-counts.ts';
import { ALERT_PLACE, AlertEntity, type AlertPlace } from './alert.ts';
import { type Condition, allOf, anyOf, isOneOf } from './alert-list.ts';
import { assignAlerts, publishAssigned, requireAssignee } from './assignment.ts';
import {
  OPEN_STATUSES,
  type StoredStatus,
  presentSnoozedUntil,
  snoozedStatusesOf,
  visibleStatusOf,
} from './stored-status.ts';

/** Alerts, or counters of them, that somebody works on. */
const IS_OPEN = isOneOf('status', OPEN_STATUSES);

/**
 * Hands the next batch of the caller's open alerts to another member: in one transaction, each judged by itself when it is
 * locked. What the caller does not have any more, or has completed, is left as it is and named.
 *
 * @throws {ProblemError} 409 when it is the caller who is to have them, 422 as `requireAssignee`.
 */
export async function handOver(
  { database, events, notices }: Pick<AppContext, 'database' | 'events' | 'notices'>,
  actor: Actor,
  { userId, note, before, ...which }: HandOver,
): Promise<BulkResult> {
  if (userId === actor.id) throw conflict('These alerts are yours already.');
  const isWanted = wanted(actor.id, which);
  const { sql, values } = allOf(before === undefined ? [isWanted] : [isWanted, { sql: 'id < ?', values: [before] }]);
  const rows: { id: string }[] = await database.reads.query(
    `SELECT id FROM alerts ${database.dialect.byIndex('alerts_queue')} WHERE ${sql} ORDER BY id DESC LIMIT ${MAX_BULK_BATCH}`,
    values,
  );
  const ids = rows.map(({ id }) => id);
  const outcome = await onBehalfOf(database, actor).transaction(async (tx) => {
    const assignee = await requireAssignee(tx, userId);
    const locked = ids.length === 0 ? [] : await tx.lockRows(AlertEntity, { id: In(ids) }, ALERT_PLACE);
    const byId = new Map(locked.map((alert) => [alert.id, alert]));
    const judged = ids.map((id) => ({ id, reason: lossOf(actor, which, byId.get(id)) }));
    const changed = locked.filter((alert) => lossOf(actor, which, alert) === undefined);
    return {
      changed,
      lost: judged.flatMap(({ id, reason }) => (reason ? [{ id, reason }] : [])),
      published: await assignAlerts(tx, actor, assignee, changed, note || null),
    };
  });
  publishAssigned({ events, notices }, outcome.published);
  const last = ids.at(-1);
  return {
    changed: outcome.changed.map(({ id, status, folderId, snoozedUntil }) => {
      const until = presentSnoozedUntil(snoozedUntil);
      return { id, status, ...(folderId && { folderId }), ...(until && { snoozedUntil: until }), ownerId: actor.id };
    }),
    unchanged: 0,
    lost: outcome.lost,
    ...(ids.length === MAX_BULK_BATCH && last !== undefined && { next: last }),
  };
}

type Which = Pick<HandOver, 'status' | 'isWithQueue' | 'folderIds'>;

/** The member's open alerts of these statuses and folders. */
const wanted = (ownerId: string, { status, isWithQueue, folderIds }: Which): Condition =>
  allOf([
    { sql: 'owner_id = ?', values: [ownerId] },
    status === undefined ? IS_OPEN : isOneOf('status', [status, ...snoozedStatusesOf([status])]),
    anyOf([
      ...(isWithQueue ? [{ sql: 'folder_id IS NULL', values: [] }] : []),
      ...(folderIds.length > 0 ? [isOneOf('folder_id', folderIds)] : []),
    ]),
  ]);

/** Why an alert that was chosen is not handed over: it has become another since. */
function lossOf(
  actor: Actor,
  { status, isWithQueue, folderIds }: Which,
  alert: AlertPlace | undefined,
): BulkLoss['reason'] | undefined {
  if (!alert) return 'gone';
  if (alert.status === 'pending') return 'returned';
  if (alert.ownerId !== actor.id) return 'taken';
  const isOpen = status === undefined ? alert.status !== 'completed' : alert.status === status;
  const isThere = alert.folderId === null ? isWithQueue : folderIds.includes(alert.folderId);
  return isOpen && isThere ? undefined : 'not_allowed';
}

/** How many open alerts a member has, by folder, status and severity: what a hand-over can take. */
export async function countOpenAlerts(reads: EntityManager, ownerId: string): Promise<HandOverCounts> {
  const rows: { folderId: string; status: StoredStatus; severity: AlertSeverity | ''; alerts: unknown }[] =
    await reads.query(
      'SELECT folder_id AS folderId, status, alert_type AS severity, SUM(alerts) AS alerts FROM alert_counts ' +
        `WHERE detail = ${BY_ORIGIN} AND owner_id = ? AND ${IS_OPEN.sql} GROUP BY folder_id, status, alert_type ` +
        'HAVING SUM(alerts) > 0 ORDER BY folder_id, status, alert_type',
      [ownerId, ...IS_OPEN.values],
    );
  return rows.map(({ folderId, severity, status, alerts }) => ({
    folderId: folderId || null,
    status: visibleStatusOf(status) as OpenStatus,
    severity: severity || 'none',
    isSnoozed: visibleStatusOf(status) !== status,
    alerts: Number(alerts),
  }));
}

/**
 * The members who may sign in, who has fewest open alerts first.
 *
 * @param onlineIds members of whom a page is connected
 */
export async function findColleagues(reads: EntityManager, onlineIds: ReadonlySet<string>): Promise<Colleague[]> {
  const users = await reads
    .getRepository(UserEntity)
    .find({ select: { id: true, displayName: true }, where: { isActive: true, isService: false } });
  const rows: { id: string; alerts: unknown }[] = await reads.query(
    `SELECT owner_id AS id, SUM(alerts) AS alerts FROM alert_counts WHERE detail = ${WHOLE} AND ${IS_OPEN.sql} ` +
      'GROUP BY owner_id',
    IS_OPEN.values,
  );
  const open = new Map(rows.map(({ id, alerts }) => [id, Number(alerts)]));
  return sortByName(users, ({ displayName }) => displayName)
    .map(({ id, displayName }) => ({
      id,
      displayName,
      openAlerts: open.get(id) ?? 0,
      isOnline: onlineIds.has(id),
    }))
    .toSorted((one, other) => one.openAlerts - other.openAlerts);
}
