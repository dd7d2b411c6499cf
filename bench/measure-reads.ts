import { STORED } from '#backend/server/entities.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { createConnection } from 'mysql2/promise';
import { readConfig } from '#backend/server/config.ts';
import { type View, viewListAnswerSchema } from '#backend/contract/view.ts';
import { SQLITE_FILE, openDatabase } from '#backend/platform/database/open-database.ts';
import { prepareDataDir } from '#backend/platform/database/private-files.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { SEARCH_FILE } from '#backend/platform/search/search-files.ts';
import { createSearchIndexer } from '#backend/platform/search/search-indexer.ts';
import { createSegmentIndexer } from '#backend/platform/search/segment-indexer.ts';
import { startServer } from '#backend/server/server.ts';
import { type SignedInClient, signIn } from '#scripts/demo/signed-in-client.ts';
import { median, medianRatio, percentile } from './measurement.ts';
import type { BenchOptions, Part } from './part.ts';
import { type Target, judge, verdictRow } from './report.ts';
import {
  COMMON_WORD,
  LAST_CUSTOMER,
  NOTE_WORD,
  RARE_CUSTOMER,
  RARE_NOTE_WORD,
  RARE_WORD,
  SKIP_INSIGHT,
  seedAlerts,
} from './seed-alerts.ts';

const ADMIN = { email: 'bench@alertdesk.local', password: 'only for the bench' };
/** How many alerts back a deep page is. */
export const DEPTH = 100_000;
const REQUESTS_A_ROUND = 10;
const ROWS = 50;

/** No alert has a greater id. */
const NEWEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Limits of every read, and of a page deep in a list. */
const READ = { unit: 'ms', required: 50, goal: 10, isAtLeast: false } as const;
const DEEP: Target = { name: 'deep page against the first', unit: '×', required: 3, goal: 1.5, isAtLeast: false };

/** Views whose numbers no counter knows. */
const VIEWS: readonly Pick<View, 'list' | 'search' | 'sort'>[] = [
  { list: 'inbox', search: COMMON_WORD, sort: 'severity' },
  { list: 'inbox', search: `severity:critical latency ${COMMON_WORD}`, sort: 'newest' },
  { list: 'inbox', search: NOTE_WORD, sort: 'severity' },
  { list: 'inbox', search: 'node-77', sort: 'oldest' },
  { list: 'all', search: `customer:"Customer 7" ${COMMON_WORD}`, sort: 'newest' },
  { list: 'all', search: RARE_NOTE_WORD, sort: 'newest' },
];
/** Until views are counted, or so long, in milliseconds: among many millions of alerts it takes minutes. */
const LONGEST_COUNT_MS = 120_000;

const VIEWS_READ = 'list of the views, while they are counted';
const BESIDE_READ = 'first page of the inbox, while views are counted';

const FIRST_PAGE = 'first page of all';
const DEEP_PAGE = `page of all at depth ${DEPTH}`;
const RARE = 'search for a rare word';

/** The medians of a read, round by round, in milliseconds. */
export interface ReadMeasurement {
  name: string;
  rounds: number[];
  /** How many calls it takes to the first find, and together; for searches that go on. */
  untilFound?: { calls: number; milliseconds: number };
  /** What else is to be said of it. */
  remark?: string;
}

