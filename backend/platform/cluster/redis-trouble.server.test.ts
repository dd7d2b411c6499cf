import { randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CLOSE_SESSION_ENDED } from '#backend/contract/live-event.ts';
import type { Metrics } from '#backend/platform/metrics/metrics.ts';
import { PER_ACCOUNT_AND_NETWORK } from '#backend/identity/users/sign-in-throttle.ts';
import { type LiveClient, listenLive } from '#tests/support/live-client.ts';
import { makeCertificate } from '#tests/support/make-certificate.ts';
import { type TestRedis, hasCluster, startRedis } from '#tests/support/redis.ts';
import { startServerProcess } from '#tests/support/server-process.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { ANSWER_MS } from './redis-link.ts';

/**
 * How soon events of the other server come while Redis is away, and how soon that is noticed, in milliseconds: a second and
 * three, and more on a busy machine. A page that only looks at its session now and then closes after half a minute.
 */
const SOON = { timeout: 20_000, interval: 20 };

/** Requests whose median counts. */
const SAMPLES = 10;

let redis: TestRedis;
let one: TestServer;
let other: TestServer;
let key: string;
let anna: TestClient;
let page: LiveClient;

const send = async (server: TestServer): Promise<string> => {
  const response = await fetch(`${server.url}/webhook`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Webhook-Auth': key },
    body: JSON.stringify({ title: 'Disk full' }),
  });
  expect(response.status).toBe(202);
  return ((await response.json()) as { id: string }).id;
};
const isThere = (id: string) => page.events.some((event) => event.type === 'new_alert' && event.alert.id === id);
const crosses = async (within: typeof SOON) => {
  const id = await send(one);
  await expect.poll(() => isThere(id), within).toBe(true);
};
/** Notes how long it takes, in milliseconds. */
async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  times.push(performance.now() - startedAt);
  return result;
}
/** A busy machine makes single requests slow; waiting for an answer of Redis would make all of them. */
const median = (times: readonly number[]): number =>
  times.toSorted((first, second) => first - second)[Math.floor(times.length / 2)] ?? Infinity;
const greetings = () => page.events.filter((event) => event.type === 'hello');
const isDelayed = () => greetings().at(-1)?.isDelayed === true;
/** Behind a proxy a server has metrics for nobody without a token: one in this process is asked itself. */
const metric = async (server: { url: string | URL; metrics?: Metrics }, name: string): Promise<number> => {
  const text = await (server.metrics?.text() ?? (await fetch(new URL('/metrics', server.url))).text());
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
};
const isConnected = async (is: boolean) => {
  for (const server of [one, other]) {
    await expect.poll(() => metric(server, 'alertdesk_cluster_redis_connected'), SOON).toBe(Number(is));
  }
};

