import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import { noteListSchema } from '#backend/contract/note.ts';
import { noticeListSchema } from '#backend/contract/notice.ts';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { userSchema } from '#backend/contract/user.ts';
import { type FeedFollower, followFeed, readAllAlerts } from '#tests/support/feed-follower.ts';
import { type ProxiedServers, startProxiedServers } from '#tests/support/proxied-servers.ts';
import { type Device, type PushService, startPushService } from '#tests/support/push-service.ts';
import { randomOf } from '#tests/support/random-of.ts';
import { type TestRedis, hasCluster } from '#tests/support/redis.ts';
import { ADMIN } from '#tests/support/server-process.ts';
import { TestClient } from '#tests/support/test-client.ts';
import { RUNS_LONG } from '#tests/support/what-runs-where.ts';

/** How often a server is killed right after a commit; `FEED_KILLS=200` takes about ten minutes on each database. */
const KILLS = Number(process.env['FEED_KILLS'] ?? (RUNS_LONG ? 20 : 2));
const SEED = Number(process.env['FEED_SEED'] ?? Date.now() % 1_000_000);
const random = randomOf(SEED);

/** Two servers on one database, or one on the embedded one, and who works at them. */
interface World extends Omit<ProxiedServers, 'place'> {
  admin: TestClient;
  /** Is not there: notified by push alone. */
  pat: TestClient;
  device: Device;
  key: string;
}

let push: PushService;
beforeAll(async () => {
  push = await startPushService();
});
afterAll(() => push.close());

async function startWorld(count: number): Promise<World> {
  const { servers, proxies, redis } = await startProxiedServers(count, { TEST_PUSH_CA: push.parts.ca });
  const admin = new TestClient(servers[0]?.url.origin ?? '');
  await admin.signIn(ADMIN.email, ADMIN.password);
  const source = await admin.send('POST', '/api/sources', { name: 'Kills' });
  const key = sourceWithSecretsSchema.parse(await source.json()).plain.key ?? '';
  const account = { email: 'pat@example.com', displayName: 'Pat', password: 'correct horse', role: 'user' };
  userSchema.parse(await (await admin.send('POST', '/api/auth/users', account)).json());
  const pat = new TestClient(admin.url);
  await pat.signIn(account.email, account.password);
  const device = await push.subscribe(pat);
  return { servers, proxies, redis, admin, pat, device, key };
}

/** Alerts that are there, posted and answered, for what is done to one next. */
async function postSpare({ admin, key }: World, at: string): Promise<string> {
  for (;;) {
    const answer = await admin
      .at(at)
      .post(key, { title: 'Spare', customer: 'Nordwind' })
      .catch(() => undefined);
    if (answer?.status === 202) return ((await answer.json()) as { id: string }).id;
    await delay(50);
  }
}

/** What is committed when the server is killed. Returns the request, which has no answer then. */
function act({ admin, pat, key }: World, what: number, spare: string, at: string): Promise<unknown> {
  const person = admin.at(at);
  const request = [
    () => person.post(key, { title: 'Posted', customer: 'Nordwind' }),
    () => person.send('POST', `/api/alerts/${spare}/accept`),
    () => person.send('POST', `/api/alerts/${spare}/assign`, { userId: pat.id }),
    () => person.send('POST', `/api/alerts/${spare}/notes`, { text: 'Look, @Pat', mentions: [pat.id] }),
    () => person.send('DELETE', `/api/webhooks/${spare}`),
  ][what];
  return (request?.() ?? Promise.resolve()).catch(() => undefined);
}

/** Kills a server as soon as the database has the commit of what it is asked to do, and before anything follows it. */
async function killAfterCommit(world: World, number: number, spare: string): Promise<void> {
  const { servers, proxies } = world;
  const at = number % servers.length;
  const [server, proxy] = [servers[at], proxies[at]];
  if (!server) return;
  const origin = server.url.origin;
  const what = random(5);
  if (proxy) {
    const committed = proxy.loseCommitOf('[{"type":"').then(() => process.kill(server.pid, 'SIGKILL'));
    const acted = act(world, what, spare, origin);
    await Promise.race([committed, delay(10_000)]);
    await acted;
  } else {
    // The commit is a call in the server itself: it ends at some moment of what follows, or of what goes before.
    const acted = act(world, what, spare, origin);
    await delay(random(120));
    process.kill(server.pid, 'SIGKILL');
    await acted;
  }
  await server.end('SIGKILL');
}

