import { expect } from 'vitest';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { importTo } from './insert-alerts.ts';
import { opsgenieCalls } from './opsgenie-calls.ts';
import type { TestClient } from './test-client.ts';
import { waitFor } from './wait-for.ts';

/** Who makes the calls, and how an API key, which is a source, is made. */
interface Callers {
  admin: TestClient;
  member: TestClient;
  newKey: () => Promise<string>;
}

/** The id of a source's newest delivery, once the log has so many of it. */
export const newestDelivery = (admin: Pick<TestClient, 'get'>, sourceId: string, deliveries: number): Promise<string> =>
  waitFor(async () => {
    const answer = await admin.get(`/api/sources/${sourceId}/deliveries`);
    expect(answer.status).toBe(200);
    const logged = (await answer.json()) as { id: string }[];
    expect(logged.length).toBeGreaterThanOrEqual(deliveries);
    return logged[0]?.id ?? '';
  });

/** Who may call what on sources and their deliveries. */
export const SOURCE_POLICY: Record<string, 'admin'> = {
  'GET /api/sources': 'admin',
  'POST /api/sources': 'admin',
  'GET /api/sources/:id': 'admin',
  'PATCH /api/sources/:id': 'admin',
  'DELETE /api/sources/:id': 'admin',
  'POST /api/sources/:id/rotate': 'admin',
  'POST /api/sources/:id/signing-secrets': 'admin',
  'DELETE /api/sources/:id/secrets/:secretId': 'admin',
  'GET /api/sources/:id/deliveries': 'admin',
  'GET /api/sources/:id/delivery-counts': 'admin',
  'GET /api/deliveries/:id': 'admin',
  'POST /api/sources/:id/replay': 'admin',
  'POST /api/deliveries/:id/replay': 'admin',
  'POST /api/sources/:id/import': 'admin',
  'POST /api/sources/:id/test': 'admin',
  'POST /api/sources/:id/dry-run': 'admin',
  'POST /api/sources/:id/mapping-preview': 'admin',
  'GET /api/unknown-keys': 'admin',
  'GET /api/source-health': 'admin',
};

/** The path of a call on a new source. */
async function onNewSource(admin: Pick<TestClient, 'send'>, call: string): Promise<string> {
  const answer = await admin.send('POST', '/api/sources', { name: crypto.randomUUID() });
  return `/api/sources/${sourceWithSecretsSchema.parse(await answer.json()).source.id}/${call}`;
}

/** The routes that try how a source reads, with a request to each that succeeds. They store nothing. */
export const TRIED_SOURCE_ROUTES: Record<
  string,
  (world: { admin: TestClient }) => Promise<{ path: string; body: unknown }>
> = {
  'POST /api/sources/:id/dry-run': async ({ admin }) => ({
    path: await onNewSource(admin, 'dry-run'),
    body: { request: { body: '{"title":"Disk full"}' } },
  }),
  'POST /api/sources/:id/mapping-preview': async ({ admin }) => ({
    path: await onNewSource(admin, 'mapping-preview'),
    body: { mapping: { title: 'message' } },
  }),
};

/** Routes that write no row on behalf of the member, so that there is no transaction to be refused in. */
export const WITHOUT_TRANSACTION = new Set([
  'POST /api/push/test',
  'POST /api/outgoing/preview',
  'POST /api/maintenance/preview',
  'POST /api/rules/dry-run',
  'POST /api/outgoing/ladder-preview',
  'POST /api/outgoing/calendars/:id/refresh',
  'POST /api/account/chat-accounts/offer',
  'POST /api/sources/:id/silencing/try',
  ...Object.keys(TRIED_SOURCE_ROUTES),
]);

