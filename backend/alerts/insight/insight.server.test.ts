import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeAlerts } from '#backend/alerts/alert/alert-store.ts';
import type { StoredAlert } from '#backend/alerts/alert/alert.ts';
import { sweep } from '#backend/transfer/retention/retention.ts';
import { alertListSchema } from '#backend/contract/alert.ts';
import { type Insight, insightSchema } from '#backend/contract/insight.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { runWindows } from '#backend/alerts/maintenance/run-windows.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { deleteRules, makeRule } from '#tests/support/rule-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { planWindow } from '#tests/support/window-calls.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
let member: TestClient;
let colleague: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  member = await server.signedIn({ displayName: 'Ann Ashby' });
  colleague = await server.signedIn({ displayName: 'Ben Birch' });
});
afterAll(() => server.destroy());

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const today = () => dayOf(Date.now());
/** The day may end while this file runs: what it counts since the day of its start is all that it made. */
const START = today();

async function readInsight(client: TestClient, filter: Record<string, string>): Promise<Insight> {
  const response = await client.get(
    `/api/insight?${new URLSearchParams({ from: START, to: today(), timeZone: 'UTC', ...filter })}`,
  );
  expect(response.status).toBe(200);
  return insightSchema.parse(await response.json());
}

const MINUTE_MS = 60_000;
const insert = async (more: Partial<StoredAlert>) => {
  const [id = ''] = await insertAlerts(server.database, [more]);
  return id;
};
const send = async (client: TestClient, method: string, path: string, body?: object) => {
  const response = await client.send(method, path, body);
  expect([path, response.status < 300]).toEqual([path, true]);
};

test('an alert counts when it arrives, and again in nothing as its problem is repeated', async () => {
  const key = await server.addApiKey();
  const problem = { customer: 'Repeats', title: 'Disk full', severity: 'high', dedup_key: 'disk', status: 'firing' };
  for (let time = 0; time < 3; time += 1) await member.post(key, problem);
  const { totals, days, groups, problems } = await readInsight(member, { customer: 'Repeats' });
  expect(totals).toMatchObject({
    arrived: 1,
    resolvedFirst: 0,
    repeats: 2,
    accept: { alerts: 0, median: null, ninetieth: null },
  });
  expect(problems).toMatchObject([{ title: 'Disk full', source: 'Test key', arrived: 1, deliveries: 3 }]);
  // No entry of the history is written within the hour, and the number is that of now.
  await member.post(key, problem);
  expect((await readInsight(member, { customer: 'Repeats' })).problems).toMatchObject([{ deliveries: 4 }]);
  expect([START, today()]).toContain(days.at(-1)?.date);
  expect(days.filter((day) => day.high + day.critical > 0)).toMatchObject([{ high: 1, critical: 0 }]);
  expect(groups.source).toMatchObject([{ name: 'Test key', arrived: 1 }]);
});

test('what flaps counts each time that it begins, by its source and its problem', async () => {
  const key = await server.addApiKey();
  const problem = { customer: 'Flaps', title: 'Link down', severity: 'high', dedup_key: 'link' };
  const turn = (status: string) => member.post(key, { ...problem, status });
  const opens = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      await turn('resolved');
      await turn('firing');
    }
  };
  const read = async () => {
    const { totals, groups, problems, before } = await readInsight(member, { customer: 'Flaps' });
    return [totals.flapped, groups.source[0]?.flapped, problems[0]?.flapped, before.flapped];
  };
  await turn('firing');
  await opens(4);
  expect(await read()).toEqual([0, 0, 0, 0]);
  await opens(4);
  expect(await read()).toEqual([1, 1, 1, 0]);
  // Whoever completes it ends that; as it goes on, it begins once more.
  const alert = (await admin.alerts('/api/alerts/inbox')).find(({ customer }) => customer === 'Flaps');
  await send(member, 'POST', `/api/alerts/${alert?.id}/accept`);
  await send(member, 'PATCH', `/api/webhooks/${alert?.id}/status`, { status: 'completed' });
  await opens(1);
  expect(await read()).toEqual([2, 2, 2, 0]);
});

