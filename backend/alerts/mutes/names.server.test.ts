import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#backend/platform/database/ids.ts';
import { AlertTypeEntity, CustomerEntity } from './mute-entities.ts';
import { byName } from '#backend/contract/name.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { expireNames } from './expire-names.ts';
import { insertCustomers, knownName } from '#tests/support/insert-names.ts';
import { listenLive } from '#tests/support/live-client.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let member: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  member = await server.signedIn();
});
afterAll(() => server.destroy());

const insertNamed = (names: string[], lastSeenAt = Date.now()) =>
  server.database.transaction(async (tx) => {
    for (const name of names) {
      await tx.getRepository(CustomerEntity).insert({ id: newId(), ...knownName(name, lastSeenAt) });
      await tx.getRepository(AlertTypeEntity).insert(knownName(name, lastSeenAt));
    }
  });
const forgetNames = () =>
  server.database.transaction(async (tx) => {
    for (const table of ['customers', 'alert_types', 'customer_mutes', 'alert_type_mutes'])
      await tx.query(`DELETE FROM ${table}`);
  });
const nameOf = (row: unknown) => (typeof row === 'string' ? row : (row as { name: string }).name);

/** Every row of a list, page by page along its `Link` headers, and the total that each page answered. */
async function follow(path: string): Promise<{ rows: unknown[]; sizes: number[]; totals: Set<string | null> }> {
  const rows: unknown[] = [];
  const sizes: number[] = [];
  const totals = new Set<string | null>();
  let next: string | undefined = path;
  while (next !== undefined) {
    const response = await member.get(next);
    expect(response.status).toBe(200);
    const page = (await response.json()) as unknown[];
    rows.push(...page);
    sizes.push(page.length);
    totals.add(response.headers.get('X-Total-Count'));
    next = /<([^>]*)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  }
  return { rows, sizes, totals };
}

/** How many customers the member has muted, as the list's header says. */
const total = async () => (await member.get('/api/customer-mutes?limit=1')).headers.get('X-Total-Count');
const bulk = (muted: boolean) => member.send('POST', '/api/customer-mutes/bulk', { muted });
const expire = (days: number) =>
  expireNames({ database: server.database, logger: createLogger('silent'), days }, new AbortController().signal);
const namesOf = async (path: string) => (await follow(path)).rows.map(nameOf);

describe('a list of names', () => {
  const NAMES = ['Zeta', 'ärzte', 'Atlas', 'host 10', 'Host 9', 'host 9', '🔥 fire', 'Straße', 'ﬁsh', '\u{E000}', '𐍈'];
  const sorted = NAMES.toSorted(byName);
  beforeAll(async () => {
    await forgetNames();
    await insertNamed(NAMES);
  });

  test.each(['/api/customers', '/api/alert-types'])(
    '%s is read page by page, in the order for people',
    async (path) => {
      const { rows, sizes, totals } = await follow(`${path}?limit=3`);
      expect(rows.map(nameOf)).toEqual(sorted);
      expect(sizes).toEqual([3, 3, 3, 2]);
      expect(totals).toEqual(new Set(['11']));
      expect((await follow(path)).sizes).toEqual([11]);
    },
  );

  test.each(['/api/customers', '/api/alert-types'])('%s is searched, whatever the case', async (path) => {
    const { rows, sizes, totals } = await follow(`${path}?limit=2&q=HOST`);
    expect(rows.map(nameOf)).toEqual(['Host 9', 'host 9', 'host 10']);
    expect(sizes).toEqual([2, 1]);
    expect(totals).toEqual(new Set(['3']));
    expect((await follow(`${path}?q=${encodeURIComponent('ÄRZ')}`)).rows.map(nameOf)).toEqual(['ärzte']);
    expect((await follow(`${path}?q=${encodeURIComponent('%_')}`)).rows).toEqual([]);
  });

  test('goes on after a name that was forgotten between two pages', async () => {
    const response = await member.get('/api/customers?limit=3&before=Gone');
    expect(((await response.json()) as unknown[]).map(nameOf)).toEqual(
      sorted.filter((name) => byName(name, 'Gone') > 0).slice(0, 3),
    );
    const found = await member.get('/api/customers?q=host&before=host+9a');
    expect(((await found.json()) as unknown[]).map(nameOf)).toEqual(['host 10']);
  });

  test.each(['limit=0', 'limit=501', 'limit=x', 'before=', `q=${'x'.repeat(201)}`])(
    '%s is malformed',
    async (query) => {
      for (const path of ['/api/customers', '/api/alert-types'])
        expect((await member.get(`${path}?${query}`)).status).toBe(400);
    },
  );

  test('mutes are read page by page, by id and by name', async () => {
    await member.send('POST', '/api/customer-mutes/bulk', { muted: true });
    await member.send('POST', '/api/alert-types/mutes/bulk', { muted: true });
    const ids = await follow('/api/customer-mutes?limit=4');
    expect([ids.sizes, ids.totals]).toEqual([[4, 4, 3], new Set(['11'])]);
    expect(new Set(ids.rows.map((row) => (row as { customerId: string }).customerId)).size).toBe(11);
    for (const path of ['/api/customer-mutes/names', '/api/alert-types/mutes']) {
      const { rows, sizes } = await follow(`${path}?limit=4`);
      expect(sizes).toEqual([4, 4, 3]);
      expect(rows.map(nameOf).toSorted(byName)).toEqual(sorted);
      expect((await follow(path)).rows).toEqual(sorted);
    }
  });
});

