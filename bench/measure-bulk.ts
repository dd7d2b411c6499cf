import { setTimeout as delay } from 'node:timers/promises';
import { alertListSchema } from '#backend/contract/alert.ts';
import { FILTER_BATCH } from '#backend/alerts/commands/bulk-selection.ts';
import { MAX_BULK_ALERTS, bulkResultSchema } from '#backend/contract/bulk.ts';
import { type SignedInClient, signIn } from '#scripts/demo/signed-in-client.ts';
import { ADMIN, type BenchServer, load, startBenchServer } from './bench-server.ts';
import type { BenchDatabase } from './databases.ts';
import { type Measurement, median } from './measurement.ts';
import type { Part } from './part.ts';
import { type Target, judge, measurementRow, ratioOf, verdictRow } from './report.ts';

/** Alerts that one change by filter accepts. */
const ALERTS = 10_000;

/** Senders beside it: a busy system that is not at its limit. */
const POSTERS = 8;

/** How long they send: less than the change takes, so that all their answers fall into it. */
const SECONDS = 2;

const TARGETS = {
  time: { name: `accept ${ALERTS} alerts by filter`, unit: 'ms', required: 10_000, goal: 5_000, isAtLeast: false },
  p99: { name: 'p99 of ingest during it, against alone', unit: '×', required: 2, goal: 1.3, isAtLeast: false },
} as const satisfies Record<string, Target>;

/** How long a change of many alerts by filter takes while others arrive, and what ingest sees of it, on each database. */
export const benchBulk: Part = async (databases, { rounds }, report) => {
  const results = [];
  for (const database of databases)
    results.push({ database: database.name, ...(await measure(database, rounds, report)) });
  const rows = results.flatMap(({ database, alone, beside, milliseconds }) => [
    measurementRow(database, 'ingest alone', alone),
    measurementRow(database, 'ingest beside a change', beside),
    verdictRow(database, judge(TARGETS.time, median(milliseconds))),
    verdictRow(database, judge(TARGETS.p99, ratioOf('p99', beside, alone))),
  ]);
  return { rows, results };
};

interface BulkMeasurement {
  alone: Measurement[];
  beside: Measurement[];
  /** The whole change, round by round. */
  milliseconds: number[];
}

async function measure(
  database: BenchDatabase,
  rounds: number,
  report: (line: string) => void,
): Promise<BulkMeasurement> {
  const server = await startBenchServer('group commit', database);
  const measured: BulkMeasurement = { alone: [], beside: [], milliseconds: [] };
  try {
    const client = await signIn(new URL(server.url), ADMIN);
    // The first round does not count.
    for (let round = 0; round <= rounds; round += 1) {
      const newest = await fill(server, client);
      const alone = await load(server, SECONDS, POSTERS);
      const [milliseconds, beside] = await Promise.all([accept(client, newest), load(server, SECONDS, POSTERS)]);
      if (round === 0) continue;
      measured.alone.push(alone);
      measured.beside.push(beside);
      measured.milliseconds.push(milliseconds);
      report(
        `${database.name}, round ${round} of ${rounds}: ${ALERTS} accepted in ${Math.round(milliseconds)} ms, ` +
          `p99 of ingest ${alone.p99.toFixed(1)} and ${beside.p99.toFixed(1)} ms`,
      );
    }
    return measured;
  } finally {
    await server.stop();
  }
}

/** Posts until the inbox has enough. Returns its newest alert. */
async function fill(server: BenchServer, client: SignedInClient): Promise<string> {
  for (;;) {
    const response = await client.request('GET', '/api/alerts/inbox?limit=1');
    const [newest] = alertListSchema.parse(await response.json());
    if (newest && Number(response.headers.get('X-Total-Count')) >= ALERTS) return newest.id;
    await load(server, 1);
  }
}

/**
 * Accepts the newest alerts up to this one, batch by batch as the web app does.
 *
 * @returns how long it took, in milliseconds
 * @throws {Error} when a batch was not accepted whole
 */
async function accept(client: SignedInClient, upTo: string): Promise<number> {
  // The senders' process starts meanwhile.
  await delay(200);
  const startedAt = performance.now();
  let before: string | undefined;
  for (let changed = 0; changed < ALERTS;) {
    const response = await client.request('POST', '/api/alerts/bulk', {
      action: 'accept',
      filter: { list: 'inbox' },
      expectedCount: MAX_BULK_ALERTS,
      upTo,
      ...(before !== undefined && { before }),
    });
    const result = bulkResultSchema.parse(await response.json());
    changed += result.changed.length;
    before = result.next;
    if (result.changed.length < FILTER_BATCH)
      throw new Error('A batch was not accepted whole; the bench means nothing.');
  }
  return performance.now() - startedAt;
}
