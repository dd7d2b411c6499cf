import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sourceSchema, sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { createSealing, newSealingKey } from '#backend/platform/secrets/sealing.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { SourceSecretEntity } from './source-entity.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

/** Seals the signing secrets of a source under a key that the server does not have, as after a restore without it. */
async function loseKey(sourceId: string): Promise<void> {
  const lost = createSealing(newSealingKey());
  await server.database.transaction(async (tx) => {
    const secrets = tx.getRepository(SourceSecretEntity);
    for (const { id } of await secrets.findBy({ sourceId, kind: 'signing' }))
      await secrets.update({ id }, { sealed: lost.seal('Nobody can open this', id) });
  });
}

test('a source whose signing secret cannot be opened has its senders send again, can be changed, and takes a new one at once', async () => {
  const made = await admin.send('POST', '/api/sources', { name: 'Repositories' });
  const { source, plain } = sourceWithSecretsSchema.parse(await made.json());
  const path = `/api/sources/${source.id}`;
  const add = (secret: string) => admin.send('POST', `${path}/signing-secrets`, { secret });
  const post = (secret: string) => {
    const body = '{"title":"Build failed"}';
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    return fetch(`${server.url}/webhook`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Webhook-Auth': plain.key ?? '',
        'X-Hub-Signature-256': signature,
      },
      body,
    });
  };
  expect((await add('The first secret of all')).status).toBe(201);
  const auth = { ...source.settings.auth, signature: 'github' };
  expect((await admin.send('PATCH', path, { settings: { auth } })).status).toBe(200);
  expect((await post('The first secret of all')).status).toBe(202);
  expect((await add('The second secret of all')).status).toBe(201);
  await loseKey(source.id);

  const renamed = await admin.send('PATCH', path, { name: 'All repositories', isPaused: false });
  expect([renamed.status, await renamed.text()]).toEqual([200, expect.stringContaining('All repositories')]);
  const refused = await post('The second secret of all');
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '30']);
  const log = async () => (await admin.get(`${path}/deliveries`)).text();
  await expect.poll(log).toContain('The signing secret of this source cannot be opened. Add a new one');

  const { sources } = (await (await admin.get('/api/configuration')).json()) as { sources: object[] };
  const configured = { sources: [{ ...sources[0], signingSecret: 'The third secret of all' }] };
  const planned = await admin.send('POST', '/api/configuration/plan', configured);
  expect([planned.status, await planned.text()]).toEqual([200, expect.stringContaining('signingSecret')]);
  expect((await add('The third secret of all')).status).toBe(201);
  expect((await post('The third secret of all')).status).toBe(202);
  const { secrets } = sourceSchema.parse(await (await admin.get(path)).json());
  expect(secrets.filter(({ kind }) => kind === 'signing')).toMatchObject([{ expiresAt: null }]);
});