test('the acceptance that holds counts: of a returned alert none, of one accepted again the last', async () => {
  const receivedAt = Date.now() - 60 * MINUTE_MS;
  // An hour ago may have been yesterday.
  const returns = { customer: 'Returns', from: dayOf(receivedAt) };
  const id = await insert({ customer: 'Returns', receivedAt });
  await send(member, 'POST', `/api/alerts/${id}/accept`);
  expect((await readInsight(admin, returns)).totals.accept.alerts).toBe(1);
  await send(member, 'POST', `/api/alerts/${id}/unaccept`);
  expect((await readInsight(admin, returns)).totals.accept.alerts).toBe(0);
  const before = Date.now();
  await send(colleague, 'POST', '/api/alerts/bulk', { action: 'accept', ids: [id] });
  const { totals, groups } = await readInsight(admin, returns);
  expect(totals.accept.median).toBeGreaterThanOrEqual(before - receivedAt);
  expect(groups.person).toMatchObject([{ id: colleague.id, name: 'Ben Birch', arrived: 1 }]);
});

test('the headline of what a colleague has is not shown to others', async () => {
  const id = await insert({ customer: 'Hidden', title: 'Payroll fails' });
  await send(colleague, 'POST', `/api/alerts/${id}/accept`);
  const [own, seen, hidden] = await Promise.all(
    [colleague, admin, member].map(async (client) => (await readInsight(client, { customer: 'Hidden' })).problems[0]),
  );
  expect([own?.title, own?.alertId, seen?.title]).toEqual(['Payroll fails', id, 'Payroll fails']);
  expect([hidden?.title, hidden && 'alertId' in hidden, hidden?.arrived]).toEqual([null, false, 1]);
  expect(hidden?.isDeleted).toBeUndefined();
});

test('what a window keeps quiet counts for it while it is on, and after it has ended', async () => {
  await planWindow({ admin }, 0, { name: 'Upgrade', search: 'customer:Quiet' });
  const key = await server.addApiKey();
  await member.post(key, { customer: 'Quiet', title: 'Restarting' });
  const window = async () => (await readInsight(member, { customer: 'Quiet' })).groups.window;
  expect(await window()).toMatchObject([{ name: 'Upgrade', arrived: 1, suppressed: 1 }]);
  const { database, search } = server;
  const work = { database, search, events: { subscribe: () => () => undefined }, logger: createLogger('silent') };
  await runWindows({ ...work, now: () => Date.now() + 25 * 60 * MINUTE_MS }, new AbortController().signal);
  const [still]: { kept: unknown }[] = await database.reads.query('SELECT COUNT(*) AS kept FROM quiet_alerts');
  expect(Number(still?.kept)).toBe(0);
  expect(await window()).toMatchObject([{ name: 'Upgrade', arrived: 1, suppressed: 1 }]);
});

test('what left a window because it escalated still counts for the window', async () => {
  await planWindow({ admin }, 0, { name: 'Disk swap', search: '"Disk of Escalates" severity:warning' });
  const key = await server.addApiKey();
  for (const severity of ['warning', 'critical']) {
    const payload = { summary: 'Disk of Escalates', source: 'db-7', severity };
    await member.post(key, { routing_key: 'any', event_action: 'trigger', dedup_key: 'escalates', payload });
  }
  const { groups } = await readInsight(admin, {});
  expect(groups.window.find(({ name }) => name === 'Disk swap')).toMatchObject({ arrived: 1, suppressed: 1 });
  const inbox = alertListSchema.parse(await (await member.get('/api/alerts/inbox?q=Escalates')).json());
  expect(inbox.map(({ quietBy, severity }) => [quietBy, severity])).toEqual([[undefined, 'critical']]);
});

