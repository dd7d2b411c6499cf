import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { branchesOfAll } from './alert-branches.ts';
import { LABEL_INDEX, type NarrowedList } from '#backend/alerts/alert/alert-list.ts';
import { findInBranches } from './alert-search.ts';
import { type Search, createSearch } from './prepare-search.ts';
import { labelsStored } from './stored-labels.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

/** Enough for MySQL's optimiser to have an opinion, and to be wrong. */
const ALERTS = 3_000;
const CURSOR = uuidv7();
const SOURCES = [uuidv7(), uuidv7()];
const SOURCE = `source=${SOURCES[0]}&source=${SOURCES[1]}`;

let server: TestServer;
let admin: TestClient;
let folderId: string;

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  const folder = await admin.send('POST', '/api/folders', { name: 'Filed', color: 'blue' });
  ({ id: folderId } = (await folder.json()) as { id: string });
  await insertAlerts(
    server.database,
    Array.from({ length: ALERTS }, (_, number) => ({
      status: (['pending', 'completed', 'accepted', 'completed', 'in-progress'] as const)[number % 5] ?? 'pending',
      ownerId: number % 5 === 0 ? null : admin.id,
      folderId: number % 5 !== 0 && number % 2 === 0 ? folderId : null,
      customer: `Customer ${number % 7}`,
      alertType: `type ${number % 3}`,
      completedAt: number % 5 === 1 ? Date.now() - number : null,
      severity: (['critical', 'warning', 'info', null] as const)[number % 4] ?? null,
      sourceId: SOURCES[number % 3] ?? null,
      state: (['firing', 'resolved', null, 'acknowledged', null] as const)[Math.floor(number / 4) % 5] ?? null,
      label: number % 10 < 2 ? 'Databases' : null,
    })),
  );
  if (server.database.dialect.name === 'mysql') {
    // Stored statistics, as a server has them by default: those that the tests' own server counts are of fewer pages.
    for (const statement of [
      'ALTER TABLE alerts STATS_PERSISTENT = 1',
      'ALTER TABLE alert_counts STATS_PERSISTENT = 1',
      'ANALYZE TABLE alerts, alert_counts',
    ])
      await server.database.transaction((tx) => tx.query(statement));
  }
});
afterAll(() => server.destroy());

interface Read {
  sql: string;
  values: unknown[];
}