/** Reads at a million alerts, through HTTP, on each database. */
export const benchReads: Part = async (databases, options, report) => {
  const rows: string[][] = [];
  const results: Record<string, unknown> = {};
  for (const { name, createUrl } of databases) {
    report(`${name}: reads among ${options.alerts} alerts`);
    const dataDir = await mkdtemp(join(tmpdir(), 'alertdesk-bench-'));
    try {
      const measured = await measureReads({ dataDir, databaseUrl: await createUrl(), options }, report);
      rows.push(...measured.map((one) => verdictRow(name, judge({ name: nameOf(one), ...READ }, median(one.rounds)))));
      const roundsOf = (read: string) => measured.find((one) => one.name === read)?.rounds ?? [];
      rows.push(verdictRow(name, judge(DEEP, medianRatio(roundsOf(DEEP_PAGE), roundsOf(FIRST_PAGE)))));
      results[name] = measured;
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  }
  return { rows, results };
};

/** What was read, with what is to be said of it. */
export const nameOf = ({ name, untilFound, remark }: ReadMeasurement): string =>
  untilFound && untilFound.calls > 1
    ? `${name} (found by call ${untilFound.calls}, after ${untilFound.milliseconds.toFixed(0)} ms)`
    : remark === undefined
      ? name
      : `${name} (${remark})`;

/** Fills a database, and measures every read in turn, round by round. */
async function measureReads(
  { dataDir, databaseUrl, options }: { dataDir: string; databaseUrl: string | undefined; options: BenchOptions },
  report: (line: string) => void,
): Promise<ReadMeasurement[]> {
  const ids = await fill({ dataDir, databaseUrl, alerts: options.alerts }, report);
  const server = await startServer(
    readConfig({
      PORT: '0',
      DATA_DIR: dataDir,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    }),
    createLogger('silent'),
  );
  try {
    const client = await signIn(new URL(server.url), ADMIN);
    await server.search.settled();
    const cursor = ids.at(-Math.min(DEPTH, ids.length)) ?? '';
    return await readEverything(client, cursor, options.rounds, report);
  } finally {
    await server.stop();
  }
}

/**
 * Measures every read of a server in turn, round by round.
 *
 * @param cursor the alert that is {@link DEPTH} alerts back
 */
export async function readEverything(
  client: SignedInClient,
  cursor: string,
  rounds: number,
  report: (line: string) => void,
): Promise<ReadMeasurement[]> {
  const paths = pathsOf(cursor);
  const measured = Object.keys(paths).map((name): ReadMeasurement => ({ name, rounds: [] }));
  // The first round does not count: a server that runs all day has its statements and pages at hand.
  for (let round = 0; round <= rounds; round += 1) {
    for (const one of measured) {
      const taken = await timeOf(client, paths[one.name] ?? '');
      if (round > 0) one.rounds.push(taken);
    }
  }
  const rare = measured.find(({ name }) => name === RARE);
  if (rare) rare.untilFound = await findFirst(client, paths[RARE] ?? '');
  measured.push(...(await countViews(client)));
  for (const one of measured) report(`${nameOf(one)}: ${median(one.rounds).toFixed(1)} ms`);
  return measured;
}

/** Every read by what it is called. */
const pathsOf = (cursor: string): Record<string, string> => ({
  [FIRST_PAGE]: `/api/alerts/all?limit=${ROWS}`,
  [DEEP_PAGE]: `/api/alerts/all?limit=${ROWS}&before=${cursor}`,
  'first page of the inbox': `/api/alerts/inbox?limit=${ROWS}`,
  [`page of the inbox, ${DEPTH} alerts back`]: `/api/alerts/inbox?limit=${ROWS}&before=${cursor}`,
  'page of one customer, with its count': `/api/alerts/all?limit=${ROWS}&customer=Customer+7`,
  'page of a customer of few alerts': `/api/alerts/all?limit=${ROWS}&${new URLSearchParams({ customer: RARE_CUSTOMER })}`,
  'counts by status': '/api/alerts/stats',
  'customers and types': '/api/alerts/facets?list=all',
  'search for a common word': `/api/alerts/all?limit=${ROWS}&q=${COMMON_WORD}`,
  [RARE]: `/api/alerts/all?limit=${ROWS}&q=${RARE_WORD}`,
  'search for a number': `/api/alerts/all?limit=${ROWS}&q=HF-20491`,
  'search for three words': `/api/alerts/all?limit=${ROWS}&search=latency+eu-west+${RARE_WORD}`,
  'search for words of one customer': `/api/alerts/all?limit=${ROWS}&search=customer:"Customer+7"+severity:critical+${COMMON_WORD}`,
  'search for a word of one customer': `/api/alerts/all?limit=${ROWS}&search=customer:"Customer+7"+${COMMON_WORD}`,
  'search for one customer in a day': `/api/alerts/all?limit=${ROWS}&search=customer:"Customer+7"+from:1d`,
  'search for two customers': `/api/alerts/all?limit=${ROWS}&search=customer:"Customer+7"+customer:"Customer+8"`,
  'page of one customer, by severity': `/api/alerts/all?limit=${ROWS}&customer=Customer+7&sort=severity`,
  'page of a customer of the last group, by severity': `/api/alerts/all?${new URLSearchParams({ limit: String(ROWS), customer: LAST_CUSTOMER, sort: 'severity' })}`,
  'search for a word of a customer of the last group, by severity': `/api/alerts/all?${new URLSearchParams({ limit: String(ROWS), search: `customer:"${LAST_CUSTOMER}" ${COMMON_WORD}`, sort: 'severity' })}`,
  'search for two customers, by severity': `/api/alerts/inbox?limit=${ROWS}&search=customer:"Customer+7"+customer:"Customer+8"&sort=severity`,
  'search for a number, by severity': `/api/alerts/inbox?limit=${ROWS}&search=HF-20491&sort=severity`,
  'search for a word of one note': `/api/alerts/all?limit=${ROWS}&search=${RARE_NOTE_WORD}`,
  'search for a word of every note': `/api/alerts/all?limit=${ROWS}&search=${NOTE_WORD}`,
  'search for words of a note and of its alert': `/api/alerts/inbox?limit=${ROWS}&search=${NOTE_WORD}+${COMMON_WORD}`,
  ...Object.fromEntries(
    VIEWS.map(({ list, search, sort }) => [
      `page of the view "${search}" of ${list}, by ${sort}`,
      `/api/alerts/${list}?${new URLSearchParams({ limit: String(ROWS), search, sort })}`,
    ]),
  ),
  'search in one hour': `/api/alerts/all?limit=${ROWS}&search=from:1h+${COMMON_WORD}`,
});

/** Saves the views, and measures reads for as long as their alerts are being counted for the first time. */
async function countViews(client: SignedInClient): Promise<ReadMeasurement[]> {
  for (const [number, view] of VIEWS.entries()) {
    const { status } = await client.request('POST', '/api/views', { name: `View ${number}`, ...view });
    if (status !== 201) throw new Error(`A view was answered with ${status}.`);
  }
  const views: ReadMeasurement = { name: VIEWS_READ, rounds: [] };
  const beside: ReadMeasurement = { name: BESIDE_READ, rounds: [] };
  const beganAt = performance.now();
  let pending = VIEWS.length;
  while (pending > 0 && performance.now() - beganAt < LONGEST_COUNT_MS) {
    const [startedAt, response] = [performance.now(), await client.request('GET', '/api/views')];
    const answer = viewListAnswerSchema.parse(await response.json());
    views.rounds.push(performance.now() - startedAt);
    pending = answer.filter(({ alerts }) => alerts === null).length;
    const besideAt = performance.now();
    await (await client.request('GET', `/api/alerts/inbox?limit=${ROWS}`)).text();
    beside.rounds.push(performance.now() - besideAt);
  }
  const seconds = ((performance.now() - beganAt) / 1_000).toFixed(1);
  views.remark = `${pending === 0 ? 'all' : VIEWS.length - pending} of ${VIEWS.length} after ${seconds} s`;
  beside.remark = `p99 ${percentile(beside.rounds, 99).toFixed(0)} ms`;
  return [views, beside];
}

async function fill(
  { dataDir, databaseUrl, alerts }: { dataDir: string; databaseUrl: string | undefined; alerts: number },
  report: (line: string) => void,
): Promise<string[]> {
  await prepareDataDir(dataDir);
  const database = await openDatabase({ dataDir, databaseUrl }, STORED);
  try {
    report('Storing them …');
    const ids = await seedAlerts(database, alerts);
    await database.transaction((tx) => tx.query(SKIP_INSIGHT));
    if (databaseUrl !== undefined) await database.transaction((tx) => tx.query('ANALYZE TABLE alerts'));
    const startedAt = performance.now();
    if (databaseUrl === undefined) indexFile(dataDir);
    else await indexSegments(databaseUrl);
    report(`Indexed for search in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s of work.`);
    return ids;
  } finally {
    await database.close();
  }
}

/** What the server's own thread does in a quarter of its time, done at once. */
export function indexFile(dataDir: string): void {
  const alerts = new BetterSqlite3(join(dataDir, SQLITE_FILE), { readonly: true });
  const index = new BetterSqlite3(join(dataDir, SEARCH_FILE));
  index.pragma('journal_mode = WAL');
  const indexer = createSearchIndexer(alerts, index);
  while (indexer.indexNext().hasMore);
  index.close();
  alerts.close();
}

/** The same on MySQL; whatever the age of the alerts. */
export async function indexSegments(databaseUrl: string): Promise<void> {
  const connection = await createConnection({ uri: databaseUrl, charset: 'utf8mb4' });
  const indexer = createSegmentIndexer(connection, async () => undefined);
  while (await indexer.indexNext(NEWEST_ID));
  await connection.end();
}

/** Median time of one call, answer read. */
async function timeOf(client: SignedInClient, path: string): Promise<number> {
  const times: number[] = [];
  for (let request = 0; request < REQUESTS_A_ROUND; request += 1) {
    const startedAt = performance.now();
    const response = await client.request('GET', path);
    await response.text();
    if (response.status !== 200) throw new Error(`GET ${path} answered ${response.status}.`);
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

async function findFirst(client: SignedInClient, path: string): Promise<{ calls: number; milliseconds: number }> {
  const startedAt = performance.now();
  let next: string | undefined = path;
  for (let calls = 1; next; calls += 1) {
    const response: Response = await client.request('GET', next);
    if ((await response.text()) !== '[]') return { calls, milliseconds: performance.now() - startedAt };
    next = /<(.*)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  }
  throw new Error(`Nothing was found by ${path}.`);
}
