import { calendarSchema, groupSchema } from '#backend/contract/ladder.ts';
import { ownChannelSentSchema } from '#backend/contract/own-channel.ts';
import { DestinationEntity, type DestinationSecrets } from '#backend/outgoing/destinations/destination-entity.ts';
import { LadderRunEntity } from '#backend/outgoing/ladders/ladder-entities.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { insertAlerts } from './insert-alerts.ts';
import { onlineLadder } from './ladder-world.ts';
import { sealingOf } from './sealing-of.ts';
import type { TestClient } from './test-client.ts';
import type { TestServer } from './test-server.ts';

/** A server, and an administrator of it. */
export interface OutgoingWorld {
  server: TestServer;
  admin: TestClient;
}

const newGroup = ({ admin }: OutgoingWorld) => ({ name: crypto.randomUUID(), memberIds: [admin.id] });

const makeGroup = async (world: OutgoingWorld): Promise<string> => {
  const answer = await world.admin.send('POST', '/api/outgoing/groups', newGroup(world));
  return groupSchema.parse(await answer.json()).id;
};

/** An alert with a ladder whose next step is not due for a while; resolves to the path of the ladder's calls. */
async function makeRun({ server }: OutgoingWorld): Promise<string> {
  const [alertId = ''] = await insertAlerts(server.database, [{ title: 'Disk full', customer: 'Nordwind' }]);
  const id = newId();
  const now = Date.now();
  await server.database.transaction((tx) =>
    tx.getRepository(LadderRunEntity).insert({
      id,
      alertId,
      ruleId: newId(),
      ruleName: 'Nights',
      startKey: 'new',
      ladder: JSON.stringify(onlineLadder([60])),
      state: 'running',
      position: 0,
      countedFrom: now,
      dueAt: now + 3_600_000,
      startedAt: now,
      endedAt: null,
      endReason: null,
      endedBy: null,
    }),
  );
  return `/api/alerts/${alertId}/ladders/${id}`;
}

const CALENDAR = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\nEND:VCALENDAR\r\n';

const makeCalendar = async ({ admin }: OutgoingWorld): Promise<string> => {
  const body = { name: crypto.randomUUID(), content: CALENDAR };
  const answer = await admin.send('POST', '/api/outgoing/calendars', body);
  return calendarSchema.parse(await answer.json()).id;
};

/** A channel that waits for its code, and the code that was sent. */
async function makeChannel(
  { server, admin }: OutgoingWorld,
  member: Pick<TestClient, 'send'> = admin,
): Promise<{ path: string; code: string }> {
  const answer = await member.send('POST', '/api/own-channels', newChannel());
  const { id } = ownChannelSentSchema.parse(await answer.json()).channel;
  const { sealed } = await server.database.reads.getRepository(DestinationEntity).findOneByOrFail({ id });
  const { confirmation = '' } = JSON.parse((await sealingOf(server)).open(sealed ?? '', id)) as DestinationSecrets;
  return { path: `/api/own-channels/${id}`, code: confirmation.slice(0, 6) };
}

/** Has the code of a channel be sent a minute ago, so that another one may be. */
async function oldCode({ server }: OutgoingWorld, path: string): Promise<void> {
  const id = path.split('/').at(-1) ?? '';
  const sealing = await sealingOf(server);
  const confirmation = `123456 ${Date.now() + 29 * 60_000} 5`;
  await server.database.transaction((tx) =>
    tx.getRepository(DestinationEntity).update({ id }, { sealed: sealing.seal(JSON.stringify({ confirmation }), id) }),
  );
}

const newChannel = () => ({ kind: 'ntfy', name: crypto.randomUUID(), url: 'https://ntfy.example.com', topic: 'phone' });

/** Every change of ladders, groups and calendars, with a request to it that succeeds. */
export const LADDER_WRITE_ROUTES: Record<
  string,
  (world: OutgoingWorld, member?: Pick<TestClient, 'send'>) => Promise<{ path: string; body?: unknown }>
