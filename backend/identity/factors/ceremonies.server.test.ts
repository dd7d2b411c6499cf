import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { beginCeremony, findCeremony } from './ceremonies.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

test.each([
  ['goes on', 'a few seconds', 20_000, true],
  ['is none', 'an hour', 60 * 60_000, false],
])('a sign-in %s on a server whose clock is %s behind that of the one it began on', async (_is, _much, ms, isFound) => {
  const now = Date.now();
  const token = await server.database.transaction((tx) => beginCeremony(tx, { kind: 'sign_in' }, now + ms));
  const found = await findCeremony(server.database.reads, 'sign_in', token, now);
  expect(found !== undefined).toBe(isFound);
});
