import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { readConfig } from '#backend/server/config.ts';
import { ownSessionSchema } from '#backend/contract/account.ts';
import { CLOSE_SESSION_ENDED, CLOSE_SESSION_RENEWED } from '#backend/contract/live-event.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { hasCluster, startRedis } from '#tests/support/redis.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, TEST_PASSWORD, startTestServer } from '#tests/support/test-server.ts';
import { SESSION_LIFETIME_MS } from './session-rules.ts';
import { SessionEntity, createSessionStore } from './session-store.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

const list = async (client: TestClient) =>
  z.array(z.strictObject(ownSessionSchema.shape)).parse(await (await client.get('/api/auth/sessions')).json());
const end = (client: TestClient, id: string) => client.send('DELETE', `/api/auth/sessions/${id}`);
const endOthers = (client: TestClient) => client.send('DELETE', '/api/auth/sessions');
const statusOf = async (client: TestClient) => (await client.get('/api/auth/session')).status;

/** Another browser of the same member. */
async function another(member: TestClient, userAgent = FIREFOX, at = server): Promise<TestClient> {
  const client = at.anonymous();
  const login = { email: member.session?.email, password: TEST_PASSWORD };
  const response = await client.send('POST', '/api/auth/login', login, { 'User-Agent': userAgent });
  expect(response.status).toBe(200);
  return client;
}

const auditOf = async ({ id }: TestClient) =>
  (await server.database.reads.getRepository(AuditEntity).find({ where: { actorId: id }, order: { id: 'ASC' } })).map(
    ({ action, subject }) => [action, subject],
  );

