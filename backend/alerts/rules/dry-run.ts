import { In } from 'typeorm';
import type { DatabasePlace } from '#backend/alerts/insight/reader.ts';
import { narrowStored } from '#backend/alerts/lists/stored-search.ts';
import type { RuleDryRun, RuleDryRunQuery, Ruled } from '#backend/contract/rule.ts';
import { UserEntity } from '#backend/identity/users/user.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { conflict } from '#backend/platform/endpoint/errors.ts';
import { type TriedRule, runInThread } from './dry-run-thread.ts';
import { compileRules, inOrder, requireRuleSearch } from './open-rules.ts';
import { RuleEntity, type StoredRule } from './rule-entities.ts';
import { noSuchRule } from './rule-commands.ts';
import type { RuledById } from './tally-dry-run.ts';

/** Dependencies of dry runs. */
export interface DryRunDeps {
  database: Database;
  /** Where the thread reads alerts. */
  place: DatabasePlace;
}

/**
 * What a change of the rules would have made of the newest alerts, as these are now.
 *
 * @throws {ProblemError} 404 and 409 when the rules that it names are not those that there are, 422 for a search that no rule can have,
 *   400 for one that stands for too many names, 503 when the thread cannot run
 */
export async function dryRunRules({ database, place }: DryRunDeps, query: RuleDryRunQuery): Promise<RuleDryRun> {
  if (query.rule) requireRuleSearch(query.rule.search);
  const stored = inOrder(await database.reads.getRepository(RuleEntity).find());
  const changed = changedRules(stored, query);
  // A stored rule that is not understood does nothing. Of the one that is tried, that is to be known.
  if (query.rule) await narrowStored(database, query.rule.search);
  const [before, after] = await Promise.all([compiled(database, stored), compiled(database, changed.rules)]);
  const { tally, tookMs, total } = await runInThread({
    place,
    byKey: database.dialect.byKey('alerts'),
    before,
    after,
    ruleId: changed.ruleId,
    assignable: await findAssignable(database, [...before, ...after]),
  });
  const { oldestAt, examples, ...counts } = tally;
  const names = await namesOf(
    database,
    examples.flatMap((one) => [one.before.assigneeId ?? [], one.after.assigneeId ?? []].flat()),
  );
  const named = ({ assigneeId, ...ruled }: RuledById): Ruled => ({
    ...ruled,
    ...(assigneeId !== undefined && { assigneeName: names.get(assigneeId) ?? null }),
  });
  return {
    ...counts,
    tookMs: Math.round(tookMs),
    total: Math.max(total, counts.judged),
    ...(oldestAt !== undefined && { since: new Date(oldestAt).toISOString() }),
    examples: examples.map(({ id, before: was, after: would }) => ({ id, before: named(was), after: named(would) })),
  };
}

/** The rules as they would be, and which of them is changed. */
function changedRules(
  stored: readonly StoredRule[],
  { id, rule, order }: RuleDryRunQuery,
): { rules: StoredRule[]; ruleId: string | undefined } {
  const known = id === undefined ? undefined : stored.find((one) => one.id === id);
  if (id !== undefined && !known) throw noSuchRule();
  const edited = rule && { search: rule.search, actions: JSON.stringify(rule.actions), isOn: rule.isOn };
  const ruleId = rule ? (id ?? newId()) : undefined;
  const rules = stored.map((one) => (edited && one.id === id ? Object.assign({}, one, edited) : one));
  if (edited && !known && ruleId !== undefined) {
    rules.push({
      ...edited,
      id: ruleId,
      place: Number.MAX_SAFE_INTEGER,
      name: '',
      ownerId: '',
      offAt: null,
      offReason: null,
      changedBy: '',
      changedAt: 0,
      createdAt: 0,
      version: 1,
    });
  }
  if (!order) return { rules, ruleId };
  if (!stored.every((one) => order.includes(one.id)))
    throw conflict('Rules were added or deleted in the meantime. Look at their order again.');
  return {
    rules: rules.map((one) => placed(one, order)),
    ruleId,
  };
}

/** A rule in its place by an order; one that is not in it, because it is new, keeps its place. */
const placed = (rule: StoredRule, order: readonly string[]): StoredRule =>
  order.includes(rule.id) ? { ...rule, place: order.indexOf(rule.id) } : rule;

async function compiled(database: Database, rules: readonly StoredRule[]): Promise<TriedRule[]> {
  const compiledRules = await compileRules(database, rules);
  return compiledRules.map(({ id, name, version, actions, list }) => ({ id, name, version, actions, list }));
}

/** To whom of the members that rules name they assign alerts: a disabled account gets none. */
async function findAssignable({ reads }: Database, rules: readonly TriedRule[]): Promise<string[]> {
  const ids = [...new Set(rules.flatMap(({ actions }) => actions.assigneeId ?? []))];
  if (ids.length === 0) return [];
  const users = await reads
    .getRepository(UserEntity)
    .find({ select: { id: true }, where: { id: In(ids), isActive: true, isService: false } });
  return users.map(({ id }) => id);
}

async function namesOf({ reads }: Database, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const users = await reads
    .getRepository(UserEntity)
    .find({ select: { id: true, displayName: true }, where: { id: In([...new Set(ids)]) } });
  return new Map(users.map(({ id, displayName }) => [id, displayName]));
}
