import type { Database } from '#backend/platform/database/database.ts';
import type { EventBus } from '#backend/platform/live/event-bus.ts';
import type { SearchIndex } from '#backend/platform/search/search-index.ts';
import type { MemberNotices } from './member-notices.ts';
import { In } from 'typeorm';
import { findDisplayNames } from '#backend/identity/users/user.ts';
import type { BulkChange, BulkLoss, BulkResult } from '#backend/contract/bulk.ts';
import type { AlertsChanged } from '#backend/contract/live-event.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { notFound } from '#backend/platform/endpoint/errors.ts';
import { type StoredFolder, lockFolder } from '#backend/alerts/alert/folder.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { changeAlerts, findFolderNames, removeAlerts } from '#backend/alerts/alert/alert-store.ts';
import {
  type Assigned,
  type Assignee,
  type Caller,
  assignAlerts,
  publishAssigned,
  requireAssignee,
} from './assignment.ts';
import {
  ALERT_PLACE,
  AlertEntity,
  type AlertPlace,
  type StoredAlert,
  canAssign,
  canDelete,
  canSnooze,
  canUnaccept,
  seesEverything,
} from '#backend/alerts/alert/alert.ts';
import { type Batch, nextBatch } from './bulk-selection.ts';
import { canFireAgain, snoozeEndOf } from './snooze-commands.ts';
import { UNTIL_NEXT_FIRING, presentSnoozedUntil } from '#backend/alerts/alert/stored-status.ts';

type BulkDeps = { database: Database; search: SearchIndex; events: EventBus; notices: MemberNotices };

/** What one transaction did. */
interface Outcome {
  changed: AlertPlace[];
  unchanged: number;
  lost: BulkLoss[];
  published: Assigned;
}

/**
 * Changes one batch of alerts: those that the request names, or the next ones that its filter matches. Each alert is
 * judged by itself, as the call for a single one would; what cannot be changed is named and left as it is. One
 * transaction, one entry in each history (two where a move also accepts), one live event.
 *
 * @throws {ProblemError} as `nextBatch` does, 404 when the folder is not the member's, and 422 as `requireAssignee`.
 */
export async function changeManyAlerts(
  { database, search, events, notices }: BulkDeps,
  { actor, ip }: Caller,
  requested: BulkChange,
): Promise<BulkResult> {
  const change: Change = requested.action === 'snooze' ? { ...requested, end: snoozeEndOf(requested) } : requested;
  const batch = await nextBatch({ database, search }, actor, change);
  const outcome = await onBehalfOf(database, actor).transaction((tx) => changeBatch(tx, { actor, ip }, change, batch));
  publishAssigned({ events, notices }, outcome.published);
  if (change.action === 'unaccept') notices.withdraw(outcome.changed.map(({ id }) => id));
  return {
    changed: outcome.changed.map(({ id, status, folderId, ownerId, snoozedUntil }) => {
      const until = presentSnoozedUntil(snoozedUntil);
      return {
        id,
        status,
        ...(folderId && { folderId }),
        ...(ownerId && change.action === 'assign' && { ownerId }),
        ...(until && { snoozedUntil: until }),
      };
    }),
    unchanged: outcome.unchanged,
    lost: outcome.lost,
    ...(batch.next !== undefined && { next: batch.next }),
  };
}

/** What is asked for; the end of a snooze is the same for all alerts of a batch. */
type Change = Exclude<BulkChange, { action: 'snooze' }> | (Extract<BulkChange, { action: 'snooze' }> & { end: number });

/** What is read of each alert. */
const JUDGED = [...ALERT_PLACE, 'dedupKey', 'state'] as const;
type JudgedAlert = Pick<StoredAlert, (typeof JUDGED)[number]>;

async function changeBatch(tx: Transaction, caller: Caller, change: Change, batch: Batch): Promise<Outcome> {
  const { actor } = caller;
  // The folder first, in the order in which a folder's deletion locks them.
  const folder =
    change.action === 'move' && change.folderId !== null ? await lockFolder(tx, actor.id, change.folderId) : null;
  if (change.action === 'move' && change.folderId !== null && !folder) {
    throw notFound('This folder does not exist any more.');
  }
  const assignee = change.action === 'assign' ? await requireAssignee(tx, change.userId) : null;
  const locked = batch.ids.length === 0 ? [] : await tx.lockRows(AlertEntity, { id: In(batch.ids) }, JUDGED);
  const judged = new Map<string, { alert: AlertPlace; verdict: Verdict }>();
  for (const alert of locked) {
    const isTaken = batch.pending.has(alert.id) && alert.status !== 'pending';
    judged.set(alert.id, { alert, verdict: isTaken ? takenOr(actor, change, alert) : judge(actor, change, alert) });
  }
  const having = (wanted: Verdict) =>
    [...judged.values()].flatMap(({ alert, verdict }) => (verdict === wanted ? [alert] : []));
  const changed = having('change');
  return {
    changed,
    unchanged: having('unchanged').length,
    lost: await nameLosses(
      tx,
      batch.ids.map((id) => ({ id, ...judged.get(id) })),
    ),
    published: await apply(tx, caller, change, { folder, assignee }, changed),
  };
}

