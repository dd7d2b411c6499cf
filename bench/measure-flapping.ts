import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_ECHOES } from '#backend/intake/write/echoes.ts';
import type { IncomingDelivery, IncomingEvent } from '#backend/intake/write/incoming-delivery.ts';
import { type Arrivals, NOTHING_DECIDES, createBatchWriter } from '#backend/intake/write/write-batch.ts';
import { openDatabase } from '#backend/platform/database/open-database.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { STORED } from '#backend/server/entities.ts';
import { openBenchDatabases } from './databases.ts';

/**
 * What it costs to know which problems flap: processor time of this process, and time, for each report that is stored, with the rule
 * off and on in turn, of new problems, of repeats, and of problems that close and open again. On both databases, without an HTTP
 * request. By hand: `node bench/measure-flapping.ts [sqlite|mariadb]`.
 */
const BATCH = 40;
const BATCHES = 25;
const ROUNDS = 9;

const OFF = NOTHING_DECIDES;
const ON: Arrivals = { ...OFF, flapping: { terms: () => ({ times: 5, withinMinutes: 30 }) } };

const payload = jsonText(JSON.stringify({ host: 'db-7.frankfurt.example.com', summary: 'x'.repeat(400) }));
const eventOf = (dedupKey: string, state: 'firing' | 'resolved'): IncomingEvent => ({
  payload,
  extraData: jsonText('{}'),
  customer: 'Harbor & Finch',
  alertType: 'disk',
  url: '/webhook',
  title: 'Disk almost full on db-7',
  severity: 'warning',
  state,
  dedupKey,
  sender: null,
  groupKey: null,
  groupTitle: null,
  isTest: false,
  delivery: undefined,
});
const deliveryOf = (event: IncomingEvent, receivedAt: number): IncomingDelivery => ({
  source: { id: 'built-in', name: 'Servers', secretId: null },
  policy: { completesResolved: true, reopenWithinMs: 3_600_000, notifyAgainAfterMs: null },
  isOwn: true,
  receivedAt,
  events: [event],
});

const CASES = ['new problems', 'repeats', 'opens again, a first time', 'opens and closes, flapping'] as const;

/** What a report takes, in microseconds. */
interface Cost {
  processor: number;
  time: number;
}

/** Measures on one database, round after round. */
async function measureOn(databaseUrl: string | undefined): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'alertdesk-flapping-'));
  const database = await openDatabase({ dataDir, databaseUrl }, STORED);
  const writers = { off: createBatchWriter(database, NO_ECHOES, OFF), on: createBatchWriter(database, NO_ECHOES, ON) };
  let made = 0;
  let now = Date.now();

  /** Stores a report of each of these problems, batch after batch. */
  const measure = async (
    variant: keyof typeof writers,
    keys: readonly string[],
    state: 'firing' | 'resolved',
  ): Promise<Cost> => {
    const [began, beganAt] = [process.cpuUsage(), performance.now()];
    for (let at = 0; at < keys.length; at += BATCH) {
      now += 1_000;
      await writers[variant](keys.slice(at, at + BATCH).map((key) => deliveryOf(eventOf(key, state), now)));
    }
    const { user, system } = process.cpuUsage(began);
    return {
      processor: (user + system) / keys.length,
      time: ((performance.now() - beganAt) * 1000) / keys.length,
    };
  };

  const figures = new Map(CASES.map((name) => [name, { off: [] as Cost[], on: [] as Cost[] }]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const variant of round % 2 === 0 ? (['off', 'on'] as const) : (['on', 'off'] as const)) {
      const keys = Array.from({ length: BATCH * BATCHES }, () => `problem ${(made += 1)}`);
      const taken = [await measure(variant, keys, 'firing'), await measure(variant, keys, 'firing')];
      await measure(variant, keys, 'resolved');
      taken.push(await measure(variant, keys, 'firing'));
      for (let turn = 0; turn < 5; turn += 1) {
        await measure(variant, keys, 'resolved');
        await measure(variant, keys, 'firing');
      }
      const [closed, opened] = [await measure(variant, keys, 'resolved'), await measure(variant, keys, 'firing')];
      taken.push({ processor: (closed.processor + opened.processor) / 2, time: (closed.time + opened.time) / 2 });
      // The first round warms up.
      if (round > 0)
        for (const [index, name] of CASES.entries()) {
          const cost = taken[index];
          if (cost) figures.get(name)?.[variant].push(cost);
        }
    }
  }
  for (const [name, { off, on }] of figures) {
    for (const kind of ['processor', 'time'] as const) {
      const [without, within] = [off, on].map((costs) => costs.map((cost) => cost[kind]));
      if (without && within) write(`${name}, ${kind}: ${summaryOf(without)} µs off, ${summaryOf(within)} µs on`);
    }
  }
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
}

const write = (line: string): void => void process.stdout.write(`${line}\n`);
const medianOf = (values: readonly number[]): string =>
  (values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0).toFixed(1);
const summaryOf = (values: readonly number[]): string =>
  `${medianOf(values)} (least ${Math.min(...values).toFixed(1)})`;

for (const { name, createUrl, stop } of await openBenchDatabases(write, process.argv[2])) {
  write(`${name}, median of ${ROUNDS} rounds:`);
  await measureOn(await createUrl());
  await stop();
}
