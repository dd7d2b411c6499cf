import { heartbeatWithAddressSchema } from '#backend/contract/heartbeat.ts';
import { sourceListSchema, sourceWithSecretsSchema } from '#backend/contract/source.ts';
import type { AppServer } from './app-server.ts';

/** A source with its key and token, made beside the pages. */
export async function makeSource(app: AppServer, name: string, adapter = 'auto') {
  const response = await app.admin.request('POST', '/api/sources', { name, adapter });
  const { source, plain } = sourceWithSecretsSchema.parse(await response.json());
  return { id: source.id, key: plain.key ?? '', token: plain.token ?? '' };
}

/** A heartbeat that was called once, and the path of its address. */
export async function makeHeartbeat(app: AppServer, name: string, values: object = {}) {
  const body = { name, schedule: { kind: 'interval', everySeconds: 86_400 }, graceSeconds: 600, ...values };
  const response = await app.admin.request('POST', '/api/heartbeats', body);
  const { heartbeat, path } = heartbeatWithAddressSchema.parse(await response.json());
  await fetch(new URL(path, app.url), { headers: { connection: 'close' } });
  return { id: heartbeat.id, path };
}

/** Sends JSON as a sender does. */
export const send = (app: AppServer, key: string, body: unknown): Promise<Response> =>
  fetch(new URL('/webhook', app.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-webhook-auth': key, connection: 'close' },
    body: JSON.stringify(body),
  });

/** The longest that the delivery log may take, in milliseconds. */
const LOGGED_MS = 20_000;

/** As {@link send}, once the delivery log has it, which follows the answer: a page that is opened then knows the delivery. */
export async function sendLogged(app: AppServer, source: { id: string; key: string }, body: unknown): Promise<void> {
  const count = async (): Promise<number> => {
    const answer = await app.admin.request('GET', `/api/sources/${source.id}/deliveries?limit=500`);
    return ((await answer.json()) as unknown[]).length;
  };
  const before = await count();
  await send(app, source.key, body);
  const latest = performance.now() + LOGGED_MS;
  while ((await count()) === before) {
    if (performance.now() > latest) throw new Error('The delivery log does not have the delivery.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Every source but the one that the tests post with. */
export async function clearSources(app: AppServer): Promise<void> {
  const sources = sourceListSchema.parse(await (await app.admin.request('GET', '/api/sources')).json());
  const others = sources.filter(({ name }) => name !== 'End-to-end tests');
  await Promise.all(others.map(({ id }) => app.admin.request('DELETE', `/api/sources/${id}`)));
}
