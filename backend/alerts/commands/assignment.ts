import type { Database } from '#backend/platform/database/database.ts';
import type { EventBus } from '#backend/platform/live/event-bus.ts';
import { In } from 'typeorm';
import { UserEntity, findDisplayNames, findUser } from '#backend/identity/users/user.ts';
import { addAudit, authorOf } from '#backend/identity/audit/audit-log.ts';
import type { AssignmentKind } from '#backend/contract/alert.ts';
import type { AssignInput } from '#backend/contract/assignment.ts';
import type { AlertsChanged } from '#backend/contract/live-event.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { conflict, notFound, unacceptable } from '#backend/platform/endpoint/errors.ts';
import type { JsonText } from '#backend/platform/endpoint/json-text.ts';
import type { NewNotice, MemberNotices } from './member-notices.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import {
  changeAlerts,
  findAlert,
  findFolderNames,
  lockAlert,
  type NewHistoryEntry,
} from '#backend/alerts/alert/alert-store.ts';
import { type AlertPlace, canAssign, presentAlert } from '#backend/alerts/alert/alert.ts';

/** Whose alerts become. */
export interface Assignee {
  id: string;
  displayName: string;
}

/** The member who asks, and from where. */
export interface Caller {
  actor: Actor;
  ip: string;
}

/** What is published after an assignment is committed. */
export interface Assigned {
  events: AlertsChanged[];
  notices: NewNotice[];
}

/**
 * The member to whom alerts are to be given. Somebody who is disabled in the same moment may still be given some: the
 * server returns these to the inbox as it does with all others of theirs.
 *
 * @throws {ProblemError} 422 when there is no such account, or it is disabled.
 */
export async function requireAssignee(tx: Transaction, userId: string): Promise<Assignee> {
  const user = await findUser(tx, userId);
  if (!user || user.isService) throw unacceptable('There is no account with this id.');
  if (!user.isActive) throw unacceptable(`The account of ${user.displayName} is disabled. Choose somebody else.`);
  return user;
}

/**
 * Gives one alert to a member, who owns it from then on: in the status it has, from the inbox as accepted, in no folder.
 * Whose it is already stays as it is.
 *
 * @throws {ProblemError} 404 when there is no such alert, 409 naming whose it is when it is not the caller's to give or has
 * another owner than `ifOwner` says, 422 as {@link requireAssignee}.
 */
export async function assignAlert(
  { database, events, notices }: { database: Database; events: EventBus; notices: MemberNotices },
  { actor, ip }: Caller,
  id: string,
  { userId, ifOwner }: AssignInput,
): Promise<JsonText> {
  const { alert, assignee, published } = await onBehalfOf(database, actor).transaction(async (tx) => {
    const to = await requireAssignee(tx, userId);
    const found = await lockAlert(tx, id);
    if (!found) throw notFound('This alert does not exist any more.');
    const isOther = ifOwner !== undefined && ifOwner !== (found.ownerId ?? 'none') && found.ownerId !== to.id;
    if (isOther || !canAssign(actor, found)) {
      if (found.ownerId === null) throw conflict('This alert was returned to the inbox.');
      const names = await findDisplayNames(tx, [found.ownerId]);
      throw conflict(`Already accepted by ${names.get(found.ownerId) ?? 'someone else'}.`);
    }
    if (found.ownerId === to.id) return { alert: found, assignee: to, published: undefined };
    const done = await assignAlerts(tx, { actor, ip }, to, [found]);
    return { alert: (await findAlert(tx, id)) ?? found, assignee: to, published: done };
  });
  if (published) publishAssigned({ events, notices }, published);
  return presentAlert(alert, assignee.displayName);
}

/**
 * Writes down what an administrator decides about alerts that others own; what people do with their own is in the
 * alerts' histories. One entry for a transaction.
 *
 * @param alerts locked, as they were before
 */
async function auditHandOver(
  tx: Transaction,
  { actor, ip }: Caller,
  assignee: Assignee,
  alerts: readonly AlertPlace[],
): Promise<void> {
  const ofOthers = alerts.filter(({ ownerId }) => ownerId !== null && ownerId !== actor.id);
  const [first] = ofOthers;
  if (!first) return;
  const byOwner = [...Map.groupBy(ofOthers, ({ ownerId }) => ownerId ?? '')];
  const people = await tx
    .getRepository(UserEntity)
    .find({ select: { id: true, email: true }, where: { id: In([assignee.id, ...byOwner.map(([id]) => id)]) } });
  const emailOf = (userId: string) => people.find(({ id }) => id === userId)?.email ?? 'a deleted account';
  const isOfOne = byOwner.length === 1;
  const from = isOfOne ? emailOf(first.ownerId ?? '') : `${byOwner.length} members`;
  const each = byOwner.map(([id, some]) => `${emailOf(id)} (${some.length})`).join(', ');
  const count = ofOthers.length === 1 ? `alert ${first.id}` : `${ofOthers.length} alerts`;
  const detail = isOfOne ? count : `${count}: ${each}`;
  await addAudit(tx, authorOf(actor, ip), 'alerts_handed_over', `${from} → ${emailOf(assignee.id)}`, { detail });
}

