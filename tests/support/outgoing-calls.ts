import { destinationWithSecretSchema, outgoingRuleSchema } from '#backend/contract/outgoing.ts';
import { MessageEntity } from '#backend/outgoing/messages/message-entity.ts';
import { SAMPLE_ALERT, contentOf } from '#backend/outgoing/destinations/message-content.ts';
import { newId } from '#backend/platform/database/ids.ts';
import {
  LADDER_CALL_NAMES,
  LADDER_POLICY,
  LADDER_WRITE_ROUTES,
  type OutgoingWorld,
  ladderReads,
} from './ladder-calls.ts';
import { CONFIGURATION_CALL_NAMES, CONFIGURATION_WRITE_ROUTES } from './configuration-calls.ts';
import { HEARTBEAT_WRITE_ROUTES, heartbeatCalls } from './heartbeat-calls.ts';
import { insertAlerts } from './insert-alerts.ts';
import { SILENCE_WRITE_ROUTES } from './silence-calls.ts';
import { RULE_CALL_NAMES, RULE_WRITE_ROUTES, ruleReads } from './rule-calls.ts';
import type { TestClient } from './test-client.ts';
import { groupCalls } from './group-calls.ts';
import { WINDOW_CALL_NAMES, WINDOW_WRITE_ROUTES, windowReads } from './window-calls.ts';

const newWebhook = () => ({ kind: 'webhook', name: crypto.randomUUID(), url: 'https://hooks.example.com/in' }) as const;

const makeDestination = async ({ admin }: OutgoingWorld): Promise<string> => {
  const response = await admin.send('POST', '/api/outgoing/destinations', newWebhook());
  return destinationWithSecretSchema.parse(await response.json()).destination.id;
};

const newRule = async (world: OutgoingWorld) => ({
  name: crypto.randomUUID(),
  search: 'severity:critical',
  events: ['new'],
  destinationIds: [await makeDestination(world)],
});

const makeRule = async (world: OutgoingWorld): Promise<string> => {
  const response = await world.admin.send('POST', '/api/outgoing/rules', await newRule(world));
  return outgoingRuleSchema.parse(await response.json()).id;
};

/** A message that was not delivered, and its destination. */
const makeUndelivered = async (world: OutgoingWorld) => {
  const destinationId = await makeDestination(world);
  const [alertId = ''] = await insertAlerts(world.server.database, [{ title: 'Disk full', customer: 'Nordwind' }]);
  const id = newId();
  const now = Date.now();
  await world.server.database.transaction((tx) =>
    tx.getRepository(MessageEntity).insert({
      id,
      destinationId,
      alertId,
      event: 'new',
      eventKey: 'new',
      state: 'not-delivered',
      content: JSON.stringify(
        contentOf({ ...SAMPLE_ALERT, id: alertId }, { event: 'new', at: now, by: null }, undefined),
      ),
      attempts: 1,
      nextAt: now,
      claimedUntil: 0,
      attemptLog: JSON.stringify([{ at: new Date(now).toISOString(), durationMs: 12, answer: '422: no' }]),
      createdAt: now,
      giveUpAt: now,
      finishedAt: now,
    }),
  );
  return { id, destinationId, alertId };
};

/** Every change of destinations, rules and messages, with a request to it that succeeds. */
export const OUTGOING_WRITE_ROUTES: Record<
  string,
  (world: OutgoingWorld, member?: Pick<TestClient, 'send'>) => Promise<{ path: string; body?: unknown }>
> = {
  ...SILENCE_WRITE_ROUTES,
  ...WINDOW_WRITE_ROUTES,
  ...RULE_WRITE_ROUTES,
  ...HEARTBEAT_WRITE_ROUTES,
  ...CONFIGURATION_WRITE_ROUTES,
  'POST /api/outgoing/destinations': async () => ({ path: '/api/outgoing/destinations', body: newWebhook() }),
  'PATCH /api/outgoing/destinations/:id': async (world) => ({
    path: `/api/outgoing/destinations/${await makeDestination(world)}`,
    body: { isPaused: true },
  }),
  'DELETE /api/outgoing/destinations/:id': async (world) => ({
    path: `/api/outgoing/destinations/${await makeDestination(world)}`,
  }),
  'POST /api/outgoing/destinations/:id/rotate-secret': async (world) => ({
    path: `/api/outgoing/destinations/${await makeDestination(world)}/rotate-secret`,
  }),
  'POST /api/outgoing/preview': async () => ({ path: '/api/outgoing/preview', body: newWebhook() }),
  'POST /api/outgoing/test': async () => ({ path: '/api/outgoing/test', body: newWebhook() }),
  'POST /api/outgoing/rules': async (world) => ({ path: '/api/outgoing/rules', body: await newRule(world) }),
  'PATCH /api/outgoing/rules/:id': async (world) => ({
    path: `/api/outgoing/rules/${await makeRule(world)}`,
    body: { isOn: false },
  }),
  'DELETE /api/outgoing/rules/:id': async (world) => ({ path: `/api/outgoing/rules/${await makeRule(world)}` }),
  'POST /api/outgoing/messages/send-again': async (world) => ({
    path: '/api/outgoing/messages/send-again',
    body: { destinationId: (await makeUndelivered(world)).destinationId },
  }),
  'POST /api/outgoing/messages/:id/send-again': async (world) => ({
    path: `/api/outgoing/messages/${(await makeUndelivered(world)).id}/send-again`,
  }),
  ...LADDER_WRITE_ROUTES,
};

