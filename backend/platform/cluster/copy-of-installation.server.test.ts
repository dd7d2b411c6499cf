import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoredSecret } from '#backend/platform/secrets/secret-store.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { metricValue } from '#tests/support/read-metrics.ts';
import { type TestRedis, hasCluster, startRedis } from '#tests/support/redis.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let redis: TestRedis;
let original: TestServer;
let secondOfOriginal: TestServer;
let copy: TestServer;
let secondOfCopy: TestServer;

const serversKnown = async (server: TestServer) => {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  return metricValue(metrics, 'alertdesk_cluster_servers');
};

/** Gives a database the secrets of the original, as a restored backup has them. */
async function withItsSecrets(databaseUrl: string): Promise<string> {
  const rows: StoredSecret[] = await original.database.reads.query('SELECT name, value FROM secrets');
  const connection = await createConnection(databaseUrl);
  for (const { name, value } of rows) await connection.query('INSERT INTO secrets VALUES (?, ?)', [name, value]);
  await connection.end();
  return databaseUrl;
}

describe.skipIf(!hasCluster)('a copy of an installation that reaches its Redis', () => {
  beforeAll(async () => {
    redis = await startRedis();
    original = await startTestServer({ REDIS_URL: redis.url });
    secondOfOriginal = await original.startSecond();
    copy = await startTestServer(
      { REDIS_URL: redis.url, OUTGOING: 'off' },
      { isDatabasePatient: true },
      withItsSecrets,
    );
    secondOfCopy = await copy.startSecond();
  });
  afterAll(async () => {
    await Promise.all([secondOfOriginal?.stop(), secondOfCopy?.stop()]);
    await Promise.all([original?.destroy(), copy?.destroy()]);
    await redis?.stop();
  });

  test('shares nothing with it while OUTGOING is off', async () => {
    const [key, keyOfCopy] = [await original.addApiKey(), await copy.addApiKey()];
    const [page, pageOfCopy] = [
      await listenLive(await secondOfOriginal.signedIn()),
      await listenLive(await secondOfCopy.signedIn()),
    ];
    const alertsOn = ({ events }: typeof page) =>
      events.flatMap((event) => (event.type === 'new_alert' ? [event.alert.title] : []));
    const member = await original.signedIn();
    await member.postAlert(key, { title: 'In the original' });
    await member.postAlert(key, { title: 'Last of the original' });
    const tester = await copy.signedIn();
    await tester.postAlert(keyOfCopy, { title: 'In the copy' });
    await tester.postAlert(keyOfCopy, { title: 'Last of the copy' });
    await expect.poll(() => alertsOn(page)).toContain('Last of the original');
    await expect.poll(() => alertsOn(pageOfCopy)).toContain('Last of the copy');
    expect(alertsOn(page)).toEqual(['In the original', 'Last of the original']);
    expect(alertsOn(pageOfCopy)).toEqual(['In the copy', 'Last of the copy']);
    expect(await Promise.all([original, secondOfOriginal, copy, secondOfCopy].map(serversKnown))).toEqual([2, 2, 2, 2]);
    for (const { socket } of [page, pageOfCopy]) socket.terminate();
  });
});
