import { expect, test } from 'vitest';
import { type DestinationDraft, type NewDestination } from '#backend/contract/outgoing.ts';
import { outgoingTestResultSchema } from '#backend/contract/outgoing-test.ts';
import {
  GOOGLE_PATH,
  ROCKET_PATH,
  TEAMS_OFF,
  TEAMS_PATH,
  googleChatRules,
  googleTooFast,
  limited,
  matrixRules,
  matrixTooFast,
  rocketChatRules,
  teamsRules,
  telegramRules,
  telegramTooFast,
  zulipRules,
  zulipTooFast,
} from '#tests/support/outgoing-chat-services.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';

const TOKEN = '123456789:AAE-abcdefghij_klmnopqrstuvwx1234';
const CHAT = '-1001234567890';
const BOT = 'alertdesk-bot@zulip.example.com';
const ROOM = '!abcdef:example.com';

const on = useOutgoingServer();
const { world, receive, addFor, post } = on;
const telegramAt = (url: string) => ({ kind: 'telegram', url, token: TOKEN, room: CHAT }) as const;
const zulipAt = (url: string) => ({ kind: 'zulip', url, account: BOT, token: 'key12345', room: 'alerts' }) as const;
const matrixAt = (url: string) => ({ kind: 'matrix', url, token: 'syt_12345', room: ROOM }) as const;
const testOf = async (draft: Partial<DestinationDraft>) => {
  const response = await on.admin.send('POST', '/api/outgoing/test', { name: 'Somewhere', ...draft });
  return outgoingTestResultSchema.parse(await response.json());
};
const failed = (message: string) => ({ isDelivered: false, message: expect.stringContaining(message) });

test('Teams, Google Chat, Telegram, Zulip and Matrix are sent alerts as fast as they take them', async () => {
  const customer = `Chats ${crypto.randomUUID()}`;
  const teams = await receive(teamsRules, { status: 202 });
  const google = await receive(limited(googleChatRules, 990, googleTooFast), { status: 200, body: '{}' });
  const telegram = await receive(limited(telegramRules(TOKEN, CHAT), 2_990, telegramTooFast));
  const zulip = await receive(limited(zulipRules(BOT, 'key12345', 'alerts'), 290, zulipTooFast));
  const matrix = await receive(limited(matrixRules('syt_12345', ROOM), 190, matrixTooFast));
  await addFor(customer, { kind: 'teams', url: teams.url + TEAMS_PATH });
  await addFor(customer, { kind: 'google-chat', url: google.url + GOOGLE_PATH });
  await addFor(customer, telegramAt(telegram.url));
  await addFor(customer, zulipAt(zulip.url));
  await addFor(customer, matrixAt(matrix.url));
  await post({ customer, type: 'disk', title: 'Disk <full> on db-7' });
  await post({ customer, type: 'load', title: 'Load is high' });
  const chats = [teams, google, telegram, zulip, matrix];
  await expect.poll(() => chats.map((one) => one.taken().length)).toEqual([2, 2, 2, 2, 2]);
  expect(chats.map((one) => one.requests.length)).toEqual([2, 2, 2, 2, 2]);
  expect(matrix.requests[0]?.path).not.toBe(matrix.requests[1]?.path);
});

test('a wait that Telegram or Matrix asks for in its body is kept', async () => {
  const customer = `Waits ${crypto.randomUUID()}`;
  const telegram = await receive(telegramRules(TOKEN, CHAT));
  const matrix = await receive(matrixRules('syt_12345', ROOM));
  telegram.answer(telegramTooFast(3_000));
  matrix.answer(matrixTooFast(2_500));
  const {
    destination: { id },
  } = await addFor(customer, telegramAt(telegram.url));
  await addFor(customer, matrixAt(matrix.url));
  await post({ customer, title: 'Waits' });
  await expect.poll(async () => (await world.destination(id)).health).toBe('slowed');
  await expect.poll(() => matrix.requests.length).toBe(1);
  for (const one of [telegram, matrix]) one.answer(undefined);
  await expect.poll(() => [telegram, matrix].map((one) => one.taken().length)).toEqual([1, 1]);
  const waited = [telegram, matrix].map(({ requests: [first, second] }) => (second?.at ?? 0) - (first?.at ?? 0));
  expect(waited[0]).toBeGreaterThanOrEqual(2_900);
  expect(waited[1]).toBeGreaterThanOrEqual(2_400);
  // Sent again, it is the same transaction.
  expect(matrix.requests[0]?.path).toBe(matrix.requests[1]?.path);
});

