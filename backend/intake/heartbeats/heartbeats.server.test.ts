import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { alertSchema } from '#backend/contract/alert.ts';
import { auditEntrySchema } from '#backend/contract/audit-entry.ts';
import {
  type Heartbeat,
  heartbeatListSchema,
  heartbeatSchema,
  heartbeatWithAddressSchema,
} from '#backend/contract/heartbeat.ts';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { planWindow } from '#tests/support/window-calls.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin', displayName: 'Ada Admin' });
});
afterAll(() => server.destroy());

const HOUR = { kind: 'interval', everySeconds: 3600 } as const;

async function make(values: object = {}) {
  const body = { name: crypto.randomUUID(), schedule: HOUR, graceSeconds: 60, customer: 'Nordwind', ...values };
  const answer = await admin.send('POST', '/api/heartbeats', body);
  expect(answer.status).toBe(201);
  const { heartbeat, path } = heartbeatWithAddressSchema.parse(await answer.json());
  return { id: heartbeat.id, name: heartbeat.name, path };
}

const read = async (id: string): Promise<Heartbeat> =>
  heartbeatSchema.parse(await (await admin.get(`/api/heartbeats/${id}`)).json());

const call = (path: string, init: RequestInit = {}) => fetch(server.url + path, init);

/** Lets the grace of a heartbeat be over, as if time had passed. */
const overdue = (id: string) =>
  server.database.transaction((tx) =>
    tx.query(
      'UPDATE heartbeats SET due_at = due_at - 3700000, late_at = late_at - 3700000, judge_at = judge_at - 3700000 WHERE id = ?',
      [id],
    ),
  );

const alertOf = async (id: string) => {
  const { alert } = await read(id);
  expect(alert).not.toBeNull();
  return alertSchema.parse(await (await admin.get(`/api/alerts/${alert?.id ?? ''}`)).json());
};

const stateOf = async (id: string) => (await read(id)).state;

test('a call is answered OK and makes it OK; starts, durations, exit codes and lines are kept', async () => {
  const { id, path } = await make();
  expect(await stateOf(id)).toBe('new');
  const first = await call(path);
  expect([first.status, await first.text(), first.headers.get('ping-body-limit')]).toEqual([200, 'OK', '4000']);
  expect((await call(path, { method: 'HEAD' })).status).toBe(200);
  expect(await stateOf(id)).toBe('ok');
  await call(`${path}/start`);
  expect(await stateOf(id)).toBe('running');
  await call(`${path}/log`, { method: 'POST', body: 'reading\n' });
  await call(`${path}/0`, { method: 'POST', body: `${'x'.repeat(5000)}\nall rows written\n` });
  const { beats, state, usualMs } = await read(id);
  expect(state).toBe('ok');
  expect(beats.map(({ kind, exitCode, line }) => [kind, exitCode, line])).toEqual([
    ['ok', undefined, undefined],
    ['ok', undefined, undefined],
    ['ok', 0, 'all rows written'],
  ]);
  expect(beats[2]?.durationMs).toBe(usualMs);
  const { log } = (await (await admin.get(`/api/heartbeats/${id}/beats/3`)).json()) as { log: string };
  expect(log).toHaveLength(4000);
  expect(log).toMatch(/^x+\nall rows written\n$/);
});

test('a run is ended by its own id; another one, and ids that are none, end nothing', async () => {
  const { id, path } = await make();
  const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
  await call(`${path}/start?rid=${one}`);
  await call(`${path}?rid=${other}`);
  expect(await stateOf(id)).toBe('running');
  await call(`${path}?rid=${one.toUpperCase()}`);
  const { state, beats } = await read(id);
  expect(state).toBe('ok');
  expect(beats.map(({ durationMs }) => durationMs === undefined)).toEqual([true, false]);
  const wrong = await call(`${path}?rid=nightly`);
  expect([wrong.status, await wrong.text()]).toEqual([400, 'invalid uuid format']);
});

test.each([
  ['GET', '/256', 400, 'invalid url format'],
  ['GET', '/stop', 404, 'not found'],
  ['PUT', '', 405, 'method not allowed'],
  ['DELETE', '/fail', 405, 'method not allowed'],
])('%s of …%s is answered %i', async (method, action, status, text) => {
  const { path, id } = await make();
  const answer = await call(path + action, { method });
  expect([answer.status, await answer.text()]).toEqual([status, text]);
  expect(await stateOf(id)).toBe('new');
});

