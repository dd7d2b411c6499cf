import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { alertSchema } from '#backend/contract/alert.ts';
import { chatAccountListSchema } from '#backend/contract/chat-account.ts';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { UserEntity } from '#backend/identity/users/user.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';
import {
  SLACK_APP_TOKEN,
  SLACK_CHANNEL,
  SLACK_TEAM,
  SLACK_TOKEN,
  type SlackService,
  createSlackService,
} from '#tests/support/slack-service.ts';
import { type SlackSocketService, startSlackSocket } from '#tests/support/slack-socket-service.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { must } from '#tests/support/write-routes.ts';

const SECRET = '8f742231b10e8888abcd99yyyzzz85a5'.replaceAll(/[^0-9a-f]/g, '0');

/** More than a server takes to close what it has open, once it listens no more. */
const SLOW_MS = 500;

const on = useOutgoingServer();
const { world, receive, addFor, post } = on;
let ann: TestClient;
let slack: SlackService;
let sockets: SlackSocketService;
/** Slack says whose an account is after this alone, where it is set. */
let usersAfter: Promise<void> | undefined;

beforeAll(async () => {
  ann = await on.server.signedIn({ displayName: 'Ann Ashby' });
  sockets = await startSlackSocket();
});
beforeEach(() => {
  slack = createSlackService();
  usersAfter = undefined;
});
afterAll(() => sockets.stop());

/** An alert whose message in Slack has buttons. */
const shownInSlack = async (more: object = { requestSecret: SECRET }) => {
  const customer = crypto.randomUUID();
  const { url } = await receive((request) => {
    if (request.path === '/api/apps.connections.open') return sockets.open(request.headers.authorization);
    const answer = slack.rules(request);
    return answer && usersAfter && request.path.startsWith('/api/users.info')
      ? { ...answer, after: usersAfter }
      : answer;
  });
  const { destination } = await addFor(customer, {
    kind: 'slack-bot',
    name: customer,
    url: `${url}/api`,
    token: SLACK_TOKEN,
    room: SLACK_CHANNEL,
    ...more,
  });
  const id = await post({ customer, title: 'Disk full' });
  await expect.poll(() => slack.messages.length).toBe(1);
  return { id, destination };
};
const payloadOf = (action: string, user: { id: string; name?: string }) => ({
  type: 'block_actions',
  user: { id: user.id, name: user.name ?? user.id, team_id: SLACK_TEAM },
  team: { id: SLACK_TEAM, domain: 'lakeside' },
  api_app_id: 'A0123',
  channel: { id: SLACK_CHANNEL },
  response_url: 'https://hooks.slack.com/actions/T/1/x',
  actions: [slack.buttons().find(({ action_id: id }) => id === action)],
});
const press = (payload: object, { secret = SECRET, at = Date.now() } = {}) => {
  const body = String(new URLSearchParams({ payload: JSON.stringify(payload) }));
  const timestamp = String(Math.floor(at / 1000));
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return fetch(`${on.server.url}/api/chat/slack`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-Slack-Request-Timestamp': timestamp,
      'X-Slack-Signature': `v0=${digest}`,
    },
    body,
  });
};
/** The code of the link that who pressed is shown. */
const codeIn = (text: string): string =>
  new URL(/<(\S+)\|Connect>/.exec(text)?.[1] ?? '').searchParams.get('connect') ?? '';
const alert = async (id: string) => alertSchema.parse(await (await on.admin.get(`/api/alerts/${id}`)).json());
/** Another account of their email each time: one that was disconnected is not found by it any more. */
const slackUserOf = (client: TestClient) => {
  const user = {
    id: `U${crypto.randomUUID().slice(-11).toUpperCase()}`,
    name: 'Ann Ashby',
    email: client.session?.email ?? '',
  };
  slack.users.push(user);
  return user;
};
const accountsOf = async (client: TestClient) =>
  chatAccountListSchema.parse(await (await client.get('/api/account/chat-accounts')).json());
const disconnect = async (client: TestClient) => {
  for (const { id } of await accountsOf(client)) await must(client.send('DELETE', `/api/account/chat-accounts/${id}`));
};