type Verdict = 'change' | 'unchanged' | BulkLoss['reason'];

/** What becomes of an alert that somebody accepted since the filter found it in the inbox. */
function takenOr(actor: Actor, change: Change, alert: AlertPlace): Verdict {
  if (change.action === 'assign' && alert.ownerId === change.userId) return 'unchanged';
  if (alert.ownerId !== actor.id) return 'taken';
  return change.action === 'accept' ? 'unchanged' : 'not_allowed';
}

/** Whether the member may change this alert in this way, and whether there is anything to change. */
export function judge(actor: Actor, change: Change, alert: JudgedAlert): Verdict {
  const isPending = alert.status === 'pending';
  const isMine = alert.ownerId === actor.id;
  switch (change.action) {
    case 'accept':
      return isPending ? 'change' : isMine ? 'unchanged' : 'taken';
    case 'unaccept':
      return isPending ? 'unchanged' : canUnaccept(actor, alert) ? 'change' : 'taken';
    case 'status':
      if (isPending) return 'returned';
      if (!isMine) return seesEverything(actor) ? 'not_allowed' : 'taken';
      return alert.status === change.status ? 'unchanged' : 'change';
    case 'move':
      if (isPending) return change.folderId === null ? 'returned' : 'change';
      if (!isMine) return 'taken';
      return alert.folderId === change.folderId ? 'unchanged' : 'change';
    case 'snooze':
      if (!canSnooze(actor, alert)) return 'taken';
      if (alert.status === 'completed') return 'completed';
      if (change.end === UNTIL_NEXT_FIRING && !canFireAgain(alert)) return 'fires_once';
      return alert.snoozedUntil === change.end ? 'unchanged' : 'change';
    case 'wake':
      if (!canSnooze(actor, alert)) return 'taken';
      return alert.snoozedUntil === null ? 'unchanged' : 'change';
    case 'assign': {
      const { ifOwner, userId } = change;
      if (alert.ownerId === userId) return 'unchanged';
      const isOther = ifOwner !== undefined && ifOwner !== (alert.ownerId ?? 'none');
      if (isOther && isPending) return 'returned';
      return !isOther && canAssign(actor, alert) ? 'change' : 'taken';
    }
    case 'delete': {
      const { ifOwner } = change;
      const isOther = ifOwner !== undefined && ifOwner !== (alert.ownerId ?? 'none');
      if (isOther) return isPending ? 'returned' : isMine ? 'not_allowed' : 'taken';
      return canDelete(actor, alert) ? 'change' : isMine ? 'not_allowed' : 'taken';
    }
  }
}

/** What was left as it is, with why; who took an alert is named, as to everybody who comes too late for it. */
async function nameLosses(
  tx: Transaction,
  judged: { id: string; alert?: AlertPlace; verdict?: Verdict }[],
): Promise<BulkLoss[]> {
  const losses = judged.flatMap(({ id, alert, verdict = 'gone' }) =>
    verdict === 'change' || verdict === 'unchanged' ? [] : [{ id, alert, reason: verdict }],
  );
  const owners = losses.flatMap(({ alert, reason }) => (reason === 'taken' && alert?.ownerId) || []);
  const names = await findDisplayNames(tx, owners);
  return losses.map(({ id, alert, reason }) => {
    const ownerName = reason === 'taken' ? names.get(alert?.ownerId ?? '') : undefined;
    return ownerName === undefined ? { id, reason } : { id, reason, ownerName };
  });
}