> = {
  'POST /api/own-channels': async () => ({ path: '/api/own-channels', body: newChannel() }),
  'POST /api/own-channels/:id/code': async (world, member) => {
    const { path } = await makeChannel(world, member);
    await oldCode(world, path);
    return { path: `${path}/code` };
  },
  'POST /api/own-channels/:id/confirm': async (world, member) => {
    const { path, code } = await makeChannel(world, member);
    return { path: `${path}/confirm`, body: { code } };
  },
  'DELETE /api/own-channels/:id': async (world, member) => ({ path: (await makeChannel(world, member)).path }),
  'POST /api/outgoing/groups': async (world) => ({ path: '/api/outgoing/groups', body: newGroup(world) }),
  'PATCH /api/outgoing/groups/:id': async (world) => ({
    path: `/api/outgoing/groups/${await makeGroup(world)}`,
    body: { memberIds: [] },
  }),
  'DELETE /api/outgoing/groups/:id': async (world) => ({ path: `/api/outgoing/groups/${await makeGroup(world)}` }),
  'POST /api/outgoing/calendars': async () => ({
    path: '/api/outgoing/calendars',
    body: { name: crypto.randomUUID(), content: CALENDAR },
  }),
  'PATCH /api/outgoing/calendars/:id': async (world) => ({
    path: `/api/outgoing/calendars/${await makeCalendar(world)}`,
    body: { overrides: [{ memberId: world.admin.id, from: '2026-11-24T08:00:00Z', to: '2026-11-24T20:00:00Z' }] },
  }),
  'DELETE /api/outgoing/calendars/:id': async (world) => ({
    path: `/api/outgoing/calendars/${await makeCalendar(world)}`,
  }),
  'POST /api/outgoing/calendars/:id/refresh': async (world) => ({
    path: `/api/outgoing/calendars/${await makeCalendar(world)}/refresh`,
  }),
  'POST /api/alerts/:id/ladders/:runId/skip': async (world) => ({
    path: `${await makeRun(world)}/skip`,
    body: { position: 0 },
  }),
  'POST /api/alerts/:id/ladders/:runId/stop': async (world) => ({ path: `${await makeRun(world)}/stop` }),
  'POST /api/outgoing/ladder-preview': async () => ({
    path: '/api/outgoing/ladder-preview',
    body: { ladder: onlineLadder([0, 5]) },
  }),
};

/** Who may call these. */
export const LADDER_POLICY: Record<string, 'admin' | 'member'> = {
  'GET /api/own-channels': 'member',
  'POST /api/own-channels': 'member',
  'POST /api/own-channels/:id/code': 'member',
  'POST /api/own-channels/:id/confirm': 'member',
  'DELETE /api/own-channels/:id': 'member',
  'GET /api/outgoing/groups': 'admin',
  'GET /api/outgoing/calendars': 'admin',
  'GET /api/alerts/:id/ladders': 'member',
};

/** Successes that the document promises, and the route whose request gets each. */
export const LADDER_CALL_NAMES: readonly (readonly [documented: string, route: string])[] = [
  ['POST /api/outgoing/groups 201', 'POST /api/outgoing/groups'],
  ['PATCH /api/outgoing/groups/{id} 200', 'PATCH /api/outgoing/groups/:id'],
  ['DELETE /api/outgoing/groups/{id} 204', 'DELETE /api/outgoing/groups/:id'],
  ['POST /api/own-channels 201', 'POST /api/own-channels'],
  ['POST /api/own-channels/{id}/code 200', 'POST /api/own-channels/:id/code'],
  ['POST /api/own-channels/{id}/confirm 200', 'POST /api/own-channels/:id/confirm'],
  ['DELETE /api/own-channels/{id} 204', 'DELETE /api/own-channels/:id'],
  ['POST /api/outgoing/calendars 201', 'POST /api/outgoing/calendars'],
  ['PATCH /api/outgoing/calendars/{id} 200', 'PATCH /api/outgoing/calendars/:id'],
  ['DELETE /api/outgoing/calendars/{id} 204', 'DELETE /api/outgoing/calendars/:id'],
  ['POST /api/outgoing/calendars/{id}/refresh 200', 'POST /api/outgoing/calendars/:id/refresh'],
  ['POST /api/alerts/{id}/ladders/{runId}/skip 204', 'POST /api/alerts/:id/ladders/:runId/skip'],
  ['POST /api/alerts/{id}/ladders/{runId}/stop 204', 'POST /api/alerts/:id/ladders/:runId/stop'],
  ['POST /api/outgoing/ladder-preview 200', 'POST /api/outgoing/ladder-preview'],
];

/** Calls that read what these are about. */
export const ladderReads = (world: () => OutgoingWorld): Record<string, () => Promise<Response>> => ({
  'GET /api/own-channels 200': async () => {
    await makeChannel(world());
    return world().admin.get('/api/own-channels');
  },
  'GET /api/outgoing/groups 200': async () => {
    await makeGroup(world());
    return world().admin.get('/api/outgoing/groups');
  },
  'GET /api/outgoing/calendars 200': async () => {
    await makeCalendar(world());
    return world().admin.get('/api/outgoing/calendars');
  },
  'GET /api/alerts/{id}/ladders 200': async () => {
    const path = await makeRun(world());
    return world().admin.get(path.replace(/\/[^/]+$/, ''));
  },
});
