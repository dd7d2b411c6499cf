import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { NewDestination, OutgoingEvent } from '#backend/contract/outgoing.ts';
import { outgoingPreviewSchema } from '#backend/contract/outgoing.ts';
import { outgoingTestResultSchema } from '#backend/contract/outgoing-test.ts';
import { type OutgoingReceiver, type ServiceRules, startReceiver } from '#tests/support/outgoing-receiver.ts';
import { LOCAL_NETWORK, outgoingWorld } from '#tests/support/outgoing-world.ts';
import { JIRA_EMAIL, JIRA_TOKEN, jiraService } from '#tests/support/jira-service.ts';
import { GITHUB_REPOSITORY, GITHUB_TOKEN, githubService } from '#tests/support/github-service.ts';
import { GITLAB_PROJECT, GITLAB_TOKEN, gitlabService } from '#tests/support/gitlab-service.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { type KnownSystem, TICKET_SYSTEMS, losingFirst } from '#tests/support/ticket-world.ts';
import { must } from '#tests/support/write-routes.ts';

const ALL: OutgoingEvent[] = ['new', 'escalated', 'accepted', 'completed', 'note'];

let server: TestServer;
let admin: TestClient;
let key: string;
const receivers: OutgoingReceiver[] = [];
const world = outgoingWorld(() => admin);

beforeAll(async () => {
  server = await startTestServer(
    { ...LOCAL_NETWORK, PUBLIC_URL: 'https://alerts.example.com' },
    { outgoing: { resolve: async () => [], ticketSettleMs: 3_000 } },
  );
  admin = await server.signedIn({ role: 'admin', displayName: 'Ada Admin' });
  key = await server.addApiKey();
});
afterEach(async () => {
  for (const { id } of await world.destinations()) await admin.send('DELETE', `/api/outgoing/destinations/${id}`);
  for (const receiver of receivers.splice(0)) await receiver.stop();
});
afterAll(() => server.destroy());

const receive = async (rules: ServiceRules) => {
  const receiver = await startReceiver(rules);
  receivers.push(receiver);
  return receiver;
};
const addFor = async (customer: string, input: Omit<NewDestination, 'name'>, events = ALL) => {
  const made = await world.addDestination({ name: `Tickets ${crypto.randomUUID()}`, ...input });
  await world.addRule([made.destination.id], { search: `customer:"${customer}"`, events });
  return made.destination;
};
const post = async (customer: string, more: object = {}) => {
  const body = {
    customer,
    type: 'disk',
    title: 'Disk full on db-7',
    severity: 'critical',
    alertKey: customer,
    ...more,
  };
  return (await admin.postAlert(key, body)).id;
};
const accept = (id: string) => must(admin.send('POST', `/api/alerts/${id}/accept`, {}));
const note = (id: string, text: string) => must(admin.send('POST', `/api/alerts/${id}/notes`, { text, mentions: [] }));
const complete = (id: string) => must(admin.send('PATCH', `/api/webhooks/${id}/status`, { status: 'completed' }));
const statusOf = async (id: string) =>
  ((await (await admin.get(`/api/alerts/${id}`)).json()) as { status: string }).status;
const ticketsOf = async (id: string) => (await world.receipts(id)).tickets;
const newName = (system: string) => `${system} ${crypto.randomUUID()}`;
const draft = async (what: 'preview' | 'test', input: object) =>
  admin.send('POST', `/api/outgoing/${what}`, { name: 'Tickets', ...input });

test('one ticket for each problem has what happens to its alert, and says it back', async () => {
  await Promise.all(TICKET_SYSTEMS.map(followOne));
});

async function followOne(system: KnownSystem): Promise<void> {
  const customer = newName(system.name);
  const double = system.start();
  const { url } = await receive(double.rules);
  await addFor(customer, { ...system.fields, url });
  const id = await post(customer);
  await expect.poll(() => double.tickets.length).toBe(1);
  const [ticket] = double.tickets;
  expect(ticket).toMatchObject({
    summary: 'Disk full on db-7',
    description: expect.stringContaining(`https://alerts.example.com/alert/${id}`),
  });
  await expect.poll(() => ticketsOf(id)).toMatchObject([{ key: ticket?.key, state: 'open' }]);
  expect((await world.receipts(id)).receipts[0]?.attempts.at(-1)?.answer).toBe(`Created ${ticket?.key}`);
  await accept(id);
  await note(id, 'Extended by 20 GB\n/close');
  const says = () => ticket?.comments.map(({ text }) => text);
  await expect
    .poll(says)
    .toEqual(['Accepted by Ada Admin in Alertdesk.', expect.stringContaining('Ada Admin: Extended')]);
  // A command in somebody's note is no command there.
  expect(ticket?.state).toBe('open');
  await complete(id);
  await expect.poll(() => ticket?.state).toBe('closed');
  await expect.poll(() => ticketsOf(id)).toMatchObject([{ state: 'closed' }]);
  expect(double.tickets).toHaveLength(1);
}