/** Changes locked alerts. Returns what is to be published after the commit. */
async function apply(
  tx: Transaction,
  { actor, ip }: Caller,
  change: Change,
  { folder, assignee }: { folder: StoredFolder | null; assignee: Assignee | null },
  alerts: AlertPlace[],
): Promise<Assigned> {
  const userDisplayName = actor.displayName;
  const by = { ownerId: actor.id, ownerName: userDisplayName };
  const accepted = ({ id }: AlertPlace) => ({ alertId: id, action: 'accepted' as const, userDisplayName });
  switch (change.action) {
    case 'accept':
      await changeAlerts(tx, alerts, { status: 'accepted', ownerId: actor.id }, (alert) => [accepted(alert)]);
      return published(eventOf('accepted', alerts, by));
    case 'unaccept': {
      const folders = await findFolderNames(tx, alerts);
      await changeAlerts(tx, alerts, { status: 'pending', ownerId: null, folderId: null }, (alert) => [
        {
          alertId: alert.id,
          action: 'unaccepted',
          previousStatus: alert.status,
          previousFolderName: folders.get(alert.folderId ?? '') ?? null,
          folderOwnerId: alert.ownerId,
          userDisplayName,
        },
      ]);
      return published(eventOf('unaccepted', alerts));
    }
    case 'status': {
      const { status } = change;
      await changeAlerts(tx, alerts, { status }, ({ id, status: previousStatus }) => [
        { alertId: id, action: 'status_change', previousStatus, newStatus: status, userDisplayName },
      ]);
      return published(eventOf('updated', alerts, { ...by, status }));
    }
    case 'move': {
      const { folderId } = change;
      const folders = await findFolderNames(tx, alerts);
      const moved = (alert: AlertPlace) => ({
        alertId: alert.id,
        action: 'move_folder' as const,
        previousFolderName: folders.get(alert.folderId ?? '') ?? null,
        newFolderName: folder?.name ?? null,
        folderOwnerId: actor.id,
        userDisplayName,
      });
      const pending = alerts.filter(({ status }) => status === 'pending');
      const mine = alerts.filter(({ status }) => status !== 'pending');
      const taken = { status: 'accepted', ownerId: actor.id, folderId } as const;
      await changeAlerts(tx, pending, taken, (alert) => [accepted(alert), moved(alert)]);
      await changeAlerts(tx, mine, { folderId }, (alert) => [moved(alert)]);
      return published(
        eventOf('accepted', pending, { ...by, folderId }),
        eventOf('updated', mine, { ...by, folderId }),
      );
    }
    case 'snooze': {
      const { end } = change;
      await changeAlerts(tx, alerts, { snoozedUntil: end, wokenAt: null }, ({ id }) => [
        { alertId: id, action: 'snoozed', snoozedUntil: end, userDisplayName },
      ]);
      const snoozedUntil = presentSnoozedUntil(end);
      return published(...eventsByOwner('snoozed', alerts, by, snoozedUntil ? { snoozedUntil } : {}));
    }
    case 'wake':
      await changeAlerts(tx, alerts, { snoozedUntil: null, wokenAt: null }, ({ id }) => [
        { alertId: id, action: 'woken', userDisplayName },
      ]);
      return published(...eventsByOwner('woken', alerts, by));
    case 'delete':
      await removeAlerts(tx, alerts, ({ id, status }) => {
        return { alertId: id, action: 'deleted', previousStatus: status, userDisplayName };
      });
      return published(eventOf('deleted', alerts));
    case 'assign':
      return assignee ? assignAlerts(tx, { actor, ip }, assignee, alerts) : published();
  }
}

/** What is published of changes that notify nobody by name. */
const published = (...events: AlertsChanged[]): Assigned => ({
  events: events.filter(({ alertIds }) => alertIds.length > 0),
  notices: [],
});

const eventOf = (
  change: AlertsChanged['change'],
  alerts: AlertPlace[],
  extra: Partial<AlertsChanged> = {},
): AlertsChanged => ({
  type: 'alerts_changed',
  change,
  alertIds: alerts.map(({ id }) => id),
  ownerId: null,
  ownerName: null,
  ...extra,
});

/** What happens to alerts of the inbox is everybody's to know, the rest their owner's. */
const eventsByOwner = (
  change: AlertsChanged['change'],
  alerts: AlertPlace[],
  by: Pick<AlertsChanged, 'ownerId' | 'ownerName'>,
  extra: Partial<AlertsChanged> = {},
): AlertsChanged[] => [
  eventOf(change, alerts.filter(isPending), extra),
  eventOf(change, alerts.filter(isOwned), { ...extra, ...by }),
];

const isPending = ({ status }: AlertPlace): boolean => status === 'pending';
const isOwned = ({ status }: AlertPlace): boolean => status !== 'pending';
