import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { FILTER_BATCH } from '#backend/alerts/commands/bulk-selection.ts';
import { alertListSchema } from '#backend/contract/alert.ts';
import { bulkResultSchema } from '#backend/contract/bulk.ts';
import { folderSchema } from '#backend/contract/folder.ts';
import { SEARCH_FILE } from '#backend/platform/search/search-files.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

/** More than one look through a list takes in, on either database. */
const MANY = 12_000;

let server: TestServer;
let key: string;
let anna: TestClient;
let admin: TestClient;
let ids: string[];

/** Alert number `n` of MANY, oldest first: one in 4,000 is rare, every one common. */
const payloadOf = (number: number) => ({
  message: number % 4_000 === 17 ? 'The zebrafish tank is leaking' : 'Nothing special',
  note: 'incident',
  number: `no-${number}`,
});

/** One in 100 is of a rare customer, one in 400 of one that is rarer. */
const customerOf = (number: number) =>
  number % 100 === 7 ? 'Rare' : number % 400 === 8 ? 'Rarer' : number % 2 === 0 ? 'Even' : 'Odd';
const typeOf = (number: number) => (number % 3 === 0 ? 'disk' : 'network');

beforeAll(async () => {
  server = await startTestServer({}, { indexedAfterMs: 0 });
  key = await server.addApiKey();
  anna = await server.signedIn({ displayName: 'Anna' });
  admin = await server.signedIn({ role: 'admin' });
  ids = await insertAlerts(
    server.database,
    Array.from({ length: MANY }, (_, number) => ({
      payload: JSON.stringify(payloadOf(number)),
      customer: customerOf(number),
      alertType: typeOf(number),
    })),
  );
  await server.search.settled();
});
afterAll(() => server.destroy());

interface Found {
  ids: string[];
  total: number;
  isExact: boolean;
  calls: number;
}

/** Everything that a search finds, page after page. */
async function findAll(member: TestClient, path: string): Promise<Found> {
  const found: string[] = [];
  let next: string | undefined = path;
  let first: Response | undefined;
  let calls = 0;
  while (next) {
    const response: Response = await member.get(next);
    expect([next, response.status]).toEqual([next, 200]);
    first ??= response;
    calls += 1;
    found.push(...alertListSchema.parse(await response.json()).map(({ id }) => id));
    next = /<(.*)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  }
  return {
    ids: found,
    total: Number(first?.headers.get('X-Total-Count')),
    isExact: first?.headers.get('X-Total-Count-Relation') !== 'at-least',
    calls,
  };
}

const expectedIds = (isIn: (number: number) => boolean) => ids.filter((_, number) => isIn(number)).toReversed();

describe('in a list that is longer than one look', () => {
  test.each(['zebrafish', 'ZEBRAFISH TANK', 'no-11999', 'no-7777"', 'bra'])('finds every %s', async (text) => {
    const sought = text.toLowerCase();
    const expected = expectedIds((number) => JSON.stringify(payloadOf(number)).toLowerCase().includes(sought));
    const found = await findAll(anna, `/api/alerts/inbox?limit=2&q=${encodeURIComponent(text)}`);
    expect(found.ids).toEqual(expected);
    expect(found.total).toBeLessThanOrEqual(expected.length);
  });

  test('finds what is rare in one call', async () => {
    const found = await findAll(anna, '/api/alerts/inbox?limit=50&q=zebrafish');
    expect(found.ids).toHaveLength(3);
    expect(found).toMatchObject({ total: 3, isExact: true, calls: 1 });
  });

  test('finds what is common, and says that it stopped counting', async () => {
    const response = await anna.get('/api/alerts/inbox?limit=100&q=incident');
    expect(alertListSchema.parse(await response.json()).map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 100));
    expect(response.headers.get('X-Total-Count')).toBe('500');
    expect(response.headers.get('X-Total-Count-Relation')).toBe('at-least');
  });

  test('oldest first', async () => {
    const found = await findAll(anna, '/api/alerts/inbox?limit=2&sort=oldest&q=zebrafish');
    expect(found.ids).toEqual(expectedIds((number) => number % 4_000 === 17).toReversed());
  });

  test('within a filter', async () => {
    const found = await findAll(admin, '/api/alerts/all?limit=2&customer=Odd&q=zebrafish&sort=status');
    expect(found.ids).toEqual(expectedIds((number) => number % 4_000 === 17));
    expect((await findAll(admin, '/api/alerts/all?customer=Even&q=zebrafish')).ids).toEqual([]);
  });

  test('what is common elsewhere and not here is looked for in steps', async () => {
    const found = await findAll(admin, '/api/alerts/all?status=completed&q=incident');
    expect(found).toMatchObject({ ids: [], total: 0 });
  });

  test.each([
    ['customer=Rare', (number: number) => customerOf(number) === 'Rare'],
    ['customer=Rare&alertType=disk', (number: number) => customerOf(number) === 'Rare' && typeOf(number) === 'disk'],
    ['customer=Rare&q=incident', (number: number) => customerOf(number) === 'Rare'],
    ['customer=Rare&q=no-107', (number: number) => number % 100 === 7 && String(number).startsWith('107')],
    ['search=customer:Rare+customer:Rarer+incident', (number: number) => customerOf(number).startsWith('Rare')],
    ['search=customer:Rarer+type:network+from:1h', (number: number) => number % 400 === 8 && number % 3 !== 0],
    ['search=customer:Rare+special+incident', (number: number) => customerOf(number) === 'Rare'],
  ])('asks the index for the few alerts of a name: %s', async (query, isIn) => {
    const expected = expectedIds(isIn);
    const asked = vi.spyOn(server.search, 'candidates');
    for (const [sort, wanted] of [
      ['newest', expected],
      ['oldest', expected.toReversed()],
      ['severity', expected],
    ] as const) {
      asked.mockClear();
      const found = await findAll(admin, `/api/alerts/all?limit=70&${query}&sort=${sort}`);
      expect(found.ids).toEqual(wanted);
      expect(found).toMatchObject({ total: expected.length, isExact: true });
      expect(asked.mock.calls[0]?.[0].names[0]).toMatchObject({ column: 'customer' });
    }
  });

  test('a new alert of a rare name is in its list at once, a deleted one no more', async () => {
    const { id } = await anna.postAlert(key, { customer: 'Rarer' });
    expect((await findAll(admin, '/api/alerts/all?customer=Rarer')).ids[0]).toBe(id);
    await server.search.settled();
    expect((await findAll(admin, '/api/alerts/all?customer=Rarer')).ids[0]).toBe(id);
    await anna.send('DELETE', `/api/webhooks/${id}`);
    expect((await findAll(admin, '/api/alerts/all?customer=Rarer')).ids).toHaveLength(30);
  });

  test('a new alert is found at once, a deleted one no more', async () => {
    const { id } = await anna.postAlert(key, { message: 'A zebrafish was seen' });
    expect((await findAll(anna, '/api/alerts/inbox?q=zebrafish')).ids[0]).toBe(id);
    await server.search.settled();
    expect((await findAll(anna, '/api/alerts/inbox?q=zebrafish')).ids[0]).toBe(id);
    await anna.send('DELETE', `/api/webhooks/${id}`);
    expect((await findAll(anna, '/api/alerts/inbox?q=zebrafish')).ids).toHaveLength(3);
  });
});

