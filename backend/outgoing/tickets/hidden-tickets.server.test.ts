import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { NewDestination } from '#backend/contract/outgoing.ts';
import { GITLAB_PROJECT, GITLAB_TOKEN, gitlabService } from '#tests/support/gitlab-service.ts';
import { jiraWorld, newCustomer } from '#tests/support/jira-world.ts';
import { LOCAL_NETWORK } from '#tests/support/outgoing-world.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import type { TicketDouble } from '#tests/support/ticket-system.ts';
import { ZAMMAD_TOKEN, zammadService } from '#tests/support/zammad-service.ts';

const REFUSED = { status: 403, body: '{"error":"Not authorized","error_human":"Not authorized"}' };
const pathOf = ({ tickets }: TicketDouble, index: number) => `/api/v1/tickets/${tickets[index]?.id}?`;
const isAsking = ({ path }: { path: string }) => path.includes('iids');

let server: TestServer;
let admin: TestClient;
let key: string;
const world = jiraWorld(() => ({ server, admin, key }));
const { receive, post, statusOf, ticketStates } = world;
beforeAll(async () => {
  server = await startTestServer(LOCAL_NETWORK, { outgoing: { resolve: async () => [], ticketSettleMs: 1_000 } });
  admin = await server.signedIn({ role: 'admin' });
  key = await server.addApiKey();
});
afterEach(world.stopReceivers);
afterAll(() => server.destroy());

async function minutesUntilAsked(id: string): Promise<number> {
  const [row]: { at: unknown }[] = await server.database.reads.query(
    'SELECT ask_at AS at FROM outgoing_live WHERE alert_id = ?',
    [id],
  );
  return (Number(row?.at) - Date.now()) / 60_000;
}

/** Two problems with a ticket each, of which the first is asked about before the second. */
async function twoTickets(double: TicketDouble, fields: Omit<NewDestination, 'name' | 'url'>) {
  const customer = newCustomer();
  const receiver = await receive(double.rules);
  const draft = { ...fields, name: `Tickets ${customer}`, url: receiver.url };
  const { destination } = await world.addDestination(draft);
  await world.addRule([destination.id], { search: `customer:"${customer}"` });
  const ids: string[] = [];
  for (const name of ['first', 'second']) {
    const id = await post(customer, { dedup_key: `${name} ${customer}` });
    await expect.poll(() => ticketStates(id)).toEqual(['open']);
    ids.push(id);
  }
  const [first = '', second = ''] = ids;
  return {
    receiver,
    first,
    second,
    makeDue: () =>
      server.database.transaction((tx) =>
        tx.query(
          'UPDATE outgoing_live SET ask_at = CASE WHEN alert_id = ? THEN 0 ELSE 1 END WHERE ask_at IS NOT NULL',
          [first],
        ),
      ),
  };
}

test('a ticket that the token may not see any more keeps no other from being asked about', async () => {
  const double = zammadService();
  const { receiver, first, second, makeDue } = await twoTickets(double, { kind: 'zammad', token: ZAMMAD_TOKEN });
  receiver.answer((request) => (request.path.startsWith(pathOf(double, 0)) ? REFUSED : undefined));
  for (const index of [0, 1]) double.move(index, 'closed');
  await makeDue();
  await expect.poll(() => statusOf(second)).toBe('completed');
  await expect.poll(() => ticketStates(first)).toEqual(['gone']);
  expect(await statusOf(first)).toBe('pending');
  // Once it may be seen again, what became of it counts.
  receiver.answer(undefined);
  await makeDue();
  await expect.poll(() => statusOf(first)).toBe('completed');
});

test('a ticket that is due alone is gone where the token sees another, which is asked about before its time', async () => {
  const double = zammadService();
  const { receiver, first, second } = await twoTickets(double, { kind: 'zammad', token: ZAMMAD_TOKEN });
  receiver.answer((request) => (request.path.startsWith(pathOf(double, 0)) ? REFUSED : undefined));
  double.move(1, 'closed');
  const makeFirstDue = () =>
    server.database.transaction((tx) => tx.query('UPDATE outgoing_live SET ask_at = 0 WHERE alert_id = ?', [first]));
  await makeFirstDue();
  await expect.poll(() => ticketStates(first)).toEqual(['gone']);
  await expect.poll(() => statusOf(second)).toBe('completed');
  // There is no other by now, and it stays what it was.
  const asked = () => receiver.requests.filter(({ path }) => path.startsWith(pathOf(double, 0))).length;
  const before = asked();
  await makeFirstDue();
  await expect.poll(asked).toBe(before + 1);
  await expect.poll(() => minutesUntilAsked(first)).toBeGreaterThan(50);
  expect(await ticketStates(first)).toEqual(['gone']);
});

test('where the token sees no ticket any more, none is taken as gone, and all are asked about again', async () => {
  const double = zammadService();
  const { receiver, first, second, makeDue } = await twoTickets(double, { kind: 'zammad', token: ZAMMAD_TOKEN });
  const isOf = (index: number) => (request: { path: string }) => request.path.startsWith(pathOf(double, index));
  const asked = () => [0, 1].map((index) => receiver.requests.filter(isOf(index)).length);
  receiver.answer((request) => (isOf(0)(request) || isOf(1)(request) ? REFUSED : undefined));
  await makeDue();
  await expect.poll(asked).toEqual([1, 1]);
  // The next turn begins once this one has ended.
  for (const id of [first, second]) await expect.poll(() => minutesUntilAsked(id)).toBeGreaterThan(0);
  await makeDue();
  await expect.poll(asked).toEqual([2, 2]);
  expect([await ticketStates(first), await ticketStates(second)]).toEqual([['open'], ['open']]);
  for (const index of [0, 1]) double.move(index, 'closed');
  receiver.answer(undefined);
  for (const id of [first, second]) await expect.poll(() => minutesUntilAsked(id)).toBeGreaterThan(0);
  await makeDue();
  await expect.poll(() => statusOf(first)).toBe('completed');
  await expect.poll(() => statusOf(second)).toBe('completed');
});

test('tickets of a project that was deleted, to which the destination led before, keep no others from being asked about', async () => {
  const double = gitlabService();
  const fields = { kind: 'gitlab', token: GITLAB_TOKEN, room: GITLAB_PROJECT } as const;
  const { first, second, makeDue } = await twoTickets(double, fields);
  await server.database.transaction((tx) =>
    tx.query("UPDATE outgoing_live SET remote = 'acme/before#1' WHERE alert_id = ?", [first]),
  );
  double.move(1, 'closed');
  await makeDue();
  await expect.poll(() => statusOf(second)).toBe('completed');
  await expect.poll(() => ticketStates(first)).toEqual(['gone']);
  expect(await statusOf(first)).toBe('pending');
});

test('where the project of the destination itself is not there, its tickets are not taken as gone', async () => {
  const double = gitlabService();
  const fields = { kind: 'gitlab', token: GITLAB_TOKEN, room: GITLAB_PROJECT } as const;
  const { receiver, first, second, makeDue } = await twoTickets(double, fields);
  receiver.answer((request) =>
    isAsking(request) ? { status: 404, body: '{"message":"404 Project Not Found"}' } : undefined,
  );
  await makeDue();
  await expect.poll(() => receiver.requests.filter(isAsking).length).toBeGreaterThan(1);
  expect([await ticketStates(first), await ticketStates(second)]).toEqual([['open'], ['open']]);
});
