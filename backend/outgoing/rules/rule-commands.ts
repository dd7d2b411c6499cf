import { In, IsNull } from 'typeorm';
import type { Ladder } from '#backend/contract/ladder.ts';
import {
  MAX_OUTGOING_RULES,
  type NewOutgoingRule,
  OUTGOING_EVENTS,
  type OutgoingEvent,
  type OutgoingRule,
  type OutgoingRuleChange,
} from '#backend/contract/outgoing.ts';
import { addAudit } from '#backend/identity/audit/audit-log.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { lockActiveAdmins } from '#backend/identity/users/user.ts';
import { nameKeyOf } from '#backend/intake/sources/source-entity.ts';
import { type OutgoingAdministrator, storing } from '#backend/outgoing/destinations/destination-commands.ts';
import { DestinationEntity } from '#backend/outgoing/destinations/destination-entity.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { conflict, notFound, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { requireRuleSearch } from './compile-rule.ts';
import { requireRecipients, withoutRecipient } from './ladder-use.ts';
import {
  OutgoingRuleEntity,
  type StoredOutgoingRule,
  destinationsOfRule,
  eventsOfRule,
  ladderOfRule,
  storedLadder,
} from './rule-entity.ts';

/** Dependencies of the commands on rules. */
export interface RuleDeps {
  database: Database;
}

export const noSuchRule = () => notFound('There is no rule with this id.');
const nameTaken = () => conflict('Another rule has this name. Choose another one.');

/** A rule as administrators read it. @param fault why it sends less than it says although it is on */
export const presentRule = (rule: StoredOutgoingRule, fault: string | undefined): OutgoingRule => ({
  id: rule.id,
  name: rule.name,
  version: rule.version,
  search: rule.search,
  events: eventsOfRule(rule),
  destinationIds: destinationsOfRule(rule),
  ladder: ladderOfRule(rule),
  isOn: rule.isOn,
  ...(fault !== undefined && { fault }),
  changedBy: rule.changedBy,
  changedAt: new Date(rule.changedAt).toISOString(),
});

/**
 * Makes a rule. One that is off may lead nowhere.
 *
 * @throws {ProblemError} 409 when another rule has this name or there are too many, 422 for a search that no rule can have
 */
export async function createRule(
  { database }: RuleDeps,
  { author, displayName }: OutgoingAdministrator,
  { name, search, events, destinationIds, ladder = null }: NewOutgoingRule,
  isOn = true,
): Promise<string> {
  requireRuleSearch(search);
  if (isOn) requireWhere(destinationIds, ladder);
  const id = newId();
  await storing(database, nameTaken, () =>
    onBehalfOf(database, author).transaction(async (tx) => {
      await lockActiveAdmins(tx);
      if ((await tx.getRepository(OutgoingRuleEntity).count()) >= MAX_OUTGOING_RULES) {
        throw conflict(`There are ${MAX_OUTGOING_RULES} rules already. Delete one first.`);
      }
      const now = Date.now();
      await tx.getRepository(OutgoingRuleEntity).insert({
        id,
        name,
        nameKey: nameKeyOf(name),
        search,
        events: JSON.stringify(inOrder(events)),
        destinationIds: JSON.stringify(await existing(tx, destinationIds)),
        ladder: storedLadder(await checked(tx, ladder)),
        isOn,
        activeSince: now,
        changedBy: displayName,
        changedAt: now,
        createdAt: now,
        version: 1,
      });
      announce(tx, { type: 'outgoing_changed' });
      const detail = `${search || 'All alerts'}${isOn ? '' : '; switched off'}`;
      await addAudit(tx, author, 'outgoing_rule_created', name, { detail });
    }),
  );
  return id;
}

/**
 * Changes a rule. What is read of the feed from then on is judged by it, also what came before; what was made before is still
 * sent. A rule that begins to send sends nothing that came before.
 *
 * @param ifVersion the version that the change was decided on
 * @returns false when it has another version by now: then nothing is changed
 * @throws {ProblemError} 404, 409 when another one has this name, 422 for a search that no rule can have
 */
