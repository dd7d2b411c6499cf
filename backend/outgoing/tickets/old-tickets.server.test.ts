import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { pruneMessages } from '#backend/outgoing/messages/prune-messages.ts';
import { decideRule } from '#tests/support/group-calls.ts';
import { jiraService } from '#tests/support/jira-service.ts';
import { jiraWorld, newCustomer } from '#tests/support/jira-world.ts';
import { LOCAL_NETWORK } from '#tests/support/outgoing-world.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { must } from '#tests/support/write-routes.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

const MONTH_MS = 31 * 24 * 60 * 60_000;

let server: TestServer;
let admin: TestClient;
let key: string;
const world = jiraWorld(() => ({ server, admin, key }));
const { receive, lead, post, statusOf, ticketStates, sentStates, makeDue } = world;
beforeAll(async () => {
  server = await startTestServer(LOCAL_NETWORK, { outgoing: { resolve: async () => [], ticketSettleMs: 1_000 } });
  admin = await server.signedIn({ role: 'admin' });
  key = await server.addApiKey();
});
afterEach(world.stopReceivers);
afterAll(() => server.destroy());

/** What was sent and what is known of tickets is a month old, and what is too old is deleted. */
async function passAMonth(): Promise<void> {
  const { database } = server;
  await database.transaction(async (tx) => {
    await tx.query('UPDATE outgoing_messages SET finished_at = finished_at - ?', [MONTH_MS]);
    await tx.query('UPDATE outgoing_live SET updated_at = updated_at - ?', [MONTH_MS]);
  });
  await pruneMessages(database, new AbortController().signal, Date.now());
}

test('closed there after a month in which the destination was paused: the alert is completed, and then it is forgotten', async () => {
  const customer = newCustomer();
  const double = jiraService();
  const { url } = await receive(double.rules);
  const destination = await lead(customer, url);
  const id = await post(customer);
  await expect.poll(() => ticketStates(id)).toEqual(['open']);
  await world.changeDestination(destination.id, { isPaused: true });
  await passAMonth();
  double.move(0, 'closed');
  await world.changeDestination(destination.id, { isPaused: false });
  await makeDue();
  await expect.poll(() => statusOf(id)).toBe('completed');
  // Of what was sent only its end is not a month old.
  await expect.poll(() => sentStates(id)).toEqual(['sent']);
  await passAMonth();
  expect(await server.database.reads.query('SELECT state FROM outgoing_live WHERE alert_id = ?', [id])).toEqual([]);
});

test('what is completed while its destination is paused has its ticket closed once that is resumed', async () => {
  const customer = newCustomer();
  const [double, other] = [jiraService(), jiraService()];
  const { url } = await receive(double.rules);
  const destination = await lead(customer, url);
  await lead(customer, (await receive(other.rules)).url);
  const id = await post(customer);
  await expect.poll(() => ticketStates(id)).toEqual(['open', 'open']);
  await world.changeDestination(destination.id, { isPaused: true });
  await must(admin.send('POST', `/api/alerts/${id}/accept`, {}));
  await must(admin.send('PATCH', `/api/webhooks/${id}/status`, { status: 'completed' }));
  // What the other one was sent has been read from the feed while this one was paused.
  await expect.poll(() => other.tickets.map(({ state }) => state)).toEqual(['closed']);
  await passAMonth();
  await world.changeDestination(destination.id, { isPaused: false });
  await expect.poll(() => double.tickets.map(({ state }) => state)).toEqual(['closed']);
});

test('of a later alert of a group, which is open for longer than what was sent is kept, the ticket is closed', async () => {
  await decideRule(admin, 'names', { isOn: true });
  onTestFinished(() => decideRule(admin, 'names', { isOn: false }).then(() => undefined));
  const customer = newCustomer();
  const double = jiraService();
  const { url } = await receive(double.rules);
  await lead(customer, url);
  await post(customer, { severity: 'low' });
  // The first critical one of a group is news.
  const second = { severity: 'critical', dedup_key: `second ${customer}` };
  const id = await post(customer, { ...second, status: 'firing' });
  await expect.poll(() => ticketStates(id)).toEqual(['open']);
  await passAMonth();
  await post(customer, { ...second, status: 'resolved' });
  await expect.poll(() => double.tickets.map(({ state }) => state)).toEqual(['open', 'closed']);
});
