import { versionQuerySchema } from '#backend/contract/alert-change.ts';
import { byName } from '#backend/contract/name.ts';
import {
  type OutgoingRule,
  newOutgoingRuleSchema,
  outgoingIdParamsSchema,
  outgoingRuleChangeSchema,
  outgoingRuleListSchema,
  outgoingRuleSchema,
} from '#backend/contract/outgoing.ts';
import { rulePreviewQuerySchema, rulePreviewSchema } from '#backend/contract/outgoing-rule-preview.ts';
import { authorOf } from '#backend/identity/audit/audit-log.ts';
import { faultOfSearch } from '#backend/alerts/lists/stored-search.ts';
import type { OutgoingAdministrator } from '#backend/outgoing/destinations/destination-commands.ts';
import { type Actor, type Endpoint, created, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { changedMeanwhile } from '#backend/platform/endpoint/errors.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { type RuleDeps, changeRule, createRule, deleteRule, noSuchRule, presentRule } from './rule-commands.ts';
import { type RulePreviewDeps, previewRule } from './rule-preview.ts';
import { OutgoingRuleEntity, type StoredOutgoingRule } from './rule-entity.ts';

export const administratorOf = (actor: Actor, ip: string): OutgoingAdministrator => ({
  author: authorOf(actor, ip),
  displayName: actor.displayName,
});

/** Rules that send alerts to destinations: for administrators. */
export function ruleRoutes(deps: RuleDeps & RulePreviewDeps): Endpoint[] {
  const { database } = deps;
  const present = async (rule: StoredOutgoingRule): Promise<OutgoingRule> =>
    presentRule(rule, await faultOfSearch(database, rule.search));
  const find = async (id: string): Promise<OutgoingRule> => {
    const rule = await database.reads.getRepository(OutgoingRuleEntity).findOneBy({ id });
    if (!rule) throw noSuchRule();
    return present(rule);
  };
  return [
    endpoint({
      method: 'GET',
      path: '/api/outgoing/rules',
      tag: 'outgoing',
      summary: 'Lists the rules that send alerts to destinations, by name.',
      access: ['admin'],
      responses: { 200: outgoingRuleListSchema },
      handle: async () => {
        const rules = await database.reads.getRepository(OutgoingRuleEntity).find();
        return ok(await Promise.all(rules.toSorted((one, other) => byName(one.name, other.name)).map(present)));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/outgoing/rules',
      tag: 'outgoing',
      summary: 'Makes a rule: alerts that change from now on are sent by it.',
      access: ['admin'],
      body: newOutgoingRuleSchema,
      errors: [409],
      responses: { 201: outgoingRuleSchema },
      handle: async ({ actor, ip, body }) =>
        created(await find(await createRule(deps, administratorOf(actor, ip), body))),
    }),
    endpoint({
      method: 'GET',
      path: '/api/outgoing/rules/:id',
      tag: 'outgoing',
      summary: 'One rule.',
      access: ['admin'],
      params: outgoingIdParamsSchema,
      responses: { 200: outgoingRuleSchema },
      handle: async ({ params }) => ok(await find(params.id)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/outgoing/rules/:id',
      tag: 'outgoing',
      summary: 'Changes a rule, or switches it on or off; absent fields stay.',
      access: ['admin'],
      params: outgoingIdParamsSchema,
      query: versionQuerySchema,
      body: outgoingRuleChangeSchema,
      errors: [409],
      responses: { 200: outgoingRuleSchema },
      handle: async ({ actor, ip, params, query, body }) => {
        const isDone = await changeRule(deps, administratorOf(actor, ip), params.id, body, query.ifVersion);
        const rule = await find(params.id);
        if (!isDone) throw changedMeanwhile('rule', jsonText(JSON.stringify(rule)));
        return ok(rule);
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/outgoing/rules/:id',
      tag: 'outgoing',
      summary: 'Deletes a rule; messages that it made are still sent.',
      access: ['admin'],
      params: outgoingIdParamsSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        await deleteRule(deps, administratorOf(actor, ip), params.id);
        return noContent();
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/outgoing/rule-preview',
      tag: 'outgoing',
      summary: 'Says what a rule would have sent in the last seven days, by the hour.',
      access: ['admin'],
      query: rulePreviewQuerySchema,
      responses: { 200: rulePreviewSchema },
      handle: async ({ query }) => ok(await previewRule(deps, query, Date.now())),
    }),
  ];
}