/** What a call reads from the table of alerts by hand-written SQL, on the event loop or beside it. */
async function readsOf(path: string): Promise<Read[]> {
  const { reads, longReads } = server.database;
  const queries = [vi.spyOn(reads, 'query'), vi.spyOn(longReads, 'query')];
  try {
    const response = await admin.get(path);
    expect([path, response.status]).toEqual([path, 200]);
    return (
      queries
        .flatMap(({ mock }): unknown[][] => mock.calls)
        .map(([sql, values]) => ({ sql: String(sql), values: (values ?? []) as unknown[] }))
        // Beside the call the server looks for the newest id of all tables each second. Labels have a test of their own.
        .filter(({ sql }) => /FROM (alerts|alert_counts)\b/.test(sql) && !/^(SELECT (MAX\(id|DISTINCT)|WITH)/.test(sql))
    );
  } finally {
    for (const query of queries) query.mockRestore();
  }
}

/** How the database goes about it: the access paths into the tables, one a line, with what it sorts by hand. */
async function planOf({ sql, values }: Read): Promise<string[]> {
  const { reads, dialect } = server.database;
  if (dialect.name === 'sqlite') {
    const steps: { detail: string }[] = await reads.query(`EXPLAIN QUERY PLAN ${sql}`, values);
    const details = steps.map(({ detail }) => detail);
    const paths = details.filter((detail) => / alert(s|_counts)\b/.test(detail));
    // It names its sorting in a step of its own; merging the few rows of several ranges is none.
    const isSorted = paths.length === 1 && details.some((detail) => detail.includes('TEMP B-TREE FOR ORDER BY'));
    return isSorted ? [...paths, 'SORTED BY HAND'] : paths;
  }
  const steps: { table: string; type: string; key: string | null; Extra: string }[] = await reads.query(
    `EXPLAIN ${sql}`,
    values,
  );
  return steps
    .filter(({ table }) => table === 'alerts' || table === 'alert_counts')
    .map(({ table, type, key, Extra }) =>
      `${type} ${table} ${key} ${/filesort/.test(Extra) ? 'SORTED BY HAND' : ''}`.trim(),
    );
}

const LISTS: [string, RegExp][] = [
  ['/api/alerts/all?', /sqlite_autoindex_alerts|PRIMARY/],
  ['/api/alerts/all?status=completed', /alerts_by_status/],
  ['/api/alerts/all?sort=status', /alerts_by_status/],
  ['/api/alerts/all?customer=Customer+3', /alerts_by_status/],
  ['/api/alerts/all?alertType=type+1', /alerts_by_status/],
  ['/api/alerts/inbox?', /alerts_by_status/],
  ['/api/alerts/inbox?customer=Customer+3', /alerts_by_status/],
  ['/api/alerts/inbox?alertType=type+1&sort=oldest', /alerts_by_status/],
  ['/api/alerts/mine?', /alerts_queue/],
  ['/api/alerts/mine?sort=status', /alerts_queue/],
  ['/api/alerts/mine?customer=Customer+3&sort=oldest', /alerts_queue/],
  ['/api/alerts/folder/FOLDER?', /alerts_queue/],
  ['/api/alerts/folder/FOLDER?sort=oldest&alertType=type+1', /alerts_queue/],
  ['/api/alerts/inbox?severity=critical', /alerts_by_severity/],
  ['/api/alerts/inbox?severity=critical&severity=info&sort=oldest', /alerts_by_severity/],
  ['/api/alerts/inbox?severity=none', /alerts_by_(severity|status)/],
  ['/api/alerts/inbox?sort=severity', /alerts_by_(severity|status)/],
  [`/api/alerts/inbox?sort=severity&customer=Customer+3&${SOURCE}`, /alerts_by_(severity|status)/],
  [`/api/alerts/inbox?${SOURCE}`, /alerts_by_status/],
  ['/api/alerts/all?severity=info&status=completed', /alerts_by_severity/],
  ['/api/alerts/all?sort=severity', /alerts_by_(severity|status)/],
  [`/api/alerts/all?alertType=type+1&${SOURCE}`, /alerts_by_status/],
  [`/api/alerts/mine?severity=critical&${SOURCE}`, /alerts_queue/],
  ['/api/alerts/folder/FOLDER?sort=severity', /alerts_queue/],
  ['/api/alerts/inbox?search=label:Databases', /alerts_by_label/],
  ['/api/alerts/inbox?search=label:Databases&sort=severity', /alerts_by_label/],
  ['/api/alerts/all?search=label:Databases&sort=oldest', /alerts_by_label/],
  ['/api/alerts/all?search=label:Databases+severity:critical', /alerts_by_label/],
  ['/api/alerts/mine?search=label:Databases', /alerts_queue/],
  ['/api/alerts/mine?completion=open&sort=status', /alerts_queue/],
  ['/api/alerts/mine?completion=completed&sort=completed', /alerts_completed/],
  ['/api/alerts/folder/FOLDER?completion=completed&sort=completed&severity=critical', /alerts_completed/],
];

/** What stands before the id in a cursor, by the order. */
const GROUPS: Record<string, string> = {
  status: 'accepted',
  severity: 'none-acknowledged',
  completed: `${Date.now()}`,
};

test.each(LISTS)('%s is read by its index, in its order, at any depth', async (path, index) => {
  const list = path.replace('FOLDER', folderId);
  const group = GROUPS[/[?&]sort=(\w+)/.exec(list)?.[1] ?? ''];
  const cursor = group ? `${group}~${CURSOR}` : CURSOR;
  for (const address of [`${list}&limit=50`, `${list}&limit=50&before=${cursor}`]) {
    const reads = (await readsOf(address)).filter(({ sql }) => /FROM alerts\b(?! WHERE id IN)/.test(sql));
    expect(reads.length).toBeGreaterThan(0);
    for (const read of reads) {
      const plan = await planOf(read);
      expect(plan.length).toBeGreaterThan(0);
      for (const step of plan) {
        expect(step).toMatch(index);
        expect(step).not.toMatch(/SORTED BY HAND|^ALL /);
      }
    }
  }
});

test.each([
  '/api/alerts/inbox?limit=1&customer=Customer+3',
  `/api/alerts/inbox?limit=1&severity=critical&severity=none&${SOURCE}`,
  '/api/alerts/all?limit=1&severity=critical',
  '/api/alerts/stats',
  '/api/alerts/snoozed?limit=1&alertType=type+1',
  '/api/alerts/facets?list=inbox',
  '/api/alerts/facets?list=all',
])('%s counts by the key of the counter rows', async (path) => {
  const reads = (await readsOf(path)).filter(({ sql }) => sql.includes('FROM alert_counts'));
  expect(reads.length).toBeGreaterThan(0);
  for (const read of reads) {
    for (const step of await planOf(read))
      expect(step).toMatch(/SEARCH alert_counts USING .*INDEX|^(range|ref) alert_counts PRIMARY/);
  }
});

test('labels are found by one look into their index for each, whatever their case', async () => {
  const { database } = server;
  expect(await labelsStored(database, ['DATABASES', 'Nowhere'])).toEqual(['Databases', 'Nowhere']);
  const sql = database.dialect.distinctTexts('alerts', 'label', LABEL_INDEX, 10);
  const isSqlite = database.dialect.name === 'sqlite';
  const explained: { key: string; Extra: string }[] = isSqlite ? [] : await database.reads.query(`EXPLAIN ${sql}`);
  const steps = isSqlite ? await planOf({ sql, values: [] }) : explained.map(({ key, Extra }) => `${key}: ${Extra}`);
  const one = isSqlite ? 'SEARCH alerts USING COVERING INDEX alerts_by_label' : 'alerts_by_label: ';
  expect(steps.filter((step) => step.startsWith(one))).toHaveLength(isSqlite ? 2 : 1);
  expect(explained.every(({ Extra }) => Extra.includes('Using index for group-by'))).toBe(true);
});

/** The total of a search among all alerts, as a page says it. */
async function totalOf(search: string): Promise<(string | null)[]> {
  const { headers } = await admin.get(`/api/alerts/all?${new URLSearchParams({ limit: '1', search })}`);
  return [headers.get('X-Total-Count'), headers.get('X-Total-Count-Relation')];
}
const raiseCounters = (by: number) =>
  server.database.transaction((tx) => tx.query(`UPDATE alert_counts SET alerts = alerts + ${by}`));

test('a label in a list of many is counted in its index, whatever else is searched for but names', async () => {
  const labelled = ALERTS / 5;
  await raiseCounters(60_000);
  try {
    expect(await totalOf('label:Databases')).toEqual([`${labelled}`, null]);
    expect(await totalOf('label:databases label:elsewhere from:2020-01-01')).toEqual([`${labelled}`, null]);
    const severities = 'severity:critical severity:warning severity:info severity:none';
    expect(await totalOf(`label:databases ${severities}`)).toEqual([`${labelled}`, null]);
    expect(await totalOf('label:databases type:"type 0" type:"type 1" type:"type 2"')).toEqual(['500', 'at-least']);
  } finally {
    await raiseCounters(-60_000);
  }
});

test('what was completed since a moment is counted and the first found in its index', async () => {
  const reads = await readsOf(`/api/alerts/progress?list=mine&since=${new Date(0).toISOString()}`);
  const steps = (await Promise.all(reads.map(planOf))).flat().filter((step) => !step.includes('alert_counts'));
  expect(steps.length).toBeGreaterThan(2);
  for (const step of steps) {
    expect(step).toMatch(/alerts_completed/);
    expect(step).not.toMatch(/SORTED BY HAND/);
  }
});

test('where alerts stand far apart in a list of millions, none is read but by its key', async () => {
  const { database, search: index } = server;
  const filter = { customer: 'Customer 3', severity: ['critical' as const] };
  const list: NarrowedList = {
    parts: [{ list: { list: 'all' }, filter }],
    alternatives: [],
    texts: ['{}'],
    labels: [],
    traits: [],
    range: {},
  };
  const made = await createSearch({ database, search: index }, list, { alerts: ALERTS });
  const emptyIndex = {
    ...index,
    indexedTo: async () => 'ffffffff',
    candidates: async () => ({ ids: [], next: 'fffffffe' }),
  };
  const question = { texts: [['{}']], names: [] };
  const search = { ...made, size: { alerts: 25_000, entries: 500_000 }, index: { of: emptyIndex, question } } as Search;
  const query = vi.spyOn(database.reads, 'query');
  const wanted = { cursor: undefined, order: 'DESC', rows: 51 } as const;
  const { places } = await findInBranches(search, branchesOfAll(list, 'newest'), wanted);
  const ofTexts = query.mock.calls.map(([sql]) => String(sql)).filter((sql) => sql.includes('payload'));
  query.mockRestore();
  expect(places.length).toBeGreaterThan(10);
  expect(ofTexts.length).toBeGreaterThan(0);
  for (const sql of ofTexts) expect(sql).toContain(`FROM alerts ${database.dialect.byKey('alerts')}`);
});

test('the snoozed are read by indexes of statuses; those in folders, which are few, may be sorted', async () => {
  const reads = await readsOf('/api/alerts/snoozed?limit=50');
  const steps = (await Promise.all(reads.map(planOf))).flat().filter((step) => !step.includes('alert_counts'));
  expect(steps.length).toBeGreaterThan(2);
  for (const step of steps) expect(step).toMatch(/alerts_by_status|alerts_queue|SORTED BY HAND|PRIMARY|autoindex/);
});
