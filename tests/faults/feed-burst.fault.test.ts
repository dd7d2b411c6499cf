import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { followFeed, readAllAlerts } from '#tests/support/feed-follower.ts';
import { startFeedServers } from '#tests/support/feed-servers.ts';
import { NUMBER, groupBody } from '#tests/support/flood.ts';
import { randomOf } from '#tests/support/random-of.ts';
import type { ServerProcess } from '#tests/support/server-process.ts';
import { TestClient } from '#tests/support/test-client.ts';
import { RUNS_LONG } from '#tests/support/what-runs-where.ts';

/** How often the server that takes the burst is killed. */
const KILLS = Number(process.env['BURST_KILLS'] ?? (RUNS_LONG ? 10 : 2));
const SEED = Number(process.env['BURST_SEED'] ?? Date.now() % 1_000_000);
const random = randomOf(SEED);

/** Groups of Alertmanager's, which are due whether or not earlier ones were answered. */
const ALERTS_A_SECOND = 2_000;
const ALERTS_A_GROUP = 50;
const EVERY_MS = (1000 * ALERTS_A_GROUP) / ALERTS_A_SECOND;

/** A server is killed after so many milliseconds of a burst, and up to as many more. */
const BURST_MS = 2_000;

/** A burst: the numbers of groups that were sent and of those that were answered with 202, and how long it lasted. */
interface Burst {
  answered: Set<string>;
  sent: string[];
  lastedMs: number;
}

/** Posts groups until a moment, at which it kills the server. */
async function killInBurst(server: ServerProcess, key: string, round: number): Promise<Burst> {
  const body = groupBody(ALERTS_A_GROUP);
  const [answered, sent]: [Burst['answered'], string[]] = [new Set(), []];
  const posting: Promise<void>[] = [];
  const client = new TestClient(server.url.origin);
  const beganAt = performance.now();
  const until = beganAt + BURST_MS + random(BURST_MS);
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const post = async (number: string) => {
    const answer = await client.post(key, body.replaceAll(NUMBER, number)).catch(() => undefined);
    if (answer?.status === 202) answered.add(number);
  };
  const timer = setInterval(() => {
    const due = Math.floor((Math.min(performance.now(), until) - beganAt) / EVERY_MS);
    while (sent.length < due) {
      const number = `${round}-${sent.length}`;
      sent.push(number);
      posting.push(post(number));
    }
    if (performance.now() < until) return;
    clearInterval(timer);
    process.kill(server.pid, 'SIGKILL');
    end();
  }, 5);
  await over;
  const lastedMs = performance.now() - beganAt;
  await server.end('SIGKILL');
  await Promise.all(posting);
  return { answered, sent, lastedMs };
}

test(
  `kill -9 in a burst of ${ALERTS_A_SECOND} alerts a second: pages know every stored alert, each group whole or not at all (seed ${SEED})`,
  async () => {
    const { servers, admin, key } = await startFeedServers(2);
    const [taking, staying = taking] = servers;
    const pages = [followFeed(() => admin.at(staying.url.origin)), followFeed(() => admin.at(taking.url.origin))];
    onTestFinished(() => pages.forEach((page) => page.close()));
    await expect.poll(() => pages.map(({ readings }) => readings), { timeout: 10_000 }).toEqual([1, 1]);

    const [due, answered, stored]: [string[], string[], Set<string>] = [[], [], new Set()];
    const rates: [offered: number, answered: number][] = [];
    for (let round = 0; round < KILLS; round += 1) {
      const burst = await killInBurst(taking, key, round);
      const aSecond = (count: number) => Math.round((count * ALERTS_A_GROUP * 1000) / burst.lastedMs);
      rates.push([aSecond(burst.sent.length), aSecond(burst.answered.size)]);
      answered.push(...burst.answered);
      due.push(...burst.sent);
      await taking.start();
      const alerts = await readAllAlerts(admin.at(taking.url.origin));
      await expect
        .poll(() => pages.map(({ versions }) => [...alerts.keys()].filter((id) => !versions.has(id)).length), {
          timeout: 30_000,
          interval: 250,
        })
        .toEqual([0, 0]);
      // Of what was not committed nobody has heard.
      expect(pages.flatMap(({ versions }) => [...versions.keys()].filter((id) => !alerts.has(id)))).toEqual([]);
      for (const id of alerts.keys()) stored.add(id);
    }
    const alerts = await readAllAlerts(admin.at(taking.url.origin));
    // The server gives each problem one alert, and each group has problems of its own.
    const groups = Map.groupBy(alerts.values(), ({ payload }) => /host-(\d+-\d+)-/.exec(JSON.stringify(payload))?.[1]);
    expect([...groups.values()].filter((some) => some.length !== ALERTS_A_GROUP)).toEqual([]);
    expect(answered).not.toEqual([]);
    expect(Math.min(...rates.map(([offered]) => offered))).toBeGreaterThan(0.8 * ALERTS_A_SECOND);
    expect(answered.filter((number) => !groups.has(number))).toEqual([]);
    expect([...groups.keys()].filter((number) => !due.includes(number ?? ''))).toEqual([]);
    expect(stored.size).toBe(alerts.size);
    process.stdout.write(
      `${JSON.stringify({
        kills: KILLS,
        rates,
        sent: due.length * ALERTS_A_GROUP,
        answered: answered.length * ALERTS_A_GROUP,
        stored: alerts.size,
        pages: pages.map(({ connections, asked, readings }) => ({ connections, asked, readings })),
      })}\n`,
    );
  },
  120_000 + KILLS * 40_000,
);
