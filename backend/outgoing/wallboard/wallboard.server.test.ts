import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createdServiceTokenSchema } from '#backend/contract/api-token.ts';
import { type Wallboard, WALLBOARD_ROWS, wallboardSchema } from '#backend/contract/wallboard.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { planWindow } from '#tests/support/window-calls.ts';
import { type WallboardDeps, createWallboardFigures } from './wallboard-figures.ts';

let server: TestServer;
let admin: TestClient;
let member: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  member = await server.signedIn();
  await insertAlerts(server.database, [{ title: 'Waits all the time' }]);
});
afterAll(() => server.destroy());

const MINUTE_MS = 60_000;

const createToken = (role: string) =>
  admin.send('POST', '/api/service-tokens', { name: 'Operations', scope: 'wallboard', role, expiresInDays: null });
/** Reads figures that nobody has asked for yet. */
const createFigures = (
  insight: WallboardDeps['insight'],
  onNow: WallboardDeps['onNow'] = () => Promise.resolve(null),
  { database } = server,
) =>
  createWallboardFigures({
    database,
    insight,
    sources: { all: () => [] },
    sourceStats: { read: () => Promise.resolve(new Map()) },
    onNow,
  });
const readWith = (token: string, path = '/api/wallboard') =>
  server.anonymous().send('GET', path, undefined, { Authorization: `Bearer ${token}` });

async function readBoard(reader = admin): Promise<Wallboard> {
  const response = await reader.get('/api/wallboard');
  expect(response.status).toBe(200);
  return wallboardSchema.parse(await response.json());
}

