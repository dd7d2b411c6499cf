import { exceptionKey } from '#backend/contract/mute.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type MuteEnd, muteEndListSchema } from '#backend/contract/mute.ts';
import { sourceNameListSchema } from '#backend/contract/sender.ts';
import { createLoadRecipients } from '#backend/outgoing/push/push-recipients.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { deleteEndedMutes } from './mute-ends.ts';

let server: TestServer;
let member: TestClient;
let customerId: string;
let sourceId: string;
beforeAll(async () => {
  server = await startTestServer();
  const key = await server.addApiKey();
  member = await server.signedIn();
  await member.postAlert(key, { customer: 'Nordwind', type: 'disk.full' });
  const [customer] = (await (await member.get('/api/customers')).json()) as { id: string }[];
  customerId = customer?.id ?? '';
  const [source] = sourceNameListSchema.parse(await (await member.get('/api/source-names')).json());
  sourceId = source?.id ?? '';
});
beforeEach(async () => {
  member = await server.signedIn();
});
afterAll(() => server.destroy());

const never = new AbortController().signal;
const inTime = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
const endsOf = async (client: TestClient): Promise<MuteEnd[]> =>
  muteEndListSchema.parse(await (await client.get('/api/mute-ends')).json());
const listOf = async (path: string): Promise<unknown> => {
  const answer = await member.get(path);
  const rows = (await answer.json()) as unknown[];
  expect(answer.headers.get('X-Total-Count')).toBe(String(rows.length));
  return rows;
};
const stored = async (table: string) =>
  Number((await server.database.reads.query(`SELECT COUNT(*) AS n FROM ${table} WHERE user_id = ?`, [member.id]))[0].n);

/** Each kind of mutes: where one is made, where they are listed, and as what. */
const kinds = () =>
  [
    ['/api/customer-mutes', { customerId }, '/api/customer-mutes/names', ['Nordwind'], 'customer_mutes'],
    ['/api/alert-types/mutes', { alertType: 'disk.full' }, '/api/alert-types/mutes', ['disk.full'], 'alert_type_mutes'],
    ['/api/source-mutes', { sourceId }, '/api/source-mutes', [{ sourceId }], 'source_mutes'],
  ] as const;

test('a mute with an end counts until then, and not after it, whatever is deleted when', async () => {
  for (const [path, one, list, rows, table] of kinds()) {
    expect((await member.send('POST', path, { ...one, minutes: 60 })).status).toBe(201);
    expect([path, await listOf(list)]).toEqual([path, rows]);
    await server.database.transaction((tx) =>
      tx.query(`UPDATE ${table} SET muted_until = ? WHERE user_id = ?`, [Date.now() - 1, member.id]),
    );
    expect([path, await listOf(list)]).toEqual([path, []]);
    expect(await stored(table)).toBe(1);
    await deleteEndedMutes(server.database, Date.now(), never);
    expect(await stored(table)).toBe(0);
  }
});

test('muting again changes the end, and Mute All mutes for good', async () => {
  for (const [path, one, list, rows] of kinds()) {
    await member.send('POST', path, { ...one, minutes: 60 });
    const until = inTime(7_200_000);
    await member.send('POST', path, { ...one, until });
    expect((await endsOf(member)).map((end) => end.until)).toEqual([until]);
    await member.send('POST', `${path}/bulk`, { muted: true });
    expect(await endsOf(member)).toEqual([]);
    expect([path, await listOf(list)]).toEqual([path, rows]);
    await member.send('POST', path, { ...one, minutes: 60 });
    expect(await endsOf(member)).toHaveLength(1);
    await member.send('POST', path, one);
    expect(await endsOf(member)).toEqual([]);
  }
});

test('the ends are named, the next first, and are the member’s alone', async () => {
  for (const [index, [path, one]] of kinds().entries()) {
    await member.send('POST', path, { ...one, minutes: 30 - index });
  }
  expect(await endsOf(member)).toMatchObject([
    { kind: 'source', id: sourceId },
    { kind: 'alert_type', id: 'disk.full', name: 'disk.full' },
    { kind: 'customer', id: customerId, name: 'Nordwind' },
  ]);
  expect(await endsOf(await server.signedIn())).toEqual([]);
});

test('of two windows that mute at once, one end is kept', async () => {
  await Promise.all([
    member.send('POST', '/api/customer-mutes', { customerId, minutes: 30 }),
    member.send('POST', '/api/customer-mutes', { customerId, minutes: 60 }),
    member.send('POST', '/api/customer-mutes', { customerId }),
  ]);
  expect(await stored('customer_mutes')).toBe(1);
});

test.each([{ until: '2020-01-01T00:00:00.000Z' }, { minutes: 0 }, { until: '2999-01-01T00:00:00.000Z' }])(
  'an end like %j is refused',
  async (end) => {
    const body = { customerId, ...end };
    expect((await member.send('POST', '/api/customer-mutes', body)).status).toBe(422);
    const both = { customerId, minutes: 5, until: inTime(60_000) };
    expect((await member.send('POST', '/api/customer-mutes', both)).status).toBe(422);
    expect(await stored('customer_mutes')).toBe(0);
  },
);

test('pushes are silenced until the end, to the moment', async () => {
  await member.send('POST', '/api/customer-mutes', { customerId, minutes: 60 });
  const [session]: { id: string }[] = await server.database.reads.query('SELECT id FROM sessions WHERE user_id = ?', [
    member.id,
  ]);
  await server.database.transaction((tx) =>
    tx.query(
      'INSERT INTO push_subscriptions (id, user_id, session_id, endpoint, endpoint_hash, p256dh, auth, user_agent, created_at, failures) ' +
        "VALUES (?, ?, ?, 'https://push.example.com/1', ?, 'p', 'a', '', ?, 0)",
      [member.id, member.id, session?.id, member.id, Date.now()],
    ),
  );
  const mutedAt = async (now: number) => {
    const load = createLoadRecipients(server.database, server.config, () => now);
    const recipients = await load({ customers: ['Nordwind'], alertTypes: [], sources: [] });
    return recipients.get(member.id)?.settings.exceptions.has(exceptionKey('customer', 'Nordwind'));
  };
  expect(await mutedAt(Date.now())).toBe(true);
  expect(await mutedAt(Date.now() + 3_601_000)).toBe(false);
});
