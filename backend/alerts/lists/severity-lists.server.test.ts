import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AlertEntity, type StoredAlert } from '#backend/alerts/alert/alert.ts';
import { recount } from './recount.ts';
import { alertFacetsSchema, alertListSchema, alertSeveritySchema } from '#backend/contract/alert.ts';
import { folderSchema } from '#backend/contract/folder.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { type SourceWorld, createSourceWorld } from '#tests/support/source-world.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { walkList } from '#tests/support/walk-list.ts';

const SEVERITIES = alertSeveritySchema.options;
const CUSTOMERS = ['Nordwind', 'acme', null];

let server: TestServer;
let anna: TestClient;
let admin: TestClient;
let world: SourceWorld;
let folderId: string;
let sources: { id: string; name: string }[];

beforeAll(async () => {
  server = await startTestServer();
  anna = await server.signedIn({ displayName: 'Anna' });
  admin = await server.signedIn({ role: 'admin' });
  world = createSourceWorld(server, admin);
  const folder = await anna.send('POST', '/api/folders', { name: 'Urgent', color: 'red' });
  folderId = folderSchema.parse(await folder.json()).id;
  const made = [(await world.newSource()).source, (await world.newSource()).source];
  sources = [...made.map(({ id, name }) => ({ id, name })), { id: uuidv7(), name: 'Deleted since' }];
  await insertAlerts(
    server.database,
    Array.from({ length: 288 }, (_, number): Partial<StoredAlert> => {
      const severity = SEVERITIES[number % 6];
      const source = sources[Math.floor(number / 6) % 4];
      const place = Math.floor(number / 24) % 4;
      return {
        severity: severity === undefined || severity === 'none' ? null : severity,
        sourceId: source?.id ?? null,
        sourceName: source?.name ?? 'Before sources',
        customer: CUSTOMERS[number % 5] ?? null,
        alertType: number % 7 === 0 ? 'order' : null,
        // In groups of the order by severity there is one with each state, also of alerts without a severity.
        state: ([null, 'firing', 'acknowledged', 'resolved', 'firing'] as const)[Math.floor(number / 6) % 5] ?? null,
        title: number === 30 ? 'Zebrafish tank leaks on deck-7' : null,
        status: (['pending', 'accepted', 'completed', 'in-progress'] as const)[place] ?? 'pending',
        ownerId: place === 0 || number % 24 === 23 ? null : anna.id,
        folderId: place === 2 ? folderId : null,
      };
    }),
  );
  await server.search.settled();
});
afterEach(() => expectTrueCounts(server.database));
afterAll(() => server.destroy());

const everything = () => server.database.reads.getRepository(AlertEntity).find({ order: { id: 'DESC' } });

const LISTS: [string, () => TestClient, (alert: StoredAlert) => boolean][] = [
  ['inbox', () => anna, ({ status }) => status === 'pending'],
  ['mine', () => anna, (alert) => alert.status !== 'pending' && alert.ownerId === anna.id && alert.folderId === null],
  ['folder', () => anna, (alert) => alert.ownerId === anna.id && alert.folderId !== null],
  ['all-folders', () => anna, (alert) => alert.ownerId === anna.id && alert.folderId !== null],
  ['all', () => admin, () => true],
];

/** Queries, with the names of sources for their ids. */
const FILTERS = [
  'severity=critical',
  'severity=none',
  'severity=info&severity=critical&severity=critical',
  'source=0',
  'source=0&source=2',
  'severity=high&source=1',
  'severity=none&severity=low&source=1&source=2',
  'severity=critical&customer=acme',
  'source=0&alertType=order',
  'severity=warning&source=0&source=1&customer=Nordwind&alertType=order',
  'severity=low&status=completed',
  'severity=low&q=webhook',
  'q=webhook',
];

const parse = (filter: string) =>
  new URLSearchParams(
    [...new URLSearchParams(filter)].map(([name, value]) => [
      name,
      name === 'source' ? (sources[Number(value)]?.id ?? '') : value,
    ]),
  );

