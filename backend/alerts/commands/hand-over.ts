import { isEverybodys } from '#backend/contract/alert-place.ts';
import type { EntityManager } from 'typeorm';
import { UserEntity } from '#backend/identity/users/user.ts';
import type { AlertSeverity } from '#backend/contract/alert.ts';
import type { Colleague, HandOver, HandOverCounts, HandOverOf, OpenStatus } from '#backend/contract/assignment.ts';
import { type BulkResult, MAX_BULK_BATCH } from '#backend/contract/bulk.ts';
import { sortByName } from '#backend/contract/name.ts';
import { conflict } from '#backend/platform/endpoint/errors.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { BY_ORIGIN, WHOLE } from '#backend/alerts/alert/alert-counts.ts';
import { type AlertPlace } from '#backend/alerts/alert/alert.ts';
import { type Condition, allOf, anyOf, isOneOf } from '#backend/platform/database/conditions.ts';
import type { CommandDeps } from './alert-commands.ts';
import { announceApplied, applyCommand, isChanged, lockDecided } from './apply-command.ts';
import { type Caller, requireAssignee } from './assignment.ts';
import { presentChanged } from './bulk-commands.ts';
import type { Refusal } from './command.ts';
import {
  snoozedStatusesOf,
  OPEN_STATUSES,
  type StoredStatus,
  visibleStatusOf,
} from '#backend/alerts/alert/stored-status.ts';

/** Alerts, or counters of them, that somebody works on. */
const IS_OPEN = isOneOf('status', OPEN_STATUSES);

/**
 * Hands the next batch of the caller's open alerts to another member.
 *
 * @throws {ProblemError} 409 when it is the caller who is to have them, 422 as `requireAssignee`.
 */
export async function handOver(context: CommandDeps, caller: Caller, change: HandOver): Promise<BulkResult> {
  const { id } = caller.actor;
  if (change.userId === id) throw conflict('These alerts are already yours.');
  return handOverOf(context, caller, id, change);
}

/**
 * Hands the next batch of all open alerts of a member to another one, on an administrator's behalf.
 *
 * @throws {ProblemError} 409 when both are the same, 422 as `requireAssignee`.
 */
export async function handOverAll(
  context: CommandDeps,
  caller: Caller,
  ownerId: string,
  change: HandOverOf,
): Promise<BulkResult> {
  if (change.userId === ownerId) throw conflict('They already have these alerts.');
  return handOverOf(context, caller, ownerId, change);
}

/**
 * In one transaction, each alert judged by itself when it is locked. What the owner does not have any more, or has
 * completed, is left as it is and named.
 */
async function handOverOf(
  deps: CommandDeps,
  caller: Caller,
  ownerId: string,
  { userId, note, before, ...which }: HandOverOf & Partial<HandOver>,
): Promise<BulkResult> {
  const { database } = deps;
  const { actor } = caller;
  const isWanted = wanted(ownerId, which);
  const { sql, values } = allOf(before === undefined ? [isWanted] : [isWanted, { sql: 'id < ?', values: [before] }]);
  const rows: { id: string }[] = await database.reads.query(
    `SELECT id FROM alerts ${database.dialect.byIndex('alerts_queue')} WHERE ${sql} ORDER BY id DESC LIMIT ${MAX_BULK_BATCH}`,
    values,
  );
  const ids = rows.map(({ id }) => id);
  const applied = await onBehalfOf(database, actor).transaction(async (tx) => {
    const assigning = { action: 'assign', assignee: await requireAssignee(tx, userId), note: note || null } as const;
    const locked = await lockDecided(tx, ids);
    const done = await applyCommand(tx, caller, assigning, locked, (alert) => lossOf(ownerId, which, alert));
    announceApplied(tx, done);
    return done;
  });
  const byId = new Map(applied.judged.map((one) => [one.before.id, one]));
  const last = ids.at(-1);
  return {
    changed: applied.judged.filter(isChanged).map((one) => presentChanged(one, true)),
    unchanged: 0,
    lost: ids.flatMap((id) => {
      const reason = byId.get(id)?.decision ?? 'gone';
      return typeof reason === 'object' || reason === 'unchanged' ? [] : [{ id, reason }];
    }),
    ...(ids.length === MAX_BULK_BATCH && last !== undefined && { next: last }),
  };
}

/** Of which status and in which folders; everything that is open where nothing is named. */
type Which = Partial<Pick<HandOver, 'status' | 'isWithQueue' | 'folderIds'>>;

/** The member's open alerts of these statuses and folders. */
const wanted = (ownerId: string, { status, isWithQueue, folderIds }: Which): Condition =>
  allOf([
    { sql: 'owner_id = ?', values: [ownerId] },
    status === undefined ? IS_OPEN : isOneOf('status', [status, ...snoozedStatusesOf([status])]),
    ...(folderIds
      ? [
          anyOf([
            ...(isWithQueue ? [{ sql: 'folder_id IS NULL', values: [] }] : []),
            ...(folderIds.length > 0 ? [isOneOf('folder_id', folderIds)] : []),
          ]),
        ]
      : []),
  ]);

/** Why an alert that was chosen is not handed over: it has become another since. */
function lossOf(ownerId: string, { status, isWithQueue, folderIds }: Which, alert: AlertPlace): Refusal | undefined {
  if (isEverybodys(alert)) return 'returned';
  if (alert.ownerId !== ownerId) return 'taken';
  const isOpen = status === undefined ? alert.status !== 'completed' : alert.status === status;
  const isThere = !folderIds || (alert.folderId === null ? isWithQueue : folderIds.includes(alert.folderId));
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
