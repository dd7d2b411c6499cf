import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { auditEntrySchema } from '#backend/contract/audit-entry.ts';
import { type Downtime, heartbeatListSchema, heartbeatSchema } from '#backend/contract/heartbeat.ts';
import { makeHeartbeat } from '#tests/support/heartbeat-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { openTestDatabase } from '#tests/support/test-place.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

const MINUTE_MS = 60_000;

const heartbeatOf = async (admin: TestClient, id: string) =>
  heartbeatSchema.parse(await (await admin.get(`/api/heartbeats/${id}`)).json());

const downtimesOf = async (admin: TestClient): Promise<Downtime[]> =>
  heartbeatListSchema.parse(await (await admin.get('/api/heartbeats')).json()).downtimes;

/** Moves all that is stored back by an hour, while no server runs: as if the server had been stopped for so long. */
const passAnHour = async ({ config: { dataDir, databaseUrl } }: TestServer) => {
  const database = await openTestDatabase({ dataDir, databaseUrl });
  await database.transaction(async (tx) => {
    const moved = ['due_at', 'late_at', 'judge_at', 'last_beat_at'].map((column) => `${column} = ${column} - 3600000`);
    await tx.query(`UPDATE heartbeats SET ${moved.join(', ')}`);
    await tx.query('UPDATE heartbeat_watch SET seen_at = seen_at - 3600000');
  });
  await database.close();
};

test('what was due while no server ran makes no alert, and the page says so until somebody closes the line', async () => {
  const before = await startTestServer();
  onTestFinished(() => before.destroy());
  const admin = await before.signedIn({ role: 'admin' });
  const world = { server: before, admin };
  const every = (everySeconds: number, graceSeconds = 600) =>
    makeHeartbeat(world, { schedule: { kind: 'interval', everySeconds }, graceSeconds });
  // Of these, three are due within the hour, of which one has failed, one is not, and one is paused.
  const halfHourly = await every(30 * 60);
  const tenMinutes = await every(600);
  const daily = await every(24 * 3600);
  const failed = await every(600);
  const paused = await every(600);
  for (const { path } of [halfHourly, tenMinutes, daily, paused]) await before.anonymous().get(path);
  await before.anonymous().get(`${failed.path}/fail`);
  await admin.send('PATCH', `/api/heartbeats/${paused.id}`, { isPaused: true });
  await expect
    .poll(async () => (await before.database.reads.query('SELECT seen_at FROM heartbeat_watch')) as unknown[])
    .toHaveLength(1);
  await before.stop();
  await passAnHour(before);
  const server = await before.restart();
  onTestFinished(() => server.stop());
  const again = admin.at(server.url);
  await expect.poll(async () => (await downtimesOf(again)).length).toBe(1);
  const [downtime] = await downtimesOf(again);
  expect(downtime).toMatchObject({ heartbeats: 3, missing: 0, waiting: 3 });
  const after = await heartbeatOf(again, halfHourly.id);
  expect(after).toMatchObject({ state: 'ok', alert: null });
  expect(after.beats.map(({ kind }) => kind)).toEqual(['ok', 'unjudged']);
  // A grace after the start at the earliest.
  expect(Date.parse(after.judgedAt ?? '')).toBeGreaterThan(Date.now() + 9 * MINUTE_MS);
  expect((await heartbeatOf(again, daily.id)).beats).toHaveLength(1);
  expect((await heartbeatOf(again, failed.id)).state).toBe('failed');

  await server.anonymous().get(tenMinutes.path);
  await expect.poll(async () => (await downtimesOf(again))[0]?.waiting).toBe(2);
  expect((await again.send('DELETE', `/api/heartbeat-downtimes/${downtime?.id ?? ''}`)).status).toBe(204);
  expect(await downtimesOf(again)).toEqual([]);
  const entries = z.array(auditEntrySchema).parse(await (await again.get('/api/audit?q=heartbeats: 3')).json());
  const { from, to } = downtime ?? {};
  expect(entries).toMatchObject([
    { action: 'heartbeat_downtime_closed', subject: `${from} – ${to}`, detail: 'heartbeats: 3' },
  ]);
  expect((await again.send('DELETE', `/api/heartbeat-downtimes/${downtime?.id ?? ''}`)).status).toBe(404);
});

/** The columns of a heartbeat that are times of the clock. */
const TIMES = ['due_at', 'late_at', 'judge_at', 'last_beat_at', 'changed_at'];

test('a clock that is set back by an hour has what stops calling missing after its grace, and no other', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.destroy());
  const admin = await server.signedIn({ role: 'admin' });
  const everyMinute = () =>
    makeHeartbeat({ admin }, { schedule: { kind: 'interval', everySeconds: 60 }, graceSeconds: 60 });
  const [dead, alive, called] = [await everyMinute(), await everyMinute(), await everyMinute()];
  for (const { path } of [dead, alive, called]) await server.anonymous().get(path);
  await expect
    .poll(async () => (await server.database.reads.query('SELECT seen_at FROM heartbeat_watch')) as unknown[])
    .toHaveLength(1);
  // As if the clock had been ahead by an hour until now: one called 119 seconds ago, one just then, and one right after.
  await server.database.transaction(async (tx) => {
    const move = (id: string, byMs: number) =>
      tx.query(`UPDATE heartbeats SET ${TIMES.map((column) => `${column} = ${column} + ?`).join(', ')} WHERE id = ?`, [
        ...TIMES.map(() => byMs),
        id,
      ]);
    await move(dead.id, 60 * MINUTE_MS - 119_000);
    await move(alive.id, 60 * MINUTE_MS);
    await tx.query('UPDATE heartbeat_watch SET seen_at = seen_at + 3600000');
  });
  await server.anonymous().get(called.path);
  await expect.poll(async () => (await heartbeatOf(admin, dead.id)).state).toBe('missing');
  for (const { id } of [alive, called]) {
    const { state, judgedAt } = await heartbeatOf(admin, id);
    expect(state).toBe('ok');
    const inMs = Date.parse(judgedAt ?? '') - Date.now();
    expect([inMs > 60_000, inMs < 125_000]).toEqual([true, true]);
  }
  expect(await downtimesOf(admin)).toEqual([]);
});
