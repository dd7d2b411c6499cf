import { expect, onTestFinished, test } from 'vitest';
import { JIRA_EMAIL, JIRA_TOKEN, jiraService, jiraSignIn } from '#tests/support/jira-service.ts';
import { startReceiver } from '#tests/support/outgoing-receiver.ts';
import { startOutgoingServers } from '#tests/support/outgoing-servers.ts';
import { SLACK_CHANNEL, SLACK_TOKEN, createSlackService } from '#tests/support/slack-service.ts';

/** A claim of a server that was killed ends after 25 s, and a lease of one that led after 10 s. */
const AGAIN_MS = 60_000;

test('a server that is killed after Slack took a message and Jira a ticket posts each once, and changes that one', async () => {
  const slack = createSlackService();
  const receiver = await startReceiver(slack.rules);
  onTestFinished(() => receiver.stop());
  const { first: server, admin, world, post } = await startOutgoingServers(1);
  const { destination } = await world.addDestination({
    kind: 'slack-bot',
    name: 'Ops',
    url: `${receiver.url}/api`,
    token: SLACK_TOKEN,
    room: SLACK_CHANNEL,
  });
  const jira = jiraService();
  const tickets = await startReceiver(jira.rules);
  onTestFinished(() => tickets.stop());
  const { destination: project } = await world.addDestination({
    kind: 'jira',
    name: 'Tickets',
    url: tickets.url,
    account: JIRA_EMAIL,
    token: JIRA_TOKEN,
    room: 'OPS',
  });
  await world.addRule([destination.id, project.id], { events: ['new', 'accepted'] });
  // Slack takes the message and Jira makes the ticket, and their answers never come.
  receiver.answer((request) => {
    if (slack.messages.length > 0) return undefined;
    slack.rules({ ...request, method: 'POST', headers: HEADERS });
    return 'hang';
  });
  tickets.answer((request) => {
    if (jira.tickets.length > 0) return undefined;
    jira.rules({ ...request, method: 'POST', headers: { ...HEADERS, authorization: jiraSignIn(true) } });
    return 'hang';
  });
  const id = await post({ title: 'Disk full' });
  await expect.poll(() => [slack.messages.length, jira.tickets.length]).toEqual([1, 1]);
  await server.end('SIGKILL');
  receiver.answer(undefined);
  tickets.answer(undefined);
  await server.start();
  const states = async () => (await world.receipts(id)).receipts.map(({ state }) => state);
  await expect.poll(states, { timeout: AGAIN_MS, interval: 200 }).toEqual(['sent', 'sent']);
  await admin.send('POST', `/api/alerts/${id}/accept`, {});
  await expect.poll(() => JSON.stringify(slack.messages[0]?.blocks), { timeout: 10_000 }).toContain('Accepted');
  expect(slack.messages).toHaveLength(1);
  await expect.poll(() => jira.tickets[0]?.comments.length, { timeout: 10_000 }).toBe(1);
  expect(jira.tickets).toHaveLength(1);
}, 120_000);

const HEADERS = { authorization: `Bearer ${SLACK_TOKEN}`, 'content-type': 'application/json' };
