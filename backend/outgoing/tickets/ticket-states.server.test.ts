import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { countChanges } from '#backend/alerts/alert/count-changes.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { jiraService } from '#tests/support/jira-service.ts';
import { jiraWorld, newCustomer } from '#tests/support/jira-world.ts';
import { LOCAL_NETWORK } from '#tests/support/outgoing-world.ts';
import { type TestRedis, hasCluster, startRedis } from '#tests/support/redis.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import type { TicketDouble } from '#tests/support/ticket-system.ts';
import { untilQueued } from '#tests/support/until-queued.ts';
import { must } from '#tests/support/write-routes.ts';

const PARTS = { outgoing: { resolve: async () => [], ticketSettleMs: 1_000 } };

let server: TestServer;
let admin: TestClient;
let key: string;
const world = jiraWorld(() => ({ server, admin, key }));
const { receive, stopReceivers, lead, post, statusOf, ticketStates, sentStates, makeDue } = world;

const start = async (environment: Record<string, string> = {}) => {
  server = await startTestServer({ ...LOCAL_NETWORK, ...environment }, PARTS);
  admin = await server.signedIn({ role: 'admin', displayName: 'Ada Admin' });
  key = await server.addApiKey();
};
const reportOf = ({ tickets: [ticket] }: TicketDouble) => ({
  webhookEvent: 'jira:issue_updated',
  issue: { id: ticket?.id, key: ticket?.key, fields: { description: ticket?.description } },
});
const isAsking = ({ path }: { path: string }) => path.endsWith('/bulkfetch');