function passes(query: URLSearchParams, alert: StoredAlert): boolean {
  const isAny = (name: string, value: string | null) => !query.has(name) || query.getAll(name).includes(value ?? '');
  return (
    isAny('severity', alert.severity ?? 'none') &&
    isAny('source', alert.sourceId) &&
    isAny('customer', alert.customer) &&
    isAny('alertType', alert.alertType) &&
    isAny('status', alert.status)
  );
}

const rank = ({ severity, state }: StoredAlert) => {
  if (state === 'resolved') return 99;
  return SEVERITIES.indexOf(severity ?? 'none') + (state === 'acknowledged' ? 0.5 : 0);
};
const ORDERS: Record<string, (one: StoredAlert, other: StoredAlert) => number> = {
  newest: (one, other) => (one.id < other.id ? 1 : -1),
  oldest: (one, other) => (one.id < other.id ? -1 : 1),
  severity: (one, other) => rank(one) - rank(other) || (one.id < other.id ? 1 : -1),
};

describe.each(LISTS)('the list %s', (list, member, isIn) => {
  const path = () => `/api/alerts/${list}${list === 'folder' ? `/${folderId}` : ''}`;

  test.each(Object.keys(ORDERS))('by %s, filtered by severity and source, page by page', async (sort) => {
    const all = (await everything()).filter(isIn);
    for (const filter of ['', ...FILTERS]) {
      const query = parse(filter);
      const expected = all.filter((alert) => passes(query, alert)).sort(ORDERS[sort]);
      query.set('sort', sort);
      query.set('limit', '7');
      const { alerts, totals } = await walkList(member(), `${path()}?${query}`);
      expect([filter, alerts.map(({ id }) => id)]).toEqual([filter, expected.map(({ id }) => id)]);
      expect([filter, ...totals]).toEqual([filter, String(expected.length)]);
    }
  });
});

test.each(LISTS)('%s names its severities and sources', async (list, member, isIn) => {
  const all = (await everything()).filter(isIn);
  const query = list === 'folder' ? `list=folder&folderId=${folderId}` : `list=${list}`;
  const facets = alertFacetsSchema.parse(await (await member().get(`/api/alerts/facets?${query}`)).json());
  expect(facets.severities).toEqual(
    SEVERITIES.map((severity) => ({
      severity,
      alerts: all.filter((alert) => (alert.severity ?? 'none') === severity).length,
    })).filter(({ alerts }) => alerts > 0),
  );
  const counted = sources.map(({ id, name }) => ({
    id,
    name,
    alerts: all.filter(({ sourceId }) => sourceId === id).length,
  }));
  for (const source of counted) if (source.name === 'Deleted since') Object.assign(source, { isDeleted: true });
  expect(new Set(facets.sources)).toEqual(new Set(counted.filter(({ alerts }) => alerts > 0)));
});

test('sources are found by a part of their name', async () => {
  const facets = await (await anna.get('/api/alerts/facets?list=inbox&q=ETED+sin')).json();
  expect(alertFacetsSchema.parse(facets).sources.map(({ name }) => name)).toEqual(['Deleted since']);
});

test.each(['zebrafish tank leaks', 'ON DECK-7'])('a title is found by %s', async (text) => {
  const { alerts } = await walkList(admin, `/api/alerts/all?${new URLSearchParams({ q: text })}`);
  expect(alerts.map(({ title }) => title)).toEqual(['Zebrafish tank leaks on deck-7']);
});

/** The titles on a page, the length of the list, and where it goes on. */
const titles = async (path: string) => {
  const answer = await anna.get(path);
  const alerts = alertListSchema.parse(await answer.json());
  const next = /<(.*)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1] ?? '';
  return { titles: alerts.map(({ title }) => title), total: answer.headers.get('X-Total-Count'), next };
};

