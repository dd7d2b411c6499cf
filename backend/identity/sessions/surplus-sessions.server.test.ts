import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_SESSIONS } from '#backend/contract/account.ts';
import { CLOSE_SESSION_ENDED } from '#backend/contract/live-event.ts';
import { listenLive } from '#tests/support/live-client.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, TEST_PASSWORD, startTestServer } from '#tests/support/test-server.ts';
import { SessionEntity, type StoredSession } from './session-store.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

const statusOf = async (client: TestClient) => (await client.get('/api/auth/session')).status;
const sessionsOf = ({ id: userId }: TestClient) =>
  server.database.reads.getRepository(SessionEntity).findBy({ userId });

/** Another browser of the same member. */
async function another(member: TestClient): Promise<TestClient> {
  const client = server.anonymous();
  await client.signIn(member.session?.email ?? '', TEST_PASSWORD);
  return client;
}

/** Gives the member's only session these times, and the member further ones, each with times of its own. */
async function addSessions(
  { id: userId }: TestClient,
  own: Partial<StoredSession>,
  others: readonly Partial<StoredSession>[],
): Promise<void> {
  await server.database.transaction(async (tx) => {
    const sessions = tx.getRepository(SessionEntity);
    const stored = await sessions.findOneByOrFail({ userId });
    await sessions.insert(
      others.map((times, at) => ({ ...stored, id: `${userId} ${at}`.padEnd(64, '.'), idToken: null, ...times })),
    );
    await sessions.update({ id: stored.id }, own);
  });
}

test('the ones used least recently are ended where a member signs in again and again, with their sockets', async () => {
  const member = await server.signedIn();
  const live = await listenLive(member);
  const begun = Date.now();
  const createdAt = begun - 10_000_000;
  const used = (age: number) => ({ createdAt, lastSeenAt: begun - 1000 * age });
  await addSessions(
    member,
    used(MAX_SESSIONS),
    Array.from({ length: MAX_SESSIONS + 20 }, (_, age) => used(age)),
  );
  const newest = await another(member);
  expect(await live.closed).toBe(CLOSE_SESSION_ENDED);
  const left = await sessionsOf(member);
  expect(left).toHaveLength(MAX_SESSIONS);
  const oldest = Math.min(...left.map(({ lastSeenAt }) => lastSeenAt));
  expect(oldest).toBe(begun - 1000 * (MAX_SESSIONS - 2));
  expect([await statusOf(newest), await statusOf(member)]).toEqual([200, 401]);
});

test('a program that signs in again and again does not sign its member out: its sessions end first', async () => {
  const member = await server.signedIn();
  const now = Date.now();
  const signedIn = Array.from({ length: MAX_SESSIONS }, (_, age) => now - 300_000 * age);
  await addSessions(
    member,
    { createdAt: now - 24 * 3_600_000, lastSeenAt: now - 8.5 * 3_600_000 },
    signedIn.map((at) => ({ createdAt: at, lastSeenAt: at })),
  );
  const newest = await another(member);
  expect(await sessionsOf(member)).toHaveLength(MAX_SESSIONS);
  expect([await statusOf(newest), await statusOf(member)]).toEqual([200, 200]);
});

test('who signed in a moment ago stays, as a use is noted only after minutes', async () => {
  const member = await server.signedIn();
  const now = Date.now();
  const at = now - 60_000;
  await addSessions(
    member,
    { createdAt: at, lastSeenAt: at },
    Array.from({ length: MAX_SESSIONS - 1 }, (_, age) => ({
      createdAt: now - 24 * 3_600_000,
      lastSeenAt: now - 3_600_000 - 1000 * age,
    })),
  );
  await another(member);
  expect(await statusOf(member)).toBe(200);
});