describe('a change of all that a search finds in a list that is longer than one look', () => {
  const filter = { list: 'inbox', q: 'incident' };
  const accept = (more: object) => anna.send('POST', '/api/alerts/bulk', { action: 'accept', filter, ...more });

  test.each([
    ['so many were counted', 500, 'More than 500 alerts match by now. Select them again.'],
    ['it takes too long to find out', MANY - 1, `More than 11,999 alerts may match.`],
  ])('is refused when more may match than its caller expects: %s', async (_why, expectedCount, problem) => {
    const response = await accept({ expectedCount });
    expect([response.status, await response.text()]).toEqual([409, problem]);
  });

  test.each([
    ['that more may match', { expectedCount: 500, expectsMore: true }],
    ['of so many as the list may hold', { expectedCount: 2 * MANY }],
  ])('begins when its caller knows %s', async (_what, expected) => {
    const { changed, next } = bulkResultSchema.parse(await (await accept(expected)).json());
    const newest = ids.slice(-FILTER_BATCH);
    expect([changed.map(({ id }) => id).toSorted(), next]).toEqual([newest, newest[0]]);
    await anna.send('POST', '/api/alerts/bulk', { action: 'unaccept', ids: newest });
  });
});

describe('in a short list', () => {
  test('finds in customer, url and payload, and counts exactly', async () => {
    const folder = await anna.send('POST', '/api/folders', { name: 'Finds', color: 'blue' });
    const { id: folderId } = folderSchema.parse(await folder.json());
    const added = [
      await anna.postAlert(key, { customer: 'Pelican Ltd' }),
      await anna.postAlert(key, { url: 'https://example.com/PELICAN' }),
      await anna.postAlert(key, { deep: [{ text: 'pelican' }] }),
      await anna.postAlert(key, { text: 'heron' }),
    ];
    for (const { id } of added) {
      await anna.send('POST', `/api/alerts/${id}/accept`);
      await anna.send('PATCH', `/api/webhooks/${id}/move`, { folderId });
    }
    const found = await findAll(anna, `/api/alerts/folder/${folderId}?limit=1&q=pelican`);
    expect(found.ids).toEqual(
      added
        .slice(0, 3)
        .map(({ id }) => id)
        .toReversed(),
    );
    expect(found).toMatchObject({ total: 3, isExact: true });
    expect((await findAll(anna, `/api/alerts/folder/${folderId}?q=%25`)).ids).toEqual([]);
    expect((await findAll(anna, `/api/alerts/folder/${folderId}?q=e`)).ids).toHaveLength(4);
    expect((await findAll(anna, `/api/alerts/folder/${folderId}?q=`)).ids).toHaveLength(4);
  });
});

test('the index can be broken and behind, and is made again', async () => {
  const { dataDir } = server.config;
  await server.stop();
  await writeFile(join(dataDir, SEARCH_FILE), 'This is no database.'.repeat(500));
  server = await server.restart();
  const member = await server.signedIn();
  expect((await findAll(member, '/api/alerts/inbox?q=zebrafish')).ids).toHaveLength(3);
  await server.search.settled();
  expect((await findAll(member, '/api/alerts/inbox?q=zebrafish')).ids).toHaveLength(3);
});

test('large alerts are looked through in steps, each bounded by bytes', async () => {
  // Of its own, which indexes them later: those that are in the index are not looked through.
  const own = await startTestServer();
  onTestFinished(() => own.destroy());
  const filler = 'x'.repeat(1_000_000);
  const large: string[] = [];
  for (let number = 0; number < 40; number += 1) {
    const text = number % 20 === 3 ? 'a walrus' : 'a seal';
    large.push(
      ...(await insertAlerts(own.database, [{ payload: JSON.stringify({ filler, text }), customer: 'Large' }])),
    );
  }
  const member = await own.signedIn();
  const found = await findAll(member, '/api/alerts/inbox?customer=Large&limit=50&q=walrus');
  expect(found.ids).toEqual([large[23], large[3]]);
  // 40 MB are more than one answer looks through, on either database.
  expect(found.calls).toBeGreaterThan(1);
  expect(found.isExact).toBe(false);
});
