import { expect, onTestFinished, test } from 'vitest';
import { latencySchema } from '#backend/contract/latency.ts';
import { newSealingKey } from './sealing.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { openKeyring } from './keyring.ts';
import { openStore } from './secret-store.ts';

const isMysql = process.env['TEST_DIALECT'] === 'mysql';
const logger = { warn: () => undefined, error: () => undefined };

const warningFor = async (server: TestServer, role: 'admin' | 'super_user') => {
  const reader = await server.signedIn({ role });
  return latencySchema.parse(await (await reader.get('/api/latency')).json()).isKeyInDatabase;
};

test('administrators see that the key lies in the database that it seals, until a command has moved it', async () => {
  const before = await startTestServer();
  // The embedded database has a file beside it, which is in no backup.
  expect(await warningFor(before, 'admin')).toBe(isMysql);
  expect(await warningFor(before, 'super_user')).toBeUndefined();
  const key = newSealingKey();
  const server = await before.restart({ SECRETS_KEY: key });
  onTestFinished(() => server.destroy());
  // It seals as before until the command says otherwise.
  expect(await warningFor(server, 'admin')).toBe(isMysql);
  const { config, database } = server;
  const keyring = await openKeyring({ config, database, store: openStore(config, database), logger });
  await keyring.moveOutside();
  await keyring.stop();
  await expect.poll(() => warningFor(server, 'admin'), { interval: 500 }).toBe(false);
});
