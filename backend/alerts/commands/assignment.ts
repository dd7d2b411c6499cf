import { In } from 'typeorm';
import { UserEntity, findUser } from '#backend/identity/users/user.ts';
import { addAudit, authorOf } from '#backend/identity/audit/audit-log.ts';
import type { AlertPlace } from '#backend/alerts/alert/alert.ts';
import type { AssignmentKind } from '#backend/contract/alert.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { unacceptable } from '#backend/platform/endpoint/errors.ts';
import type { Assignee, CommandOf, DecidedAlert } from './command.ts';
import type { GivenNotice } from '#backend/platform/live/event-bus.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { assignmentKindOf } from './rules/assign.ts';

/** The member who asks, and from where. */
export interface Caller {
  actor: Actor;
  ip: string;
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

/**
 * Reports an assignment, in its transaction: in the audit trail where the alerts are somebody else's to give, and to the new
 * owner and the one before.
 *
 * @param alerts that change their owner, as they were before
 * @returns who is notified
 */
export async function reportAssignment(
  tx: Transaction,
  caller: Caller,
  { assignee, note }: CommandOf<'assign'>,
  alerts: readonly DecidedAlert[],
): Promise<GivenNotice[]> {
  await auditHandOver(tx, caller, assignee, alerts);
  const kinds = Map.groupBy(alerts, (alert) => assignmentKindOf(caller.actor, alert));
  return [...kinds].flatMap(([kind, some]) => noticesOf(caller.actor, assignee, kind, some, note));
}

/** Who is notified: the new owner, and the owner before where somebody else decided; nobody of what they did themselves. */
function noticesOf(
  actor: Actor,
  assignee: Assignee,
  kind: AssignmentKind,
  alerts: readonly DecidedAlert[],
  note: string | null,
): GivenNotice[] {
  const newest = alerts.toSorted((one, other) => (one.id < other.id ? 1 : -1));
  const about = {
    byId: actor.id,
    byName: actor.displayName,
    alertTitle: alerts.length === 1 && alerts[0] ? (alerts[0].title ?? alerts[0].alertType) : null,
  };
  const notices: GivenNotice[] = [];
  if (assignee.id !== actor.id) {
    notices.push({ ...about, id: newId(), kind, userId: assignee.id, alertIds: idsOf(newest), text: note ?? '' });
  }
  for (const [userId, some] of Map.groupBy(newest, ({ ownerId }) => ownerId)) {
    if (userId === null || userId === actor.id) continue;
    const toName = assignee.displayName;
    notices.push({ ...about, id: newId(), kind: 'reassigned', userId, alertIds: idsOf(some), toName, text: '' });
  }
  return notices;
}

const idsOf = (alerts: readonly AlertPlace[]): string[] => alerts.map(({ id }) => id);
