import { STORED } from '#backend/server/entities.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from '#backend/platform/database/open-database.ts';
import { prepareDataDir } from '#backend/platform/database/private-files.ts';
import { type SignedInClient, signIn } from '#scripts/demo/signed-in-client.ts';
import { ADMIN, type BenchPlace, startServerOn } from './bench-server.ts';
import type { BenchOptions, Part } from './part.ts';
import { type Target, judge, verdictRow } from './report.ts';
import { COMMON_WORD, RARE_WORD, seedAlerts } from './seed-alerts.ts';
import { seedAudit, seedDeliveries } from './seed-logs.ts';
import type { Turns } from './serve.ts';
import { turnTimesText } from './turn-times.ts';

/** Beside the alerts: half as many entries of the audit trail, as many deliveries of one source. */
const AUDIT_SHARE = 0.5;

/** Alerts in the folder that is deleted, and given away. */
const FOLDER_ALERTS = 20_000;

/** After a call so long is waited for what goes on behind it, in milliseconds. */
const SETTLE_MS = 300;

const LIMIT = { unit: 'ms', required: 50, goal: 25, isAtLeast: false } as const satisfies Partial<Target>;

/** What is done, and how long the event loop was kept at most meanwhile. */
export interface Stall {
  name: string;
  /** The call itself, in milliseconds. */
  took: number;
  /** By the clock, which other processes have a part in. */
  longest: number;
  /** The thread's processor time from one turn to the next. */
  longestWork: number;
}

/** The longest that anything keeps the event loop of a server with many alerts, entries and deliveries, on each database. */
export const benchStalls: Part = async (databases, options, report) => {
  const rows: string[][] = [];
  const results: Record<string, unknown> = {};
  for (const database of databases) {
    const dataDir = await mkdtemp(join(tmpdir(), 'alertdesk-bench-'));
    try {
      const place = { dataDir, databaseUrl: await database.createUrl(), databasePid: database.pid };
      await fill(place, options, report);
      const { stalls, turns } = await measure(place, (line) => report(`${database.name}: ${line}`));
      for (const { name, longest, longestWork } of stalls) {
        const target = { name: `${name} (${longest.toFixed(0)} ms by the clock)`, ...LIMIT };
        rows.push(verdictRow(database.name, judge(target, longestWork)));
      }
      for (const [kind, times] of [
        ['by processor time', turns.work],
        ['by the clock', turns.clock],
      ] as const) {
        rows.push([database.name, `turns of the event loop ${kind}`, turnTimesText(times), '', '']);
      }
      results[database.name] = { stalls, turns };
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  }
  return { rows, results };
};

/** The one source that has deliveries; its row is made by the API, and what it logged is given to it. */
const SEEDED_SOURCE = '01000000-0000-7000-8000-000000000001';

async function fill(place: BenchPlace, { alerts }: BenchOptions, report: (line: string) => void): Promise<void> {
  await prepareDataDir(place.dataDir);
  const database = await openDatabase({ dataDir: place.dataDir, databaseUrl: place.databaseUrl }, STORED);
  try {
    report(`storing ${alerts} alerts, as many deliveries, and half as many entries of the audit trail …`);
    await seedAudit(database, alerts * AUDIT_SHARE);
    await seedDeliveries(database, SEEDED_SOURCE, alerts);
    await database.transaction((tx) =>
      tx.query('INSERT INTO sources (id, name, name_key, settings, created_at) VALUES (?, ?, ?, ?, ?)', [
        SEEDED_SOURCE,
        'Seeded',
        'seeded',
        '{}',
        Date.now(),
      ]),
    );
    await seedAlerts(database, alerts);
  } finally {
    await database.close();
  }
}

async function measure(place: BenchPlace, report: (line: string) => void): Promise<{ stalls: Stall[]; turns: Turns }> {
  const server = await startServerOn('group commit', place);
  const stalls: Stall[] = [];
  try {
    const client = await signIn(new URL(server.url), ADMIN);
    await server.usage();
    const step = async (name: string, work: () => Promise<unknown>) => {
      await server.stalls();
      const startedAt = performance.now();
      await work();
      const took = performance.now() - startedAt;
      await wait(SETTLE_MS);
      const stall = { name, took, ...(await server.stalls()) };
      stalls.push(stall);
      report(
        `${name}: ${took.toFixed(0)} ms, event loop kept ${stall.longest.toFixed(1)} ms, working ${stall.longestWork.toFixed(1)} ms`,
      );
    };
    await step('nothing', () => wait(1_000));
    // Once to have the pages of the database in memory: what a disk takes is not what is looked for.
    for (const [, path] of READS) await get(client, path);
    for (const [name, path] of READS) await step(name, () => get(client, path));
    await changeFolder(client, step);
    await step('background jobs, for a while', () => wait(8_000));
    await step('delete a source', () => remove(client, `/api/sources/${SEEDED_SOURCE}`));
    await step('its deliveries, for a while', () => wait(35_000));
    const turns = await server.turns();
    report(`by processor time: ${turnTimesText(turns.work)}`);
    report(`by the clock: ${turnTimesText(turns.clock)}`);
    return { stalls, turns };
  } finally {
    await server.stop();
  }
}

const day = (ago: number) => new Date(Date.now() - ago * 24 * 60 * 60_000).toISOString();

const READS: readonly (readonly [name: string, path: string])[] = [
  ['inbox', '/api/alerts/inbox'],
  ['all alerts', '/api/alerts/all'],
  ['all alerts by severity', '/api/alerts/all?sort=severity'],
  ['facets of all', '/api/alerts/facets?list=all'],
  ['facets with a search', '/api/alerts/facets?list=all&q=customer'],
  ['search for a common word', `/api/alerts/all?search=${COMMON_WORD}`],
  ['search for a rare word', `/api/alerts/all?search=${RARE_WORD}`],
  ['search for what nobody has', '/api/alerts/all?search=xyzzyqwertz'],
  ['search for two letters', '/api/alerts/all?search=zq'],
  ['stats', '/api/alerts/stats'],
  ['snoozed counts', '/api/alerts/snoozed/counts'],
  ['members', '/api/auth/users'],
  ['colleagues', '/api/people'],
  ['audit trail', '/api/audit'],
  ['audit trail of a kind', '/api/audit?kind=views'],
  ['audit trail: search for what nobody has', '/api/audit?q=nobody'],
  ['sources', '/api/sources'],
  ['sources again', '/api/sources'],
  ['delivery list', `/api/sources/${SEEDED_SOURCE}/deliveries`],
  ['delivery list of a rare outcome', `/api/sources/${SEEDED_SOURCE}/deliveries?outcome=paused`],
  ['delivery list: search', `/api/sources/${SEEDED_SOURCE}/deliveries?q=nobody`],
  ['delivery counts of a day', `/api/sources/${SEEDED_SOURCE}/delivery-counts`],
  ['delivery counts of all', `/api/sources/${SEEDED_SOURCE}/delivery-counts?from=${day(8)}`],
  ['unknown keys', '/api/unknown-keys'],
  ['customers', '/api/customers'],
  ['customers: search', '/api/customers?q=9'],
  ['alert types', '/api/alert-types'],
  ['views', '/api/views?timeZone=UTC'],
  ['insight', `/api/insight?from=${day(6).slice(0, 10)}&to=${day(0).slice(0, 10)}&timeZone=UTC`],

  ['metrics', '/metrics'],
];

async function get(client: SignedInClient, path: string): Promise<void> {
  const response = await client.request('GET', path);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`GET ${path} answered ${response.status}.`);
}