test('a button of Slack does what the app does, as the member with that email', async () => {
  const { id } = await shownInSlack();
  const user = slackUserOf(ann);
  expect(slack.buttons().map(({ action_id: action }) => action)).toEqual([
    'accept',
    'start',
    'complete',
    'snooze',
    'open',
  ]);
  expect((await press(payloadOf('accept', user))).status).toBe(204);
  expect(await alert(id)).toMatchObject({ status: 'accepted', ownerName: 'Ann Ashby' });
  await expect
    .poll(() => slack.buttons().map(({ action_id: action }) => action))
    .toEqual(['start', 'complete', 'snooze', 'open']);
  expect(slack.ephemerals).toEqual([]);
  expect(await accountsOf(ann)).toMatchObject([{ service: 'slack', accountName: 'Ann Ashby', isByEmail: true }]);
  await press(payloadOf('snooze', user));
  await expect.poll(() => JSON.stringify(slack.messages[0]?.blocks)).toContain('snoozed');
  await press(payloadOf('start', user));
  await press(payloadOf('complete', user));
  expect((await alert(id)).status).toBe('completed');
  await expect.poll(() => slack.buttons().map(({ action_id: action }) => action)).toEqual(['open']);
  await disconnect(ann);
  const entries = await on.server.database.reads.getRepository(AuditEntity).findBy({ actorId: ann.id });
  expect(entries.map(({ action }) => action).filter((action) => action.startsWith('chat'))).toEqual([
    'chat_account_connected',
    'chat_account_disconnected',
  ]);
});

test('an account that was disconnected is nobody’s until it is connected by a link', async () => {
  const { id } = await shownInSlack();
  const user = slackUserOf(ann);
  await press(payloadOf('accept', user));
  await disconnect(ann);
  await expect.poll(() => slack.buttons()[0]?.action_id).toBe('start');
  await press(payloadOf('start', user));
  expect((await alert(id)).status).toBe('accepted');
  expect(await accountsOf(ann)).toEqual([]);
  const { text = '' } = slack.ephemerals[0] ?? {};
  expect(text).toContain('This Slack account was disconnected in Alertdesk. Connect your account once');
  await must(ann.send('POST', '/api/account/chat-accounts', { code: codeIn(text) }));
  await press(payloadOf('start', user));
  expect((await alert(id)).status).toBe('in-progress');
  await disconnect(ann);
  expect(await accountsOf(ann)).toEqual([]);
});

test('who may not is shown why, alone', async () => {
  const { id } = await shownInSlack();
  const user = slackUserOf(ann);
  const payload = payloadOf('accept', user);
  await must(on.admin.send('POST', `/api/alerts/${id}/accept`, {}));
  await press(payload);
  expect(slack.ephemerals).toEqual([
    {
      user: user.id,
      text: `Already accepted by Ada Admin. <https://alerts.example.com/alert/${id}|Open in Alertdesk>`,
    },
  ]);
  await on.server.database.transaction((tx) =>
    tx.getRepository(UserEntity).update({ id: ann.id }, { isActive: false }),
  );
  await press(payload);
  expect(slack.ephemerals[1]?.text).toContain('Your account in Alertdesk is disabled');
  await on.server.database.transaction((tx) => tx.getRepository(UserEntity).update({ id: ann.id }, { isActive: true }));
  await disconnect(ann);
  expect((await alert(id)).ownerName).toBe('Ada Admin');
});

