import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AlertStatus } from '#backend/contract/alert.ts';
import type { StoredAlert } from '#backend/alerts/alert/alert.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { walkList } from '#tests/support/walk-list.ts';
import { MAX_SORTED } from './sort-finds.ts';

/** So many alerts that no answer looks through all of them, and an index of names is worth it for few of them. */
const ALERTS = 12_000;

/** Groups of both orders, the first one first: severity, state and status of a row. */
const SEVERITIES = ['critical', 'warning', null] as const;
const STATUSES = ['accepted', 'in-progress', 'completed', 'pending'] as const satisfies AlertStatus[];

/** Customers of the alerts of the last two groups of the order by severity. */
const LARGE = 'In the last groups, with more alerts than are sorted in memory';
const FEW = 'In the last groups, with few alerts';

/** In one alert of six of every group, which is more than is counted of a search; and in those of few alerts. */
const COMMON = 'turbine';
const RARE = 'zebrafish';

let server: TestServer;
let admin: TestClient;
let alerts: (Partial<StoredAlert> & { id: string })[];

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  const rows = Array.from({ length: ALERTS }, (_, number): Partial<StoredAlert> => {
    const isLast = number % 4 === 3;
    const isFew = isLast && number % 120 === 3;
    const status = STATUSES[Math.floor(number / 12) % 4] ?? 'pending';
    return {
      severity: isLast ? null : (SEVERITIES[number % 2] ?? null),
      state: isLast && number % 8 === 3 ? 'resolved' : 'firing',
      status,
      ownerId: status === 'pending' ? null : admin.id,
      customer: isFew ? FEW : isLast ? LARGE : `Customer ${number % 40}`,
      title: `Pump ${number}${number % 6 === 1 || number % 12 === 3 ? ` of a ${COMMON}` : ''}${isFew ? ` ${RARE}` : ''}`,
    };
  });
  const ids = await insertAlerts(server.database, rows);
  alerts = rows.map((row, number) => Object.assign(row, { id: ids[number] ?? '' }));
  await server.search.settled();
});
afterAll(() => server.destroy());

type Row = (typeof alerts)[number];
const ORDERS: Record<'severity' | 'status', (row: Row) => number> = {
  severity: ({ severity, state }) => (state === 'resolved' ? 3 : SEVERITIES.indexOf((severity ?? null) as null)),
  status: ({ status }) => STATUSES.indexOf(status as 'pending'),
};

/** Whether a title has a text, whatever else it has. */
const has = (text: string) => (row: Row) => row.title?.includes(text) === true;

const SEARCHES: [name: string, query: Record<string, string>, meets: (row: Row) => boolean][] = [
  ['a word of more alerts than are sorted', { q: COMMON }, has(COMMON)],
  ['a word of few alerts of the last groups', { q: RARE }, has(RARE)],
  ['a customer of many alerts of the last groups', { customer: LARGE }, ({ customer }) => customer === LARGE],
  ['a customer of few alerts of the last groups', { customer: FEW }, ({ customer }) => customer === FEW],
  [
    'a word of a customer of the last groups',
    { customer: LARGE, q: COMMON },
    (row) => row.customer === LARGE && has(COMMON)(row),
  ],
];

describe.each(['severity', 'status'] as const)('in the order by %s a long list', (sort) => {
  test.each(SEARCHES)('is read to its end, page by page, for %s', async (_, query, meets) => {
    const rankOf = ORDERS[sort];
    const expected = alerts
      .filter(meets)
      .sort((one, other) => rankOf(one) - rankOf(other) || (one.id < other.id ? 1 : -1));
    const found = await walkList(admin, `/api/alerts/all?${new URLSearchParams({ ...query, sort, limit: '200' })}`);
    expect(found.alerts.map(({ title }) => title)).toEqual(expected.map(({ title }) => title));
  });
});

test('the searches are of more and of fewer alerts than are sorted in memory', () => {
  const counts = SEARCHES.map(([, , meets]) => alerts.filter(meets).length);
  expect(counts.map((count) => count > MAX_SORTED)).toEqual([true, false, true, false, false]);
  expect(Math.min(...counts)).toBeGreaterThan(50);
});