describe('the list', () => {
  test('names browser, address and times; the session that asks comes first', async () => {
    const member = await server.signedIn();
    const other = await another(member);
    const before = Date.now();
    const [own, second, ...more] = await list(member);
    expect(more).toEqual([]);
    expect(own).toMatchObject({ isCurrent: true });
    expect(second).toMatchObject({ device: 'Firefox on Linux', ip: '127.0.0.1', isCurrent: false });
    for (const time of [second?.createdAt, second?.lastSeenAt]) {
      expect(Math.abs(Date.parse(time ?? '') - before)).toBeLessThan(60_000);
    }
    expect((await list(other)).map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
  });

  test('names the address of the last use, as it is written down: once in five minutes', async () => {
    const own = await startTestServer({ TRUST_PROXY: '1' });
    const member = await own.signedIn();
    const from = (ip: string) => member.get('/api/auth/session', { 'X-Forwarded-For': ip });
    const usedAgo = (ms: number) =>
      own.database.transaction((tx) =>
        tx.getRepository(SessionEntity).update({ userId: member.id }, { lastSeenAt: Date.now() - ms }),
      );
    const stored = () => own.database.reads.getRepository(SessionEntity).findOneByOrFail({ userId: member.id });
    const { ip, lastIp, lastSeenAt } = await stored();
    expect(lastIp).toBe(ip);
    await from('203.0.113.1');
    expect(await stored()).toMatchObject({ ip, lastIp, lastSeenAt });
    await usedAgo(6 * 60_000);
    await from('203.0.113.2');
    await expect.poll(async () => (await stored()).lastIp).toBe('203.0.113.2');
    const shown = z.array(ownSessionSchema).parse(
      await (
        await from('203.0.113.3')
      )
        .json()
        .then(() => member.get('/api/auth/sessions'))
        .then((answer) => answer.json()),
    );
    expect(shown).toMatchObject([{ ip, lastIp: '203.0.113.2' }]);
    // A session of the release before.
    await own.database.transaction((tx) =>
      tx.getRepository(SessionEntity).update({ userId: member.id }, { lastIp: null }),
    );
    expect(await list(member)).toMatchObject([{ ip, lastIp: null }]);
    await own.destroy();
  });

  test('shows nothing by which a session could be taken over', async () => {
    const member = await server.signedIn();
    const text = await (await member.get('/api/auth/sessions')).text();
    const [stored] = await server.database.reads.getRepository(SessionEntity).findBy({ userId: member.id });
    expect(stored?.id).toMatch(/^[0-9a-f]{64}$/);
    for (const secret of [stored?.id, ...member.cookies.values()]) expect(text).not.toContain(secret);
  });

  test('is of one’s own sessions that have not run out', async () => {
    const [member, stranger] = [await server.signedIn(), await server.signedIn()];
    const old = await another(member);
    const [, oldRow] = await list(member);
    await server.database.transaction(async (tx) => {
      const rows = await tx.getRepository(SessionEntity).findBy({ userId: member.id });
      for (const { id } of rows.filter(({ userAgent }) => userAgent === FIREFOX)) {
        await tx.getRepository(SessionEntity).update({ id }, { lastSeenAt: Date.now() - SESSION_LIFETIME_MS - 1 });
      }
    });
    expect(oldRow?.isCurrent).toBe(false);
    expect(await statusOf(old)).toBe(401);
    expect(await list(member)).toMatchObject([{ isCurrent: true }]);
    expect(await list(stranger)).toHaveLength(1);
  });

  test('has sessions that the release before began', async () => {
    const member = await server.signedIn();
    await server.database.transaction((tx) =>
      tx.getRepository(SessionEntity).update({ userId: member.id }, { ip: null, userAgent: null }),
    );
    expect(await list(member)).toMatchObject([{ device: 'An unknown browser', ip: null, isCurrent: true }]);
  });

  test('takes what browsers call themselves as text of bounded length', async () => {
    const member = await server.signedIn();
    await another(member, `Firefox/1 ${'x'.repeat(5000)}`);
    expect(await list(member)).toMatchObject([{}, { device: 'Firefox' }]);
  });
});

describe('ending', () => {
  test('a session is ended by the next sign-in of its browser, and its sockets at once: the member’s connect again', async () => {
    const member = await server.signedIn();
    const other = await another(member);
    const [replaced, kept] = [await listenLive(member), await listenLive(other)];
    const startedAt = performance.now();
    await member.signIn(member.session?.email ?? '', TEST_PASSWORD);
    expect(await replaced.closed).toBe(CLOSE_SESSION_RENEWED);
    // On a busy machine; without a message it would be closed when it is looked at again, half a minute later.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect([(await list(member)).length, kept.socket.readyState]).toEqual([2, kept.socket.OPEN]);
    kept.socket.close();

    const before = await listenLive(member);
    await member.signIn((await server.addUser()).email, TEST_PASSWORD);
    expect(await before.closed).toBe(CLOSE_SESSION_ENDED);
  });

  test('one session closes its sockets and leaves the others', async () => {
    const member = await server.signedIn();
    const [gone, kept] = [await another(member), await another(member, 'Safari/1')];
    const live = await listenLive(gone);
    const found = (await list(member)).find(({ device }) => device === 'Firefox on Linux');
    expect((await end(member, found?.id ?? '')).status).toBe(204);
    expect(await live.closed).toBe(CLOSE_SESSION_ENDED);
    expect([await statusOf(gone), await statusOf(kept), await statusOf(member)]).toEqual([401, 200, 200]);
    expect((await end(member, found?.id ?? '')).status).toBe(404);
    expect(await auditOf(member)).toContainEqual(['session_ended', 'Firefox on Linux, 127.0.0.1']);
  });

  test('all others keeps the one that asks', async () => {
    const member = await server.signedIn();
    const others = [await another(member), await another(member)];
    const sockets = await Promise.all(others.map((other) => listenLive(other)));
    expect((await endOthers(member)).status).toBe(204);
    expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([CLOSE_SESSION_ENDED, CLOSE_SESSION_ENDED]);
    expect(await Promise.all([...others, member].map(statusOf))).toEqual([401, 401, 200]);
    expect((await endOthers(member)).status).toBe(204);
    expect((await auditOf(member)).filter(([action]) => action === 'other_sessions_ended')).toEqual([
      ['other_sessions_ended', '2'],
    ]);
  });

  test('one’s own session takes its cookies back', async () => {
    const member = await server.signedIn();
    const [own] = await list(member);
    expect((await end(member, own?.id ?? '')).status).toBe(204);
    expect([...member.cookies.keys()]).toEqual(['device']);
  });

  test('of somebody else’s is 404, and ends nothing', async () => {
    const [member, stranger] = [await server.signedIn(), await server.signedIn()];
    const [foreign] = await list(stranger);
    expect((await end(member, foreign?.id ?? '')).status).toBe(404);
    expect((await end(member, 'x'.repeat(43))).status).toBe(404);
    expect((await end(member, 'x'.repeat(65))).status).toBe(400);
    expect(await statusOf(stranger)).toBe(200);
  });

  test('one session by two windows at once ends it once', async () => {
    const member = await server.signedIn();
    await another(member);
    const [, other] = await list(member);
    const answers = await Promise.all([1, 2, 3, 4].map(() => end(member, other?.id ?? '')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404, 404, 404]);
    expect((await auditOf(member)).filter(([action]) => action === 'session_ended')).toHaveLength(1);
  });

  test('each other at once leaves one of two sessions at most', async () => {
    const member = await server.signedIn();
    const browsers = [member, await another(member)];
    const answers = await Promise.all(browsers.map(endOthers));
    for (const { status } of answers) expect([204, 401]).toContain(status);
    const left = await Promise.all(browsers.map(statusOf));
    expect(left.filter((status) => status === 200)).toHaveLength(1);
  });
});

describe.runIf(hasCluster && process.env['TEST_DIALECT'] === 'mysql')('with two servers', () => {
  test('a session that is ended on one is refused on the other at once, and its sockets close there', async () => {
    const redis = await startRedis();
    const first = await startTestServer({ REDIS_URL: redis.url });
    const second = await first.startSecond();
    try {
      const member = await first.signedIn();
      const [gone, renewed] = [await another(member, FIREFOX, second), await another(member, 'Safari/1', second)];
      const live = await listenLive(gone);
      const [, found] = (await list(member)).filter(({ device }) => device !== 'Safari');
      const startedAt = performance.now();
      expect((await end(member, found?.id ?? '')).status).toBe(204);
      expect(await statusOf(gone)).toBe(401);
      expect(await live.closed).toBe(CLOSE_SESSION_ENDED);
      // On a busy machine; without a message it would be closed when it is looked at again, half a minute later.
      expect(performance.now() - startedAt).toBeLessThan(10_000);

      const other = await listenLive(renewed);
      const answer = await member.send('POST', '/api/auth/password', {
        currentPassword: TEST_PASSWORD,
        newPassword: 'battery staple',
      });
      expect(answer.status).toBe(204);
      expect(await statusOf(renewed)).toBe(401);
      expect(await other.closed).toBe(CLOSE_SESSION_ENDED);
    } finally {
      await second.stop();
      await first.destroy();
      await redis.stop();
    }
  });
});

test('a session ends after its longest life, however much it is used, with its live connections and pushes', async () => {
  const [old, young] = [await server.signedIn(), await server.signedIn()];
  const filter = (days: number) => {
    const rules = readConfig({ SESSION_MAX_DAYS: String(days) });
    const store = createSessionStore(server.database, createLogger('silent'), rules);
    return Promise.all([old, young].map((client) => store.find(client.cookies.get('sid') ?? '', null))).then(
      async (found) => [
        found.map((actor) => actor !== undefined),
        (await store.filterActive(found.flatMap((actor) => actor?.sessionId ?? []))).size,
      ],
    );
  };
  const begunAt = (days: number) =>
    server.database.transaction((tx) =>
      tx
        .getRepository(SessionEntity)
        .update({ userId: old.id }, { createdAt: Date.now() - days * 24 * 60 * 60_000 - 1 }),
    );
  await begunAt(89);
  expect((await old.get('/api/auth/session')).status).toBe(200);
  await begunAt(90);
  expect((await old.get('/api/auth/session')).status).toBe(401);
  await expect(listenLive(old)).rejects.toThrow(/401/);
  expect((await young.get('/api/auth/session')).status).toBe(200);
  expect(await filter(91)).toEqual([[true, true], 2]);
  expect(await filter(90)).toEqual([[false, true], 1]);
});