describe.skipIf(!hasCluster)('while Redis', () => {
  beforeAll(async () => {
    redis = await startRedis();
    one = await startTestServer({ REDIS_URL: redis.url, TRUST_PROXY: '1' });
    other = await one.startSecond();
    key = await one.addApiKey('Trouble');
    anna = await other.signedIn();
  });
  afterAll(async () => {
    await other?.stop();
    await one?.destroy();
    await redis?.stop();
  });
  afterEach(() => page?.socket.terminate());

  test('drops every connection, events come all the same, and no page has to fetch again', async () => {
    await isConnected(true);
    page = await listenLive(anna);
    await crosses(SOON);
    const before = greetings().length;
    await redis.run(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
    await redis.run(['CLIENT', 'KILL', 'TYPE', 'pubsub', 'SKIPME', 'yes']);
    await crosses(SOON);
    await isConnected(true);
    await crosses(SOON);
    expect(greetings()).toHaveLength(before);
    // Too short for a word about it.
    expect(greetings().some((hello) => hello.isDelayed)).toBe(false);
  });

  test('is flushed, nothing is lost', async () => {
    page = await listenLive(anna);
    await redis.run(['FLUSHALL']);
    await crosses(SOON);
    expect(greetings().some((hello) => hello.isDelayed)).toBe(false);
  });

  test.each([
    ['has ended', async () => redis.kill(), async () => redis.start()],
    ['hangs', async () => redis.freeze(), async () => redis.thaw()],
  ])(
    '%s, ingest and sign-in go on, events come through the database, and everything converges',
    async (_how, end, begin) => {
      page = await listenLive(anna);
      // From a network of its own, whose guesses nobody has counted.
      const elsewhere = { 'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` };
      const guessOf = async (email: string) => {
        const login = { email, password: 'a guess' };
        return (await one.anonymous().send('POST', '/api/auth/login', login, elsewhere)).status;
      };
      const before: Record<'sending' | 'guessing', number[]> = { sending: [], guessing: [] };
      const somebody = await one.addUser();
      for (let count = 0; count < SAMPLES; count += 1) {
        await timed(before.sending, () => send(one));
        await timed(before.guessing, () => guessOf(somebody.email));
      }
      await end();
      const sending: number[] = [];
      const sent: string[] = [];
      while (sent.length < SAMPLES) sent.push(await timed(sending, () => send(one)));
      expect(median(sending)).toBeLessThan(median(before.sending) + ANSWER_MS);
      await expect.poll(() => sent.every(isThere), SOON).toBe(true);
      await isConnected(false);
      await expect.poll(isDelayed, SOON).toBe(true);
      await crosses(SOON);
      expect((await fetch(`${one.url}/readyz`)).status).toBe(200);
      const late = await listenLive(anna);
      expect(late.events[0]).toMatchObject({ type: 'hello', isDelayed: true });
      late.socket.terminate();

      // Each server counts wrong passwords for itself.
      const guessed = await one.addUser();
      const guesses: number[] = [];
      const guessing: number[] = [];
      while (guesses.length <= PER_ACCOUNT_AND_NETWORK)
        guesses.push(await timed(guessing, () => guessOf(guessed.email)));
      expect(guesses).toEqual([...Array.from({ length: PER_ACCOUNT_AND_NETWORK }, () => 401), 429]);
      expect(median(guessing)).toBeLessThan(median(before.guessing) + ANSWER_MS);

      // Nobody goes on with what was taken from them.
      const [admin, user] = await Promise.all([one.signedIn({ role: 'admin' }), one.addUser()]);
      const member = other.anonymous();
      await member.signIn(user.email, TEST_PASSWORD);
      const { closed } = await listenLive(member);
      const at = performance.now();
      await admin.send('PATCH', `/api/auth/users/${user.id}/toggle-active`);
      expect(await closed).toBe(CLOSE_SESSION_ENDED);
      expect(performance.now() - at).toBeLessThan(SOON.timeout);

      const greeted = greetings().length;
      await begin();
      await isConnected(true);
      await expect.poll(() => greetings().length > greeted && !isDelayed(), SOON).toBe(true);
      await crosses(SOON);
    },
  );
});

test.skipIf(!hasCluster)('a server that cannot start leaves nothing of itself in Redis', async () => {
  const used = await startRedis();
  onTestFinished(() => used.stop());
  const server = await startTestServer({ REDIS_URL: used.url });
  onTestFinished(() => server.destroy());
  const { port } = new URL(server.url);
  await expect(server.startSecond({ PORT: port })).rejects.toThrow('the port is occupied');
  const clients = async () =>
    String(await used.run(['CLIENT', 'LIST']))
      .trim()
      .split('\n').length;
  // The first server's, and the one that asks.
  await expect.poll(clients, SOON).toBe(2);
});

describe.skipIf(!hasCluster)('Redis with', () => {
  test('a password lets in who has it, and refuses who has not at the start', async () => {
    const guarded = await startRedis({ password: 'open-sesame' });
    onTestFinished(() => guarded.stop());
    const server = await startTestServer({ REDIS_URL: guarded.url });
    onTestFinished(() => server.destroy());
    await expect.poll(() => metric(server, 'alertdesk_cluster_redis_connected'), SOON).toBe(1);
    const wrong = new URL(guarded.url);
    for (const [password, code] of [
      ['', 'NOAUTH'],
      ['hunter2', 'WRONGPASS'],
    ] as const) {
      wrong.password = password;
      await expect(server.startSecond({ REDIS_URL: wrong.href })).rejects.toThrow(
        `Redis refuses this server (${code}); check REDIS_URL.`,
      );
    }
  });

  test('TLS is used with a certificate that is trusted, and with no other', async () => {
    const certificate = makeCertificate('localhost');
    const sealed = await startRedis({ certificate });
    onTestFinished(() => sealed.stop());
    const server = await startTestServer();
    onTestFinished(() => server.destroy());
    await server.stop();
    await expect(server.startSecond({ REDIS_URL: sealed.url })).rejects.toThrow(
      'The certificate of Redis is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)',
    );
    const file = join(server.config.dataDir, 'redis-ca.pem');
    await writeFile(file, certificate.cert);
    const trusting = await startServerProcess({
      environment: {
        DATABASE_URL: server.config.databaseUrl ?? '',
        REDIS_URL: sealed.url,
        NODE_EXTRA_CA_CERTS: file,
      },
    });
    onTestFinished(() => trusting.dispose());
    await expect.poll(() => metric(trusting, 'alertdesk_cluster_redis_connected'), SOON).toBe(1);
  });
});
