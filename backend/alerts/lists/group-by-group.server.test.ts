import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AlertStatus } from '#backend/contract/alert.ts';
import type { StoredAlert } from '#backend/alerts/alert/alert.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { walkList } from '#tests/support/walk-list.ts';
import { MAX_COUNTED } from './prepare-search.ts';
import { MAX_SORTED } from './sort-finds.ts';

/** So many alerts that no answer looks through all of them, and an index of names is worth it for few of them. */
const ALERTS = 40_000;

/** Groups of both orders, the first one first: severity, state and status of a row. */
const SEVERITIES = ['critical', 'warning', null] as const;
const STATUSES = ['accepted', 'in-progress', 'completed', 'pending'] as const satisfies AlertStatus[];

/** Customers of the alerts of the last two groups of the order by severity. */
const LARGE = 'In the last groups, with more alerts than are sorted in memory';
const SOME = 'In the last group but one, with more alerts than are counted of a search';
const FEW = 'In the last groups, with few alerts';

/** In alerts of every group, more than are sorted in memory; in those of few alerts; and in nearly all of those of some. */
const COMMON = 'turbine';
const RARE = 'zebrafish';
const FREQUENT = 'governor';

let server: TestServer;
let admin: TestClient;
let alerts: (Partial<StoredAlert> & { id: string })[];

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  const rows = Array.from({ length: ALERTS }, (_, number): Partial<StoredAlert> => {
    const isLast = number % 4 === 3;
    const isFew = isLast && number % 120 === 3;
    const isSome = isLast && number % 72 === 7;
    const status = STATUSES[Math.floor(number / 12) % 4] ?? 'pending';
    const words = [
      `Pump ${number}`,
      ...(number % 6 === 1 || number % 12 === 3 ? [COMMON] : []),
      ...(isFew ? [RARE] : []),
      ...(isSome && number % 1_000 > 10 ? [FREQUENT] : []),
    ];
    return {
      severity: isLast ? null : (SEVERITIES[number % 2] ?? null),
      state: isLast && number % 8 === 3 ? 'resolved' : 'firing',
      status,
      ownerId: status === 'pending' ? null : admin.id,
      customer: isFew ? FEW : isSome ? SOME : isLast ? LARGE : `Customer ${number % 40}`,
      title: words.join(' of a '),
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
const isOf = (customer: string) => (row: Row) => row.customer === customer;

const SEARCHES: [name: string, query: Record<string, string>, meets: (row: Row) => boolean][] = [
  ['a word of more alerts than are sorted', { q: COMMON }, has(COMMON)],
  ['a word of few alerts of the last groups', { q: RARE }, has(RARE)],
  ['a customer of many alerts of the last groups', { customer: LARGE }, isOf(LARGE)],
  ['a customer of some alerts of the last group but one', { customer: SOME }, isOf(SOME)],
  ['a customer of few alerts of the last groups', { customer: FEW }, isOf(FEW)],
  [
    'a word of a customer of the last groups',
    { customer: LARGE, q: COMMON },
    (row) => isOf(LARGE)(row) && has(COMMON)(row),
  ],
  ['a word of most alerts of a customer', { customer: SOME, q: FREQUENT }, has(FREQUENT)],
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
  expect(counts.map((count) => count > MAX_SORTED)).toEqual([true, false, true, false, false, true, false]);
  expect(counts.at(-1)).toBeGreaterThan(MAX_COUNTED);
  expect(Math.min(...counts)).toBeGreaterThan(50);
});
