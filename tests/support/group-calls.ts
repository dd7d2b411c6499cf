import { type GroupingRule, groupingRuleSchema } from '#backend/contract/alert-group.ts';
import { alertListSchema } from '#backend/contract/alert.ts';
import type { TestClient } from './test-client.ts';
import type { TestServer } from './test-server.ts';

/** An administrator of a server. */
interface GroupWorld {
  server: Pick<TestServer, 'addApiKey'>;
  admin: TestClient;
}

/** Turns a rule on or off. */
export async function decideRule(
  admin: TestClient,
  kind: GroupingRule['kind'],
  change: { isOn?: boolean; withinMinutes?: number },
): Promise<GroupingRule> {
  const answer = await admin.send('PATCH', `/api/grouping-rules/${kind}`, change);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  return groupingRuleSchema.parse(await answer.json());
}

/** Two alerts of one group in the inbox; its id. */
export async function makeGroup({ server, admin }: GroupWorld): Promise<string> {
  const apiKey = await server.addApiKey();
  await decideRule(admin, 'names', { isOn: true });
  const names = { customer: crypto.randomUUID(), alertType: 'disk.full' };
  for (const severity of ['critical', 'low']) await admin.postAlert(apiKey, { ...names, severity });
  await decideRule(admin, 'names', { isOn: false });
  const answer = await admin.get(`/api/alerts/inbox?customer=${names.customer}`);
  const [alert] = alertListSchema.parse(await answer.json());
  return alert?.groupId ?? '';
}

/** Every change of grouping rules, and of the one for what flaps, with a request to it that succeeds. */
export const GROUP_WRITE_ROUTES: Record<string, () => Promise<{ path: string; body?: unknown }>> = {
  'PATCH /api/grouping-rules/:kind': async () => ({
    path: '/api/grouping-rules/deployment',
    body: { withinMinutes: 1 + Math.floor(Math.random() * 1_000) },
  }),
  'PATCH /api/flapping-rule': async () => ({
    path: '/api/flapping-rule',
    body: { withinMinutes: 1 + Math.floor(Math.random() * 1_000) },
  }),
};

/** Who may call these, and the calls that read what they are about. */
export const GROUP_POLICY: Record<string, 'admin' | 'member'> = {
  'PATCH /api/grouping-rules/:kind': 'admin',
  'GET /api/grouping-rules': 'admin',
  'PATCH /api/flapping-rule': 'admin',
  'GET /api/flapping-rule': 'admin',
  'GET /api/alert-groups': 'member',
  'GET /api/alert-groups/:id': 'member',
};

/** Every success that the document promises of these, with a call that gets it. */
export const groupCalls = (world: () => GroupWorld): Record<string, () => Promise<Response>> => ({
  'GET /api/grouping-rules 200': () => world().admin.get('/api/grouping-rules'),
  'PATCH /api/grouping-rules/{kind} 200': () =>
    world().admin.send('PATCH', '/api/grouping-rules/sender', { withinMinutes: 45 }),
  'GET /api/flapping-rule 200': () => world().admin.get('/api/flapping-rule'),
  'PATCH /api/flapping-rule 200': () => world().admin.send('PATCH', '/api/flapping-rule', { times: 6 }),
  'GET /api/alert-groups 200': async () =>
    world().admin.get(`/api/alert-groups?list=inbox&ids=${await makeGroup(world())}`),
  'GET /api/alert-groups/{id} 200': async () =>
    world().admin.get(`/api/alert-groups/${await makeGroup(world())}?list=inbox`),
});
