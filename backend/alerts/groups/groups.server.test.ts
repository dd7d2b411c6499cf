import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type AlertGroupDetails,
  alertGroupDetailsSchema,
  alertGroupsSchema,
  groupingRulesSchema,
} from '#backend/contract/alert-group.ts';
import { type Alert, alertListSchema } from '#backend/contract/alert.ts';
import { type BulkResult, bulkResultSchema } from '#backend/contract/bulk.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { NO_ECHOES } from '#backend/intake/write/echoes.ts';
import type { IncomingDelivery } from '#backend/intake/write/incoming-delivery.ts';
import { NOTHING_DECIDES, createBatchWriter } from '#backend/intake/write/write-batch.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { decideRule } from '#tests/support/group-calls.ts';
import { DEFAULT_POLICY, readRequest } from '#tests/support/incoming-events.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { makeRule } from '#tests/support/rule-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
let member: TestClient;
let apiKey: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  member = await server.signedIn();
  apiKey = await server.addApiKey();
});
afterAll(async () => {
  await expectTrueCounts(server.database);
  await server.destroy();
});

/** Each test has a customer of its own. */
let customer: string;
let last = 0;
beforeEach(async () => {
  customer = `Customer ${(last += 1)}`;
  for (const kind of ['sender', 'deployment', 'names'] as const) await decideRule(admin, kind, { isOn: false });
});

const post = (severity: string, more: object = {}) =>
  admin.postAlert(apiKey, { customer, alertType: 'disk.full', severity, ...more });
const inbox = async (): Promise<Alert[]> => {
  const answer = await member.get(`/api/alerts/inbox?sort=oldest&customer=${encodeURIComponent(customer)}`);
  return alertListSchema.parse(await answer.json());
};
const groupsOf = (alerts: readonly Alert[]): Set<string | undefined> => new Set(alerts.map(({ groupId }) => groupId));
const group = async (id: string | undefined, list = 'inbox', who = member): Promise<AlertGroupDetails> => {
  const answer = await who.get(`/api/alert-groups/${id}?list=${list}`);
  expect(answer.status).toBe(200);
  return alertGroupDetailsSchema.parse(await answer.json());
};
const change = async (body: object, who = member): Promise<BulkResult> =>
  bulkResultSchema.parse(await (await who.send('POST', '/api/alerts/bulk', body)).json());
const idsOf = (alerts: readonly { id: string }[]): string[] => alerts.map(({ id }) => id);

test('rules are off until an administrator turns them on, and then put alerts of one customer and type together', async () => {
  const rules = groupingRulesSchema.parse(await (await admin.get('/api/grouping-rules')).json());
  expect(rules.map(({ kind, isOn }) => [kind, isOn])).toEqual([
    ['sender', false],
    ['deployment', false],
    ['names', false],
  ]);
  await post('low');
  expect(await decideRule(admin, 'names', { isOn: true, withinMinutes: 10 })).toMatchObject({ withinMinutes: 10 });
  for (const severity of ['warning', 'critical', 'warning']) await post(severity);
  await post('high', { alertType: 'cpu.high' });

  const [before, first, second, third, other] = await inbox();
  expect(before?.groupId).toBeUndefined();
  expect(groupsOf([first, second, third].flatMap((one) => one ?? [])).size).toBe(1);
  expect(other?.groupId).not.toBe(first?.groupId);
  const found = await group(first?.groupId);
  expect(found).toMatchObject({ kind: 'names', withinMinutes: 10, alerts: 3, shared: `${customer}, disk.full` });
  expect(found.severities).toEqual([
    { severity: 'critical', alerts: 1 },
    { severity: 'warning', alerts: 2 },
  ]);
  expect(idsOf(found.members)).toEqual([second?.id, first?.id, third?.id]);
  expect(found.bars.reduce((sum, bar) => sum + bar.alerts, 0)).toBe(3);
  expect(found.bars.reduce((sum, bar) => sum + bar.critical, 0)).toBe(1);
});

test('the first alert of a group and its first critical one notify, the others nobody', async () => {
  await decideRule(admin, 'names', { isOn: true });
  const live = await listenLive(member);
  for (const severity of ['low', 'high', 'critical', 'critical', 'low']) await post(severity);
  const announced = () =>
    live.events.flatMap((event) =>
      event.type === 'new_alert' && event.alert.customer === customer
        ? [[event.alert.severity, event.quiet ?? false]]
        : [],
    );
  await expect.poll(announced).toHaveLength(5);
  expect(announced()).toEqual([
    ['low', false],
    ['high', true],
    ['critical', false],
    ['critical', true],
    ['low', true],
  ]);
  // Somebody takes the whole card: what comes then is a card of its own again, and is announced.
  await change({ action: 'accept', ids: idsOf(await inbox()) });
  await post('low');
  await expect.poll(announced).toHaveLength(6);
  expect(announced().at(-1)).toEqual(['low', false]);
  live.socket.close();
});

