import type { ConfiguredArrivalRule } from '#backend/contract/configuration.ts';
import { changeRule, createRule, deleteRule, reorderRules } from '#backend/alerts/rules/rule-commands.ts';
import { inOrder } from '#backend/alerts/rules/open-rules.ts';
import { RuleEntity, actionsOf } from '#backend/alerts/rules/rule-entities.ts';
import { type NewRule, type RuleActions, ruleActionsSchema } from '#backend/contract/rule.ts';
import { unacceptable } from '#backend/platform/endpoint/errors.ts';
import { emailKey } from '#backend/identity/users/user.ts';
import { type ConfigurationRun, type Section, pick } from './section.ts';

/** Who changes rules, and whose a rule is that names no owner. */
const administratorOf = ({ by, viewAuthor }: ConfigurationRun) => ({ ...by, userId: viewAuthor.actor.id });

const assigneeIn = (
  { names }: ConfigurationRun,
  { assignee }: ConfiguredArrivalRule['actions'],
): Pick<RuleActions, 'assigneeId'> =>
  assignee === undefined ? {} : { assigneeId: names.idOf('member', assignee, 'actions.assignee') };

/** @throws {ProblemError} 422 where the actions are none or contradict each other */
function actionsIn(run: ConfigurationRun, actions: ConfiguredArrivalRule['actions']): RuleActions {
  const { assignee: _, ...others } = actions;
  const written = { ...others, ...assigneeIn(run, actions) };
  const read = ruleActionsSchema.safeParse(written);
  if (read.success) return read.data;
  const message = read.error.issues[0]?.message ?? 'These actions do not go together';
  throw unacceptable(`${message}.`, [{ path: 'actions', message: `${message}.` }]);
}

const ownerIn = ({ names }: ConfigurationRun, { owner }: ConfiguredArrivalRule): Pick<NewRule, 'ownerId'> =>
  owner === undefined ? {} : { ownerId: names.idOf('member', owner, 'owner') };

/** Rules on what arrives, in the order in which they are applied. */
export const arrivalRuleSection: Section<ConfiguredArrivalRule> = {
  noun: 'rule',
  // Else a rule would be handed over to whoever runs the file.
  keepsWhenAbsent: ['owner'],
  async read(manager, names) {
    return inOrder(await manager.getRepository(RuleEntity).find()).map((rule) => {
      const { assigneeId, ...actions } = actionsOf(rule) ?? {};
      const assignee = assigneeId === undefined ? undefined : names.nameOf('member', assigneeId);
      const { id, version, name, search, isOn, ownerId } = rule;
      const entry = {
        name,
        search,
        isOn,
        actions: { ...actions, ...(assignee !== undefined && { assignee }) },
        owner: names.nameOf('member', ownerId),
      };
      return { id, version, entry };
    });
  },
  normalize: ({ actions, owner, ...entry }) => ({
    ...entry,
    actions: { ...actions, ...(actions.assignee !== undefined && { assignee: emailKey(actions.assignee) }) },
    ...(owner !== undefined && { owner: emailKey(owner) }),
  }),
  check: (run, entry) => [assigneeIn(run, entry.actions), ownerIn(run, entry)],
  arrange: (run, ids) => reorderRules(run.deps, administratorOf(run), ids),
  create: async (run, entry) => {
    const { name, search, isOn } = entry;
    const rule = { name, search, isOn, actions: actionsIn(run, entry.actions), ...ownerIn(run, entry) };
    return { id: await createRule(run.deps, administratorOf(run), rule) };
  },
  change: (run, { id, version }, entry, changed) =>
    changeRule(
      run.deps,
      administratorOf(run),
      id,
      {
        ...pick(entry, ['name', 'search', 'isOn'], changed),
        ...(changed.has('actions') && { actions: actionsIn(run, entry.actions) }),
        ...(changed.has('owner') && ownerIn(run, entry)),
      },
      version,
    ),
  remove: (run, { id }) => deleteRule(run.deps, administratorOf(run), id),
};
