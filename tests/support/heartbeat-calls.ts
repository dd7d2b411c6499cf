import { heartbeatWithAddressSchema } from '#backend/contract/heartbeat.ts';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { DowntimeEntity } from '#backend/intake/heartbeats/heartbeat-entities.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { TestClient } from './test-client.ts';
import type { TestServer } from './test-server.ts';

/** A server, and an administrator of it. */
interface HeartbeatWorld {
  server: TestServer;
  admin: TestClient;
}

const newHeartbeat = () => ({
  name: crypto.randomUUID(),
  schedule: { kind: 'interval', everySeconds: 3600 },
  graceSeconds: 60,
});

/** A new heartbeat and the path of its address. */
export async function makeHeartbeat({ admin }: Pick<HeartbeatWorld, 'admin'>, values: object = {}) {
  const made = await admin.send('POST', '/api/heartbeats', { ...newHeartbeat(), ...values });
  const { heartbeat, path } = heartbeatWithAddressSchema.parse(await made.json());
  return { id: heartbeat.id, name: heartbeat.name, path };
}

/** A time in which no server ran. */
async function makeDowntime({ server }: HeartbeatWorld): Promise<string> {
  const id = newId();
  await server.database.transaction((tx) =>
    tx.getRepository(DowntimeEntity).insert({ id, fromAt: 1, toAt: 2, heartbeats: 1, isSettled: true }),
  );
  return id;
}

/** Every change of heartbeats, with a request to it that succeeds. */
export const HEARTBEAT_WRITE_ROUTES: Record<
  string,
  (world: HeartbeatWorld) => Promise<{ path: string; body?: unknown }>
> = {
  'POST /api/heartbeats': async () => ({ path: '/api/heartbeats', body: newHeartbeat() }),
  'PATCH /api/heartbeats/:id': async (world) => ({
    path: `/api/heartbeats/${(await makeHeartbeat(world)).id}`,
    body: { isPaused: true },
  }),
  'POST /api/heartbeats/:id/address': async (world) => ({
    path: `/api/heartbeats/${(await makeHeartbeat(world)).id}/address`,
  }),
  'DELETE /api/heartbeats/:id': async (world) => ({ path: `/api/heartbeats/${(await makeHeartbeat(world)).id}` }),
  'DELETE /api/heartbeat-downtimes/:id': async (world) => ({
    path: `/api/heartbeat-downtimes/${await makeDowntime(world)}`,
  }),
};

/** Who may call these, and the calls that read what they are about. */
export const HEARTBEAT_POLICY: Record<string, 'admin' | 'member'> = {
  'GET /api/heartbeats': 'member',
  'GET /api/heartbeats/:id': 'member',
  'GET /api/heartbeats/:id/beats/:number': 'member',
  'GET /api/heartbeat-times': 'member',
  'POST /api/heartbeats': 'admin',
  'PATCH /api/heartbeats/:id': 'admin',
  'POST /api/heartbeats/:id/address': 'admin',
  'DELETE /api/heartbeats/:id': 'admin',
  'DELETE /api/heartbeat-downtimes/:id': 'admin',
};

/** The calls of heartbeats, and of Opsgenie's API about them, that are no endpoints. */
export const PING_CALLS = [
  'GET /ping/{token}',
  'POST /ping/{token}',
  'GET /ping/{token}/{signal}',
  'POST /ping/{token}/{signal}',
  ...['GET', 'POST', 'PUT', 'PATCH'].map((method) => `${method} /v2/heartbeats/{heartbeatName}/ping`),
];

/** Every success that the document promises of these, with a call that gets it. */
export function heartbeatCalls(world: () => HeartbeatWorld): Record<string, () => Promise<Response>> {
  const prepared = async (name: string): Promise<Response> => {
    const { path = '', body } = (await HEARTBEAT_WRITE_ROUTES[name]?.(world())) ?? {};
    return world().admin.send(name.split(' ')[0] ?? '', path, body);
  };
  const called = async () => {
    const made = await makeHeartbeat(world());
    await world().server.anonymous().send('POST', made.path);
    return made;
  };
  const ping = async (method: string, action = '') =>
    world()
      .server.anonymous()
      .send(method, `${(await makeHeartbeat(world())).path}${action}`);
  const pingByName = async (method: string) => {
    const { admin } = world();
    const made = await admin.send('POST', '/api/sources', { name: crypto.randomUUID(), adapter: 'opsgenie' });
    const { source, plain } = sourceWithSecretsSchema.parse(await made.json());
    const { name } = await makeHeartbeat(world(), { sourceId: source.id });
    return admin.send(method, `/v2/heartbeats/${name}/ping`, undefined, {
      Authorization: `GenieKey ${plain.key ?? ''}`,
    });
  };
  return {
    ...Object.fromEntries(
      ['GET', 'POST', 'PUT', 'PATCH'].map((method) => [
        `${method} /v2/heartbeats/{heartbeatName}/ping 202`,
        () => pingByName(method),
      ]),
    ),
    'GET /ping/{token} 200': () => ping('GET'),
    'POST /ping/{token} 200': () => ping('POST'),
    'GET /ping/{token}/{signal} 200': () => ping('GET', '/start'),
    'POST /ping/{token}/{signal} 200': () => ping('POST', '/7'),
    'POST /api/heartbeats 201': () => prepared('POST /api/heartbeats'),
    'PATCH /api/heartbeats/{id} 200': () => prepared('PATCH /api/heartbeats/:id'),
    'POST /api/heartbeats/{id}/address 201': () => prepared('POST /api/heartbeats/:id/address'),
    'DELETE /api/heartbeats/{id} 204': () => prepared('DELETE /api/heartbeats/:id'),
    'DELETE /api/heartbeat-downtimes/{id} 204': () => prepared('DELETE /api/heartbeat-downtimes/:id'),
    'GET /api/heartbeats 200': async () => {
      await makeDowntime(world());
      await called();
      return world().admin.get('/api/heartbeats');
    },
    'GET /api/heartbeats/{id} 200': async () => world().admin.get(`/api/heartbeats/${(await called()).id}`),
    'GET /api/heartbeats/{id}/beats/{number} 200': async () =>
      world().admin.get(`/api/heartbeats/${(await called()).id}/beats/1`),
    'GET /api/heartbeat-times 200': () =>
      world().admin.get('/api/heartbeat-times?expression=0+21+*+*+*&timeZone=Europe/Berlin'),
  };
}
