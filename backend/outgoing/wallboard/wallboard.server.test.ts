import { afterAll, beforeAll, expect, test } from 'vitest';
import { createdServiceTokenSchema } from '#backend/contract/api-token.ts';
import { type Wallboard, wallboardSchema } from '#backend/contract/wallboard.ts';
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
});
afterAll(() => server.destroy());

const MINUTE_MS = 60_000;

const createToken = (role: string) =>
  admin.send('POST', '/api/service-tokens', { name: 'Operations', scope: 'wallboard', role, expiresInDays: null });
/** Reads figures that nobody has asked for yet. */
const createFigures = (insight: WallboardDeps['insight']) =>
  createWallboardFigures({
    database: server.database,
    search: server.search,
    insight,
    sources: { all: () => [] },
    sourceStats: { read: () => Promise.resolve(new Map()) },
    onNow: () => Promise.resolve(null),
  });
const readWith = (token: string, path = '/api/wallboard') =>
  server.anonymous().send('GET', path, undefined, { Authorization: `Bearer ${token}` });

async function readBoard(): Promise<Wallboard> {
  const response = await admin.get('/api/wallboard');
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
  const now = Date.now();
  const ids = await insertAlerts(server.database, [
    { severity: 'high', title: 'Replica lags', customer: 'Northwind', receivedAt: now - 28 * MINUTE_MS },
    { severity: 'critical', title: 'Disk full', customer: 'Harbor & Finch', receivedAt: now - 42 * MINUTE_MS },
    { severity: 'critical', title: 'Checkout fails', customer: 'Northwind', receivedAt: now - 22 * MINUTE_MS },
    { title: 'Hello', receivedAt: now - 50 * MINUTE_MS },
    { severity: 'warning', title: 'Slow', customer: 'Oakline' },
  ]);
  await member.send('POST', `/api/alerts/${ids[4]}/accept`);
  await member.send('PATCH', `/api/webhooks/${ids[4]}/status`, { status: 'in-progress' });
  await planWindow({ admin }, 0, { name: 'Upgrade', search: 'customer:Nobody' });
  await server.insight.caughtUp();
  await expect.poll(async () => (await readBoard()).windows, { timeout: 15_000 }).toMatchObject([{ name: 'Upgrade' }]);
  const board = await readBoard();
  expect(board.waiting).toMatchObject([
    { severity: 'critical', alerts: 2, oldestAt: new Date(now - 42 * MINUTE_MS).toISOString() },
    { severity: 'high', alerts: 1 },
    { severity: 'warning', alerts: 0, oldestAt: null },
  ]);
  expect(board.rows.map(({ title }) => title)).toEqual(['Disk full', 'Checkout fails', 'Replica lags', 'Hello']);
  expect(board.rows.filter((row) => 'isFlapping' in row)).toEqual([]);
  expect(board.inProgress).toEqual({ alerts: 1, people: 1 });
  expect(board.customers).toEqual({ names: ['Northwind', 'Harbor & Finch'], more: 0 });
  const read = createFigures(server.insight);
  await expect.poll(async () => (await read(Date.now())).arrivals, { timeout: 15_000 }).not.toBeNull();
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

test('the rest is shown also while arrivals cannot be counted', async () => {
  const read = createFigures({ ask: () => Promise.reject(new Error('Insight cannot be read just now.')) });
  const board = await read(Date.now());
  expect([board.arrivals, board.rows.length]).toEqual([null, 4]);
});