test('a rule that assigns to a disabled account leaves the card in the inbox, which notifies once', async () => {
  await decideRule(admin, 'names', { isOn: true });
  const ann = await server.signedIn();
  const rule = await makeRule({ admin }, { search: `customer:"${customer}"`, actions: { assigneeId: ann.id } });
  expect((await admin.send('PATCH', `/api/auth/users/${ann.id}/toggle-active`)).status).toBe(200);
  const live = await listenLive(member);
  for (let n = 0; n < 3; n += 1) await post('low');
  const quiet = () => live.events.flatMap((event) => (event.type === 'new_alert' ? [event.quiet ?? false] : []));
  await expect.poll(quiet).toHaveLength(3);
  expect(quiet()).toEqual([false, true, true]);
  expect(await inbox()).toHaveLength(3);
  live.socket.close();
  await admin.send('DELETE', `/api/rules/${rule.id}`);
});

test('one deployment is one group for several sources of a customer, and a sender’s group goes before it', async () => {
  await decideRule(admin, 'deployment', { isOn: true });
  const key = await server.addApiKey('Errors');
  await post('high', { deployment: '4.18.2' });
  await admin.postAlert(key, { customer, alertType: 'TypeError', release: '4.18.2' });
  await post('high', { deployment: '4.18.3' });
  const [first, second, third] = await inbox();
  expect(first?.groupId).toBeDefined();
  expect(second?.groupId).toBe(first?.groupId);
  expect(third?.groupId).not.toBe(first?.groupId);
  expect((await group(first?.groupId)).sources.map(({ name }) => name)).toEqual(['Test key', 'Errors']);

  await decideRule(admin, 'sender', { isOn: true });
  const alertmanager = (name: string) => ({
    version: '4',
    groupKey: '{}:{cluster="eu"}',
    status: 'firing',
    receiver: 'desk',
    groupLabels: { cluster: 'eu' },
    commonLabels: { customer },
    commonAnnotations: {},
    externalURL: 'http://alertmanager.example',
    alerts: [
      {
        status: 'firing',
        labels: { alertname: name, customer, deployment: '4.18.2' },
        annotations: {},
        startsAt: '2026-11-27T08:00:00Z',
        endsAt: '0001-01-01T00:00:00Z',
        generatorURL: '',
        fingerprint: `${customer} ${name}`,
      },
    ],
  });
  for (const name of ['CheckoutDown', 'CartSlow']) await member.post(key, alertmanager(name));
  const ofSender = (await inbox()).slice(3);
  expect(ofSender).toHaveLength(2);
  expect(groupsOf(ofSender).size).toBe(1);
  expect(ofSender[0]?.groupId).not.toBe(first?.groupId);
  expect(await group(ofSender[0]?.groupId)).toMatchObject({ kind: 'sender', alerts: 2 });
});

test('takes one out and splits a group, with the way back, and says both in the history', async () => {
  await decideRule(admin, 'names', { isOn: true });
  for (const severity of ['critical', 'high', 'low']) await post(severity);
  const [first, second, third] = await inbox();
  const groupId = first?.groupId;
  const out = await change({ action: 'ungroup', ids: [second?.id] });
  expect(out.changed).toMatchObject([{ id: second?.id, groupId }]);
  expect(idsOf((await group(groupId)).members)).toEqual([first?.id, third?.id]);
  expect(await change({ action: 'ungroup', ids: [second?.id] })).toMatchObject({ changed: [], unchanged: 1 });
  await change({ action: 'regroup', groupId, ids: [second?.id] });
  expect((await group(groupId)).alerts).toBe(3);
  const history = await member.get(`/api/alerts/${second?.id}/history`);
  expect(historySchema.parse(await history.json()).map(({ action }) => action)).toEqual([
    'regrouped',
    'ungrouped',
    'received',
  ]);

  // What somebody has accepted is theirs to arrange.
  await change({ action: 'accept', ids: [third?.id] });
  const split = await change(
    { action: 'ungroup', ids: idsOf([first, second, third].flatMap((one) => one ?? [])) },
    admin,
  );
  expect(split.changed).toHaveLength(2);
  expect(split.lost).toMatchObject([{ id: third?.id, reason: 'taken' }]);
  expect((await member.get(`/api/alert-groups/${groupId}?list=inbox`)).status).toBe(404);
  expect((await group(groupId, 'mine')).alerts).toBe(1);
  const unknown = { action: 'regroup', groupId: crypto.randomUUID(), ids: [first?.id] };
  expect((await member.send('POST', '/api/alerts/bulk', unknown)).status).toBe(404);
});