/** Every success that the document promises of sources and deliveries, with a call that gets it. */
export function sourceCalls(callers: () => Callers): Record<string, () => Promise<Response>> {
  const newKey = () => callers().newKey();
  const admin: Pick<TestClient, 'get' | 'send'> = {
    get: (...asked) => callers().admin.get(...asked),
    send: (...asked) => callers().admin.send(...asked),
  };
  const newSource = async () =>
    sourceWithSecretsSchema.parse(
      await (await admin.send('POST', '/api/sources', { name: crypto.randomUUID() })).json(),
    );
  /** A source with two deliveries, and the id of the newer one. */
  const delivered = async () => {
    const { source, plain } = await newSource();
    for (const n of [1, 2]) await callers().admin.postAlert(plain.key ?? '', { n });
    const delivery = await newestDelivery(admin, source.id, 2);
    return { id: source.id, delivery };
  };
  return {
    ...opsgenieCalls(callers),
    'GET /api/source-mutes 200': async () => {
      await newSource();
      await newSource();
      await callers().member.send('POST', '/api/source-mutes/bulk', { muted: true });
      return callers().member.get('/api/source-mutes?limit=1');
    },
    'POST /api/source-mutes 201': async () =>
      callers().member.send('POST', '/api/source-mutes', { sourceId: (await newSource()).source.id }),
    'POST /api/source-mutes/bulk 200': async () => {
      await newSource();
      return callers().member.send('POST', '/api/source-mutes/bulk', { muted: true });
    },
    'DELETE /api/source-mutes/{sourceId} 204': async () =>
      callers().member.send('DELETE', `/api/source-mutes/${(await newSource()).source.id}`),
    'POST /in/{token} 202': async () =>
      callers().member.post('', { a: 1 }, {}, `/in/${(await newSource()).plain.token}`),
    'POST /v2/enqueue 202': async () => {
      const event = { event_action: 'resolve', dedup_key: 'db-7/disk' };
      const { plain } = await newSource();
      return callers().member.post('', { routing_key: plain.key, ...event }, {}, '/v2/enqueue');
    },
    'GET /api/sources/{id}/deliveries 200': async () =>
      admin.get(`/api/sources/${(await delivered()).id}/deliveries?limit=1`),
    'GET /api/sources/{id}/delivery-counts 200': async () =>
      admin.get(`/api/sources/${(await delivered()).id}/delivery-counts`),
    'GET /api/deliveries/{id} 200': async () => admin.get(`/api/deliveries/${(await delivered()).delivery}`),
    'POST /api/sources/{id}/replay 200': async () => {
      const { id, delivery } = await delivered();
      return admin.send('POST', `/api/sources/${id}/replay`, { ids: [delivery] });
    },
    'POST /api/deliveries/{id}/replay 200': async () =>
      admin.send('POST', `/api/deliveries/${(await delivered()).delivery}/replay`, {}),
    'POST /api/sources/{id}/import 200': async () => {
      const { path, body } = importTo(await newKey());
      return admin.send('POST', path, body);
    },
    'POST /api/sources/{id}/test 201': async () => admin.send('POST', `/api/sources/${await newKey()}/test`),
    'POST /api/sources/{id}/dry-run 200': async () =>
      admin.send('POST', `/api/sources/${await newKey()}/dry-run`, { request: { body: '{"title":"Disk full"}' } }),
    'POST /api/sources/{id}/mapping-preview 200': async () =>
      admin.send('POST', `/api/sources/${(await delivered()).id}/mapping-preview`, { mapping: { title: 'message' } }),
    'GET /api/unknown-keys 200': async () => admin.get('/api/unknown-keys'),
    'GET /api/sources 200': async () => {
      await newKey();
      return admin.get('/api/sources');
    },
    'GET /api/source-health 200': async () => {
      await newKey();
      return admin.get('/api/source-health');
    },
    'GET /api/source-names 200': async () => {
      await newKey();
      return callers().member.get('/api/source-names');
    },
    'POST /api/sources 201': () => admin.send('POST', '/api/sources', { name: crypto.randomUUID() }),
    'GET /api/sources/{id} 200': async () => admin.get(`/api/sources/${await newKey()}`),
    'PATCH /api/sources/{id} 200': async () =>
      admin.send('PATCH', `/api/sources/${await newKey()}`, { settings: { onResolved: 'keep' } }),
    'DELETE /api/sources/{id} 204': async () => admin.send('DELETE', `/api/sources/${await newKey()}`),
    'POST /api/sources/{id}/rotate 201': async () =>
      admin.send('POST', `/api/sources/${await newKey()}/rotate`, { kind: 'token' }),
    'POST /api/sources/{id}/signing-secrets 201': async () =>
      admin.send('POST', `/api/sources/${await newKey()}/signing-secrets`, { secret: 'It is a secret to everybody' }),
    'DELETE /api/sources/{id}/secrets/{secretId} 204': async () => {
      const id = await newKey();
      const { source } = sourceWithSecretsSchema.parse(
        await (await admin.send('POST', `/api/sources/${id}/rotate`, { kind: 'key' })).json(),
      );
      const old = source.secrets.find(({ expiresAt }) => expiresAt !== null);
      return admin.send('DELETE', `/api/sources/${id}/secrets/${old?.id}`);
    },
  };
}