test('a link reads the wallboard and nothing else, until it is revoked', async () => {
  expect((await createToken('user')).status).toBe(422);
  const response = await createToken('super_user');
  expect(response.status).toBe(201);
  const { id, plainToken } = createdServiceTokenSchema.parse(await response.json());
  const board = await readWith(plainToken);
  expect(wallboardSchema.parse(await board.json()).name).toBe('Operations');
  const others = await Promise.all(
    ['/api/alerts/inbox', '/api/alerts/all', '/api/insight', '/api/auth/session', '/api/service-tokens'].map((path) =>
      readWith(plainToken, path),
    ),
  );
  expect(others.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  expect((await admin.send('DELETE', `/api/service-tokens/${id}`)).status).toBe(204);
  expect((await readWith(plainToken)).status).toBe(401);
  expect((await member.get('/api/wallboard')).status).toBe(403);
});

test('shows what waits, most severe first and then oldest, what arrived, and what is quiet', async () => {
  const own = await startTestServer();
  onTestFinished(() => own.destroy());
  const [ada, ben] = [await own.signedIn({ role: 'admin' }), await own.signedIn()];
  const now = Date.now();
  const ids = await insertAlerts(own.database, [
    { severity: 'high', title: 'Replica lags', customer: 'Northwind', receivedAt: now - 28 * MINUTE_MS },
    { severity: 'critical', title: 'Disk full', customer: 'Harbor & Finch', receivedAt: now - 42 * MINUTE_MS },
    { severity: 'critical', title: 'Checkout fails', customer: 'Northwind', receivedAt: now - 22 * MINUTE_MS },
    { title: 'Hello', receivedAt: now - 50 * MINUTE_MS },
    { severity: 'warning', title: 'Slow', customer: 'Oakline' },
  ]);
  await ben.send('POST', `/api/alerts/${ids[4]}/accept`);
  await ben.send('PATCH', `/api/webhooks/${ids[4]}/status`, { status: 'in-progress' });
  await planWindow({ admin: ada }, 0, { name: 'Upgrade', search: 'customer:Nobody' });
  await own.insight.caughtUp();
  await expect.poll(async () => (await readBoard(ada)).windows).toMatchObject([{ name: 'Upgrade' }]);
  const board = await readBoard(ada);
  expect(board.waiting).toMatchObject([
    { severity: 'critical', alerts: 2, oldestAt: new Date(now - 42 * MINUTE_MS).toISOString() },
    { severity: 'high', alerts: 1 },
    { severity: 'warning', alerts: 0, oldestAt: null },
  ]);
  expect(board.rows.map(({ title }) => title)).toEqual(['Disk full', 'Checkout fails', 'Replica lags', 'Hello']);
  expect(board.rows.filter((row) => 'isFlapping' in row)).toEqual([]);
  expect(board.inProgress).toEqual({ alerts: 1, people: 1 });
  expect(board.customers).toEqual({ names: ['Northwind', 'Harbor & Finch'], more: 0 });
  const read = createFigures(own.insight, undefined, own);
  await expect.poll(async () => (await read(Date.now())).arrivals).not.toBeNull();
  const { hours = [] } = (await read(Date.now())).arrivals ?? {};
  expect(hours).toHaveLength(24);
  expect(hours.reduce((sum, { alerts }) => sum + alerts, 0)).toBe(5);
  expect(hours.reduce((sum, { critical }) => sum + critical, 0)).toBe(2);
  expect(board.onNow).toBeNull();
});

test('says which of its rows flap, until they are calm', async () => {
  const since = { flappingSince: Date.now(), receivedAt: Date.now() - 60 * MINUTE_MS, severity: 'critical' as const };
  const [id = ''] = await insertAlerts(server.database, [{ ...since, title: 'Link of db-7' }]);
  const read = createFigures(server.insight);
  const flapping = async () => (await read(Date.now())).rows.filter((row) => row.isFlapping).map(({ title }) => title);
  expect(await flapping()).toEqual(['Link of db-7']);
  await member.send('POST', `/api/alerts/${id}/accept`);
  await member.send('PATCH', `/api/webhooks/${id}/status`, { status: 'completed' });
  expect(await flapping()).toEqual([]);
});

test('leaves out what a window keeps quiet, and shows what waits behind it', async () => {
  const own = await startTestServer();
  const ada = await own.signedIn({ role: 'admin' });
  const key = await own.addApiKey();
  await planWindow({ admin: ada }, 0, { name: 'Upgrade', search: 'customer:Quiet' });
  const quiet = { customer: 'Quiet', severity: 'critical' };
  for (let made = 0; made < WALLBOARD_ROWS + 1; made += 1)
    await ada.postAlert(key, { ...quiet, title: `Down ${made}` });
  const figures = async () => {
    const { waiting, rows, customers } = wallboardSchema.parse(await (await ada.get('/api/wallboard')).json());
    return {
      waiting: waiting.map(({ severity, alerts, oldestAt }) => [severity, alerts, oldestAt]),
      rows: rows.map(({ title }) => title),
      customers,
    };
  };
  expect(await figures()).toEqual({
    waiting: [
      ['critical', 0, null],
      ['high', 0, null],
      ['warning', 0, null],
    ],
    rows: [],
    customers: { names: [], more: 0 },
  });
  await ada.postAlert(key, { customer: 'Loud', severity: 'high', title: 'Slow' });
  const { receivedAt } = await ada.postAlert(key, { customer: 'Loud', severity: 'critical', title: 'Gone' });
  await expect.poll(async () => (await figures()).rows).toEqual(['Gone', 'Slow']);
  const { waiting, customers } = await figures();
  expect(waiting[0]).toEqual(['critical', 1, receivedAt]);
  expect(customers).toEqual({ names: ['Loud'], more: 0 });
  await own.destroy();
});

test('the rest is shown also while arrivals cannot be counted', async () => {
  const read = createFigures({ ask: () => Promise.reject(new Error('Insight cannot be read just now.')) });
  const board = await read(Date.now());
  expect(board.arrivals).toBeNull();
  expect(board.rows.length).toBeGreaterThan(0);
});

test('a calendar that is too slow keeps nothing else from the wall, and is asked once', async () => {
  let asked = 0;
  const read = createFigures(server.insight, () => {
    asked += 1;
    return new Promise(() => undefined);
  });
  const startedAt = performance.now();
  const boards = await Promise.all(Array.from({ length: 5 }, () => read(Date.now())));
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  expect(boards.map(({ onNow, rows }) => [onNow, rows.length > 0])).toEqual(boards.map(() => [null, true]));
  expect(asked).toBe(1);
});

test('who is on is kept for half a minute, and no longer than their shift', async () => {
  const ends = [60 * MINUTE_MS, 1_000];
  let asked = 0;
  const read = createFigures(server.insight, () => {
    asked += 1;
    const until = new Date(Date.now() + (ends[asked - 1] ?? 0)).toISOString();
    return Promise.resolve({ calendar: 'Night', names: ['Nora'], until });
  });
  const now = Date.now();
  expect((await read(now)).onNow?.names).toEqual(['Nora']);
  await read(now + 20_000);
  expect(asked).toBe(1);
  await read(now + 40_000);
  await read(now + 45_000);
  expect(asked).toBe(3);
});

test('nobody is named after their shift while it takes long to read who follows', async () => {
  const now = Date.now();
  const until = new Date(now + 60 * MINUTE_MS).toISOString();
  const answers = [Promise.resolve({ calendar: 'Night', names: ['Nora'], until })];
  const read = createFigures(server.insight, () => answers.shift() ?? new Promise(() => undefined));
  expect((await read(now)).onNow?.names).toEqual(['Nora']);
  expect((await read(now + 59 * MINUTE_MS)).onNow?.names).toEqual(['Nora']);
  expect((await read(now + 61 * MINUTE_MS)).onNow).toBeNull();
});

test('reads no more for alerts that a window keeps quiet, however many they are, and goes through them beside the event loop', async () => {
  const quietById = newId();
  await insertAlerts(
    server.database,
    Array.from({ length: 450 }, () => ({ severity: 'high' as const, state: 'firing' as const, quietById })),
    (tx, some) =>
      tx.query(
        insertSql('quiet_alerts', ['occurrence_id', 'alert_id'], some.length),
        some.flatMap(({ id }) => [quietById, id]),
      ),
  );
  const [id] = await insertAlerts(server.database, [{ severity: 'high', state: 'firing', title: 'Behind them' }]);
  const { reads, longReads } = server.database;
  const [query, long] = [vi.spyOn(reads, 'query'), vi.spyOn(longReads, 'query')];
  const { rows } = await createFigures(server.insight)(Date.now());
  const [short, beside] = [[...query.mock.calls], [...long.mock.calls]];
  for (const spy of [query, long]) spy.mockRestore();
  expect(rows.find((row) => row.id === id)).toMatchObject({ title: 'Behind them', severity: 'high' });
  const pages = [...short, ...beside].filter(([sql]) => sql.includes('alerts_by_severity'));
  expect(pages.length).toBeLessThanOrEqual(6);
  expect(pages.length).toBeGreaterThan(0);
  const passesQuiet = ([sql, values = []]: (typeof pages)[number]): boolean =>
    sql.includes('quiet_alerts q JOIN') || (sql.includes('alerts_by_severity') && values.includes('high'));
  expect(short.filter(passesQuiet)).toEqual([]);
  expect(beside.filter(passesQuiet)).toHaveLength(3);
});

test('shows what a window has released since its quiet alerts were counted', async () => {
  const receivedAt = Date.now() - MINUTE_MS;
  await insertAlerts(server.database, [{ severity: 'warning', state: 'firing', title: 'Released', receivedAt }]);
  // The first of the long reads counts what is quiet.
  const query = vi
    .spyOn(server.database.longReads, 'query')
    .mockResolvedValueOnce([{ severity: 'warning', alerts: 1 }]);
  const { waiting } = await createFigures(server.insight)(Date.now());
  query.mockRestore();
  const oldestAt = new Date(receivedAt).toISOString();
  expect(waiting.find(({ severity }) => severity === 'warning')).toMatchObject({ alerts: 1, oldestAt });
});