test('what is handed over counts for its new owner, and was accepted when it left the inbox', async () => {
  const receivedAt = Date.now() - 10 * MINUTE_MS;
  // Ten minutes ago may have been yesterday.
  const handed = { customer: 'Handed', from: dayOf(receivedAt) };
  const id = await insert({ customer: 'Handed', receivedAt });
  await send(member, 'POST', `/api/alerts/${id}/accept`);
  const { totals } = await readInsight(admin, handed);
  await send(member, 'POST', `/api/alerts/${id}/assign`, { userId: colleague.id });
  await send(colleague, 'PATCH', `/api/webhooks/${id}/status`, { status: 'completed' });
  const after = await readInsight(admin, handed);
  expect(after.totals.accept).toEqual(totals.accept);
  expect(after.totals.complete.alerts).toBe(1);
  expect(after.groups.person.map((row) => row.id)).toEqual([colleague.id]);
  await send(colleague, 'PATCH', `/api/webhooks/${id}/status`, { status: 'in-progress' });
  expect((await readInsight(admin, handed)).totals.complete.alerts).toBe(0);
});

test('what its sender resolves before anybody accepts it is counted as such, and takes nobody any time', async () => {
  const key = await server.addApiKey();
  const problem = { customer: 'Resolves', title: 'Slow', dedup_key: 'slow' };
  await member.post(key, { ...problem, status: 'firing' });
  await member.post(key, { ...problem, status: 'resolved' });
  await member.post(key, { ...problem, dedup_key: 'slower', status: 'firing' });
  const { totals } = await readInsight(member, { customer: 'Resolves' });
  expect(totals).toMatchObject({ arrived: 2, resolvedFirst: 1, accept: { alerts: 0 }, complete: { alerts: 0 } });
});

test('deleted alerts have arrived, also those that were deleted before they were counted', async () => {
  const known = await insert({ customer: 'Deleted', severity: 'critical' });
  const { totals } = await readInsight(member, { customer: 'Deleted' });
  expect(totals.arrived).toBe(1);
  await send(member, 'DELETE', `/api/webhooks/${known}`);
  const { days } = await readInsight(member, { customer: 'Deleted' });
  expect(days.filter(({ critical }) => critical > 0)).toMatchObject([{ critical: 1 }]);

  const all = (await readInsight(member, {})).totals.arrived;
  // In one transaction: the server counts by itself from time to time, and may not come between.
  await insertAlerts(server.database, [{ customer: 'Deleted' }], (tx, some) =>
    removeAlerts(tx, some, ({ id, status }) => [
      { alertId: id, action: 'deleted', previousStatus: status, userDisplayName: 'Ann Ashby' },
    ]),
  );
  expect((await readInsight(member, {})).totals.arrived).toBe(all + 1);
  expect((await readInsight(member, { customer: 'Deleted' })).totals.arrived).toBe(1);
});

test('a problem says whether its newest alert or its source was deleted', async () => {
  const problem = async (customer: string) => (await readInsight(member, { customer })).problems[0];
  const id = await insert({ customer: 'Gone', title: 'Fan stops' });
  expect(await problem('Gone')).toMatchObject({ alertId: id, title: 'Fan stops' });
  await send(member, 'DELETE', `/api/webhooks/${id}`);
  const deleted = await problem('Gone');
  expect([deleted?.alertId, deleted?.title, deleted?.isDeleted, deleted?.isSourceDeleted]).toEqual([
    undefined,
    null,
    true,
    undefined,
  ]);
  await insert({ customer: 'Orphan', title: 'Fan stops', sourceId: newId(), sourceName: 'Old Zabbix' });
  expect(await problem('Orphan')).toMatchObject({ title: 'Fan stops', source: 'Old Zabbix', isSourceDeleted: true });
});