test('a group of Telegram that became a supergroup is sent to where it is now', async () => {
  const customer = `Moved ${crypto.randomUUID()}`;
  const telegram = await receive(telegramRules(TOKEN, CHAT, -1_009_999));
  const {
    destination: { id },
  } = await addFor(customer, telegramAt(telegram.url));
  const alertId = await post({ customer, title: 'Moved' });
  await expect.poll(async () => (await world.receipts(alertId)).receipts[0]?.state).toBe('sent');
  const [receipt] = (await world.receipts(alertId)).receipts;
  expect(receipt?.attempts[0]?.answer).toBe(`200: sent to -1009999, which took the place of ${CHAT}`);
  expect((await world.destination(id)).health).toBe('ok');
});

test('what a chat service answers is said in words that say what to do', async () => {
  const teams = await receive(teamsRules, { status: 202 });
  const teamsAt = (path: string) => testOf({ kind: 'teams', url: teams.url + path });
  expect(await teamsAt(TEAMS_PATH)).toMatchObject({ isDelivered: true });
  expect(await teamsAt(`${TEAMS_PATH}5`)).toMatchObject(failed('The address is not complete'));
  teams.answer(TEAMS_OFF);
  expect(await teamsAt(TEAMS_PATH)).toMatchObject(failed('The workflow is turned off or was deleted'));

  const rocket = await receive(rocketChatRules, { status: 200, body: '{"success":true}' });
  const rocketAt = (path: string) => testOf({ kind: 'slack', url: rocket.url + path });
  expect(await rocketAt(ROCKET_PATH)).toMatchObject({ isDelivered: true });
  expect(await rocketAt(`${ROCKET_PATH}5`)).toMatchObject(failed('The address is not right any more'));

  const google = await receive(googleChatRules);
  const googleAt = (path: string) => testOf({ kind: 'google-chat', url: google.url + path });
  expect(await googleAt(GOOGLE_PATH)).toMatchObject({ isDelivered: true });
  expect(await googleAt(GOOGLE_PATH.replace('AIzaKey', 'AIza'))).toMatchObject(failed('The address is not complete'));
  expect(await googleAt(GOOGLE_PATH.replace('tok%3D', 'no'))).toMatchObject(failed('The webhook was removed'));
  expect(await googleAt(GOOGLE_PATH.replace('AAAA', 'BBBB'))).toMatchObject(failed('The space is gone'));

  const telegram = await receive(telegramRules(TOKEN, CHAT));
  const draft = telegramAt(telegram.url);
  expect(await testOf(draft)).toMatchObject({ isDelivered: true });
  expect(await testOf({ ...draft, token: `${TOKEN}5` })).toMatchObject(failed('The bot token is not right'));
  expect(await testOf({ ...draft, room: '@nowhere' })).toMatchObject(failed('The chat id is not right'));
  telegram.answer({ status: 403, body: '{"ok":false,"description":"Forbidden: bot was kicked from the group chat"}' });
  expect(await testOf(draft)).toMatchObject(failed('The bot was removed from the chat'));

  const zulip = await receive(zulipRules(BOT, 'key12345', 'alerts'));
  expect(await testOf(zulipAt(zulip.url))).toMatchObject({ isDelivered: true });
  expect(await testOf({ ...zulipAt(zulip.url), token: 'wrong678' })).toMatchObject(
    failed('email or API key is not right'),
  );
  expect(await testOf({ ...zulipAt(zulip.url), room: 'gone' })).toMatchObject(failed('There is no channel'));

  const matrix = await receive(matrixRules('syt_12345', ROOM));
  expect(await testOf(matrixAt(matrix.url))).toMatchObject({ isDelivered: true });
  expect(await testOf({ ...matrixAt(matrix.url), token: 'syt' })).toMatchObject(
    failed('The access token is not right'),
  );
  expect(await testOf({ ...matrixAt(matrix.url), room: '!no:example.com' })).toMatchObject(failed('not in the room'));
  expect(await testOf(matrixAt(`${matrix.url}/client`))).toMatchObject(failed('no Matrix homeserver at this address'));
});

