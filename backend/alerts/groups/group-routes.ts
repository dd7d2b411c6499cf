import {
  DEFAULT_GROUP_MINUTES,
  type GroupingKind,
  type GroupingRule,
  type GroupingRuleChange,
  alertGroupDetailsSchema,
  alertGroupsSchema,
  groupIdParamsSchema,
  groupQuerySchema,
  groupingKindParamsSchema,
  groupingKindSchema,
  groupingRuleChangeSchema,
  groupingRuleSchema,
  groupingRulesSchema,
  groupsQuerySchema,
} from '#backend/contract/alert-group.ts';
import { listNamed } from '#backend/alerts/lists/narrow-list.ts';
import { addAudit, authorOf } from '#backend/identity/audit/audit-log.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { lockActiveAdmins } from '#backend/identity/users/user.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { type Actor, type Endpoint, endpoint, ok } from '#backend/platform/endpoint/endpoint.ts';
import { notFound } from '#backend/platform/endpoint/errors.ts';
import { GroupingRuleEntity, type StoredGroupingRule } from './group-entities.ts';
import type { GroupingRules } from './grouping-rules.ts';
import { readGroups, withoutMembers } from './read-groups.ts';
import { readHandled, suggestRules } from './suggest-rules.ts';

interface GroupDeps {
  database: Database;
  grouping: GroupingRules;
}

/** Groups of alerts, which members read, and the rules that make them, which administrators decide on. */
export function groupRoutes(deps: GroupDeps): Endpoint[] {
  return [...readRoutes(deps), ...ruleRoutes(deps)];
}

function readRoutes({ database }: GroupDeps): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/alert-groups',
      tag: 'alerts',
      summary:
        'Groups of alerts as a list has them: how many alerts of which severity and source, and when they arrived.',
      access: 'member',
      query: groupsQuerySchema,
      responses: { 200: alertGroupsSchema },
      errors: [403],
      handle: async ({ actor, query }) =>
        ok((await readGroups(database, listNamed(actor, query), query.ids, query.completion)).map(withoutMembers)),
    }),
    endpoint({
      method: 'GET',
      path: '/api/alert-groups/:id',
      tag: 'alerts',
      summary: 'One group of alerts as a list has it, with its alerts in short, the worst first.',
      access: 'member',
      params: groupIdParamsSchema,
      query: groupQuerySchema,
      responses: { 200: alertGroupDetailsSchema },
      errors: [403],
      handle: async ({ actor, params, query }) => {
        const [group] = await readGroups(database, listNamed(actor, query), [params.id], query.completion);
        if (!group) throw notFound('This list has no alert of this group.');
        return ok(group);
      },
    }),
  ];
}

function ruleRoutes(deps: GroupDeps): Endpoint[] {
  const { database } = deps;
  const read = async (): Promise<GroupingRule[]> => {
    const stored = await database.reads.getRepository(GroupingRuleEntity).find();
    const suggested = suggestRules(await readHandled(database));
    return groupingKindSchema.options.map((kind) => {
      const rule = stored.find((one) => one.kind === kind);
      const suggestion = suggested.get(kind);
      const presented = presentRule(kind, rule);
      return !presented.isOn && suggestion ? Object.assign(presented, { suggested: suggestion }) : presented;
    });
  };
  return [
    endpoint({
      method: 'GET',
      path: '/api/grouping-rules',
      tag: 'alerts',
      summary: 'The rules by which alerts become one card, with how often one that is off would have helped.',
      access: ['admin'],
      responses: { 200: groupingRulesSchema },
      handle: async () => ok(await read()),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/grouping-rules/:kind',
      tag: 'alerts',
      summary: 'Turns a rule on or off, or changes the longest pause between two alerts of a group.',
      access: ['admin'],
      params: groupingKindParamsSchema,
      body: groupingRuleChangeSchema,
      responses: { 200: groupingRuleSchema },
      handle: async ({ actor, ip, params, body }) => ok(await changeRule(deps, actor, ip, params.kind, body)),
    }),
  ];
}

const presentRule = (kind: GroupingKind, rule: StoredGroupingRule | undefined): GroupingRule => ({
  kind,
  isOn: rule?.isOn ?? false,
  withinMinutes: rule?.withinMinutes ?? DEFAULT_GROUP_MINUTES[kind],
  ...(rule && { changedBy: rule.changedBy, changedAt: new Date(rule.changedAt).toISOString() }),
});

const nameOf = ({ isOn, withinMinutes }: Pick<GroupingRule, 'isOn' | 'withinMinutes'>): string =>
  isOn ? `on, ${withinMinutes} min` : 'off';

/** Changes a rule. This server groups by it when this returns, others within 15 seconds. */
async function changeRule(
  { database, grouping }: GroupDeps,
  actor: Actor,
  ip: string,
  kind: GroupingKind,
  change: GroupingRuleChange,
): Promise<GroupingRule> {
  const author = authorOf(actor, ip);
  const after = await onBehalfOf(database, author).transaction(async (tx) => {
    // One administrator after the other.
    await lockActiveAdmins(tx);
    const rules = tx.getRepository(GroupingRuleEntity);
    const before = presentRule(kind, (await rules.findOneBy({ kind })) ?? undefined);
    const next: StoredGroupingRule = {
      kind,
      isOn: change.isOn ?? before.isOn,
      withinMinutes: change.withinMinutes ?? before.withinMinutes,
      changedBy: actor.displayName,
      changedAt: Date.now(),
    };
    if (next.isOn === before.isOn && next.withinMinutes === before.withinMinutes) return before;
    await rules.save(next);
    await addAudit(tx, author, 'grouping_changed', kind, { detail: `${nameOf(before)} → ${nameOf(next)}` });
    return presentRule(kind, next);
  });
  await grouping.refresh();
  return after;
}
