import { afterAll, beforeAll, expect, test } from 'vitest';
import { outgoingTestResultSchema } from '#backend/contract/outgoing-test.ts';
import { alertListSchema } from '#backend/contract/alert.ts';
import { problemSchema } from '#backend/contract/problem.ts';
import { MAIL, type TestMailServer, startMailServer } from '#tests/support/mail-server.ts';
import { standardWebhooksRules } from '#tests/support/outgoing-receiver.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';
import { ntfyRules, slackRules } from '#tests/support/outgoing-services.ts';
import { DestinationEntity } from '#backend/outgoing/destinations/destination-entity.ts';
import { MessageEntity } from './message-entity.ts';

let mailServer: TestMailServer;
beforeAll(async () => {
  mailServer = await startMailServer();
});
afterAll(() => mailServer.stop());
const on = useOutgoingServer(() => ({ ...MAIL, SMTP_URL: mailServer.url }));
const { world, receive, addFor, post } = on;

const named = (): string => `Destination ${crypto.randomUUID()}`;
const SLACK_PATH = '/services/T000/B000/XXXXXXXXXXXXXXXXXXXXXXXX';
const testOf = async (body: object) =>
  outgoingTestResultSchema.parse(await (await on.admin.send('POST', '/api/outgoing/test', body)).json());

test('a chat channel, a topic and a mail list are sent what people read', async () => {
  const customer = `Chat ${crypto.randomUUID()}`;
  const slack = await receive(slackRules);
  const ntfy = await receive(ntfyRules('tk_1234567890'));
  await addFor(customer, { kind: 'slack', url: slack.url + SLACK_PATH });
  await addFor(customer, { kind: 'ntfy', url: ntfy.url, topic: 'ops', token: 'tk_1234567890' });
  const recipients = ['ops', 'night'].map((name) => `${name}-${crypto.randomUUID()}@example.com`);
  await addFor(customer, { kind: 'mail', recipients });
  await post({ customer, type: 'disk', title: 'Disk almost full', host: 'db-7' });
  await expect.poll(() => [slack, ntfy].map((one) => one.taken().length)).toEqual([1, 1]);
  const mails = () => mailServer.mails.filter(({ to }) => to.includes(recipients[0] ?? ''));
  await expect.poll(() => mails().length).toBe(1);
  expect(JSON.parse(ntfy.taken()[0]?.body ?? '')).toMatchObject({ topic: 'ops', title: 'Disk almost full' });
  expect(mails()[0]).toMatchObject({ to: recipients });
  expect(mails()[0]?.text).toContain('host: db-7');
});

