import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { markerOf, testMarkerOf } from '#backend/outgoing/destinations/kinds/ticket.ts';
import type { NewDestination } from '#backend/contract/outgoing.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { GITHUB_REPOSITORY, GITHUB_TOKEN, githubService } from '#tests/support/github-service.ts';
import { JIRA_EMAIL, JIRA_TOKEN, jiraService } from '#tests/support/jira-service.ts';
import { jiraWorld, newCustomer } from '#tests/support/jira-world.ts';
import { LOCAL_NETWORK } from '#tests/support/outgoing-world.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import type { KeptTicket } from '#tests/support/ticket-system.ts';
import { must } from '#tests/support/write-routes.ts';

let server: TestServer;
let admin: TestClient;
let key: string;
const { addDestination, addRule, changeDestination, receive, stopReceivers, lead, post, ticketStates } = jiraWorld(
  () => ({ server, admin, key }),
);

beforeAll(async () => {
  server = await startTestServer(LOCAL_NETWORK, { outgoing: { resolve: async () => [] } });
  admin = await server.signedIn({ role: 'admin', displayName: 'Ada Admin' });
  key = await server.addApiKey();
});
afterEach(async () => {
  vi.useRealTimers();
  await stopReceivers();
});
afterAll(() => server.destroy());

/** A destination of any kind, and the rule that leads a customer's new alerts to it. */
const leadAny = async (customer: string, draft: Omit<NewDestination, 'name'>) => {
  const { destination } = await addDestination({ name: crypto.randomUUID(), ...draft });
  await addRule([destination.id], { search: `customer:"${customer}"`, events: ['new'] });
  return destination;
};

const countAlerts = async (): Promise<number> => {
  const [row]: { found: unknown }[] = await server.database.reads.query('SELECT COUNT(*) AS found FROM alerts');
  return Number(row?.found);
};
/** How many alerts are made of a report. */
const alertsOfReport = async (report: object): Promise<number> => {
  const before = await countAlerts();
  await must(admin.post(key, report));
  return (await countAlerts()) - before;
};
/** Reports an issue of Jira. Resolves to how many alerts are made of it. */
const alertsOf = ({ id, key: name }: Pick<KeptTicket, 'id' | 'key'>, description: string): Promise<number> => {
  const issue = { id, key: name, fields: { summary: `Outage ${name}`, description } };
  return alertsOfReport({ webhookEvent: 'jira:issue_updated', issue });
};

test('a marker hides the report of the very ticket alone, whatever else the ticket quotes', async () => {
  const customer = newCustomer();
  const double = jiraService();
  const { url } = await receive(double.rules);
  await lead(customer, url);
  const id = await post(customer);
  await expect.poll(() => ticketStates(id)).toEqual(['open']);
  const [ticket = { id: '', key: '', description: '' }] = double.tickets;
  expect(await alertsOf(ticket, ticket.description)).toBe(0);
  expect(await alertsOf(ticket, `${markerOf(newId())} ${ticket.description} and ${testMarkerOf(newId())}`)).toBe(0);
  expect(await alertsOf({ id: '20008', key: 'OPS-8' }, ticket.description)).toBe(1);
});

test('also while a ticket of the alert waits for another system, or for the same one since long', async () => {
  const customer = newCustomer();
  const double = jiraService();
  const { url } = await receive(double.rules);
  await lead(customer, url);
  const away = await receive(() => ({ status: 503, body: 'away' }));
  const github = { kind: 'github', url: away.url, token: GITHUB_TOKEN, room: GITHUB_REPOSITORY } as const;
  const { id: awayId } = await leadAny(customer, github);
  const id = await post(customer);
  await expect.poll(() => ticketStates(id)).toEqual(['open']);
  await expect.poll(() => away.requests.length).toBeGreaterThan(0);
  const [ticket = { id: '', key: '', description: '' }] = double.tickets;
  const other = { id: '20010', key: 'OPS-10' };
  expect(await alertsOf(other, ticket.description)).toBe(1);
  // Its report may be there before the answer is.
  const issue = { number: 3, title: 'Disk full', body: ticket.description, state: 'open' };
  const made = { action: 'opened', issue, repository: { full_name: GITHUB_REPOSITORY } };
  expect(await alertsOfReport(made)).toBe(0);
  await changeDestination(awayId, { isPaused: true });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * 60_000 });
  await expect.poll(() => alertsOfReport(made)).toBe(1);
});

test('the report of a ticket is known by the name that its project has now', async () => {
  const customer = newCustomer();
  const double = githubService();
  const { url } = await receive(double.rules);
  const github = { kind: 'github', url, token: GITHUB_TOKEN, room: GITHUB_REPOSITORY } as const;
  const { id: destinationId } = await leadAny(customer, github);
  const id = await post(customer);
  await expect.poll(() => ticketStates(id)).toEqual(['open']);
  const [ticket = { id: '', description: '' }] = double.tickets;
  const reportFrom = (name: string, number = Number(ticket.id)) => ({
    action: 'opened',
    issue: { number, title: 'Disk full', body: ticket.description, state: 'open' },
    repository: { full_name: name },
  });
  expect(await alertsOfReport(reportFrom(GITHUB_REPOSITORY))).toBe(0);
  await changeDestination(destinationId, { room: 'acme/operations' });
  expect(await alertsOfReport(reportFrom('Acme/operations'))).toBe(0);
  expect(await alertsOfReport(reportFrom('acme/operations', 4711))).toBe(1);
});

test('the marker of a test counts for an hour, and one that nobody tried with never', async () => {
  const double = jiraService();
  const { url } = await receive(double.rules);
  const jira = { kind: 'jira', name: 'Jira', url, account: JIRA_EMAIL, token: JIRA_TOKEN, room: 'OPS' };
  await must(admin.send('POST', '/api/outgoing/test', jira));
  const [ticket = { id: '', key: '', description: '' }] = double.tickets;
  expect(ticket.description).toContain('alertdesktest');
  expect(await alertsOf(ticket, ticket.description)).toBe(0);
  expect(await alertsOf({ id: '20009', key: 'OPS-9' }, testMarkerOf(newId()))).toBe(1);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * 60_000 });
  expect(await alertsOf(ticket, ticket.description)).toBe(1);
});