async function remove(client: SignedInClient, path: string): Promise<void> {
  const response = await client.request('DELETE', path);
  if (!response.ok) throw new Error(`DELETE ${path} answered ${response.status}.`);
}

type Step = (name: string, work: () => Promise<unknown>) => Promise<void>;

/** Fills a folder batch by batch, as the web app does, empties it by its deletion, and gives the alerts back. */
async function changeFolder(client: SignedInClient, step: Step): Promise<void> {
  const made = await client.request('POST', '/api/folders', { name: `Full ${Date.now()}`, color: 'blue' });
  const { id } = (await made.json()) as { id: string };
  await step(`file ${FOLDER_ALERTS} alerts`, async () => {
    let before: string | undefined;
    for (let filed = 0; filed < FOLDER_ALERTS;) {
      const response = await client.request('POST', '/api/alerts/bulk', {
        action: 'move',
        folderId: id,
        filter: { list: 'inbox', severity: ['high'] },
        expectedCount: 100_000,
        ...(before !== undefined && { before }),
      });
      const result = (await response.json()) as { changed: unknown[]; next?: string };
      if (!response.ok) throw new Error(`Filing answered ${response.status}: ${JSON.stringify(result)}`);
      filed += result.changed.length;
      before = result.next;
      if (before === undefined) break;
    }
  });
  await step('folders', () => get(client, '/api/folders'));
  await step('folder', () => get(client, `/api/alerts/folder/${id}`));
  await step('delete the folder', () => remove(client, `/api/folders/${id}`));
}
