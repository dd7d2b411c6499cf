import { createClient } from '@redis/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { type LiveClient, listenLive } from '#tests/support/live-client.ts';
import { metricValue } from '#tests/support/read-metrics.ts';
import { type TestRedis, hasCluster, startRedis } from '#tests/support/redis.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type ClusterMessage, encodeMessage } from './cluster-message.ts';

let redis: TestRedis;
let one: TestServer;
let other: TestServer;
let userId: string;
let anna: TestClient;
let page: LiveClient;
/** What an attacker reads who has come as far as Redis. */
let attacker: ReturnType<typeof createClient>;
let channel: string;
const seen: string[] = [];

const dropped = async (server: TestServer, reason: string): Promise<number> => {
  const text = await (await fetch(new URL('/metrics', server.url))).text();
  return metricValue(text, `alertdesk_cluster_messages_dropped_total{reason="${reason}"}`) ?? 0;
};
const sendAlert = async (key: string) => {
  const response = await fetch(new URL('/webhook', one.url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Webhook-Auth': key },
    body: '{"title":"Disk full"}',
  });
  expect(response.status).toBe(202);
  return ((await response.json()) as { id: string }).id;
};
const isThere = (id: string) => page.events.some((event) => event.type === 'new_alert' && event.alert.id === id);

describe.skipIf(!hasCluster)('who has come as far as Redis', () => {
  beforeAll(async () => {
    redis = await startRedis();
    one = await startTestServer({ REDIS_URL: redis.url });
    other = await one.startSecond();
    const user = await one.addUser();
    userId = user.id;
    anna = other.anonymous();
    await anna.signIn(user.email, TEST_PASSWORD);
    attacker = createClient({ url: redis.url });
    attacker.on('error', () => undefined);
    await attacker.connect();
    // Beside the one that all servers have, each has one of its own, in which nothing is said.
    const channels = (await redis.run(['PUBSUB', 'CHANNELS'])) as string[];
    channel = channels.find((name) => !name.includes(':server:')) ?? '';
    await attacker.subscribe(channel, (text) => void seen.push(text));
    page = await listenLive(anna);
  });
  afterAll(async () => {
    page?.socket.terminate();
    attacker?.destroy();
    await other?.stop();
    await one?.destroy();
    await redis?.stop();
  });

  test('shows nobody anything that was made up, changed, or sent before', async () => {
    const id = await sendAlert(await one.addApiKey('Forged'));
    await expect.poll(() => isThere(id)).toBe(true);
    const genuine = seen.find((text) => text.includes(id)) ?? '';
    const [, server = ''] = /^\{"server":"([^"]+)"/.exec(genuine) ?? [];

    const before = await dropped(other, 'unsigned');
    const notice = { kind: 'mentioned', alertId: id, from: 'Mallory', text: 'call me' };
    const madeUp = [
      { type: 'member_notified', userId, notice },
      { type: 'profile_changed', userId },
    ];
    const events = madeUp as unknown as ClusterMessage['events'];
    // As a server of its own, and in the name of one that is there.
    for (const name of ['mallory', server]) {
      await redis.run(['PUBLISH', channel, encodeMessage({ server: name, seq: 9_999, events })]);
    }
    await expect.poll(() => dropped(other, 'unsigned')).toBe(before + 2);

    await redis.run(['PUBLISH', channel, genuine.replace('Disk full', 'Disk fine')]);
    await expect.poll(() => dropped(other, 'forged')).toBe(1);
    await redis.run(['PUBLISH', channel, genuine]);
    await expect.poll(() => dropped(other, 'replayed')).toBe(1);

    // What comes next is taken, and nothing of all that was shown.
    const next = await sendAlert(await one.addApiKey('After'));
    await expect.poll(() => isThere(next)).toBe(true);
    const types = page.events.map(({ type }) => type as string);
    expect(types.filter((type) => type === 'profile_changed' || type === 'member_notified')).toEqual([]);
    expect(page.events.filter((event) => event.type === 'new_alert' && event.alert.id === id)).toHaveLength(1);
  });

  test('reads no e-mail and no address in the names of what is counted', async () => {
    const user = await one.addUser();
    const wrong = { email: user.email, password: `not ${TEST_PASSWORD}` };
    expect((await one.anonymous().send('POST', '/api/auth/login', wrong)).status).toBe(401);
    const names = (await redis.run(['KEYS', '*'])) as string[];
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => /@|127\.0\.0|::1|::ffff/.test(name) || name.includes(user.email))).toEqual([]);
  });
});