export async function changeRule(
  { database }: RuleDeps,
  by: OutgoingAdministrator,
  id: string,
  { name, search, events, destinationIds, ladder, isOn }: OutgoingRuleChange,
  ifVersion?: number,
): Promise<boolean> {
  if (search !== undefined) requireRuleSearch(search);
  return storing(database, nameTaken, () =>
    inRule(database, by, id, async (tx, before) => {
      if (ifVersion !== undefined && ifVersion !== before.version) return false;
      const isWhereChanged = destinationIds !== undefined || ladder !== undefined;
      // One that leads nowhere can be renamed and switched off.
      if ((isOn ?? before.isOn) && (isWhereChanged || isOn === true)) {
        const after = ladder === undefined ? ladderOfRule(before) : ladder;
        requireWhere(destinationIds ?? destinationsOfRule(before), after);
      }
      const now = Date.now();
      await tx.getRepository(OutgoingRuleEntity).update(
        { id },
        {
          ...(name !== undefined && { name, nameKey: nameKeyOf(name) }),
          ...(search !== undefined && { search }),
          ...(events !== undefined && { events: JSON.stringify(inOrder(events)) }),
          ...(destinationIds !== undefined && { destinationIds: JSON.stringify(await existing(tx, destinationIds)) }),
          ...(ladder !== undefined && { ladder: storedLadder(await checked(tx, ladder)) }),
          ...(isOn !== undefined && { isOn }),
          // The feed may be behind: a rule that goes on misses nothing by being saved.
          activeSince: isSending(before) ? Math.min(before.activeSince, now) : now,
          changedBy: by.displayName,
          changedAt: now,
          version: before.version + 1,
        },
      );
      const isRenamed = name !== undefined && name !== before.name;
      const changed = [
        ...(search !== undefined && search !== before.search ? [`search: ${search || 'All alerts'}`] : []),
        ...(events === undefined ? [] : [`on: ${inOrder(events).join(', ')}`]),
        ...(destinationIds === undefined ? [] : [`destinations: ${destinationIds.length}`]),
        ...(ladder === undefined || storedLadder(ladder) === before.ladder ? [] : [describeLadder(ladder)]),
        ...(isOn === undefined || isOn === before.isOn ? [] : [isOn ? 'switched on' : 'switched off']),
      ];
      await addAudit(tx, by.author, 'outgoing_rule_changed', isRenamed ? `${before.name} → ${name}` : before.name, {
        detail: changed.join('; ') || undefined,
      });
      return true;
    }),
  );
}

/** Deletes a rule: what it made before is still sent. @throws {ProblemError} 404 */
export async function deleteRule({ database }: RuleDeps, by: OutgoingAdministrator, id: string): Promise<void> {
  await inRule(database, by, id, async (tx, { name }) => {
    await tx.getRepository(OutgoingRuleEntity).delete({ id });
    await addAudit(tx, by.author, 'outgoing_rule_deleted', name);
  });
}

/** Rules do not lead to a destination that is deleted. What then leads nowhere is switched off. */
export async function leaveDestination(
  tx: Transaction,
  destinationId: string,
  { author, displayName }: OutgoingAdministrator,
): Promise<void> {
  const rules = await tx.lockRows(OutgoingRuleEntity, {});
  for (const rule of rules) {
    const before = ladderOfRule(rule);
    const left = destinationsOfRule(rule).filter((id) => id !== destinationId);
    const destinationIds = JSON.stringify(left);
    const ladder = storedLadder(before && withoutRecipient(before, 'destination', destinationId));
    if (destinationIds === rule.destinationIds && ladder === rule.ladder) continue;
    const isEnded = rule.isOn && left.length === 0 && ladder === null;
    const end = { isOn: false, changedBy: displayName, changedAt: Date.now() };
    await tx
      .getRepository(OutgoingRuleEntity)
      .update({ id: rule.id }, { destinationIds, ladder, version: rule.version + 1, ...(isEnded && end) });
    if (!isEnded) continue;
    const detail = 'switched off: its destination was deleted';
    await addAudit(tx, author, 'outgoing_rule_changed', rule.name, { detail });
  }
}

/** Whether a rule is on and leads anywhere. */
const isSending = ({ isOn, destinationIds, ladder }: StoredOutgoingRule): boolean =>
  isOn && (ladder !== null || destinationsOfRule({ destinationIds }).length > 0);

const inOrder = (events: readonly OutgoingEvent[]): OutgoingEvent[] =>
  OUTGOING_EVENTS.filter((event) => events.includes(event));

const describeLadder = (ladder: Ladder | null): string =>
  ladder === null
    ? 'without a ladder'
    : `ladder: ${ladder.steps.length} ${ladder.steps.length === 1 ? 'step' : 'steps'}`;

/** @throws {ProblemError} 422 when a rule would send nothing and notify nobody */
function requireWhere(destinationIds: readonly string[], ladder: Ladder | null): void {
  if (destinationIds.length > 0 || ladder !== null) return;
  const message = 'Choose a destination, or whom it notifies until somebody takes it.';
  throw unacceptable(message, [{ path: 'destinationIds', message }]);
}

/** @throws {ProblemError} 422 when a recipient of the ladder is not there */
async function checked(tx: Transaction, ladder: Ladder | null): Promise<Ladder | null> {
  if (ladder !== null) await requireRecipients(tx, ladder);
  return ladder;
}

/** @throws {ProblemError} 422 when one of the destinations is not there, or is a member's own */
async function existing(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return wanted;
  const found = await tx.getRepository(DestinationEntity).countBy({ id: In(wanted), ownerId: IsNull() });
  if (found === wanted.length) return wanted;
  const message = 'One of the destinations was deleted in the meantime. Choose another one.';
  throw unacceptable(message, [{ path: 'destinationIds', message }]);
}

function inRule<T>(
  database: Database,
  { author }: OutgoingAdministrator,
  id: string,
  work: (tx: Transaction, rule: StoredOutgoingRule) => Promise<T>,
): Promise<T> {
  return onBehalfOf(database, author).transaction(async (tx) => {
    const [rule] = await tx.lockRows(OutgoingRuleEntity, { id });
    if (!rule) throw noSuchRule();
    announce(tx, { type: 'outgoing_changed' });
    return work(tx, rule);
  });
}