test('insight outlives retention', async () => {
  const id = await insert({ customer: 'Retained' });
  await send(member, 'POST', `/api/alerts/${id}/accept`);
  await send(member, 'PATCH', `/api/webhooks/${id}/status`, { status: 'completed' });
  const before = await readInsight(admin, { customer: 'Retained' });
  const { database } = server;
  const deleted = await sweep(
    {
      database,
      logger: createLogger('silent'),
      days: -1,
    },
    new AbortController().signal,
  );
  expect(deleted).toBeGreaterThan(0);
  const { totals, groups } = await readInsight(admin, { customer: 'Retained' });
  expect([totals, groups]).toEqual([before.totals, before.groups]);
  expect(before.totals.complete.alerts).toBe(1);
});

test('the days before are counted beside, by the clocks of the time zone', async () => {
  await insertAlerts(
    server.database,
    // Berlin puts its clocks back on October 25, 2026: the day has 25 hours, from 22:00 to 23:00 UTC.
    [
      '2026-10-24T21:59:59.999Z',
      '2026-10-24T22:00Z',
      '2026-10-25T00:30Z',
      '2026-10-25T01:30Z',
      '2026-10-25T22:59Z',
    ].map((time) => ({ customer: 'Clocks', receivedAt: Date.parse(time) })),
  );
  await insertAlerts(server.database, [{ customer: 'Clocks', receivedAt: Date.parse('2026-10-25T23:00Z') }]);
  const day = { customer: 'Clocks', timeZone: 'Europe/Berlin', from: '2026-10-25', to: '2026-10-25' };
  const { totals, before, week } = await readInsight(member, day);
  expect([totals.arrived, before.arrived]).toEqual([4, 1]);
  const secondHour = 6 * 24 + 2;
  expect([week.arrived[secondHour], week.hours[secondHour]]).toEqual([2, 2]);
  const kolkata = { ...day, timeZone: 'Asia/Kolkata' };
  expect((await readInsight(member, kolkata)).totals.arrived).toBe(4);
});

const persons = async (client: TestClient, more = {}) =>
  (await readInsight(client, { customer: 'Persons', ...more })).groups.person.map(({ id }) => id).toSorted();

test('members see their own figures, administrators those of everybody', async () => {
  const id = await insert({ customer: 'Persons' });
  const other = await insert({ customer: 'Persons' });
  await send(member, 'POST', `/api/alerts/${id}/accept`);
  await send(colleague, 'POST', `/api/alerts/${other}/accept`);
  expect(await persons(admin)).toEqual([member.id, colleague.id].toSorted());
  expect(await persons(member)).toEqual([member.id]);
  expect(await persons(member, { personId: member.id })).toEqual([member.id]);
  const path = `/api/insight?from=${today()}&to=${today()}&personId=${colleague.id}`;
  const refused = await member.get(path);
  expect([refused.status, await refused.text()]).toEqual([403, 'Only administrators see figures of others.']);
  expect((await admin.get(path)).status).toBe(200);
});

test.each([
  'from=2026-11-20&to=2026-11-19',
  'from=2026-01-01&to=2027-01-02',
  'from=2026-02-30&to=2026-03-01',
  'from=2026-11-20',
  'from=2026-11-20&to=2026-11-20&timeZone=Europe/Nowhere',
  'from=2026-11-20&to=2026-11-20&personId=me',
])('%s is refused', async (query) => {
  expect((await member.get(`/api/insight?${query}`)).status).toBe(400);
});

test('what a rule on arrival keeps quiet is counted with the rule, and with no window', async () => {
  const customer = 'Ruled on arrival';
  const { id, name } = await makeRule({ admin }, { search: `customer:"${customer}"`, actions: { suppress: true } });
  const key = await server.addApiKey();
  for (const title of ['One', 'Two']) await admin.postAlert(key, { customer, title });
  const { groups, totals } = await readInsight(admin, { customer });
  expect(totals.arrived).toBe(2);
  expect(groups.window).toEqual([]);
  expect(groups.rule).toMatchObject([{ id, name, isOnArrival: true, arrived: 2, suppressed: 2 }]);
  await deleteRules({ admin });
  expect((await readInsight(admin, { customer })).groups.rule).toMatchObject([{ id, name: null, isDeleted: true }]);
});