describe('muting all of 3,000 customers', () => {
  const TOTAL = 3000;
  beforeAll(async () => {
    await forgetNames();
    await insertCustomers(server.database, TOTAL);
  });
  beforeEach(() => bulk(false));

  test('lets other transactions go between, and is one event at the end', async () => {
    const live = await listenLive(member);
    const state = { isRunning: true };
    const call = bulk(true).finally(() => (state.isRunning = false));
    let between = 0;
    while (state.isRunning) {
      await server.database.transaction((tx) => tx.query('SELECT 1'));
      await nextTurn();
      between += 1;
    }
    expect((await call).status).toBe(200);
    expect(between).toBeGreaterThan(4);
    expect(await total()).toBe(String(TOTAL));
    const changes = () => live.events.filter(({ type }) => type === 'notification_settings_changed');
    await expect.poll(changes).toHaveLength(1);
    await bulk(false);
    await expect.poll(changes).toHaveLength(2);
    expect(await total()).toBe('0');
  });

  test('and enabling all at once in another window end with all or none, as the later call has it', async () => {
    for (let round = 0; round < 3; round += 1) {
      const calls = await Promise.all([bulk(true), bulk(false), bulk(true), bulk(false)]);
      expect(calls.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(['0', String(TOTAL)]).toContain(await total());
    }
  });

  test('is completed by the same call after it broke off', async () => {
    // As a server that was killed half-way leaves it: some mutes, and the call that was to make the others.
    await bulk(true);
    await server.database.transaction((tx) =>
      tx.query('DELETE FROM customer_mutes WHERE user_id = ? AND customer_id > ?', [
        member.id,
        '01900000-0000-7000-8000-000000000000',
      ]),
    );
    await bulk(true);
    expect(await total()).toBe(String(TOTAL));
  });
});

describe('names that no alert had for a while', () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  beforeEach(forgetNames);

  test('are forgotten, but those that anybody muted, and alerts keep their text', async () => {
    const key = await server.addApiKey();
    const { id } = await member.postAlert(key, { customer: 'Old', type: 'Old' });
    await insertNamed(['Old muted', 'Older'], Date.now() - 100 * DAY_MS);
    await insertNamed(['Young'], Date.now() - 80 * DAY_MS);
    await server.database.transaction(async (tx) => {
      for (const table of ['customers', 'alert_types'])
        await tx.query(`UPDATE ${table} SET last_seen_at = 1 WHERE name = 'Old'`);
    });
    const [muted] = (await (await member.get('/api/customers?q=muted')).json()) as [{ id: string }];
    await member.send('POST', '/api/customer-mutes', { customerId: muted.id });
    await member.send('POST', '/api/alert-types/mutes', { alertType: 'Old muted' });
    expect(await expire(90)).toBe(4);
    expect(await namesOf('/api/customers')).toEqual(['Old muted', 'Young']);
    expect(await namesOf('/api/alert-types')).toEqual(['Old muted', 'Young']);
    const alert = (await member.alerts('/api/alerts/inbox')).find((one) => one.id === id);
    expect(alert).toMatchObject({ customer: 'Old', alertType: 'Old' });
    // Again and again: ingest does not write a name that it wrote a quarter of a second ago.
    const back = async () => {
      await member.postAlert(key, { customer: 'Old', type: 'Old' });
      return namesOf('/api/customers');
    };
    await expect.poll(back).toContain('Old');
  });

  test('leave no mute behind when they are muted in the same moment', async () => {
    await insertCustomers(server.database, 1200, 1);
    const [expired, muted] = await Promise.all([
      expire(1),
      member.send('POST', '/api/customer-mutes/bulk', { muted: true }),
    ]);
    expect(muted.status).toBe(200);
    const left = await follow('/api/customers');
    const mutes = await follow('/api/customer-mutes');
    expect(expired + left.rows.length).toBe(1200);
    expect(mutes.rows.map((row) => (row as { customerId: string }).customerId).toSorted()).toEqual(
      left.rows.map((row) => (row as { id: string }).id).toSorted(),
    );
    expect(mutes.totals).toEqual(new Set([String(left.rows.length)]));
  });

  test('go when the server starts, with NAME_RETENTION_DAYS', async () => {
    await insertNamed(['Old'], Date.now() - 3 * DAY_MS);
    const own = await startTestServer({ NAME_RETENTION_DAYS: '2' });
    await own.database.transaction((tx) =>
      tx.getRepository(AlertTypeEntity).insert(knownName('Old', Date.now() - 3 * DAY_MS)),
    );
    const again = await own.restart();
    await expect.poll(() => again.database.reads.getRepository(AlertTypeEntity).count()).toBe(0);
    await again.destroy();
  });
});

test('names that were stored before they had a sort key get one', async () => {
  const own = await startTestServer();
  await insertCustomers(own.database, 1200);
  await own.database.transaction(async (tx) => {
    await tx.query('UPDATE customers SET sort_key = NULL');
    await tx.query("DELETE FROM migrations WHERE name = 'SortNames1764700000000'");
  });
  const again = await own.restart();
  const names = (await (await (await again.signedIn()).get('/api/customers')).json()) as { name: string }[];
  expect(names.map(({ name }) => name)).toEqual(names.map(({ name }) => name).toSorted(byName));
  expect(names).toHaveLength(1200);
  await again.destroy();
});