test('what is missing makes one alert, which the next call ends; the next miss makes another', async () => {
  const { id, name, path } = await make({ severity: 'critical' });
  await call(path, { method: 'POST', body: 'done' });
  await overdue(id);
  await expect.poll(() => stateOf(id)).toBe('missing');
  const missing = await alertOf(id);
  expect(missing).toMatchObject({
    title: `${name} is missing`,
    severity: 'critical',
    customer: 'Nordwind',
    alertType: 'heartbeat',
    sourceName: 'Heartbeats',
    status: 'pending',
    state: 'firing',
    occurrences: 1,
  });
  await call(path);
  const { state, alert, beats } = await read(id);
  expect([state, alert, beats.map(({ kind }) => kind)]).toEqual(['ok', null, ['ok', 'missing', 'ok']]);
  const ended = alertSchema.parse(await (await admin.get(`/api/alerts/${missing.id}`)).json());
  expect(ended).toMatchObject({ status: 'completed', state: 'resolved', title: `${name} is missing` });
  await overdue(id);
  await expect.poll(() => stateOf(id)).toBe('missing');
  expect((await alertOf(id)).id).not.toBe(missing.id);
});

test('a failure makes an alert at once and repeats it; a success ends it', async () => {
  const { id, name, path } = await make();
  await call(`${path}/3`, { method: 'POST', body: 'connecting\nno route to db-7' });
  expect(await alertOf(id)).toMatchObject({
    title: `${name} failed with exit code 3`,
    severity: 'high',
    occurrences: 1,
  });
  await call(`${path}/fail`);
  expect(await alertOf(id)).toMatchObject({ title: `${name} failed`, occurrences: 2 });
  expect(await stateOf(id)).toBe('failed');
  await call(path);
  expect(await read(id)).toMatchObject({ state: 'ok', alert: null });
});

test('a run that does not end within the grace is missing', async () => {
  const { id, name, path } = await make();
  await call(`${path}/start`);
  await server.database.transaction((tx) =>
    tx.query('UPDATE heartbeats SET started_at = started_at - 61000, judge_at = judge_at - 61000 WHERE id = ?', [id]),
  );
  await expect.poll(() => stateOf(id)).toBe('missing');
  expect(await alertOf(id)).toMatchObject({ title: `${name} did not finish in time` });
  expect((await read(id)).beats.map(({ kind }) => kind)).toEqual(['overrun']);
});

test('of the beats the last hundred are kept', async () => {
  const { id, path } = await make();
  for (let beat = 0; beat < 105; beat += 1) await call(path);
  const { beats } = await read(id);
  expect(beats).toHaveLength(100);
  expect(beats.map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_, at) => at + 6));
  expect((await admin.get(`/api/heartbeats/${id}/beats/5`)).status).toBe(404);
});

test('calls at once are all counted, and make one alert', async () => {
  const { id, path } = await make();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, at) => call(at % 2 === 0 ? `${path}/fail` : `${path}/1`)),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect((await read(id)).beats).toHaveLength(12);
  expect(await alertOf(id)).toMatchObject({ occurrences: 12 });
});

test('too many calls in a minute are refused, and a failure is not', async () => {
  const { path } = await make();
  const answers = await Promise.all(Array.from({ length: 130 }, () => call(path)));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(10);
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await call(`${path}/fail`)).status).toBe(200);
});

test('a new address ends the old one', async () => {
  const { id, path } = await make();
  const answer = await admin.send('POST', `/api/heartbeats/${id}/address`);
  const renewed = heartbeatWithAddressSchema.parse(await answer.json());
  expect(renewed.heartbeat.addressHint).toBe(renewed.path.slice(-4));
  const old = await call(path);
  expect([old.status, await old.text()]).toEqual([404, 'not found']);
  expect((await call(renewed.path.toUpperCase().replace('/PING', '/ping'))).status).toBe(200);
});

