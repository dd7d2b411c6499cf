import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { alertListSchema } from '#backend/contract/alert.ts';
import { heartbeatListSchema, heartbeatWithAddressSchema } from '#backend/contract/heartbeat.ts';
import { readInbox } from '#tests/support/read-inbox.ts';
import { hasCluster, startRedis } from '#tests/support/redis.ts';
import { type ServerProcess, startServerProcess } from '#tests/support/server-process.ts';
import { makeTestPlace } from '#tests/support/test-place.ts';
import { waitFor } from '#tests/support/wait-for.ts';

/** Heartbeats that are called once and never again. */
const HEARTBEATS = 80;

/** Servers are killed so often around the end of the grace, with this pause, in milliseconds. */
const KILLS = 6;
const PAUSE_MS = 2_000;

const EVERY_MS = 30_000;
const GRACE_MS = 10_000;

test('each miss makes one alert while servers are killed', async () => {
  const place = await makeTestPlace();
  onTestFinished(() => place.remove());
  const redis = place.databaseUrl && hasCluster ? await startRedis() : undefined;
  onTestFinished(() => redis?.stop());
  const environment = {
    ...(place.databaseUrl && { DATABASE_URL: place.databaseUrl }),
    ...(redis && { REDIS_URL: redis.url }),
  };
  const servers: ServerProcess[] = [];
  for (let count = redis ? 2 : 1; count > 0; count -= 1) {
    const server = await startServerProcess({ environment });
    onTestFinished(() => server.dispose());
    servers.push(server);
  }
  const [first] = servers;
  if (!first) throw new Error('no server runs');
  const { admin } = await readInbox(first.url);
  for (let number = 0; number < HEARTBEATS; number += 1) {
    const made = await admin.send('POST', '/api/heartbeats', {
      name: `Job ${number}`,
      schedule: { kind: 'interval', everySeconds: EVERY_MS / 1000 },
      graceSeconds: GRACE_MS / 1000,
    });
    const { path } = heartbeatWithAddressSchema.parse(await made.json());
    expect((await fetch(new URL(path, first.url))).status).toBe(200);
  }
  // Kills begin before the first grace is over.
  await wait(EVERY_MS + GRACE_MS - KILLS * PAUSE_MS);
  for (let kill = 0; kill < KILLS; kill += 1) {
    await wait(PAUSE_MS);
    const server = servers[kill % servers.length];
    await server?.end('SIGKILL');
    await server?.start();
  }
  /** What the first server that answers says. */
  const get = async (path: string): Promise<unknown> => {
    for (;;) {
      for (const { url } of servers) {
        const response = await admin
          .at(url.origin)
          .get(path)
          .catch(() => undefined);
        if (response?.status === 200) return response.json();
      }
      await wait(50);
    }
  };
  await waitFor(
    async () => {
      const { counts } = heartbeatListSchema.parse(await get('/api/heartbeats?limit=1'));
      expect(counts.missing).toBe(HEARTBEATS);
    },
    { timeout: 3 * EVERY_MS, interval: 500 },
  );
  const alerts = alertListSchema.parse(await get('/api/alerts/all?limit=200&search=type%3Aheartbeat'));
  expect(alerts.map(({ title }) => title).toSorted()).toEqual(
    Array.from({ length: HEARTBEATS }, (_, number) => `Job ${number} is missing`).toSorted(),
  );
  expect(alerts.filter(({ occurrences }) => occurrences !== 1)).toEqual([]);
  const { downtimes } = heartbeatListSchema.parse(await get('/api/heartbeats?limit=1'));
  process.stdout.write(
    `${HEARTBEATS} heartbeats, ${KILLS} kills of ${servers.length} server(s): ${alerts.length} alerts, ` +
      `${downtimes.length} times without a server\n`,
  );
}, 300_000);