describe('at one server', () => {
  beforeAll(() => start());
  afterEach(stopReceivers);
  afterAll(() => server.destroy());

  test('of many problems at once each has one ticket, however many answers are lost', async () => {
    const customer = newCustomer();
    const double = jiraService();
    let made = 0;
    const { url } = await receive((request) => {
      const answer = double.rules(request);
      if (!request.path.endsWith('/issue')) return answer;
      made += 1;
      return made % 3 === 0 ? { status: 502, body: 'lost' } : answer;
    });
    await lead(customer, url);
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, index) => post(customer, { dedup_key: `p${index} ${customer}` })),
    );
    await expect.poll(async () => (await Promise.all(ids.map(ticketStates))).flat()).toEqual(ids.map(() => 'open'));
    expect(double.tickets).toHaveLength(ids.length);
  });

  test('closed there by somebody, asked about later: the alert is completed, by the ticket, once', async () => {
    const customer = newCustomer();
    const double = jiraService();
    const receiver = await receive(double.rules);
    await lead(customer, receiver.url);
    const id = await post(customer);
    await must(admin.send('POST', `/api/alerts/${id}/accept`, {}));
    await expect.poll(() => sentStates(id)).toEqual(['sent', 'sent']);
    double.move(0, 'closed');
    await makeDue();
    await expect.poll(() => statusOf(id)).toBe('completed');
    const history = historySchema.parse(await (await admin.get(`/api/alerts/${id}/history`)).json());
    expect(history.filter(({ newStatus }) => newStatus === 'completed')).toMatchObject([
      { userDisplayName: 'Jira OPS-1', previousStatus: 'accepted' },
    ]);
    // What follows from that is no news there.
    await expect.poll(() => sentStates(id)).toEqual(['sent', 'sent', 'sent']);
    expect(double.tickets[0]?.comments).toHaveLength(1);
    // What is closed is not asked about any more.
    const asked = receiver.requests.filter(isAsking).length;
    await makeDue();
    // What is due is asked about every second, and a second after it was changed here.
    await wait(2_500);
    expect(await ticketStates(id)).toEqual(['closed']);
    expect(receiver.requests.filter(isAsking)).toHaveLength(asked);
  });

  test('closed there while it could not be seen: the alert is completed once it can be, and not by what we closed', async () => {
    const customer = newCustomer();
    const double = jiraService();
    const receiver = await receive(double.rules);
    await lead(customer, receiver.url);
    const id = await post(customer);
    await expect.poll(() => ticketStates(id)).toEqual(['open']);
    const hide = () =>
      receiver.answer((request) => (isAsking(request) ? { status: 200, body: '{"issues":[]}' } : undefined));
    hide();
    await makeDue();
    await expect.poll(() => ticketStates(id)).toEqual(['gone']);
    double.move(0, 'closed');
    receiver.answer(undefined);
    await makeDue();
    await expect.poll(() => statusOf(id)).toBe('completed');
    await expect.poll(() => sentStates(id)).toEqual(['sent', 'sent']);
    hide();
    const asked = receiver.requests.filter(isAsking).length;
    expect((await admin.post(key, reportOf(double))).status).toBe(202);
    await expect.poll(() => receiver.requests.filter(isAsking).length).toBeGreaterThan(asked);
    await expect.poll(() => ticketStates(id)).toEqual(['closed']);
  });

  test('where the destination says so, closing a ticket completes nothing', async () => {
    const customer = newCustomer();
    const double = jiraService();
    const { url } = await receive(double.rules);
    await lead(customer, url, { completesAlert: false });
    const id = await post(customer);
    await expect.poll(() => ticketStates(id)).toEqual(['open']);
    double.move(0, 'closed');
    await makeDue();
    await expect.poll(() => ticketStates(id)).toEqual(['closed']);
    expect(await statusOf(id)).toBe('pending');
  });

  test('an echo of our own closing completes nothing, also when the problem is back before we know of it', async () => {
    const customer = newCustomer();
    const double = jiraService();
    let isLosing = true;
    const receiver = await receive((request) => {
      const answer = double.rules(request);
      return isLosing && request.path.endsWith('/transitions') ? { status: 502, body: 'lost' } : answer;
    });
    await lead(customer, receiver.url);
    const id = await post(customer, { status: 'firing' });
    await expect.poll(() => ticketStates(id)).toEqual(['open']);
    // We close it, and do not know that we did.
    await post(customer, { status: 'resolved' });
    await expect.poll(() => double.tickets[0]?.state).toBe('closed');
    expect(await post(customer, { status: 'firing' })).toBe(id);
    expect((await admin.post(key, reportOf(double))).status).toBe(202);
    await makeDue();
    isLosing = false;
    await expect.poll(() => sentStates(id)).toEqual(['sent', 'sent', 'sent']);
    expect([await statusOf(id), double.tickets[0]?.state, await ticketStates(id)]).toEqual([
      'pending',
      'open',
      ['open'],
    ]);
    // And the echo of its opening.
    const asked = receiver.requests.filter(isAsking).length;
    expect((await admin.post(key, reportOf(double))).status).toBe(202);
    await expect.poll(() => receiver.requests.filter(isAsking).length).toBeGreaterThan(asked);
    expect([await statusOf(id), double.tickets.length]).toEqual(['pending', 1]);
    expect(double.tickets[0]?.comments.map(({ text }) => text)).toEqual([
      'Resolved by its sender.',
      expect.stringMatching(/^The problem is back: /),
    ]);
  });

  // On SQLite one transaction follows the other.
  test.runIf(process.env['TEST_DIALECT'] === 'mysql')(
    'of two that were closed there, both alerts are locked before one is counted, as a batch does',
    async () => {
      const customer = newCustomer();
      const double = jiraService();
      const { url } = await receive(double.rules);
      await lead(customer, url);
      const ids: string[] = [];
      for (const name of ['one', 'other']) ids.push(await post(customer, { dedup_key: `${name} ${customer}` }));
      await expect.poll(async () => (await Promise.all(ids.map(ticketStates))).flat()).toEqual(['open', 'open']);
      for (const index of ids.keys()) double.move(index, 'closed');
      const held = Promise.withResolvers<void>();
      const due = held.promise.then(makeDue);
      let runs = 0;
      await server.database.transaction(async (tx) => {
        runs += 1;
        const [before] = await tx.lockRows(AlertEntity, { id: ids[1] ?? '' });
        if (!before) throw new Error('There is no second alert.');
        if (runs === 1) {
          held.resolve();
          await due;
          await untilQueued(server.database, '%FROM `alerts`%FOR UPDATE');
        }
        const after = { ...before, status: 'completed' as const };
        await countChanges(tx, [{ before, after }]);
        await countChanges(tx, [{ before: after, after: before }]);
      });
      expect(runs).toBe(1);
      await expect.poll(() => Promise.all(ids.map(statusOf))).toEqual(['completed', 'completed']);
    },
  );

  test('a system that does not answer is left alone for a while', async () => {
    const customer = newCustomer();
    const double = jiraService();
    const receiver = await receive(double.rules);
    await lead(customer, receiver.url);
    const id = await post(customer);
    await expect.poll(() => ticketStates(id)).toEqual(['open']);
    receiver.answer((request) => (isAsking(request) ? { status: 500, body: 'broken' } : undefined));
    double.move(0, 'closed');
    await makeDue();
    const asked = () => receiver.requests.filter(isAsking).length;
    await expect.poll(asked).toBe(1);
    receiver.answer(undefined);
    await expect.poll(() => statusOf(id)).toBe('completed');
    const [first, second] = receiver.requests.filter(isAsking).map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(1_500);
  });
});

describe.skipIf(!hasCluster)('at two servers', () => {
  let redis: TestRedis;
  let other: TestServer;

  beforeAll(async () => {
    redis = await startRedis();
    await start({ REDIS_URL: redis.url });
    other = await server.startSecond();
  });
  afterAll(async () => {
    await stopReceivers();
    await other.stop();
    await server.destroy();
    await redis.stop();
  });

  test('one of them asks, and a report that comes to either has it ask at once', async () => {
    const customer = newCustomer();
    const double = jiraService();
    const receiver = await receive(double.rules);
    await lead(customer, receiver.url);
    const id = await post(customer);
    await expect.poll(() => ticketStates(id)).toEqual(['open']);
    await makeDue();
    const asked = () => receiver.requests.filter(isAsking).length;
    await expect.poll(asked).toBe(1);
    double.move(0, 'closed');
    expect((await other.anonymous().post(key, reportOf(double))).status).toBe(202);
    await expect.poll(() => statusOf(id)).toBe('completed');
    expect(asked()).toBe(2);
    const history = historySchema.parse(await (await admin.get(`/api/alerts/${id}/history`)).json());
    expect(history.filter(({ newStatus }) => newStatus === 'completed')).toHaveLength(1);
  });
});