test('what is paused is not judged, and its alert ends; resumed, it is expected again', async () => {
  const { id, path } = await make();
  await call(`${path}/fail`);
  await admin.send('PATCH', `/api/heartbeats/${id}`, { isPaused: true });
  expect(await read(id)).toMatchObject({ state: 'paused', alert: null, dueAt: null, pausedBy: 'Ada Admin' });
  await call(`${path}/fail`);
  expect(await read(id)).toMatchObject({ state: 'paused', alert: null });
  await admin.send('PATCH', `/api/heartbeats/${id}`, { isPaused: false });
  const { state, dueAt, pausedBy } = await read(id);
  expect([state, pausedBy]).toEqual(['ok', null]);
  expect(Date.parse(dueAt ?? '')).toBeGreaterThan(Date.now() + 3_500_000);
});

test('a change that pauses it as well is two entries of the audit trail, one of which says what was changed', async () => {
  const { id, name } = await make();
  const made = await admin.send('POST', '/api/sources', { name: crypto.randomUUID(), adapter: 'opsgenie' });
  const { source } = sourceWithSecretsSchema.parse(await made.json());
  await admin.send('PATCH', `/api/heartbeats/${id}`, { isPaused: true, customer: null, sourceId: source.id });
  const entries = z.array(auditEntrySchema).parse(await (await admin.get(`/api/audit?q=${name}`)).json());
  expect(entries.map(({ action, detail }) => [action, detail])).toEqual([
    ['heartbeat_paused', undefined],
    ['heartbeat_changed', `customer: "Nordwind" → null; sourceId: null → "${source.id}"`],
    ['heartbeat_created', 'every 1 h, grace 1 min'],
  ]);
});

test('a cron expression is checked, and a change of it counts at once', async () => {
  const { id, path } = await make();
  await call(path);
  const daily = { kind: 'cron', expression: '0 21 * * *', timeZone: 'Europe/Berlin' };
  const changed = await admin.send('PATCH', `/api/heartbeats/${id}?ifVersion=1`, { schedule: daily });
  expect(changed.status).toBe(200);
  const { dueAt, version } = await read(id);
  expect(new Date(dueAt ?? 0).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' })).toBe('21:00:00');
  expect((await admin.send('PATCH', `/api/heartbeats/${id}?ifVersion=1`, { graceSeconds: 30 })).status).toBe(409);
  expect(version).toBe(2);
  const refused = await admin.send('PATCH', `/api/heartbeats/${id}`, {
    schedule: { ...daily, expression: '0 25 * * *' },
  });
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('hour')]);
});

test('the list is in the order of states and names, and can be searched', async () => {
  const group = crypto.randomUUID();
  const named = async (name: string, action?: string) => {
    const one = await make({ name: `${group} ${name}` });
    if (action !== undefined) await call(one.path + action);
    return one;
  };
  await named('b', '');
  await named('c');
  const late = await named('d', '');
  await server.database.transaction((tx) => tx.query('UPDATE heartbeats SET late_at = 1 WHERE id = ?', [late.id]));
  await named('e', '/start');
  await named('a', '');
  await named('f', '/fail');
  const answer = await admin.get(`/api/heartbeats?q=${group.toUpperCase()}`);
  const { heartbeats, total, counts } = heartbeatListSchema.parse(await answer.json());
  expect(heartbeats.map(({ name, state }) => `${name.slice(-1)} ${state}`)).toEqual([
    'd late',
    'f failed',
    'e running',
    'a ok',
    'b ok',
    'c new',
  ]);
  expect(total).toBe(6);
  expect(counts.late).toBeGreaterThan(0);
  const page = heartbeatListSchema.parse(
    await (await admin.get(`/api/heartbeats?q=${group}&state=ok&limit=1&offset=1`)).json(),
  );
  expect([page.total, page.heartbeats.map(({ name }) => name.slice(-1))]).toEqual([2, ['b']]);
});

test('deleted, it ends its alert and its address', async () => {
  const { id, path } = await make();
  await call(`${path}/fail`);
  const { id: alertId } = await alertOf(id);
  expect((await admin.send('DELETE', `/api/heartbeats/${id}`)).status).toBe(204);
  expect((await call(path)).status).toBe(404);
  expect(alertSchema.parse(await (await admin.get(`/api/alerts/${alertId}`)).json()).status).toBe('completed');
});

test('the alert of a heartbeat is kept quiet by a maintenance window as every other is', async () => {
  const customer = `Customer ${crypto.randomUUID()}`;
  const { id, path } = await make({ customer });
  const { current, name } = await planWindow({ admin }, 0, { search: `customer:"${customer}"` });
  await call(`${path}/fail`);
  expect((await alertOf(id)).quietBy).toEqual({ id: current?.id, name });
});
