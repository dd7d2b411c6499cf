import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { auditEntrySchema } from '#backend/contract/audit-entry.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { createCountedEntries } from './counted-entries.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

const trail = async () => z.array(auditEntrySchema).parse(await (await admin.get('/api/audit?limit=500')).json());

test('a member who is refused again and again is counted, and fills nothing', async () => {
  const own = await startTestServer();
  const [user, other] = [await own.signedIn(), await own.signedIn()];
  const refused = Array.from({ length: 150 }, () => user.get('/api/auth/users'));
  const deletions = Array.from({ length: 50 }, () => user.send('DELETE', `/api/api-keys/${uuidv7()}`));
  for (const { status } of await Promise.all([...refused, ...deletions, other.get('/api/auth/users')])) {
    expect(status).toBe(403);
  }
  const restarted = await own.restart();
  const reader = await restarted.signedIn({ role: 'admin' });
  const entries = z.array(auditEntrySchema).parse(await (await reader.get('/api/audit?limit=500')).json());
  const counted = entries
    .filter(({ action }) => action === 'refused')
    .map(({ actorId, subject, times }) => [actorId, subject?.replace(/[^/]{36}$/, 'ID'), times]);
  // The first at once, the repetitions when the server stopped.
  expect(counted).toHaveLength(5);
  expect(counted).toEqual(
    expect.arrayContaining([
      [user.id, 'GET /api/auth/users', 1],
      [user.id, 'GET /api/auth/users', 149],
      [user.id, 'DELETE /api/api-keys/ID', 1],
      [user.id, 'DELETE /api/api-keys/ID', 49],
      [other.id, 'GET /api/auth/users', 1],
    ]),
  );
  await restarted.destroy();
});

test('repetitions of a minute are one more entry, and no entry is changed', async () => {
  const { id, email } = await server.addUser();
  let clock = 0;
  const log = createCountedEntries(server.database, 60_000, () => clock);
  const entry = {
    author: { id, name: email, ip: '127.0.0.1' },
    action: 'refused',
    subject: 'GET /api/auth/users',
  } as const;
  const timesOf = async () => (await trail()).filter(({ actorId }) => actorId === id).map(({ times }) => times);
  await Promise.all(Array.from({ length: 5 }, () => log.add('call', entry)));
  await log.flush();
  expect(await timesOf()).toEqual([1]);
  await log.add('call', entry);
  clock = 60_000;
  await log.add('call', entry);
  expect((await timesOf()).toSorted()).toEqual([1, 1, 5]);
  await log.add('call', entry);
  clock = 120_000;
  await log.flush();
  await log.flush(true);
  expect((await timesOf()).toSorted()).toEqual([1, 1, 1, 5]);
});
