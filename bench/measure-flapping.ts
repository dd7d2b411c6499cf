import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_ECHOES } from '#backend/intake/write/echoes.ts';
import type { IncomingDelivery, IncomingEvent } from '#backend/intake/write/incoming-delivery.ts';
import { type Arrivals, NOTHING_DECIDES, createBatchWriter } from '#backend/intake/write/write-batch.ts';
import { openDatabase } from '#backend/platform/database/open-database.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { STORED } from '#backend/server/entities.ts';

/**
 * What it costs to know which problems flap: processor time for each report that is stored, with the rule off and on in turn, of new
 * problems, of repeats, and of problems that close and open again. On SQLite, in one process, without an HTTP request. By hand:
 * `node bench/measure-flapping.ts`.
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

const dataDir = await mkdtemp(join(tmpdir(), 'alertdesk-flapping-'));
const database = await openDatabase({ dataDir, databaseUrl: undefined }, STORED);
const writers = { off: createBatchWriter(database, NO_ECHOES, OFF), on: createBatchWriter(database, NO_ECHOES, ON) };
let made = 0;
let now = Date.now();

type Variant = keyof typeof writers;

/** Stores a report of each of these problems, batch after batch. Microseconds of processor time for each. */
async function measure(variant: Variant, keys: readonly string[], state: 'firing' | 'resolved'): Promise<number> {
  const began = process.cpuUsage();
  for (let at = 0; at < keys.length; at += BATCH) {
    now += 1_000;
    await writers[variant](keys.slice(at, at + BATCH).map((key) => deliveryOf(eventOf(key, state), now)));
  }
  const { user, system } = process.cpuUsage(began);
  return (user + system) / keys.length;
}

const CASES = ['new problems', 'repeats', 'opens again, a first time', 'opens and closes, flapping'] as const;
const figures = new Map(CASES.map((name) => [name, { off: [] as number[], on: [] as number[] }]));
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
    taken.push(((await measure(variant, keys, 'resolved')) + (await measure(variant, keys, 'firing'))) / 2);
    // The first round warms up.
    if (round > 0) for (const [index, name] of CASES.entries()) figures.get(name)?.[variant].push(taken[index] ?? 0);
  }
}
const medianOf = (values: readonly number[]): string =>
  (values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0).toFixed(1);
for (const [name, { off, on }] of figures) {
  const least = `least ${Math.min(...off).toFixed(1)} and ${Math.min(...on).toFixed(1)}`;
  process.stdout.write(
    `${name}: ${medianOf(off)} µs with the rule off, ${medianOf(on)} µs with it on (median of ${ROUNDS}; ${least})\n`,
  );
}
await database.close();
await rm(dataDir, { recursive: true, force: true });
