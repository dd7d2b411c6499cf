import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { customerSchema } from '#backend/contract/mute.ts';
import {
  MAX_EXCEPTIONS,
  type NotificationPreview,
  notificationExceptionListSchema,
  notificationPreviewSchema,
} from '#backend/contract/notification-exception.ts';
import { sourceNameListSchema } from '#backend/contract/sender.ts';
import { viewSchema } from '#backend/contract/view.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { makeRule } from '#tests/support/rule-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const PATH = '/api/notification-exceptions';
const customerListSchema = z.array(customerSchema);

let server: TestServer;
let key: string;
let anna: TestClient;
let ben: TestClient;

beforeAll(async () => {
  server = await startTestServer();
  key = await server.addApiKey();
});
afterAll(() => server.destroy());
beforeEach(async () => {
  [anna, ben] = [await server.signedIn(), await server.signedIn()];
});

const customerId = async (name: string): Promise<string> => {
  const customers = customerListSchema.parse(await (await anna.get('/api/customers')).json());
  return customers.find((one) => one.name === name)?.id ?? '';
};
const set = async (member: TestClient, body: object): Promise<number> => (await member.send('PUT', PATH, body)).status;
const remove = async (member: TestClient, one: Record<string, string>): Promise<number> =>
  (await member.send('DELETE', `${PATH}?${new URLSearchParams(one)}`)).status;
const exceptionsOf = async (member: TestClient) =>
  notificationExceptionListSchema.parse(await (await member.get(PATH)).json());
const previewOf = async (member: TestClient): Promise<NotificationPreview> =>
  notificationPreviewSchema.parse(await (await member.get('/api/notification-preview')).json());
const saveView = async (member: TestClient, search: string): Promise<string> =>
  viewSchema.parse(
    await (await member.send('POST', '/api/views', { name: crypto.randomUUID(), list: 'inbox', search })).json(),
  ).id;

test('exceptions are set, listed, changed and removed by each member for themselves; a mute is one with the level never', async () => {
  await anna.postAlert(key, { customer: 'Nordwind', type: 'disk.full' });
  const [nordwind, view] = [await customerId('Nordwind'), await saveView(anna, 'nordwind')];
  const [source] = sourceNameListSchema.parse(await (await anna.get('/api/source-names')).json());
  const page = await listenLive(anna);
  expect(await set(anna, { kind: 'customer', id: nordwind, level: 'high' })).toBe(204);
  expect(await set(anna, { kind: 'alert_type', id: 'disk.full', level: 'mine' })).toBe(204);
  expect(await set(anna, { kind: 'source', id: source?.id, level: 'critical' })).toBe(204);
  expect(await set(anna, { kind: 'view', id: view, level: 'always', timeZone: 'Europe/Berlin' })).toBe(204);
  const listed = await exceptionsOf(anna);
  expect(listed.map(({ kind, level }) => [kind, level])).toEqual([
    ['view', 'always'],
    ['source', 'critical'],
    ['customer', 'high'],
    ['alert_type', 'mine'],
  ]);
  expect(listed.map(({ name }) => name)).toEqual([expect.any(String), source?.name, 'Nordwind', 'disk.full']);
  expect(await exceptionsOf(ben)).toEqual([]);
  await waitFor(() =>
    expect(page.events.filter(({ type }) => type === 'notification_settings_changed')).toHaveLength(3),
  );

  // None of them is a mute, and unmuting leaves them.
  const mutes = async () => (await anna.get('/api/customer-mutes')).json();
  expect(await mutes()).toEqual([]);
  await anna.send('DELETE', `/api/customer-mutes/${nordwind}`);
  await anna.send('POST', '/api/customer-mutes/bulk', { muted: false });
  expect(await exceptionsOf(anna)).toHaveLength(4);

  await anna.send('POST', '/api/customer-mutes', { customerId: nordwind, minutes: 60 });
  expect(await mutes()).toEqual([{ customerId: nordwind }]);
  expect(await exceptionsOf(anna)).toContainEqual({
    kind: 'customer',
    id: nordwind,
    name: 'Nordwind',
    level: 'never',
    until: expect.any(String),
  });
  expect(await set(anna, { kind: 'customer', id: nordwind, level: 'critical' })).toBe(204);
  expect(await mutes()).toEqual([]);
  expect(await remove(anna, { kind: 'customer', id: nordwind })).toBe(204);
  expect(await remove(anna, { kind: 'view', id: view })).toBe(204);
  expect((await exceptionsOf(anna)).map(({ kind }) => kind)).toEqual(['source', 'alert_type']);
});

test('what is unknown, somebody else’s or has an end that no mute has is no exception', async () => {
  const unknown = '01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80';
  for (const kind of ['customer', 'source', 'view'])
    expect(await set(anna, { kind, id: unknown, level: 'high' })).toBe(404);
  expect(await set(anna, { kind: 'view', id: await saveView(ben, 'x'), level: 'high' })).toBe(404);
  expect(await set(anna, { kind: 'alert_type', id: 'no such type', level: 'high' })).toBe(404);
  const until = new Date(Date.now() + 60_000).toISOString();
  expect(await set(anna, { kind: 'alert_type', id: 'disk.full', level: 'high', until })).toBe(422);
  expect(await set(anna, { kind: 'alert_type', id: 'disk.full', level: 'loud' })).toBe(422);
  expect(await exceptionsOf(anna)).toEqual([]);
});