test('what Slack has not signed, or signed long ago, does nothing', async () => {
  const { id } = await shownInSlack();
  const payload = payloadOf('accept', slackUserOf(ann));
  const statuses = [
    await press(payload, { secret: SECRET.replace('8', '9') }),
    await press(payload, { at: Date.now() - 301_000 }),
    await press(payload, { at: Date.now() + 301_000 }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([401, 401, 401]);
  // A link that was opened, or a button of somebody else.
  expect((await press({ ...payload, actions: [{ action_id: 'open' }] })).status).toBe(204);
  expect((await alert(id)).status).toBe('pending');
});

test('who has no email here connects by a link, and nobody acts by another one’s account', async () => {
  const { id } = await shownInSlack();
  const stranger = { id: 'U0STRANGER', name: 'anna\nashby' };
  slack.users.push({ ...stranger, email: 'nobody@example.com' });
  await press(payloadOf('accept', stranger));
  const { text = '' } = slack.ephemerals[0] ?? {};
  expect(text).toContain('Nobody in Alertdesk has your email, nobody@example.com.');
  const code = codeIn(text);
  expect(await (await ann.send('POST', '/api/account/chat-accounts/offer', { code })).json()).toMatchObject({
    accountName: 'anna ashby',
  });
  expect((await alert(id)).status).toBe('pending');
  expect((await ann.send('POST', '/api/account/chat-accounts', { code })).status).toBe(201);
  await press(payloadOf('accept', stranger));
  expect((await alert(id)).ownerName).toBe('Ann Ashby');
  const refused = await on.admin.send('POST', '/api/account/chat-accounts', { code });
  expect([refused.status, await refused.text()]).toEqual([
    409,
    expect.stringContaining('is connected to Ann Ashby already. Two people cannot act by one account'),
  ]);
  // Her own email belongs to a second account: she has one already.
  const second = slackUserOf(ann);
  await press(payloadOf('complete', second));
  expect(slack.ephemerals.at(-1)).toMatchObject({
    user: second.id,
    text: expect.stringContaining('connected to another Slack account'),
  });
  expect((await ann.send('POST', '/api/account/chat-accounts/offer', { code: 'x' })).status).toBe(404);
  await disconnect(ann);
});

test('a press is acknowledged while Slack waits, also where Slack itself is slow, and done all the same', async () => {
  const { id } = await shownInSlack();
  const payload = payloadOf('accept', slackUserOf(ann));
  const answering = Promise.withResolvers<void>();
  usersAfter = answering.promise;
  expect((await press(payload)).status).toBe(204);
  expect((await alert(id)).status).toBe('pending');
  answering.resolve();
  await expect.poll(async () => (await alert(id)).ownerName).toBe('Ann Ashby');
  await disconnect(ann);
});

test('of two who press at once one is the owner, and the other is shown who', async () => {
  const { id } = await shownInSlack();
  const ben = await on.server.signedIn({ displayName: 'Ben Berg' });
  const users = [slackUserOf(ann), slackUserOf(ben)];
  await Promise.all(users.map((user) => press(payloadOf('accept', user))));
  const { ownerName } = await alert(id);
  expect(['Ann Ashby', 'Ben Berg']).toContain(ownerName);
  expect(slack.ephemerals.map(({ text }) => text)).toEqual([
    expect.stringContaining(`Already accepted by ${ownerName}`),
  ]);
  // The same press again changes nothing, and is no error.
  const again = users[ownerName === 'Ann Ashby' ? 0 : 1];
  if (again)
    await press({ ...payloadOf('complete', again), actions: [{ ...slack.buttons()[0], action_id: 'accept' }] });
  expect(slack.ephemerals).toHaveLength(1);
  await disconnect(ann);
});

test('presses come by Socket Mode, over a connection that is opened again', async () => {
  const { id, destination } = await shownInSlack({ appToken: SLACK_APP_TOKEN });
  await expect.poll(async () => (await world.destination(destination.id)).connection?.isUp).toBe(true);
  expect((await world.destination(destination.id)).otherHints).toEqual({ appToken: 'efgh' });
  sockets.refresh();
  // The second stands before the first is closed.
  await expect.poll(() => sockets.connections()).toBe(2);
  const user = slackUserOf(ann);
  const payload = payloadOf('accept', user);
  const took = [await sockets.press(payload)];
  await expect.poll(async () => (await alert(id)).ownerName).toBe('Ann Ashby');
  // Slack waits for three seconds. What is done is acknowledged at once, not as late as may be, if only once on a busy machine.
  for (let again = 0; again < 2; again += 1) took.push(await sockets.press(payload));
  expect(Math.min(...took)).toBeLessThan(2_400);
  await world.changeDestination(destination.id, { appToken: 'xapp-wrong' });
  await expect
    .poll(async () => (await world.destination(destination.id)).connection?.reason)
    .toContain('The app-level token is not right any more');
  await disconnect(ann);
});

test('a press that was acknowledged is done before the server stops', async () => {
  const { id } = await shownInSlack();
  const answering = Promise.withResolvers<void>();
  usersAfter = answering.promise;
  expect((await press(payloadOf('accept', slackUserOf(ann)))).status).toBe(204);
  const { url } = on.server;
  const restarting = on.restart();
  const isListening = () =>
    fetch(`${url}/readyz`).then(
      () => true,
      () => false,
    );
  await expect.poll(isListening).toBe(false);
  await wait(SLOW_MS);
  answering.resolve();
  await restarting;
  expect((await alert(id)).ownerName).toBe('Ann Ashby');
});