/** Publishes what an assignment did, after its commit. */
export function publishAssigned(
  { events, notices }: { events: EventBus; notices: MemberNotices },
  { events: changes, notices: reports }: Assigned,
): void {
  for (const event of changes) events.publish(event);
  notices.add(reports);
}

/**
 * Gives locked alerts to a member. One entry in each history, and in the audit trail where they are somebody else's to give;
 * the new owner and the one before are notified.
 */
export async function assignAlerts(
  tx: Transaction,
  { actor, ip }: Caller,
  assignee: Assignee,
  alerts: readonly AlertPlace[],
  note: string | null = null,
): Promise<Assigned> {
  await auditHandOver(tx, { actor, ip }, assignee, alerts);
  const folders = await findFolderNames(tx, alerts);
  const isForSelf = assignee.id === actor.id;
  const by = { ownerId: assignee.id, ownerName: assignee.displayName };
  const entryOf = (alert: AlertPlace): NewHistoryEntry => {
    const entry = { alertId: alert.id, userDisplayName: actor.displayName };
    if (isForSelf && alert.status === 'pending') return { ...entry, action: 'accepted' };
    return {
      ...entry,
      action: kindOf(actor, alert),
      previousStatus: alert.status,
      previousFolderName: folders.get(alert.folderId ?? '') ?? null,
      folderOwnerId: alert.ownerId,
      assigneeName: assignee.displayName,
      note,
    };
  };
  const assigned: Assigned = { events: [], notices: [] };
  for (const [group, some] of Map.groupBy(alerts, (alert) => groupOf(actor, alert))) {
    const kind = group === 'pending' ? 'assigned' : group;
    const assignment = isForSelf ? undefined : { kind, byName: actor.displayName };
    const change = {
      ownerId: assignee.id,
      folderId: null,
      ...(group === 'pending' && { status: 'accepted' as const }),
      ...(!isForSelf && { assignment: kind, assignedById: actor.id, assignedByName: actor.displayName }),
    };
    await changeAlerts(tx, some, change, (alert) => [entryOf(alert)]);
    assigned.events.push({
      type: 'alerts_changed',
      change: group === 'pending' ? 'accepted' : 'assigned',
      alertIds: some.map(({ id }) => id),
      ...by,
      ...(assignment && { assignment }),
    });
    assigned.notices.push(...(await noticesOf(tx, actor, assignee, kind, some, note)));
  }
  return assigned;
}

type Group = 'pending' | AssignmentKind;

const groupOf = (actor: Actor, alert: AlertPlace): Group =>
  alert.status === 'pending' ? 'pending' : kindOf(actor, alert);

const kindOf = (actor: Actor, alert: AlertPlace): AssignmentKind =>
  alert.ownerId === actor.id ? 'handed_over' : 'assigned';

/** Who is notified: the new owner, and the owner before where somebody else decided; nobody of what they did themselves. */
async function noticesOf(
  tx: Transaction,
  actor: Actor,
  assignee: Assignee,
  kind: AssignmentKind,
  alerts: readonly AlertPlace[],
  note: string | null,
): Promise<NewNotice[]> {
  const newest = alerts.toSorted((one, other) => (one.id < other.id ? 1 : -1));
  const about = {
    byId: actor.id,
    byName: actor.displayName,
    alertTitle: alerts.length === 1 && alerts[0] ? await titleOf(tx, alerts[0]) : null,
  };
  const notices: NewNotice[] = [];
  if (assignee.id !== actor.id) {
    notices.push({ ...about, kind, userId: assignee.id, alertIds: idsOf(newest), text: note ?? '' });
  }
  for (const [userId, some] of Map.groupBy(newest, ({ ownerId }) => ownerId)) {
    if (userId === null || userId === actor.id) continue;
    const toName = assignee.displayName;
    notices.push({ ...about, kind: 'reassigned', userId, alertIds: idsOf(some), toName, text: '' });
  }
  return notices;
}

const idsOf = (alerts: readonly AlertPlace[]): string[] => alerts.map(({ id }) => id);

async function titleOf(tx: Transaction, { id, alertType }: AlertPlace): Promise<string | null> {
  const [row]: { title: string | null }[] = await tx.query('SELECT title FROM alerts WHERE id = ?', [id]);
  return row?.title ?? alertType;
}
