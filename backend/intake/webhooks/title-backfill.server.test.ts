import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { catchChanges } from '#tests/support/catch-changes.ts';
import { type TestPlace, makeMigratedPlace, openTestDatabase } from '#tests/support/test-place.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { titleStoredAlerts } from './title-backfill.ts';

const ALERTS = 250;
const NEVER = new AbortController().signal;

/** A database without a server, which would title its alerts itself. */
let home: TestPlace;
let stored: Database;
let ids: string[];
beforeAll(async () => {
  home = await makeMigratedPlace();
  stored = await openTestDatabase(home);
});
afterAll(async () => {
  await stored.close();
  await home.remove();
});

/** Alerts as older versions stored them: every tenth says nothing, and every tenth has a title already. Their ids. */
async function storeOld(database: Database): Promise<string[]> {
  await database.transaction(async (tx) => {
    await tx.query('DELETE FROM backfills', []);
    await tx.query('DELETE FROM alerts', []);
  });
  return insertAlerts(
    database,
    Array.from({ length: ALERTS }, (_, number) => ({
      payload: number % 10 === 0 ? '{"amount":17}' : `{"check":{"name":"Shop ${number}"},"state":"down"}`,
      title: number % 10 === 1 ? 'A title of its own' : null,
    })),
  );
}
beforeEach(async () => {
  ids = await storeOld(stored);
});

const titles = async () => {
  const rows = await stored.reads.getRepository(AlertEntity).find({ order: { id: 'ASC' } });
  return rows.map(({ title, version }) => [title, version]);
};
const EXPECTED = Array.from({ length: ALERTS }, (_, number) => {
  if (number % 10 === 0) return [null, 1];
  return number % 10 === 1 ? ['A title of its own', 1] : [`Shop ${number} is down`, 2];
});

test('stored alerts get the titles that new ones get, once', async () => {
  const { database, changes } = catchChanges(stored);
  expect(await titleStoredAlerts(database, NEVER)).toBe(200);
  expect(await titles()).toEqual(EXPECTED);
  // Pages read their lists again once, not for each step.
  expect(changes.map(({ type }) => type)).toEqual([
    'alerts_retitled',
    'alerts_retitled',
    'alerts_retitled',
    'lists_changed',
  ]);
  expect(await titleStoredAlerts(database, NEVER)).toBe(0);
});

test('what is stopped between two steps, or fails in one, goes on there', async () => {
  const stopping = new AbortController();
  let steps = 0;
  const stopped: Database = {
    ...stored,
    transaction: async (work, options) => {
      steps += 1;
      if (steps === 2) throw new Error('The server was killed here.');
      return stored.transaction(work, options);
    },
  };
  await expect(titleStoredAlerts(stopped, stopping.signal)).rejects.toThrow('killed');
  expect((await titles()).filter(([title]) => title !== null)).toHaveLength(80 + 25);
  // The next server reads what is left, and nothing twice.
  expect(await titleStoredAlerts(stored, NEVER)).toBe(120);
  expect(await titles()).toEqual(EXPECTED);
});

test('of two servers at once, and beside a report that names it, each alert is titled once', async () => {
  const named = ids[5] ?? '';
  await Promise.all([
    titleStoredAlerts(stored, NEVER),
    titleStoredAlerts(stored, NEVER),
    stored.transaction((tx) =>
      tx.query('UPDATE alerts SET title = ?, version = 2 WHERE id = ? AND title IS NULL', ['By its sender', named]),
    ),
  ]);
  const found = await titles();
  expect(['By its sender', EXPECTED[5]?.[0]]).toContain(found[5]?.[0]);
  expect(found.toSpliced(5, 1)).toEqual(EXPECTED.toSpliced(5, 1));
});

test('a title is found by a search, as those of other alerts are', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.destroy());
  const { database } = server;
  const admin = await server.signedIn({ role: 'admin' });
  const search = async (text: string): Promise<string[]> => {
    const found = await (await admin.get(`/api/alerts/all?q=${encodeURIComponent(text)}`)).json();
    return (found as { title: string }[]).map(({ title }) => title);
  };
  // The server has gone through what it had when it started: nothing.
  await expect.poll(() => database.reads.query('SELECT before_id FROM backfills')).toMatchObject([{ before_id: '' }]);
  await storeOld(database);
  await titleStoredAlerts(database, NEVER);
  await expect.poll(() => search('Shop 17 is down')).toEqual(['Shop 17 is down']);
});