/** What an administrator is answered who makes this destination. */
const create = async (input: Partial<NewDestination>) => {
  const response = await on.admin.send('POST', '/api/outgoing/destinations', { name: 'Never made', ...input });
  expect(response.status).toBe(422);
  return response.text();
};

test('what cannot be right of a chat is said where it is written', async () => {
  expect(await create({ kind: 'teams', url: 'https://x.webhook.office.com/webhookb2/1' })).toMatch(
    /which Teams has ended/,
  );
  expect(await create({ kind: 'google-chat', url: 'https://chat.google.com/room/AAAA' })).toMatch(/\/v1\/spaces\//);
  expect(await create({ ...telegramAt('https://api.telegram.org'), token: 'AAE' })).toMatch(/a number, a colon/);
  expect(await create({ ...telegramAt('https://api.telegram.org'), room: 'Ops' })).toMatch(/The chat id is a number/);
  expect(await create({ ...matrixAt('https://matrix.org'), room: '#ops:matrix.org' })).toMatch(/exclamation mark/);
  expect(await create({ kind: 'zulip', url: 'https://zulip.example.com', token: 'key', account: BOT })).toMatch(
    /needs its channel/,
  );
  expect(await create({ kind: 'slack', url: 'https://hooks.slack.com/services/1', room: 'ops' })).toMatch(
    /has no room/,
  );
});

test('the token of a bot is shown by its last four characters alone, wherever an attempt fails', async () => {
  const customer = `Secret ${crypto.randomUUID()}`;
  const telegram = await receive(({ path }) => ({ status: 500, body: `no route for ${path}` }));
  const { destination } = await addFor(customer, telegramAt(telegram.url));
  expect(destination).toMatchObject({ secretHint: '1234', room: CHAT });
  const alertId = await post({ customer, title: 'Secret' });
  await expect.poll(async () => (await world.receipts(alertId)).receipts[0]?.attempts.length).toBe(1);
  const draft = { kind: 'telegram', name: destination.name, destinationId: destination.id } as const;
  const shown = [
    await world.receipts(alertId),
    await world.destinations(),
    await testOf(draft),
    await (await on.admin.send('POST', '/api/outgoing/preview', draft)).json(),
  ].map((value) => JSON.stringify(value));
  expect(shown[0]).toContain('500: no route for /bot••••/sendMessage');
  for (const text of shown) expect(text).not.toContain(TOKEN.slice(0, 20));
  // Another server is not sent it.
  const moved = await on.admin.send('POST', '/api/outgoing/test', { ...draft, url: 'https://elsewhere.example.com' });
  expect([moved.status, await moved.text()]).toEqual([422, expect.stringContaining('Enter the token again')]);
});

test('the preview of what is no JSON is read line by line', async () => {
  const preview = await on.admin.send('POST', '/api/outgoing/preview', {
    ...zulipAt('https://zulip.example.com'),
    name: 'Zulip',
  });
  expect(((await preview.json()) as { body: string }).body).toMatch(/^type: stream\nto: alerts\ntopic: .+\ncontent: /);
});
