import { In } from 'typeorm';
import {
  MAX_RULES,
  type NewRule,
  type Rule,
  type RuleActions,
  type RuleChange,
  ruleActionsSchema,
} from '#backend/contract/rule.ts';
import { faultOfSearch } from '#backend/alerts/lists/stored-search.ts';
import { type Author, addAudit } from '#backend/identity/audit/audit-log.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { UserEntity, findUser, lockActiveAdmins } from '#backend/identity/users/user.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { conflict, notFound, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { type Rules, inOrder, requireRuleSearch } from './open-rules.ts';
import { RuleEntity, RuleHitsEntity, type StoredRule, actionsOf } from './rule-entities.ts';
import { noHits, readHits } from './rule-hits.ts';

/** Dependencies of the commands on rules. */
export interface RuleDeps {
  database: Database;
  rules: Pick<Rules, 'refresh'>;
}

/** The administrator who changes rules. */
export interface RuleAdministrator {
  author: Author;
  displayName: string;
  /** Whose a new rule is, where nobody is named. */
  userId: string;
}

export const noSuchRule = () => notFound('There is no rule with this id.');
const refuse = (path: string, message: string) => unacceptable(message, [{ path, message }]);

/** The rules in their order, as administrators read them. @param id only this one */
export async function listRules({ database }: Pick<RuleDeps, 'database'>, id?: string): Promise<Rule[]> {
  const { reads } = database;
  const stored = inOrder(await reads.getRepository(RuleEntity).findBy(id === undefined ? {} : { id }));
  const hits = await readHits(database, Date.now());
  const people = new Set(stored.flatMap((rule) => [rule.ownerId, actionsOf(rule)?.assigneeId ?? []].flat()));
  const users =
    people.size === 0
      ? []
      : await reads
          .getRepository(UserEntity)
          .find({ select: { id: true, displayName: true, isActive: true }, where: { id: In([...people]) } });
  const userOf = (userId: string) => users.find((user) => user.id === userId);
  const present = async (rule: StoredRule): Promise<Rule> => {
    const actions = actionsOf(rule);
    const ofRule = hits.get(rule.id);
    const assignee = actions?.assigneeId === undefined ? undefined : (userOf(actions.assigneeId) ?? null);
    const fault = actions ? await faultOf(database, rule, assignee) : 'What it does is not understood.';
    return {
      id: rule.id,
      name: rule.name,
      search: rule.search,
      actions: actions ?? {},
      isOn: rule.isOn,
      ownerId: rule.ownerId,
      ownerName: userOf(rule.ownerId)?.displayName ?? null,
      version: rule.version,
      ...(assignee !== undefined && { assigneeName: assignee?.displayName ?? null }),
      hits: ofRule?.days ?? noHits(),
      ...(ofRule?.lastHitAt !== undefined && { lastHitAt: new Date(ofRule.lastHitAt).toISOString() }),
      ...(rule.offAt !== null && {
        switchedOff: { at: new Date(rule.offAt).toISOString(), reason: rule.offReason ?? '' },
      }),
      ...(fault !== undefined && { fault }),
      changedBy: rule.changedBy,
      changedAt: new Date(rule.changedAt).toISOString(),
    };
  };
  return Promise.all(stored.map(present));
}

/** Why a rule does less than it says; undefined when it can do all. */
async function faultOf(
  database: Database,
  { search }: StoredRule,
  assignee: { displayName: string; isActive: boolean } | null | undefined,
): Promise<string | undefined> {
  if (assignee === null) return 'The account that it assigns alerts to is gone.';
  if (assignee?.isActive === false) return `The account of ${assignee.displayName} is disabled.`;
  return faultOfSearch(database, search);
}

/**
 * Makes a rule, which is the last one: the next alert is judged by it.
 *
 * @returns its id
 * @throws {ProblemError} 409 when another one has this name or there are too many, 422 for a search that no rule can have, and for an
 *   owner or assignee who is not there
 */
export async function createRule(
  { database, rules }: RuleDeps,
  by: RuleAdministrator,
  { name, search, actions, isOn = true, ownerId = by.userId }: NewRule,
): Promise<string> {
  requireRuleSearch(search);
  const id = newId();
  await changing(database, by, async (tx, all) => {
    if (all.length >= MAX_RULES) throw conflict(`There are ${MAX_RULES} rules already. Delete one first.`);
    requireNewName(all, name);
    await requirePeople(tx, { ownerId, actions });
    const now = Date.now();
    await tx.getRepository(RuleEntity).insert({
      id,
      place: (all.at(-1)?.place ?? -1) + 1,
      name,
      search,
      actions: JSON.stringify(actions),
      isOn,
      ownerId,
      offAt: null,
      offReason: null,
      changedBy: by.displayName,
      changedAt: now,
      createdAt: now,
      version: 1,
    });
    await addAudit(tx, by.author, 'rule_created', name, { detail: search || 'All alerts' });
  });
  await rules.refresh();
  return id;
}

/**
 * Changes a rule. What it did before stays.
 *
 * @param ifVersion the version that the change was decided on
 * @returns false when it has another version by now: then nothing is changed
 * @throws {ProblemError} 404, 409 when another one has this name, 422 as {@link createRule}
 */
