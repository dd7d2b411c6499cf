import { wakeDue } from '#backend/alerts/commands/waking.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { createEventBus } from '#backend/platform/live/event-bus.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { alertSchema } from '#backend/contract/alert.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FLAPPING_ON, openFlappingWorld } from '#tests/support/flapping-world.ts';
import {
  type OutgoingReceiver,
  payloadsOf,
  standardWebhooksRules,
  startReceiver,
} from '#tests/support/outgoing-receiver.ts';
import { LOCAL_NETWORK, outgoingWorld } from '#tests/support/outgoing-world.ts';
import { makeRule } from '#tests/support/rule-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { planWindow } from '#tests/support/window-calls.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
let key: string;
let secrets: string[];
let receiver: OutgoingReceiver;
const world = outgoingWorld(() => admin);

beforeEach(async () => {
  secrets = [];
  receiver = await startReceiver(standardWebhooksRules(() => secrets));
  server = await startTestServer({ ...LOCAL_NETWORK, PUBLIC_URL: 'http://127.0.0.1:4400' });
  admin = await server.signedIn({ role: 'admin', displayName: 'Ada Admin' });
  key = await server.addApiKey();
});
afterEach(async () => {
  await server.destroy();
  await receiver.stop();
});

const addWebhook = async (change: object = {}) => {
  const made = await world.addDestination({
    kind: 'webhook',
    name: 'Status page',
    url: `${receiver.url}/hook`,
    ...change,
  });
  secrets.push(made.signingSecret ?? '');
  return made.destination;
};
const post = async (body: object) => (await admin.postAlert(key, body)).id;
const alertOf = async (id: string) => alertSchema.parse(await (await admin.get(`/api/alerts/${id}`)).json());

/** What was taken, with its alert. */
const takenAlerts = () => payloadsOf(receiver.taken()).map(({ type, data }) => `${type} ${data.alert.id}`);

/** Wakes what is snoozed for up to two hours, as the clock does. */
const wakeAll = (database: Database) =>
  wakeDue(
    {
      database,
      events: createEventBus((error) => expect.unreachable(String(error))),
      logger: createLogger('silent'),
      now: () => Date.now() + 2 * 3_600_000,
    },
    new AbortController().signal,
  );