/** Alerts of which Pat was to be notified: mentioned on them, or given them. */
async function personalNews({ admin }: World, alerts: ReadonlyMap<string, Alert>) {
  const mentioned: string[] = [];
  for (const { id } of alerts.values()) {
    const notes = noteListSchema.parse(await (await admin.get(`/api/alerts/${id}/notes`)).json());
    if (notes.length > 0) mentioned.push(id);
  }
  const given = [...alerts.values()].filter(({ ownerName }) => ownerName === 'Pat').map(({ id }) => id);
  return { mentioned, given };
}

/** What is kept for Pat: the alerts of mentions, each as often as it is, and how many alerts were given. */
async function keptFor(pat: TestClient) {
  const kept = noticeListSchema.parse(await (await pat.get('/api/notices')).json());
  const gifts = kept.filter(({ kind }) => kind === 'assigned');
  return {
    mentioned: kept.filter(({ kind }) => kind === 'mentioned').map(({ alert }) => alert.id),
    given: gifts.reduce((sum, { alerts }) => sum + alerts, 0),
  };
}

/** What the device was sent: new alerts, mentions and alerts given, each as often as it was; of notices by their own ids. */
function pushed({ messages }: Device) {
  const notices = messages.filter((message) => message.type === 'notice');
  const byId = new Map(notices.map((notice) => [notice.noticeId, notice]));
  const mentions = [...byId.values()].filter(({ title }) => title.includes('mentioned'));
  const gifts = [...byId.values()].filter(({ title }) => title.includes('assigned'));
  return {
    fresh: messages.flatMap((message) => (message.type === 'new_alert' ? [message.alertId] : [])),
    mentioned: mentions.map(({ url }) => url.replace('/alert/', '')),
    given: gifts.reduce((sum, { title }) => sum + Number(/(\d+) alerts/u.exec(title)?.[1] ?? 1), 0),
    twice: notices.length - byId.size,
  };
}

const missingOf = ({ versions }: FeedFollower, alerts: ReadonlyMap<string, Alert>, deleted: ReadonlySet<string>) => [
  ...[...alerts.values()].filter(({ id, version }) => versions.get(id) !== version).map(({ id }) => id),
  ...[...deleted].filter((id) => versions.get(id) !== Infinity),
];

