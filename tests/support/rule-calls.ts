import { type NewRule, type Rule, ruleListSchema, ruleSchema } from '#backend/contract/rule.ts';
import type { TestClient } from './test-client.ts';

/** An administrator of a server. */
interface RuleWorld {
  admin: TestClient;
}

/** A rule that nothing else has the name of. */
export const newRule = (more: Partial<NewRule> = {}): NewRule => ({
  name: crypto.randomUUID(),
  search: 'customer:"Harbor & Finch"',
  actions: { severity: 'low' },
  ...more,
});

/** Makes a rule, which is the last one. */
export async function makeRule({ admin }: RuleWorld, more: Partial<NewRule> = {}): Promise<Rule> {
  const answer = await admin.send('POST', '/api/rules', newRule(more));
  if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
  return ruleSchema.parse(await answer.json());
}

/** The rules in their order. */
export const readRules = async ({ admin }: RuleWorld): Promise<Rule[]> =>
  ruleListSchema.parse(await (await admin.get('/api/rules')).json());

/** Deletes all rules: those of other tests would be about alerts of this one. */
export async function deleteRules(world: RuleWorld): Promise<void> {
  for (const { id } of await readRules(world)) await world.admin.send('DELETE', `/api/rules/${id}`);
}

/** Every change of rules, with a request to it that succeeds. */
export const RULE_WRITE_ROUTES: Record<string, (world: RuleWorld) => Promise<{ path: string; body?: unknown }>> = {
  'POST /api/rules': async () => ({ path: '/api/rules', body: newRule() }),
  'PUT /api/rules/order': async (world) => ({
    path: '/api/rules/order',
    body: { ids: (await readRules(world)).map(({ id }) => id).toReversed() },
  }),
  'POST /api/rules/dry-run': async () => ({
    path: '/api/rules/dry-run',
    body: { rule: { search: 'type:disk', actions: { notify: 'never' }, isOn: true } },
  }),
  'PATCH /api/rules/:id': async (world) => ({
    path: `/api/rules/${(await makeRule(world)).id}`,
    body: { isOn: false },
  }),
  'DELETE /api/rules/:id': async (world) => ({ path: `/api/rules/${(await makeRule(world)).id}` }),
};

/** Who may call these, and the calls that read what they are about. */
export const RULE_POLICY: Record<string, 'admin'> = {
  ...Object.fromEntries(Object.keys(RULE_WRITE_ROUTES).map((route) => [route, 'admin'] as const)),
  'GET /api/rules': 'admin',
  'GET /api/rules/:id': 'admin',
};

/** Successes that the document promises, and the route whose request gets each. */
export const RULE_CALL_NAMES: readonly (readonly [documented: string, route: string])[] = [
  ['POST /api/rules 201', 'POST /api/rules'],
  ['PUT /api/rules/order 200', 'PUT /api/rules/order'],
  ['POST /api/rules/dry-run 200', 'POST /api/rules/dry-run'],
  ['PATCH /api/rules/{id} 200', 'PATCH /api/rules/:id'],
  ['DELETE /api/rules/{id} 204', 'DELETE /api/rules/:id'],
];

/** Calls that read what these are about. */
export const ruleReads = (world: () => RuleWorld): Record<string, () => Promise<Response>> => ({
  'GET /api/rules 200': () => world().admin.get('/api/rules'),
  'GET /api/rules/{id} 200': async () => world().admin.get(`/api/rules/${(await makeRule(world())).id}`),
});