test('an alert whose severity changes while the list is read is counted where it is, and no other is lost', async () => {
  const { source, key } = await world.newSource();
  const report = async (number: number, severity: string) => {
    const body = { title: `Disk ${number}`, severity, state: 'firing', dedup_key: `disk-${number}` };
    const answer = await anna.post(key, body);
    expect(answer.status).toBe(202);
  };
  for (let number = 0; number < 9; number += 1) await report(number, 'warning');
  const list = `/api/alerts/inbox?sort=severity&source=${source.id}`;
  const first = await titles(`${list}&limit=4`);
  expect(first).toMatchObject({ titles: ['Disk 8', 'Disk 7', 'Disk 6', 'Disk 5'], total: '9' });
  // The cursor's own alert rises above it, and one of the next page falls to the end.
  await Promise.all([report(5, 'critical'), report(3, 'info')]);
  const second = await titles(first.next);
  expect(second.titles).toEqual(['Disk 4', 'Disk 2', 'Disk 1', 'Disk 0']);
  expect((await titles(second.next)).titles).toEqual(['Disk 3']);
  expect(await titles(`${list}&severity=critical`)).toMatchObject({ titles: ['Disk 5'], total: '1' });
  expect(await titles(`${list}&severity=warning`)).toMatchObject({ total: '7' });
});

test('acknowledged alerts stand after those that fire, resolved ones last, and both return', async () => {
  const { source, key } = await world.newSource();
  await world.change(source.id, { onResolved: 'keep' });
  const report = (name: string, severity: string, state: string) =>
    anna.post(key, { title: name, severity, state, dedup_key: name });
  for (const [name, severity] of [
    ['Disk', 'high'],
    ['Fan', 'high'],
    ['Door', 'info'],
    ['Link', 'critical'],
  ] as const) {
    await report(name, severity, 'firing');
  }
  const list = `/api/alerts/inbox?sort=severity&source=${source.id}`;
  await report('Fan', 'high', 'acknowledged');
  await report('Link', 'critical', 'resolved');
  expect(await titles(list)).toMatchObject({ titles: ['Disk', 'Fan', 'Door', 'Link'], total: '4' });
  const first = await titles(`${list}&limit=2`);
  expect(first).toMatchObject({ titles: ['Disk', 'Fan'], total: '4' });
  expect((await titles(first.next)).titles).toEqual(['Door', 'Link']);
  expect(await titles(`${list}&severity=critical`)).toMatchObject({ titles: ['Link'], total: '1' });
  await report('Link', 'critical', 'firing');
  await report('Fan', 'high', 'firing');
  expect((await titles(list)).titles).toEqual(['Link', 'Fan', 'Disk', 'Door']);
});

test('a new title of a repeated alert is found', async () => {
  const { key } = await world.newSource();
  const report = (title: string) => anna.post(key, { title, state: 'firing', dedup_key: 'pump' });
  await report('Pump hums');
  await report('Pump rattles like a nightjar');
  await server.search.settled();
  const { alerts } = await walkList(anna, '/api/alerts/inbox?q=like+a+nightjar');
  expect(alerts.map(({ title }) => title)).toEqual(['Pump rattles like a nightjar']);
});

const MANY = { customer: 'Many', severity: 'info' } as const;

/** How long the list of {@link MANY} says it is. */
const countMany = async () => {
  const { headers } = await anna.get('/api/alerts/inbox?limit=5&customer=Many&severity=info');
  return [headers.get('X-Total-Count'), headers.get('X-Total-Count-Relation')];
};

test('a name together with a severity is counted up to some hundreds, where there is much to look at', async () => {
  await insertAlerts(
    server.database,
    Array.from({ length: 501 }, () => MANY),
  );
  expect(await countMany()).toEqual(['501', null]);
  await server.database.transaction((tx) => tx.query('UPDATE alert_counts SET alerts = alerts + 50000'));
  expect(await countMany()).toEqual(['500', 'at-least']);
  await recount(server.database);
  expect(await countMany()).toEqual(['501', null]);
});

test('wrong counters by source and severity are found and corrected', async () => {
  await server.database.transaction((tx) => tx.query('UPDATE alert_counts SET alerts = alerts + 1 WHERE detail = 3'));
  await server.database.transaction((tx) => tx.query('DELETE FROM alert_counts WHERE detail = 4'));
  expect((await recount(server.database)).length).toBeGreaterThan(10);
  expect(await recount(server.database)).toEqual([]);
});