test('lists have of a group what is theirs: nobody sees another member’s part of it', async () => {
  await decideRule(admin, 'names', { isOn: true });
  for (const severity of ['critical', 'high', 'low']) await post(severity);
  const [first, ...others] = await inbox();
  await change({ action: 'accept', ids: [first?.id] });
  await change({ action: 'accept', ids: idsOf(others) }, admin);
  expect(idsOf((await group(first?.groupId, 'mine')).members)).toEqual([first?.id]);
  expect((await group(first?.groupId, 'mine', admin)).alerts).toBe(2);
  expect((await member.get(`/api/alert-groups/${first?.groupId}?list=all`)).status).toBe(403);
  const several = await member.get(`/api/alert-groups?list=mine&ids=${first?.groupId}&ids=${crypto.randomUUID()}`);
  expect(alertGroupsSchema.parse(await several.json())).toMatchObject([{ id: first?.groupId, alerts: 1 }]);
});

/** Deliveries as two servers with the same database store them, each with a rule in its memory. */
const writers = (count: number) =>
  Array.from({ length: count }, () =>
    createBatchWriter(server.database, NO_ECHOES, {
      ...NOTHING_DECIDES,
      grouping: { active: () => [{ kind: 'names', withinMinutes: 5 }] },
    }),
  );
const delivery = (receivedAt: number, more: object = {}): IncomingDelivery => ({
  source: { id: 'built-in', name: 'Servers', secretId: null },
  policy: DEFAULT_POLICY,
  isOwn: true,
  receivedAt,
  events: [readRequest(JSON.stringify({ customer, alertType: 'disk.full', severity: 'critical', ...more }))],
});

test('two servers that store alerts of one cause at the same moment make one group and notify once', async () => {
  const now = Date.now();
  const stored = await Promise.all(
    writers(4).flatMap((write) => [1, 2, 3, 4, 5].map((n) => write([delivery(now + n), delivery(now + n)]))),
  );
  const alerts = stored.flatMap((batch) => batch.alerts);
  expect(alerts).toHaveLength(40);
  expect(groupsOf(await inbox()).size).toBe(1);
  expect(alerts.filter(({ isQuiet }) => !isQuiet)).toHaveLength(1);
  expect((await group((await inbox())[0]?.groupId)).alerts).toBe(40);
});

test('a group ends when no alert of it has come for so long; the next one begins another and is announced', async () => {
  const [write] = writers(1);
  const at = Date.now();
  const minutes = (n: number) => at + n * 60_000;
  for (const n of [0, 4, 8]) await write?.([delivery(minutes(n))]);
  const late = await write?.([delivery(minutes(14))]);
  const ids = (await inbox()).map(({ groupId }) => groupId);
  expect(new Set(ids.slice(0, 3)).size).toBe(1);
  expect(ids[3]).not.toBe(ids[0]);
  expect(late?.alerts[0]?.isQuiet).toBe(false);
});

test('a critical alert of a card that began after the first one was accepted notifies', async () => {
  const [write] = writers(1);
  const expectQuiet = async (severity: string, quiet: boolean, isQuiet = false) =>
    expect((await write?.([{ ...delivery(Date.now(), { severity }), isQuiet }]))?.alerts[0]?.isQuiet).toBe(quiet);
  // Nobody was notified of the first one.
  await expectQuiet('warning', true, true);
  for (const [severity, quiet] of [
    ['warning', false],
    ['critical', false],
    ['critical', true],
  ] as const)
    await expectQuiet(severity, quiet);
  await change({ action: 'accept', ids: idsOf(await inbox()) }, admin);
  for (const [severity, quiet] of [
    ['warning', false],
    ['critical', false],
  ] as const)
    await expectQuiet(severity, quiet);
});

test('a test and what is resolved already stand by themselves', async () => {
  const [write] = writers(1);
  const sample = delivery(Date.now());
  for (const event of sample.events) event.isTest = true;
  const resolved = delivery(Date.now());
  for (const event of resolved.events) event.state = 'resolved';
  await write?.([delivery(Date.now()), sample, resolved]);
  const [first, ...others] = await inbox();
  expect(first?.groupId).toBeDefined();
  expect(others).toHaveLength(2);
  expect(others.every(({ groupId }) => groupId === undefined)).toBe(true);
});