test('of messages that wait for people, the newest replaces those before it; notes are all sent', async () => {
  const customer = `Merged ${crypto.randomUUID()}`;
  const slack = await receive(slackRules);
  const { destination } = await addFor(customer, { kind: 'slack', url: slack.url + SLACK_PATH }, [
    'new',
    'accepted',
    'completed',
    'note',
  ]);
  slack.answer({ status: 429, headers: { 'Retry-After': '4' } });
  const alertId = await post({ customer, title: 'Merged' });
  await expect.poll(async () => (await world.destination(destination.id)).health).toBe('slowed');
  await on.admin.send('POST', `/api/alerts/${alertId}/accept`, {});
  await on.admin.send('POST', `/api/alerts/${alertId}/notes`, { text: 'On it', mentions: [] });
  await on.admin.send('PATCH', `/api/webhooks/${alertId}/status`, { status: 'completed' });
  await expect.poll(async () => (await world.receipts(alertId)).receipts.length).toBe(4);
  slack.answer(undefined);
  await expect.poll(() => slack.taken().length).toBe(2);
  const states = async () => (await world.receipts(alertId)).receipts.map(({ event, state }) => `${event} ${state}`);
  await expect.poll(states).toEqual(['new replaced', 'accepted replaced', 'note sent', 'completed sent']);
  // A 429 is no failure, and its wait was kept.
  const [refused, taken] = [slack.requests[0], slack.taken()[0]];
  expect((taken?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(3_900);
});

test('what the receiver refuses is not delivered, and is sent again when somebody asks', async () => {
  const customer = `Refused ${crypto.randomUUID()}`;
  const receiver = await receive();
  receiver.answer({ status: 422, body: 'no such field' });
  const { destination } = await addFor(customer, { kind: 'webhook', url: receiver.url });
  const alertId = await post({ customer });
  await expect.poll(async () => (await world.receipts(alertId)).receipts[0]?.state).toBe('not-delivered');
  const [receipt] = (await world.receipts(alertId)).receipts;
  expect(receipt?.attempts.map(({ answer }) => answer)).toEqual(['422: no such field']);
  expect(await world.messages(`?destinationId=${destination.id}&state=not-delivered`)).toHaveLength(1);
  receiver.answer(undefined);
  const again = await on.admin.send('POST', '/api/outgoing/messages/send-again', { destinationId: destination.id });
  expect(await again.json()).toEqual({ messages: 1 });
  await expect.poll(async () => (await world.receipts(alertId)).receipts[0]?.state).toBe('sent');
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

test('messages that the receiver refuses for themselves keep no other waiting', async () => {
  const customer = `Picky ${crypto.randomUUID()}`;
  const receiver = await receive();
  receiver.answer(({ body }) => (body.includes('too long') ? { status: 413 } : undefined));
  const { destination } = await addFor(customer, { kind: 'webhook', url: receiver.url });
  for (let count = 0; count < 4; count += 1) await post({ customer, title: 'too long', count });
  await expect.poll(async () => (await world.destination(destination.id)).notDelivered).toBe(4);
  const refusing = await world.destination(destination.id);
  expect(refusing).toMatchObject({ health: 'failing', reason: '413' });
  expect(refusing).not.toHaveProperty('retryAt');
  await post({ customer });
  await expect.poll(async () => (await world.destination(destination.id)).health).toBe('ok');
});

test('what failed and waits for its next attempt is sent at once when somebody asks', async () => {
  const customer = `Now ${crypto.randomUUID()}`;
  const receiver = await receive();
  receiver.answer({ status: 500 });
  const { destination } = await addFor(customer, { kind: 'webhook', url: receiver.url });
  const alertId = await post({ customer });
  const receipt = async () => (await world.receipts(alertId)).receipts[0];
  await expect.poll(async () => (await receipt())?.attempts.length).toBe(1);
  const id = (await receipt())?.id ?? '';
  const change = (values: object) =>
    on.server.database.transaction((tx) => tx.getRepository(MessageEntity).update({ id }, values));
  const askAgain = () => on.admin.send('POST', `/api/outgoing/messages/${id}/send-again`);
  await change({ nextAt: Date.now() + 600_000, claimedUntil: Date.now() + 20_000 });
  expect([(await askAgain()).status, (await receipt())?.state]).toEqual([409, 'waiting']);
  await change({ nextAt: Date.now() + 600_000, claimedUntil: 0 });
  receiver.answer(undefined);
  // Where that is not ours to decide, it says so.
  const wait = (values: object) =>
    on.server.database.transaction((tx) => tx.getRepository(DestinationEntity).update({ id: destination.id }, values));
  await wait({ retryAt: Date.now() + 600_000 });
  expect(await (await askAgain()).text()).toContain('The service asked to wait until');
  await wait({ retryAt: Date.now() + 20_000, pausedAt: Date.now() });
  expect(await (await askAgain()).text()).toContain('The destination is paused.');
  await wait({ pausedAt: null });
  expect((await askAgain()).status).toBe(204);
  await expect.poll(async () => (await receipt())?.state).toBe('sent');
});

test('a destination that fails is said to fail, with one alert to everybody, which its recovery completes', async () => {
  const customer = `Failing ${crypto.randomUUID()}`;
  const receiver = await receive();
  receiver.answer({ status: 401 });
  const { destination } = await addFor(customer, { kind: 'webhook', url: receiver.url });
  for (let count = 0; count < 4; count += 1) await post({ customer, count });
  await expect.poll(async () => (await world.destination(destination.id)).health).toBe('failing');
  expect(await world.destination(destination.id)).toMatchObject({
    reason: expect.stringContaining('The receiver refused the signature'),
    notDelivered: 0,
  });
  const title = `Messages to "${destination.name}" do not get through`;
  const own = async (path: string) =>
    alertListSchema.parse(await (await on.admin.get(path)).json()).filter((alert) => alert.title === title);
  await expect.poll(async () => (await own('/api/alerts/inbox')).length).toBe(1);
  receiver.answer(undefined);
  await expect.poll(() => receiver.taken().length).toBe(4);
  await expect.poll(async () => (await own('/api/alerts/all'))[0]?.status).toBe('completed');
  expect((await own('/api/alerts/all')).length).toBe(1);
  await expect.poll(() => world.destination(destination.id)).toMatchObject({ health: 'ok', waiting: 0 });
});

test('a destination is sent alerts of its customers alone, and none while it is paused', async () => {
  const customer = `Limited ${crypto.randomUUID()}`;
  const receiver = await receive();
  const made = await world.addDestination({
    kind: 'webhook',
    name: named(),
    url: receiver.url,
    customers: [customer.toUpperCase()],
  });
  await world.addRule([made.destination.id]);
  await post({ customer: 'Somebody else' });
  await post({ customer });
  await expect.poll(() => receiver.taken().length).toBe(1);
  expect(receiver.requests[0]?.body).toContain(customer);
  await world.changeDestination(made.destination.id, { isPaused: true });
  await expect.poll(async () => (await world.destination(made.destination.id)).health).toBe('paused');
  const silent = await post({ customer });
  const marker = await receive();
  await addFor(customer, { kind: 'webhook', url: marker.url });
  await post({ customer });
  await expect.poll(() => marker.taken().length).toBe(1);
  expect((await world.receipts(silent)).receipts).toEqual([]);
});

test('many destinations that are sent to at the pace of their service keep no other from being sent to', async () => {
  const [customer, urgent] = [`Storm ${crypto.randomUUID()}`, `Urgent ${crypto.randomUUID()}`];
  const [slack, phone] = [await receive(slackRules), await receive()];
  const chats: string[] = [];
  for (let count = 0; count < 9; count += 1) {
    const made = await world.addDestination({ kind: 'slack', name: named(), url: slack.url + SLACK_PATH });
    chats.push(made.destination.id);
  }
  await world.addRule(chats, { search: `customer:"${customer}"`, events: ['new'] });
  await addFor(urgent, { kind: 'webhook', url: phone.url });
  for (let count = 0; count < 12; count += 1) await post({ customer, count });
  await expect.poll(() => slack.taken().length).toBeGreaterThanOrEqual(8);
  await post({ customer: urgent });
  await expect.poll(() => phone.taken().length).toBe(1);
  // Not after what the first eight chats are sent.
  expect(slack.taken().length).toBeLessThan(80);
});

test('what was sent by a clock ahead is in none of the last hours', async () => {
  const { url } = await receive();
  const { destination } = await addFor('Nobody', { kind: 'webhook', url });
  const hour = Math.floor(Date.now() / 3_600_000);
  await on.server.database.transaction(async (tx) => {
    for (const [at, sent] of [
      [hour, 3],
      [hour + 2, 5],
    ]) {
      await tx.query('INSERT INTO outgoing_counts (destination_id, hour, sent) VALUES (?, ?, ?)', [
        destination.id,
        at,
        sent,
      ]);
    }
  });
  const { sent } = await world.destination(destination.id);
  expect([sent.length, sent.reduce((sum, one) => sum + one, 0)]).toEqual([24, 3]);
});

test('a rotated secret signs beside the one before', async () => {
  const receiver = await receive();
  const { destination, signingSecret = '' } = await world.addDestination({
    kind: 'webhook',
    name: named(),
    url: receiver.url,
  });
  const rotated = await on.admin.send('POST', `/api/outgoing/destinations/${destination.id}/rotate-secret`);
  const { signingSecret: next } = (await rotated.json()) as { signingSecret: string };
  const draft = { kind: 'webhook', name: destination.name, destinationId: destination.id };
  expect((await testOf(draft)).isDelivered).toBe(true);
  const [request] = receiver.requests;
  if (!request) throw new Error('nothing was sent');
  for (const secret of [signingSecret, next]) expect(standardWebhooksRules(() => [secret])(request)).toBeUndefined();
  expect(standardWebhooksRules(() => ['whsec_AAAA'])(request)?.status).toBe(401);
  const twice = await on.admin.send('POST', `/api/outgoing/destinations/${destination.id}/rotate-secret`);
  expect(twice.status).toBe(409);
});

test('bad input is said in clear words where it is written', async () => {
  const create = async (input: object) =>
    (await on.admin.send('POST', '/api/outgoing/destinations', { name: named(), ...input })).text();
  expect(await create({ kind: 'webhook', url: 'https://10.0.4.7/in' })).toBe(
    'The address leads to 10.0.4.7, inside the network. The operator has to allow that network with OUTGOING_NETWORKS.',
  );
  expect(await create({ kind: 'webhook', url: 'http://8.8.8.8/in' })).toMatch(/Use https/);
  expect(await create({ kind: 'ntfy', url: 'https://ntfy.sh' })).toBe(
    'A destination of the kind ntfy needs its topic.',
  );
  expect(await create({ kind: 'mail', recipients: ['a@example.com'], url: 'https://example.com' })).toMatch(
    /has no address/,
  );
  const receiver = await receive(slackRules);
  const result = await testOf({ kind: 'slack', name: 'Slack', url: `${receiver.url}/services/wrong` });
  expect(result).toMatchObject({
    isDelivered: false,
    message: 'The incoming webhook was removed. Make another one in the workspace and enter its address.',
  });
  const rule = { name: named(), search: 'folder:Urgent', events: ['new'], destinationIds: [crypto.randomUUID()] };
  const refused = await on.admin.send('POST', '/api/outgoing/rules', rule);
  expect([refused.status, await refused.text()]).toEqual([
    422,
    expect.stringContaining('folders belong to one member'),
  ]);
});

test('a secret is in no answer, and another server is not sent the stored one', async () => {
  const ntfy = await receive(ntfyRules('tk_abcdefgh1234'));
  const { destination } = await world.addDestination({
    kind: 'ntfy',
    name: named(),
    url: ntfy.url,
    topic: 'ops',
    token: 'tk_abcdefgh1234',
  });
  expect(destination.secretHint).toBe('1234');
  expect(JSON.stringify(await world.destinations())).not.toContain('tk_abcdefgh');
  const draft = {
    kind: 'ntfy',
    name: destination.name,
    destinationId: destination.id,
    url: 'https://elsewhere.example.com',
  };
  const refused = await on.admin.send('POST', '/api/outgoing/test', draft);
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('Enter the token again')]);
});

/** Which fields a request is refused for. */
const faultsAt = async (method: 'PATCH' | 'POST', path: string, body: object) => {
  const answer = await on.admin.send(method, path, body, { Accept: 'application/json' });
  return [answer.status, problemSchema.parse(await answer.json()).errors?.map((error) => error.path)];
};

test('the app-level token of a Slack bot is not sent to another server either', async () => {
  const name = named();
  const { destination } = await world.addDestination({
    kind: 'slack-bot',
    name,
    url: 'https://slack.example.com/api',
    token: 'xoxb-1',
    appToken: 'xapp-1',
    room: 'C0123456789',
  });
  const moved = { url: 'https://elsewhere.example.com/api', token: 'xoxb-2' };
  const path = `/api/outgoing/destinations/${destination.id}`;
  expect(await faultsAt('PATCH', path, moved)).toEqual([422, ['appToken']]);
  const configuration = { destinations: [{ name, kind: 'slack-bot', room: 'C0123456789', ...moved }] };
  expect(await faultsAt('POST', '/api/configuration/plan', configuration)).toEqual([422, ['destinations.0.appToken']]);
  expect((await world.changeDestination(destination.id, { ...moved, appToken: '' })).otherHints).toBeUndefined();
});