/** Who may call these, and the calls that read what they are about. */
export const OUTGOING_POLICY: Record<string, 'admin' | 'member'> = {
  ...Object.fromEntries(Object.keys(OUTGOING_WRITE_ROUTES).map((name) => [name, 'admin'] as const)),
  'GET /api/configuration': 'admin',
  'GET /api/outgoing/destinations': 'admin',
  'GET /api/outgoing/destinations/:id': 'admin',
  'GET /api/outgoing/rules': 'admin',
  'GET /api/outgoing/rules/:id': 'admin',
  'GET /api/outgoing/rule-preview': 'admin',
  'GET /api/outgoing/messages': 'admin',
  'GET /api/alerts/:id/receipts': 'member',
  ...LADDER_POLICY,
};

/** Every success that the document promises of these, with a call that gets it. */
export function outgoingCalls(world: () => OutgoingWorld): Record<string, () => Promise<Response>> {
  const prepared = async (name: string): Promise<Response> => {
    const { path = '', body } = (await OUTGOING_WRITE_ROUTES[name]?.(world())) ?? {};
    return world().admin.send(name.split(' ')[0] ?? '', path, body);
  };
  return {
    ...Object.fromEntries(LADDER_CALL_NAMES.map(([documented, route]) => [documented, () => prepared(route)])),
    ...ladderReads(world),
    ...Object.fromEntries(
      [...WINDOW_CALL_NAMES, ...RULE_CALL_NAMES].map(([documented, route]) => [documented, () => prepared(route)]),
    ),
    ...windowReads(world),
    ...ruleReads(world),
    ...groupCalls(world),
    ...heartbeatCalls(world),
    ...Object.fromEntries(CONFIGURATION_CALL_NAMES.map(([documented, route]) => [documented, () => prepared(route)])),
    'GET /api/configuration 200': () => world().admin.get('/api/configuration'),
    'GET /api/outgoing/destinations 200': async () => {
      await makeUndelivered(world());
      return world().admin.get('/api/outgoing/destinations');
    },
    'POST /api/outgoing/destinations 201': () => prepared('POST /api/outgoing/destinations'),
    'GET /api/outgoing/destinations/{id} 200': async () =>
      world().admin.get(`/api/outgoing/destinations/${await makeDestination(world())}`),
    'PATCH /api/outgoing/destinations/{id} 200': () => prepared('PATCH /api/outgoing/destinations/:id'),
    'DELETE /api/outgoing/destinations/{id} 204': () => prepared('DELETE /api/outgoing/destinations/:id'),
    'POST /api/outgoing/destinations/{id}/rotate-secret 200': () =>
      prepared('POST /api/outgoing/destinations/:id/rotate-secret'),
    'POST /api/outgoing/preview 200': () => prepared('POST /api/outgoing/preview'),
    'POST /api/outgoing/test 200': () => prepared('POST /api/outgoing/test'),
    'GET /api/outgoing/rules 200': async () => {
      await makeRule(world());
      return world().admin.get('/api/outgoing/rules');
    },
    'POST /api/outgoing/rules 201': () => prepared('POST /api/outgoing/rules'),
    'GET /api/outgoing/rules/{id} 200': async () => world().admin.get(`/api/outgoing/rules/${await makeRule(world())}`),
    'GET /api/outgoing/rule-preview 200': () =>
      world().admin.get('/api/outgoing/rule-preview?search=severity%3Acritical&events=new'),
    'PATCH /api/outgoing/rules/{id} 200': () => prepared('PATCH /api/outgoing/rules/:id'),
    'DELETE /api/outgoing/rules/{id} 204': () => prepared('DELETE /api/outgoing/rules/:id'),
    'GET /api/outgoing/messages 200': async () => {
      const { destinationId } = await makeUndelivered(world());
      return world().admin.get(`/api/outgoing/messages?destinationId=${destinationId}&state=not-delivered`);
    },
    'POST /api/outgoing/messages/send-again 200': () => prepared('POST /api/outgoing/messages/send-again'),
    'POST /api/outgoing/messages/{id}/send-again 204': () => prepared('POST /api/outgoing/messages/:id/send-again'),
    'GET /api/alerts/{id}/receipts 200': async () =>
      world().admin.get(`/api/alerts/${(await makeUndelivered(world())).alertId}/receipts`),
  };
}