test('a ticket whose answer was lost is found, and closing it there completes its alert', async () => {
  const before = await countAlerts();
  await Promise.all(TICKET_SYSTEMS.map(findAndClose));
  // What the systems reported of their tickets is no alert.
  expect(await countAlerts()).toBe(before + TICKET_SYSTEMS.length);
});

async function findAndClose(system: KnownSystem): Promise<void> {
  const customer = newName(system.name);
  const double = system.start();
  // The first look, after two seconds or so, finds nothing where there is a search; it is waited for.
  double.searchDelayMs = 2_600;
  const { url } = await receive(losingFirst(double));
  await addFor(customer, { ...system.fields, url });
  const id = await post(customer);
  await expect.poll(() => ticketsOf(id)).toMatchObject([{ state: 'open' }]);
  expect(double.tickets).toHaveLength(1);
  double.move(0, 'closed');
  const [ticket] = double.tickets;
  expect((await admin.post(key, ticket && system.report(ticket))).status).toBe(202);
  await expect.poll(() => statusOf(id)).toBe('completed');
  await expect.poll(() => ticketsOf(id)).toMatchObject([{ state: 'closed' }]);
}

const countAlerts = async () => {
  const [row]: { found: unknown }[] = await server.database.reads.query('SELECT COUNT(*) AS found FROM alerts');
  return Number(row?.found);
};

const jira = { kind: 'jira', account: JIRA_EMAIL, token: JIRA_TOKEN, room: 'OPS' } as const;

test('a test makes a ticket and closes it, and says in clear words what is wrong', async () => {
  const double = jiraService();
  const { url } = await receive(double.rules);
  const resultOf = async (input: object) =>
    outgoingTestResultSchema.parse(await (await draft('test', { ...jira, url, ...input })).json());
  expect(await resultOf({})).toMatchObject({
    isDelivered: true,
    message: expect.stringContaining('Created OPS-1, and closed it'),
  });
  expect(double.tickets).toMatchObject([{ summary: expect.stringMatching(/^Test: /), state: 'closed' }]);
  expect(await resultOf({ token: 'wrong-token' })).toMatchObject({
    isDelivered: false,
    message: expect.stringContaining('The token is wrong or has ended.'),
  });
  expect(await resultOf({ room: 'GONE' })).toMatchObject({
    message: 'Jira does not take a field. Jira says: project: valid project is required.',
  });
  expect(await resultOf({ ticketTemplates: { priority: 'Blocker' } })).toMatchObject({
    message: expect.stringContaining('priority: Priority name is not valid'),
  });
  expect(await resultOf({ ticketTemplates: { closeAs: 'Rejected' } })).toMatchObject({
    isDelivered: false,
    message: expect.stringContaining('It can become: In Progress, Done'),
  });
  const github = githubService();
  const { url: githubUrl } = await receive(github.rules);
  const gone = { kind: 'github', url: githubUrl, token: GITHUB_TOKEN, room: 'acme/gone' };
  expect(await resultOf({ account: undefined, ...gone })).toMatchObject({
    message: expect.stringContaining('GitHub does not know the project or the ticket'),
  });
});

test('an error in a template stands at its field, with line and character', async () => {
  const { url } = await receive(jiraService().rules);
  const ticketTemplates = { summary: '{{title}', description: 'Host\n{{hots}} is down', labels: '{{type}}' };
  const faults = [
    { field: 'summary', message: 'Line 1, character 1: {{ is not closed. Add }} behind the path.' },
    {
      field: 'description',
      message: expect.stringMatching(/^Line 2, character 3: There is no value hots\. There are: title, /),
    },
  ];
  // The rest is shown.
  const shown = outgoingPreviewSchema.parse(await (await draft('preview', { ...jira, url, ticketTemplates })).json());
  expect(shown.faults).toEqual(faults);
  expect(shown.fields.map(({ name }) => name)).toEqual(['Issue type', 'Labels']);
  // Nothing is saved or sent by it.
  const refusedBy = async (templates: object) => {
    const body = { name: 'Tickets', ...jira, url, ticketTemplates: templates };
    const response = await admin.send('POST', '/api/outgoing/destinations', body, { Accept: 'application/json' });
    return [response.status, ((await response.json()) as { errors?: unknown }).errors];
  };
  expect(await refusedBy(ticketTemplates)).toEqual([
    422,
    faults.map(({ field, message }) => ({ path: `ticketTemplates.${field}`, message: message as unknown })),
  ]);
  expect(await refusedBy({ urgency: '1' })).toEqual([
    422,
    [{ path: 'ticketTemplates.urgency', message: 'Tickets of the kind Jira have no such field.' }],
  ]);
});