test('a view that is deleted takes its exceptions with it', async () => {
  const view = await saveView(anna, 'nordwind');
  await set(anna, { kind: 'view', id: view, level: 'high' });
  await anna.send('DELETE', `/api/views/${view}`);
  expect(await exceptionsOf(anna)).toEqual([]);
});

test('of exceptions with another level there are so many at most, also of two windows at once; mutes are more', async () => {
  const types = Array.from({ length: MAX_EXCEPTIONS + 1 }, (_, index) => `limit.${String(index).padStart(3, '0')}`);
  await server.database.transaction(async (tx) => {
    for (const name of types) {
      await tx.query('INSERT INTO alert_types (name, last_seen_at, sort_key) VALUES (?, ?, ?)', [
        name,
        Date.now(),
        name,
      ]);
    }
    for (const name of types.slice(0, -2)) {
      const row = [anna.id, name, 'high'];
      await tx.query('INSERT INTO alert_type_mutes (user_id, alert_type, level) VALUES (?, ?, ?)', row);
    }
  });
  const answers = await Promise.all(
    types.slice(-2).map((id) => set(anna, { kind: 'alert_type', id, level: 'critical' })),
  );
  expect(answers.toSorted()).toEqual([204, 409]);
  expect(await exceptionsOf(anna)).toHaveLength(MAX_EXCEPTIONS);
  expect(await set(anna, { kind: 'alert_type', id: types[0], level: 'mine' })).toBe(204);
  for (const id of types.slice(-2)) expect(await set(anna, { kind: 'alert_type', id, level: 'never' })).toBe(204);
});

test('the preview counts what each choice would have let through, by the exceptions as they are', async () => {
  const before = await previewOf(anna);
  for (const severity of ['critical', 'high', 'high', 'warning'])
    await anna.postAlert(key, { customer: 'Counted', severity });
  const one = await anna.postAlert(key, { customer: 'Other', severity: 'warning', title: 'A needle in the hay' });
  const after = await previewOf(anna);
  const more = Object.fromEntries(
    Object.entries(after.byLevel).map(([level, count]) => [level, count - (before.byLevel[level as 'always'] ?? 0)]),
  );
  expect(more).toEqual({ always: 5, high: 3, critical: 1, mine: 0, never: 0 });

  const counted = await customerId('Counted');
  await set(anna, { kind: 'customer', id: counted, level: 'critical' });
  const view = await saveView(anna, 'needle');
  await set(anna, { kind: 'view', id: view, level: 'always' });
  const decided = await previewOf(anna);
  expect(decided.byLevel.always - before.byLevel.always).toBe(2);
  expect(decided.byLevel.never).toBe(2);
  expect(decided.exceptions).toEqual([
    { kind: 'view', id: view, notifications: 1 },
    { kind: 'customer', id: counted, notifications: 1 },
  ]);

  // What a colleague does for the member, and what becomes of their own, is theirs.
  await ben.send('POST', `/api/alerts/${one.id}/assign`, { userId: anna.id });
  await expect.poll(async () => (await previewOf(anna)).byLevel.mine).toBe(decided.byLevel.mine + 1);
  expect((await previewOf(anna)).byLevel.never).toBe(2);
});

test('what a rule keeps quiet is neither counted by the preview nor among its recent alerts', async () => {
  const customer = `Suppressed ${crypto.randomUUID()}`;
  const admin = await server.signedIn({ role: 'admin' });
  await makeRule({ admin }, { search: `customer:"${customer}"`, actions: { suppress: true } });
  const before = await previewOf(anna);
  await anna.postAlert(key, { customer, severity: 'critical', title: 'Known noise' });
  const suppressed = await customerId(customer);
  await set(anna, { kind: 'customer', id: suppressed, level: 'always' });
  const { byLevel, exceptions, alerts } = await previewOf(anna);
  expect(byLevel).toEqual(before.byLevel);
  expect(exceptions).toEqual([{ kind: 'customer', id: suppressed, notifications: 0 }]);
  expect(alerts.map(({ title }) => title)).not.toContain('Known noise');
});

test('the preview says what is decided of recent alerts now, and by what', async () => {
  await anna.postAlert(key, { customer: 'Quiet one', severity: 'critical', title: 'Disk almost full' });
  await anna.postAlert(key, { customer: 'Loud one', severity: 'critical', title: 'Checkout fails' });
  await anna.postAlert(key, { customer: 'Loud one', severity: 'warning', title: 'Slow answers' });
  await anna.send('PATCH', '/api/notification-settings', { level: 'high' });
  await anna.send('POST', '/api/customer-mutes', { customerId: await customerId('Quiet one') });
  const view = await saveView(anna, 'severity:warning slow');
  await set(anna, { kind: 'view', id: view, level: 'always' });
  const decisions = async () =>
    Object.fromEntries((await previewOf(anna)).alerts.map((one) => [one.title, [one.verdict, one.by, one.level]]));
  expect(await decisions()).toMatchObject({
    'Disk almost full': ['unwanted', 'customer', 'never'],
    'Checkout fails': ['yes', 'all', 'high'],
    'Slow answers': ['yes', 'view', 'always'],
  });
  expect((await previewOf(anna)).alerts).toHaveLength(4);
  const pausedUntil = new Date(Date.now() + 60_000).toISOString();
  await anna.send('PATCH', '/api/notification-settings', { pausedUntil });
  expect(await decisions()).toMatchObject({ 'Checkout fails': ['paused', 'all', 'high'] });
});