export async function changeRule(
  { database, rules }: RuleDeps,
  by: RuleAdministrator,
  id: string,
  { name, search, actions, isOn, ownerId }: RuleChange,
  ifVersion?: number,
): Promise<boolean> {
  if (search !== undefined) requireRuleSearch(search);
  const isDone = await changing(database, by, async (tx, all) => {
    const before = requireRule(all, id);
    if (ifVersion !== undefined && ifVersion !== before.version) return false;
    if (name !== undefined && name !== before.name) requireNewName(all, name, id);
    await requirePeople(tx, { ownerId, actions });
    await tx.getRepository(RuleEntity).update(
      { id },
      {
        ...(name !== undefined && { name }),
        ...(search !== undefined && { search }),
        ...(actions !== undefined && { actions: JSON.stringify(actions) }),
        ...(ownerId !== undefined && { ownerId }),
        ...(isOn !== undefined && { isOn, offAt: null, offReason: null }),
        changedBy: by.displayName,
        changedAt: Date.now(),
        version: before.version + 1,
      },
    );
    const isRenamed = name !== undefined && name !== before.name;
    const changed = [
      ...(search !== undefined && search !== before.search ? [`search: ${search || 'All alerts'}`] : []),
      ...(actions !== undefined && !isSame(actions, before) ? ['what it does'] : []),
      ...(ownerId !== undefined && ownerId !== before.ownerId ? ['owner'] : []),
      ...(isOn === undefined || isOn === before.isOn ? [] : [isOn ? 'switched on' : 'switched off']),
    ];
    await addAudit(tx, by.author, 'rule_changed', isRenamed ? `${before.name} → ${name}` : before.name, {
      detail: changed.join('; ') || undefined,
    });
    return true;
  });
  await rules.refresh();
  return isDone;
}

/** Deletes a rule and its hits; what it did stays. @throws {ProblemError} 404 */
export async function deleteRule({ database, rules }: RuleDeps, by: RuleAdministrator, id: string): Promise<void> {
  await changing(database, by, async (tx, all) => {
    const { name } = requireRule(all, id);
    await tx.getRepository(RuleEntity).delete({ id });
    await tx.getRepository(RuleHitsEntity).delete({ ruleId: id });
    await addAudit(tx, by.author, 'rule_deleted', name);
  });
  await rules.refresh();
}

/**
 * Puts the rules into another order.
 *
 * @param ids all of them
 * @throws {ProblemError} 409 when these are not the rules that there are
 */
export async function reorderRules(
  { database, rules }: RuleDeps,
  by: RuleAdministrator,
  ids: readonly string[],
): Promise<void> {
  await changing(database, by, async (tx, all) => {
    const wanted = new Set(ids);
    if (wanted.size !== ids.length || ids.length !== all.length || !all.every(({ id }) => wanted.has(id)))
      throw conflict('Rules were added or deleted in the meantime. Look at their order again.');
    const moved = all.filter(({ id, place }) => ids.indexOf(id) !== place);
    for (const { id } of moved) await tx.getRepository(RuleEntity).update({ id }, { place: ids.indexOf(id) });
    if (all.every(({ id }, at) => ids[at] === id)) return;
    const names = ids.map((id) => all.find((rule) => rule.id === id)?.name ?? '');
    await addAudit(tx, by.author, 'rules_reordered', 'Rules', { detail: names.join(', ') });
  });
  await rules.refresh();
}

const isSame = (actions: RuleActions, before: StoredRule): boolean =>
  JSON.stringify(ruleActionsSchema.parse(actions)) === JSON.stringify(actionsOf(before));

/** One administrator after the other, so that there are never too many rules, and no two of one name. */
function changing<T>(
  database: Database,
  { author }: RuleAdministrator,
  work: (tx: Transaction, all: readonly StoredRule[]) => Promise<T>,
): Promise<T> {
  return onBehalfOf(database, author).transaction(async (tx) => {
    await lockActiveAdmins(tx);
    const all = inOrder(await tx.lockRows(RuleEntity, {}));
    announce(tx, { type: 'rules_changed' });
    return work(tx, all);
  });
}

function requireRule(all: readonly StoredRule[], id: string): StoredRule {
  const rule = all.find((one) => one.id === id);
  if (!rule) throw noSuchRule();
  return rule;
}

/** How names are compared. */
const keyOf = (name: string): string => name.normalize('NFC').toLowerCase();

/** @throws {ProblemError} 409 when another rule has this name, in whatever case */
function requireNewName(all: readonly StoredRule[], name: string, id?: string): void {
  if (all.some((other) => other.id !== id && keyOf(other.name) === keyOf(name)))
    throw conflict('Another rule has this name. Choose another one.');
}

/** @throws {ProblemError} 422 when the owner is not there, or alerts cannot be assigned to the assignee */
async function requirePeople(
  tx: Transaction,
  { ownerId, actions }: { ownerId?: string | undefined; actions?: RuleActions | undefined },
): Promise<void> {
  if (ownerId !== undefined && !(await findUser(tx, ownerId))) {
    throw refuse('ownerId', 'There is no account with the id of the owner.');
  }
  const assigneeId = actions?.assigneeId;
  if (assigneeId === undefined) return;
  const user = await findUser(tx, assigneeId);
  if (!user || user.isService) throw refuse('actions', 'There is no account with the id to assign to.');
  if (!user.isActive) throw refuse('actions', `The account of ${user.displayName} is disabled. Choose somebody else.`);
}