test('a preview is drawn from the very request', async () => {
  const { url } = await receive(jiraService().rules);
  await post(newName('Preview'), { host: 'db-7 {color:red} [~admin]' });
  const response = await draft('preview', {
    ...jira,
    url,
    ticketTemplates: { description: 'Host {{fields.host}}\nOwner {{owner}}' },
  });
  const { title, lines, fields: shown, body } = outgoingPreviewSchema.parse(await response.json());
  expect(lines[0]?.split('\n')[0]).toBe('Host db-7 {color:red} [~admin]');
  expect(shown).toEqual([{ name: 'Issue type', value: 'Task' }]);
  expect(title).toBe('Test: Disk full on db-7');
  const { fields } = JSON.parse(body) as { fields: { description: string } };
  expect(fields.description.split('\n')[0]).toBe(String.raw`Host db-7 \{color:red\} \[\~admin\]`);
  // A line of which no path finds a value is left out.
  expect(fields.description).not.toContain('Owner');
});

test('a long note is brought cut, and a limit is waited for', async () => {
  const customer = newName('GitLab');
  const double = gitlabService({ perMinute: 3 });
  const { url, requests } = await receive(double.rules);
  const { id: destinationId } = await addFor(customer, {
    kind: 'gitlab',
    url,
    token: GITLAB_TOKEN,
    room: GITLAB_PROJECT,
  });
  const id = await post(customer);
  const tooLong = await admin.send('POST', `/api/alerts/${id}/notes`, { text: 'x'.repeat(10_000), mentions: [] });
  expect(tooLong.status).toBe(422);
  await note(id, `@channel ${'x'.repeat(3_900)}`);
  await expect.poll(() => double.tickets[0]?.comments.length).toBe(1);
  const [comment] = double.tickets[0]?.comments ?? [];
  expect(comment?.text.length).toBeLessThan(2_100);
  expect(comment?.text).not.toContain('@channel');
  await note(id, 'second');
  await note(id, 'third');
  await expect.poll(async () => (await world.destination(destinationId)).health).toBe('slowed');
  expect((await world.destination(destinationId)).reason).toMatch(/^429: asked to wait for \d+ s$/);
  const before = requests.length;
  // What is due is looked for every 200 ms.
  await wait(1_000);
  expect(requests).toHaveLength(before);
});

test('a used up limit of GitHub is waited for, as its headers say', async () => {
  const customer = newName('GitHub');
  const double = githubService({ perHour: 1 });
  const { url } = await receive(double.rules);
  const { id: destinationId } = await addFor(customer, {
    kind: 'github',
    url,
    token: GITHUB_TOKEN,
    room: GITHUB_REPOSITORY,
  });
  const id = await post(customer);
  await expect.poll(() => double.tickets.length).toBe(1);
  await accept(id);
  await expect
    .poll(async () => (await world.destination(destinationId)).reason)
    .toMatch(/^429: asked to wait for [1-3] s$/);
});

test('a ticket that is gone is made again by the next event that makes one, and not by a note', async () => {
  const customer = newName('Gone');
  const double = jiraService();
  const { url } = await receive(double.rules);
  await addFor(customer, { ...jira, url });
  const id = await post(customer);
  await expect.poll(() => ticketsOf(id)).toHaveLength(1);
  double.remove(0);
  await note(id, 'Where is it?');
  await expect
    .poll(async () => (await world.receipts(id)).receipts.at(-1)?.attempts.at(-1)?.answer)
    .toBe('The ticket is gone there.');
  expect(double.tickets).toHaveLength(0);
  await accept(id);
  await expect.poll(() => double.tickets.length).toBe(1);
  await expect.poll(() => ticketsOf(id)).toMatchObject([{ key: 'OPS-2' }]);
});

test('a destination that leads to another server knows no tickets of the one before', async () => {
  const customer = newName('Moved');
  const [one, other] = [jiraService(), jiraService()];
  const before = await receive(one.rules);
  const after = await receive(other.rules);
  const { id: destinationId } = await addFor(customer, { ...jira, url: before.url });
  const id = await post(customer);
  await expect.poll(() => ticketsOf(id)).toHaveLength(1);
  await world.changeDestination(destinationId, { url: after.url, token: JIRA_TOKEN });
  expect(await ticketsOf(id)).toBeUndefined();
  await accept(id);
  await expect.poll(() => other.tickets.length).toBe(1);
  expect(one.tickets[0]?.comments).toEqual([]);
});
