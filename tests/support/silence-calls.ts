import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { SilenceEntity } from '#backend/outgoing/silences/silence-entities.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { insertAlerts } from './insert-alerts.ts';
import type { TestClient } from './test-client.ts';
import type { TestServer } from './test-server.ts';

/** A server, and an administrator of it. */
interface SilenceWorld {
  server: TestServer;
  admin: TestClient;
}

const SETTINGS = {
  kind: 'alertmanager',
  isOn: false,
  url: 'https://alertmanager.example.com',
  auth: 'none',
  minutes: 240,
};

const makeSource = async ({ admin }: SilenceWorld): Promise<string> => {
  const made = await admin.send('POST', '/api/sources', { name: crypto.randomUUID() });
  return sourceWithSecretsSchema.parse(await made.json()).source.id;
};

/** A silence that could not be made, with its source and its alert. */
async function makeSilence(world: SilenceWorld) {
  const sourceId = await makeSource(world);
  const [alertId = ''] = await insertAlerts(world.server.database, [{ title: 'Disk full', customer: 'Nordwind' }]);
  const id = newId();
  await world.server.database.transaction((tx) =>
    tx.getRepository(SilenceEntity).insert({
      id,
      sourceId,
      alertId,
      subject: null,
      mark: null,
      silenceId: null,
      state: 'waiting',
      end: null,
      ownerName: 'Mara',
      endsAt: null,
      askedUntil: null,
      isStopped: false,
      revision: 1,
      failures: 1,
      fault: '401: The user name, password or token is wrong.',
      missingSince: null,
      nextAt: Date.now() + 60_000,
      claimedUntil: 0,
      createdAt: Date.now(),
      finishedAt: null,
    }),
  );
  return { id, sourceId, alertId };
}

/** Every change of silences and of their settings, with a request to it that succeeds. */
export const SILENCE_WRITE_ROUTES: Record<string, (world: SilenceWorld) => Promise<{ path: string; body?: unknown }>> =
  {
    'PUT /api/sources/:id/silencing': async (world) => ({
      path: `/api/sources/${await makeSource(world)}/silencing`,
      body: SETTINGS,
    }),
    'POST /api/sources/:id/silencing/try': async (world) => ({
      path: `/api/sources/${await makeSource(world)}/silencing/try`,
      body: SETTINGS,
    }),
    'POST /api/silences/:id/end': async (world) => ({ path: `/api/silences/${(await makeSilence(world)).id}/end` }),
    'POST /api/silences/:id/retry': async (world) => ({ path: `/api/silences/${(await makeSilence(world)).id}/retry` }),
  };

/** Who may call these, and the calls that read what they are about. */
export const SILENCE_POLICY: Record<string, 'admin' | 'member'> = {
  'PUT /api/sources/:id/silencing': 'admin',
  'POST /api/sources/:id/silencing/try': 'admin',
  'GET /api/sources/:id/silencing': 'admin',
  'POST /api/silences/:id/end': 'admin',
  'POST /api/silences/:id/retry': 'member',
  'GET /api/alerts/:id/silence': 'member',
};

/** Every success that the document promises of these, with a call that gets it. */
export function silenceCalls(world: () => SilenceWorld): Record<string, () => Promise<Response>> {
  const prepared = async (name: string): Promise<Response> => {
    const { path = '', body } = (await SILENCE_WRITE_ROUTES[name]?.(world())) ?? {};
    return world().admin.send(name.split(' ')[0] ?? '', path, body);
  };
  return {
    'PUT /api/sources/{id}/silencing 200': () => prepared('PUT /api/sources/:id/silencing'),
    'POST /api/sources/{id}/silencing/try 200': () => prepared('POST /api/sources/:id/silencing/try'),
    'POST /api/silences/{id}/end 204': () => prepared('POST /api/silences/:id/end'),
    'POST /api/silences/{id}/retry 204': () => prepared('POST /api/silences/:id/retry'),
    'GET /api/sources/{id}/silencing 200': async () =>
      world().admin.get(`/api/sources/${(await makeSilence(world())).sourceId}/silencing`),
    'GET /api/alerts/{id}/silence 200': async () =>
      world().admin.get(`/api/alerts/${(await makeSilence(world())).alertId}/silence`),
  };
}
