import { afterAll, beforeAll, expect, test } from 'vitest';
import { sourceSchema, sourceWithSecretsSchema } from '#backend/contract/source.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

test('a signing secret that was entered by mistake is taken back: the one before counts on, and the right one can be added', async () => {
  const made = await admin.send('POST', '/api/sources', { name: 'Repositories' });
  const { source } = sourceWithSecretsSchema.parse(await made.json());
  const path = `/api/sources/${source.id}`;
  const signing = async () =>
    sourceSchema.parse(await (await admin.get(path)).json()).secrets.filter(({ kind }) => kind === 'signing');
  const add = (secret: string) => admin.send('POST', `${path}/signing-secrets`, { secret });
  await add('The first secret, 0001');
  const auth = { ...source.settings.auth, signature: 'github' };
  expect((await admin.send('PATCH', path, { settings: { auth } })).status).toBe(200);
  await add('A wrong secret, 0002');
  const [wrong] = await signing();
  expect(wrong).toMatchObject({ hint: '0002', expiresAt: null });

  expect((await admin.send('DELETE', `${path}/secrets/${wrong?.id}`)).status).toBe(204);
  expect(await signing()).toMatchObject([{ hint: '0001', expiresAt: null }]);
  expect((await add('The right secret, 0003')).status).toBe(201);
  expect(await signing()).toMatchObject([
    { hint: '0003', expiresAt: null },
    { hint: '0001', expiresAt: expect.any(String) },
  ]);
});