test(
  `whoever follows what changes has seen each committed change once a server was killed after its commit (seed ${SEED})`,
  async () => {
    const world = await startWorld(2);
    const { servers, admin, device } = world;
    const living = new Set(servers);
    const someServer = () => [...living][random(living.size)] ?? servers[0];
    const personAt = () => admin.at(someServer()?.url.origin ?? '');
    const followers = [followFeed(personAt), followFeed(personAt)];
    onTestFinished(() => followers.forEach((follower) => follower.close()));
    await expect.poll(() => followers.every(({ readings }) => readings === 1)).toBe(true);

    const spares: string[] = [];
    const restarts = new Map<unknown, Promise<void>>();
    for (let number = 0; number < KILLS; number += 1) {
      const server = servers[number % servers.length];
      // What happens at the other server while this one starts is part of it.
      if (server && !living.has(server)) await restarts.get(server);
      const origin = server?.url.origin ?? '';
      const spare = await postSpare(world, origin);
      spares.push(spare);
      if (server) living.delete(server);
      await killAfterCommit(world, number, spare);
      if (server)
        restarts.set(
          server,
          server.start().then(() => void living.add(server)),
        );
      if (servers.length === 1) await restarts.get(server);
      else spares.push(await postSpare(world, [...living][0]?.url.origin ?? origin));
    }
    // The one that was killed first may be the last to listen.
    await Promise.all(restarts.values());
    const reader = admin.at(servers[0]?.url.origin ?? '');
    const alerts = await readAllAlerts(reader);
    const deleted = new Set(spares.filter((id) => !alerts.has(id)));
    const { mentioned, given } = await personalNews({ ...world, admin: reader }, alerts);
    const untouched = [...alerts.values()].filter(({ status }) => status === 'pending').map(({ id }) => id);
    await expect
      .poll(
        () => {
          const { fresh, ...news } = pushed(device);
          return {
            pages: followers.map((follower) => missingOf(follower, alerts, deleted)),
            fresh: untouched.filter((id) => !fresh.includes(id)),
            mentioned: mentioned.filter((id) => !news.mentioned.includes(id)),
            given: Math.max(0, given.length - news.given),
          };
        },
        { timeout: 60_000, interval: 250 },
      )
      .toEqual({ pages: [[], []], fresh: [], mentioned: [], given: 0 });
    // What was pushed is kept, a mention once however often it was pushed.
    const kept = await keptFor(world.pat.at(servers[0]?.url.origin ?? ''));
    expect(kept.mentioned.filter((id) => !deleted.has(id)).toSorted()).toEqual(mentioned.toSorted());
    expect(kept.given).toBeGreaterThanOrEqual(given.length);
    const { fresh, twice } = pushed(device);
    // Of what was not committed nobody has heard.
    expect([...new Set(fresh)].filter((id) => !alerts.has(id) && !deleted.has(id))).toEqual([]);
    for (const { versions } of followers) {
      expect([...versions.keys()].filter((id) => !alerts.has(id) && !deleted.has(id))).toEqual([]);
    }
    expect(followers.map(({ readings }) => readings)).toEqual([1, 1]);
    push.expectNoFaults();
    const repeated = { pushes: fresh.length - new Set(fresh).size, notices: twice };
    const pages = followers.map(({ connections, asked }) => ({ connections, asked }));
    const counted = { alerts: alerts.size, deleted: deleted.size, mentioned: mentioned.length, given: given.length };
    process.stdout.write(`${JSON.stringify({ kills: KILLS, ...counted, repeated, pages })}\n`);
  },
  60_000 + KILLS * 10_000,
);

/** What befalls Redis, and how it ends. */
const REDIS_FAULTS: [name: string, begin: (redis: TestRedis) => unknown, end: (redis: TestRedis) => unknown][] = [
  ['is killed', (redis) => redis.kill(), (redis) => redis.start()],
  ['is frozen', (redis) => redis.freeze(), (redis) => redis.thaw()],
  ['forgets everything', (redis) => redis.run(['FLUSHALL']), () => undefined],
];

/** How long each lasts, in milliseconds. */
const REDIS_AWAY_MS = 2_500;

test.runIf(hasCluster && RUNS_LONG)(
  'whatever befalls Redis, pages at three servers know everything, on the connections that they had',
  async () => {
    const world = await startWorld(3);
    const { servers, admin, redis } = world;
    const followers = servers.map(({ url }) => followFeed(() => admin.at(url.origin)));
    onTestFinished(() => followers.forEach((follower) => follower.close()));
    await expect.poll(() => followers.every(({ readings }) => readings === 1)).toBe(true);

    const posted: string[] = [];
    for (const [, begin, end] of REDIS_FAULTS) {
      if (redis) await begin(redis);
      const until = performance.now() + REDIS_AWAY_MS;
      for (let number = 0; performance.now() < until; number += 1) {
        const [here, there] = [number, number + 1].map((at) => servers[at % servers.length]?.url.origin ?? '');
        const id = await postSpare(world, here ?? '');
        posted.push(id);
        // Somebody at another server works on it at once.
        if (number % 2 === 0) await admin.at(there ?? '').send('POST', `/api/alerts/${id}/accept`);
        if (number % 10 === 1) await admin.at(there ?? '').send('DELETE', `/api/webhooks/${id}`);
      }
      if (redis) await end(redis);
      await delay(REDIS_AWAY_MS);
    }
    const alerts = await readAllAlerts(admin);
    const deleted = new Set(posted.filter((id) => !alerts.has(id)));
    const missing = () => followers.map((follower) => missingOf(follower, alerts, deleted));
    await expect.poll(missing).toEqual([[], [], []]);
    expect(followers.map(({ connections, readings }) => [connections, readings])).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    process.stdout.write(`${JSON.stringify({ posted: posted.length, asked: followers.map(({ asked }) => asked) })}\n`);
  },
  120_000,
);