describe('a webhook', () => {
  test('is sent as new what a rule assigns as it arrives', async () => {
    const { id } = await addWebhook();
    await world.addRule([id], { events: ['new', 'accepted'] });
    await makeRule({ admin }, { search: 'customer:Nordwind', actions: { assigneeId: admin.id } });
    const alertId = await post({ customer: 'Nordwind' });
    await expect.poll(() => receiver.taken().length).toBe(2);
    const sent = payloadsOf(receiver.taken());
    expect(sent.map(({ type, data }) => [type, data.alert.id])).toEqual([
      ['alert.new', alertId],
      ['alert.accepted', alertId],
    ]);
  });

  test('is sent once as new what was snoozed before, as it wakes', async () => {
    const { id } = await addWebhook();
    await world.addRule([id], { events: ['new'] });
    await makeRule({ admin }, { search: 'customer:Nordwind', actions: { snoozeMinutes: 60 } });
    const byPerson = await post({ customer: 'Nordwind' });
    const alone = await post({ customer: 'Nordwind' });
    const byTime = await post({ customer: 'Nordwind' });
    const accepted = await post({ customer: 'Nordwind' });
    const plain = await post({ customer: 'Harbor' });
    await expect.poll(takenAlerts).toEqual([`alert.new ${plain}`]);
    await admin.send('POST', '/api/alerts/bulk', { action: 'wake', ids: [byPerson] });
    await expect.poll(takenAlerts).toHaveLength(2);
    await admin.send('POST', `/api/alerts/${alone}/wake`);
    await expect.poll(takenAlerts).toHaveLength(3);
    await admin.send('POST', `/api/alerts/${accepted}/accept`);
    await admin.send('POST', `/api/alerts/${accepted}/snooze`, { minutes: 60 });
    await wakeAll(server.database);
    await expect.poll(takenAlerts).toEqual([plain, byPerson, alone, byTime].map((one) => `alert.new ${one}`));
    for (const one of [plain, byPerson, alone, byTime])
      await admin.send('POST', `/api/alerts/${one}/snooze`, { minutes: 60 });
    await admin.send('POST', '/api/alerts/bulk', { action: 'wake', ids: [byPerson] });
    await admin.send('POST', `/api/alerts/${alone}/wake`);
    await wakeAll(server.database);
    const last = await post({ customer: 'Harbor' });
    await expect.poll(takenAlerts).toEqual([plain, byPerson, alone, byTime, last].map((one) => `alert.new ${one}`));
  });

  test('is sent what a rule says, signed, in order, each once', async () => {
    const { id } = await addWebhook();
    await world.addRule([id], {
      events: ['new', 'accepted', 'completed', 'note'],
      search: 'customer:"Harbor & Finch"',
    });
    const alertId = await post({ customer: 'Harbor & Finch', type: 'disk', host: 'db-7', severity: 'critical' });
    await post({ customer: 'Northwind', type: 'disk' });
    await expect.poll(() => receiver.taken().length).toBe(1);
    await admin.send('POST', `/api/alerts/${alertId}/accept`, {});
    await admin.send('POST', `/api/alerts/${alertId}/notes`, { text: 'On it.', mentions: [] });
    await admin.send('PATCH', `/api/webhooks/${alertId}/status`, { status: 'completed' });
    await expect.poll(() => receiver.taken().length).toBe(4);
    const sent = payloadsOf(receiver.taken());
    expect(sent.map(({ type }) => type)).toEqual(['alert.new', 'alert.accepted', 'alert.note', 'alert.completed']);
    expect(sent[0]).toMatchObject({
      schemaVersion: 1,
      isTest: false,
      data: {
        alert: {
          id: alertId,
          customer: 'Harbor & Finch',
          link: `http://127.0.0.1:4400/alert/${alertId}`,
          fields: [{ name: 'host', value: 'db-7' }],
        },
        by: null,
      },
    });
    expect(sent[2]?.data.note).toEqual({ author: 'Ada Admin', text: 'On it.' });
    expect(sent[3]?.data.by).toBe('Ada Admin');
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(4);
    // A result is stored after the receiver has answered.
    const results = async () =>
      (await world.receipts(alertId)).receipts.map(({ event, state, attemptCount }) => [event, state, attemptCount]);
    await expect.poll(results).toEqual([
      ['new', 'sent', 1],
      ['accepted', 'sent', 1],
      ['note', 'sent', 1],
      ['completed', 'sent', 1],
    ]);
    await expect.poll(() => world.destination(id)).toMatchObject({ health: 'ok', waiting: 0, notDelivered: 0 });
  });

  test('is sent what becomes of an alert that it knows in a maintenance window, and nothing of one that it does not', async () => {
    const { id } = await addWebhook();
    await world.addRule([id], { events: ['new', 'completed'] });
    const before = await post({ customer: 'Harbor & Finch' });
    await expect.poll(() => receiver.taken().length).toBe(1);
    const { name } = await planWindow({ admin });
    const during = await post({ customer: 'Harbor & Finch' });
    for (const alertId of [during, before]) {
      await expect.poll(async () => (await alertOf(alertId)).quietBy?.name).toBe(name);
      await admin.send('POST', `/api/alerts/${alertId}/accept`, {});
      await admin.send('PATCH', `/api/webhooks/${alertId}/status`, { status: 'completed' });
    }
    await expect.poll(() => receiver.taken().length).toBe(2);
    expect(payloadsOf(receiver.taken()).map(({ type, data }) => [type, data.alert?.id])).toEqual([
      ['alert.new', before],
      ['alert.completed', before],
    ]);
  });

  test('is sent the end of a problem that flaps by a rule about these, as it is calm or as somebody completes it', async () => {
    const { id } = await addWebhook();
    await world.addRule([id], { events: ['new', 'accepted', 'completed'], search: 'is:flapping' });
    const other = await addWebhook({ name: 'Another page', url: `${receiver.url}/other` });
    await world.addRule([other.id], { events: ['completed'], search: 'is:flapping' });
    const flapping = await openFlappingWorld(server);
    const sent = () => payloadsOf(receiver.taken()).map(({ type, data }) => [type, data.alert?.id]);
    const expected: [string, string | undefined][] = [];
    for (const complete of [
      () => flapping.calm(60),
      async (alertId = '') => {
        await admin.send('POST', `/api/alerts/${alertId}/accept`, {});
        expected.push(['alert.accepted', alertId]);
        await expect.poll(sent).toEqual(expected);
        await admin.send('PATCH', `/api/webhooks/${alertId}/status`, { status: 'completed' });
      },
    ]) {
      flapping.nextProblem();
      await flapping.writer(FLAPPING_ON, { reopenWithinMs: 0 }).flap(6);
      const [card] = await flapping.cards();
      expected.push(['alert.new', card?.id]);
      await expect.poll(sent).toEqual(expected);
      await complete(card?.id);
      expected.push(['alert.completed', card?.id]);
      await expect.poll(sent).toEqual(expected);
    }
    // What never flapped is no business of such a rule.
    const plain = await post({ customer: 'Harbor & Finch' });
    await admin.send('POST', `/api/alerts/${plain}/accept`, {});
    await admin.send('PATCH', `/api/webhooks/${plain}/status`, { status: 'completed' });
    flapping.nextProblem();
    await flapping.writer(FLAPPING_ON, { reopenWithinMs: 0 }).flap(6);
    expected.push(['alert.new', (await flapping.cards())[0]?.id]);
    await expect.poll(sent).toEqual(expected);
    expect(receiver.taken().every(({ path }) => path === '/hook')).toBe(true);
  });

  test('that is away is sent everything once it is back, in order, with the same ids', async () => {
    const { id } = await addWebhook();
    await world.addRule([id], { events: ['new', 'accepted'] });
    receiver.answer({ status: 503 });
    const alertId = await post({ customer: 'Harbor & Finch' });
    await admin.send('POST', `/api/alerts/${alertId}/accept`, {});
    await expect.poll(() => receiver.requests.length).toBeGreaterThan(1);
    receiver.answer(undefined);
    await expect.poll(() => receiver.taken().length, { timeout: 30_000 }).toBe(2);
    expect(payloadsOf(receiver.taken()).map(({ type }) => type)).toEqual(['alert.new', 'alert.accepted']);
    const first = receiver.requests[0]?.headers['webhook-id'];
    expect(receiver.taken()[0]?.headers['webhook-id']).toBe(first);
  });
});
