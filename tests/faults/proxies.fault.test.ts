import { setTimeout as delay } from 'node:timers/promises';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { readInbox } from '#tests/support/read-inbox.ts';
import { keepSending, newLedger } from '#tests/support/ledger.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { makeCertificate } from '#tests/support/make-certificate.ts';
import { freePort } from '#tests/support/plain-proxy.ts';
import { type TestRedis, hasCluster, startRedis } from '#tests/support/redis.ts';
import { ADMIN, type ServerProcess, startServerProcess } from '#tests/support/server-process.ts';
import { TestClient } from '#tests/support/test-client.ts';
import { type TestPlace, makeTestPlace } from '#tests/support/test-place.ts';
import { PROXY_EXAMPLES, provideProxy, startProxy } from '#tests/support/run-proxy.ts';

/** Programs that are installed or may be. One after the other: they share the package manager. */
const programs = new Map<string, string>();
if (hasCluster) {
  for (const example of PROXY_EXAMPLES) {
    const program = await provideProxy(example);
    if (program !== undefined) programs.set(example.name, program);
  }
}

/** Longer than two checks of a proxy, so that it learns of a stop before a request is refused. */
const DRAIN_SECONDS = 3;

/** How long proxies take to use a server again. */
const FOUND_AGAIN_MS = 2_500;

/** How long anything else takes at most on a busy machine. */
const PATIENCE_MS = 20_000;

// The examples share the servers, since restarts take most of the time.
describe.runIf(hasCluster)('behind a proxy, with its example in deploy/proxy', () => {
  let place: TestPlace;
  let redis: TestRedis;
  let servers: ServerProcess[];
  let key: string;
  const certificate = makeCertificate('localhost');
  const trusted = tls.getCACertificates('default');
  /** The servers restart once the load has begun at every proxy; it ends when both have. */
  const started: (() => void)[] = [];
  const allStarted = Promise.all([...programs].map(() => new Promise<void>((resolve) => started.push(resolve))));
  const restartInTurn = async () => {
    await allStarted;
    for (const server of servers) {
      await server.end('SIGTERM');
      await server.start();
      await delay(FOUND_AGAIN_MS);
    }
  };
  let restarted: Promise<void>;

  beforeAll(async () => {
    tls.setDefaultCACertificates([...trusted, certificate.cert]);
    [place, redis] = await Promise.all([makeTestPlace(), startRedis()]);
    const environment = {
      DATABASE_URL: place.databaseUrl ?? '',
      REDIS_URL: redis.url,
      PUBLIC_URL: 'https://localhost',
      TRUST_PROXY: '1',
      // What proxies check has to ask for the public name, as where servers are named and not numbered.
      ALLOWED_HOSTS: 'localhost',
      DRAIN_SECONDS: String(DRAIN_SECONDS),
    };
    const first = await startServerProcess({ environment });
    const { admin } = await readInbox(new URL(`http://localhost:${first.url.port}`));
    const made = await admin.send('POST', '/api/sources', { name: 'Behind a proxy' });
    key = sourceWithSecretsSchema.parse(await made.json()).plain.key ?? '';
    servers = [first, await startServerProcess({ environment })];
    restarted = restartInTurn();
  });
  afterAll(async () => {
    tls.setDefaultCACertificates(trusted);
    await Promise.all(servers.map((server) => server.dispose()));
    await Promise.all([place.remove(), redis.stop()]);
  });

  test.concurrent.for(PROXY_EXAMPLES)(
    '$name: people sign in, live connections open, and no request fails while the servers restart in turn',
    async (example, { expect, onTestFinished, skip }) => {
      const program = programs.get(example.name) ?? skip(`There is no ${example.name} here.`);
      const port = await freePort();
      const stopProxy = await startProxy(example, program, {
        servers: servers.map(({ url }) => url.host),
        port,
        certificate,
      });
      onTestFinished(stopProxy);

      const admin = new TestClient(`https://localhost:${port}`);
      // It has to find the servers ready first.
      await expect.poll(async () => (await admin.get('/readyz')).status, { timeout: PATIENCE_MS }).toBe(200);
      // A client cannot choose the address that its attempts are counted and recorded under.
      const signIn = await admin.send('POST', '/api/auth/login', ADMIN, { 'X-Forwarded-For': '203.0.113.9' });
      expect(signIn.status).toBe(200);
      expect(signIn.headers.getSetCookie().every((cookie) => /; secure/i.test(cookie))).toBe(true);
      const audit = (await (await admin.get('/api/audit?limit=1')).json()) as { action: string; ip: string }[];
      expect(audit[0]).toMatchObject({ action: 'signed_in', ip: '127.0.0.1' });

      const live = await listenLive(admin);
      const ledger = newLedger();
      const stopped = new AbortController();
      const sessions: number[] = [];
      const load = Promise.all([
        ...[1, 2].map((poster) =>
          keepSending(ledger, stopped.signal, 202, (number) =>
            admin.post(key, { title: `${example.name} ${poster}-${number}` }),
          ),
        ),
        (async () => {
          for (; !stopped.signal.aborted; await delay(50)) sessions.push((await admin.get('/api/auth/session')).status);
        })(),
      ]);
      // Whichever server takes it, and whichever this connection is at.
      const hasEvent = () => live.events.some(({ type }) => type === 'new_alert');
      await expect.poll(hasEvent, { timeout: PATIENCE_MS }).toBe(true);
      started.pop()?.();
      await restarted;
      stopped.abort();
      await load;

      // Each server said goodbye to those who listened there.
      expect(await live.closed).toBe(1001);
      const again = await listenLive(admin);
      expect(again.events[0]?.type).toBe('hello');
      again.socket.close();
      expect(ledger.unexpected).toEqual([]);
      expect(ledger.refused).toBe(0);
      expect(ledger.acknowledged.length).toBeGreaterThan(50);
      expect(new Set(sessions)).toEqual(new Set([200]));
      const stored = await Promise.all(
        ledger.acknowledged.slice(-20).map(async (id) => (await admin.get(`/api/alerts/${id}`)).status),
      );
      expect(new Set(stored)).toEqual(new Set([200]));
    },
  );
});
