import { versionQuerySchema } from '#backend/contract/alert-change.ts';
import {
  type Rule,
  newRuleSchema,
  ruleChangeSchema,
  ruleDryRunQuerySchema,
  ruleDryRunSchema,
  ruleIdParamsSchema,
  ruleListSchema,
  ruleOrderSchema,
  ruleSchema,
} from '#backend/contract/rule.ts';
import { authorOf } from '#backend/identity/audit/audit-log.ts';
import { type Actor, type Endpoint, created, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { changedMeanwhile } from '#backend/platform/endpoint/errors.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { type DryRunDeps, dryRunRules } from './dry-run.ts';
import {
  type RuleAdministrator,
  type RuleDeps,
  changeRule,
  createRule,
  deleteRule,
  listRules,
  noSuchRule,
  reorderRules,
} from './rule-commands.ts';

const administratorOf = (actor: Actor, ip: string): RuleAdministrator => ({
  author: authorOf(actor, ip),
  displayName: actor.displayName,
  userId: actor.id,
});

/** Rules on what arrives: for administrators. */
export function alertRuleRoutes(deps: RuleDeps & DryRunDeps): Endpoint[] {
  const find = async (id: string): Promise<Rule> => {
    const [rule] = await listRules(deps, id);
    if (!rule) throw noSuchRule();
    return rule;
  };
  return [
    endpoint({
      method: 'GET',
      path: '/api/rules',
      tag: 'rules',
      summary: 'Lists the rules on what arrives, in the order in which they are applied.',
      access: ['admin'],
      responses: { 200: ruleListSchema },
      handle: async () => ok(await listRules(deps)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/rules',
      tag: 'rules',
      summary: 'Makes a rule, which is the last one: alerts are judged by it from now on.',
      access: ['admin'],
      body: newRuleSchema,
      errors: [409],
      responses: { 201: ruleSchema },
      handle: async ({ actor, ip, body }) =>
        created(await find(await createRule(deps, administratorOf(actor, ip), body))),
    }),
    endpoint({
      method: 'PUT',
      path: '/api/rules/order',
      tag: 'rules',
      summary: 'Puts the rules into another order.',
      access: ['admin'],
      body: ruleOrderSchema,
      errors: [409],
      responses: { 200: ruleListSchema },
      handle: async ({ actor, ip, body }) => {
        await reorderRules(deps, administratorOf(actor, ip), body.ids);
        return ok(await listRules(deps));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/rules/dry-run',
      tag: 'rules',
      summary: 'Says what a change of the rules would have changed of the newest alerts. Stores nothing.',
      access: ['admin'],
      body: ruleDryRunQuerySchema,
      errors: [404, 409],
      responses: { 200: ruleDryRunSchema },
      handle: async ({ body }) => ok(await dryRunRules(deps, body)),
    }),
    endpoint({
      method: 'GET',
      path: '/api/rules/:id',
      tag: 'rules',
      summary: 'One rule.',
      access: ['admin'],
      params: ruleIdParamsSchema,
      responses: { 200: ruleSchema },
      handle: async ({ params }) => ok(await find(params.id)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/rules/:id',
      tag: 'rules',
      summary: 'Changes a rule, or switches it on or off; absent fields stay.',
      access: ['admin'],
      params: ruleIdParamsSchema,
      query: versionQuerySchema,
      body: ruleChangeSchema,
      errors: [409],
      responses: { 200: ruleSchema },
      handle: async ({ actor, ip, params, query, body }) => {
        const isDone = await changeRule(deps, administratorOf(actor, ip), params.id, body, query.ifVersion);
        const rule = await find(params.id);
        if (!isDone) throw changedMeanwhile('rule', jsonText(JSON.stringify(rule)));
        return ok(rule);
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/rules/:id',
      tag: 'rules',
      summary: 'Deletes a rule; what it did to alerts stays.',
      access: ['admin'],
      params: ruleIdParamsSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        await deleteRule(deps, administratorOf(actor, ip), params.id);
        return noContent();
      },
    }),
  ];
}
