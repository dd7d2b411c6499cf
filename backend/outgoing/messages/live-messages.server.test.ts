import { expect, test } from 'vitest';
import type { OutgoingEvent } from '#backend/contract/outgoing.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { liveDiscord, liveMatrix, liveTelegram, liveZulip } from '#tests/support/live-chat-services.ts';
import {
  MATTERMOST_CHANNEL,
  MATTERMOST_TOKEN,
  OTHER_MATTERMOST_TOKEN,
  createMattermostService,
} from '#tests/support/mattermost-service.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';
import { SLACK_CHANNEL, SLACK_TOKEN, createSlackService } from '#tests/support/slack-service.ts';
import { must } from '#tests/support/write-routes.ts';
import type { ClaimedMessage } from './claim-messages.ts';
import { LiveMessageEntity, MessageEntity } from './message-entity.ts';
import { recordResults } from './record-results.ts';

const TELEGRAM_TOKEN = '123456789:AAE-abcdefghij_klmnopqrstuvwx1234';
const ALL: OutgoingEvent[] = ['new', 'escalated', 'accepted', 'completed', 'note'];

const on = useOutgoingServer();
const { world, receive, post } = on;
const addFor = async (...[customer, input, events = ALL]: Parameters<typeof on.addFor>) =>
  (await on.addFor(customer, input, events)).destination;
const accept = (id: string) => must(on.admin.send('POST', `/api/alerts/${id}/accept`, {}));
const note = (id: string, text: string) =>
  must(on.admin.send('POST', `/api/alerts/${id}/notes`, { text, mentions: [] }));
const setStatus = (id: string, status: string) =>
  must(on.admin.send('PATCH', `/api/webhooks/${id}/status`, { status }));
const slackAt = (url: string) =>
  ({ kind: 'slack-bot', url: `${url}/api`, token: SLACK_TOKEN, room: SLACK_CHANNEL }) as const;
const problem = (customer: string) => ({ customer, type: 'disk', title: 'Disk full', alertKey: customer });

test('each chat shows one message for each problem, which says what the problem is by now', async () => {
  const customer = `Live ${crypto.randomUUID()}`;
  const discord = liveDiscord();
  const telegram = liveTelegram(TELEGRAM_TOKEN, '-1001');
  const zulip = liveZulip('bot@example.com', 'key12345', 'alerts');
  const matrix = liveMatrix('syt_12345', '!a:example.com');
  const at = await receive(discord.rules);
  await addFor(customer, { kind: 'discord', url: `${at.url}/api/webhooks/123456789012345678/${'x'.repeat(68)}` });
  const { url: telegramUrl } = await receive(telegram.rules);
  await addFor(customer, { kind: 'telegram', url: telegramUrl, token: TELEGRAM_TOKEN, room: '-1001' });
  const { url: zulipUrl } = await receive(zulip.rules);
  await addFor(customer, {
    kind: 'zulip',
    url: zulipUrl,
    account: 'bot@example.com',
    token: 'key12345',
    room: 'alerts',
  });
  const { url: matrixUrl } = await receive(matrix.rules);
  await addFor(customer, { kind: 'matrix', url: matrixUrl, token: 'syt_12345', room: '!a:example.com' });
  const chats = [discord, telegram, zulip, matrix];
  const id = await post(problem(customer));
  await expect.poll(() => chats.map(({ shown }) => shown.length)).toEqual([1, 1, 1, 1]);
  await accept(id);
  const says = (text: string) => chats.map(({ shown }) => shown[0]?.text.includes(text));
  await expect.poll(() => says('Accepted, Ada Admin')).toEqual([true, true, true, true]);
  // What no rule sends is shown, too.
  await setStatus(id, 'in-progress');
  await expect.poll(() => says('In Progress, Ada Admin')).toEqual([true, true, true, true]);
  expect(chats.map(({ shown }) => shown.length)).toEqual([1, 1, 1, 1]);
  await note(id, 'Extended by 20 GB');
  await expect.poll(() => chats.map(({ shown }) => shown.length)).toEqual([2, 2, 2, 2]);
  expect(chats.map(({ shown }) => shown[1]?.text.includes('Extended by 20 GB'))).toEqual([true, true, true, true]);
  expect([telegram.shown[1]?.isReply, matrix.shown[1]?.isReply]).toEqual([true, true]);
  // Where a message may not be changed any more, the next one that a rule sends takes its place.
  zulip.isClosed = true;
  await setStatus(id, 'completed');
  await expect
    .poll(() => [discord, telegram, matrix].map(({ shown }) => shown[0]?.text.includes('Completed')))
    .toEqual([true, true, true]);
  await expect.poll(() => zulip.shown[2]?.text.includes('Completed')).toBe(true);
});

test('a destination that leads to another chat posts what happens next there, and changes nothing where it led before', async () => {
  const customer = `Moved ${crypto.randomUUID()}`;
  const before = liveTelegram(TELEGRAM_TOKEN, '-1001');
  const after = liveTelegram(TELEGRAM_TOKEN, '-1002');
  // Messages are numbered in each chat by itself.
  after.shown.push({ id: '1', text: 'Of somebody else', edits: 0, isReply: false });
  const { url } = await receive((request) => (request.body.includes('"-1002"') ? after : before).rules(request));
  const { id: destinationId } = await addFor(customer, {
    kind: 'telegram',
    url,
    token: TELEGRAM_TOKEN,
    room: '-1001',
  });
  const id = await post(problem(customer));
  await expect.poll(() => before.shown.length).toBe(1);
  await world.changeDestination(destinationId, { name: 'Still there' });
  await accept(id);
  await expect.poll(() => before.shown[0]?.text).toContain('Accepted');
  await world.changeDestination(destinationId, { room: '-1002' });
  await setStatus(id, 'completed');
  await expect.poll(() => after.shown[1]?.text).toContain('Completed');
  expect([before, after].map(({ shown }) => shown.map(({ edits }) => edits))).toEqual([[1], [0, 0]]);
});

test('a destination that has another bot’s token posts a new message: what the first one posted cannot be changed', async () => {
  const customer = `Bots ${crypto.randomUUID()}`;
  const mattermost = createMattermostService();
  const { url: mattermostUrl } = await receive(mattermost.rules);
  const draft = { kind: 'mattermost-bot', token: MATTERMOST_TOKEN, room: MATTERMOST_CHANNEL } as const;
  const { id: inMattermost } = await addFor(customer, { ...draft, url: mattermostUrl });
  // Each bot changes what it posted itself; a homeserver takes changes by others, and clients do not show them.
  const before = liveMatrix('syt_12345', '!a:example.com');
  const after = liveMatrix('syt_67890', '!a:example.com');
  const { url: matrixUrl } = await receive((request) =>
    (request.headers.authorization === 'Bearer syt_67890' ? after : before).rules(request),
  );
  const { id: inMatrix } = await addFor(customer, {
    kind: 'matrix',
    url: matrixUrl,
    token: 'syt_12345',
    room: '!a:example.com',
  });
  // In chats with one person each bot numbers messages by itself: the other bot has posted one of another alert.
  const otherToken = `987654321:${TELEGRAM_TOKEN.split(':')[1]}`;
  const [bot, otherBot] = [liveTelegram(TELEGRAM_TOKEN, '1001'), liveTelegram(otherToken, '1001')];
  otherBot.shown.push({ id: '1', text: 'Of another alert', edits: 0, isReply: false });
  const { url } = await receive((request) => (request.path.includes(otherToken) ? otherBot : bot).rules(request));
  const { id: inTelegram } = await addFor(customer, { kind: 'telegram', url, token: TELEGRAM_TOKEN, room: '1001' });
  const id = await post(problem(customer));
  await expect.poll(() => [mattermost.posts.length, before.shown.length, bot.shown.length]).toEqual([1, 1, 1]);
  await world.changeDestination(inTelegram, { token: otherToken });
  await world.changeDestination(inMattermost, { token: OTHER_MATTERMOST_TOKEN });
  await world.changeDestination(inMatrix, { token: 'syt_67890' });
  await accept(id);
  await expect.poll(() => JSON.stringify(mattermost.posts[1]?.props)).toContain('Accepted');
  await expect.poll(() => after.shown[0]?.text).toContain('Accepted');
  await expect.poll(() => otherBot.shown[1]?.text).toContain('Accepted');
  expect(otherBot.shown[0]?.text).toBe('Of another alert');
});

test('what was posted while its destination was changed to lead elsewhere is not changed any more', async () => {
  const { database } = on.server;
  const draft = { kind: 'telegram', url: 'https://t.example.com', token: TELEGRAM_TOKEN, room: '-1001' } as const;
  const { destination } = await world.addDestination({ ...draft, name: crypto.randomUUID() });
  const [alertId = ''] = await insertAlerts(database, [{ title: 'Disk full' }]);
  const sent = {
    message: { id: newId(), alertId, event: 'new', attempts: 1, attemptLog: '[]' } as ClaimedMessage,
    verdict: { outcome: 'sent', answer: '200', remote: '7', durationMs: 1 } as const,
    at: Date.now(),
  };
  const record = (isElsewhere: boolean) =>
    database.transaction((tx) =>
      recordResults(tx, { id: destination.id, isForPeople: true, isElsewhere: () => isElsewhere }, [sent]),
    );
  const known = () => database.reads.getRepository(LiveMessageEntity).countBy({ alertId });
  await record(true);
  expect(await known()).toBe(0);
  await record(false);
  expect(await known()).toBe(1);
});

test('a post that fails while something changes is tried again: an update alone posts nothing', async () => {
  const customer = `Failed ${crypto.randomUUID()}`;
  const telegram = liveTelegram(TELEGRAM_TOKEN, '-1001');
  const receiver = await receive(telegram.rules);
  receiver.answer({ status: 503, headers: { 'Retry-After': '2' } });
  const { id: destinationId } = await addFor(
    customer,
    { kind: 'telegram', url: receiver.url, token: TELEGRAM_TOKEN, room: '-1001' },
    ['new'],
  );
  const id = await post(problem(customer));
  await expect.poll(async () => (await world.destination(destinationId)).health).toBe('slowed');
  const { database } = on.server;
  // As where it changes while the post is in flight.
  const messages = database.reads.getRepository(MessageEntity);
  const posted = await messages.findOneByOrFail({ alertId: id });
  await database.transaction(async (tx) => {
    const update = { ...posted, id: newId(), event: 'update' as const, eventKey: 'update:2', attempts: 0 };
    await tx.getRepository(MessageEntity).insert(update);
    const message = { ...posted, remote: null, isRepeat: false, mayBeThere: false, triedAt: null };
    const verdict = { outcome: 'retry', answer: '503', durationMs: 1 } as const;
    const sentTo = { id: destinationId, isForPeople: true, isElsewhere: () => false };
    await recordResults(tx, sentTo, [{ message, verdict, at: Date.now() }]);
  });
  expect(await messages.findOneByOrFail({ id: posted.id })).toMatchObject({ state: 'waiting' });
  receiver.answer(undefined);
  await expect.poll(() => telegram.shown.length).toBe(1);
});

test('what is sent again of a problem says what the problem is by now', async () => {
  const customer = `Again ${crypto.randomUUID()}`;
  const telegram = liveTelegram(TELEGRAM_TOKEN, '-1001');
  const { url } = await receive(telegram.rules);
  await addFor(customer, { kind: 'telegram', url, token: TELEGRAM_TOKEN, room: '-1001' });
  const id = await post(problem(customer));
  await expect.poll(async () => (await world.receipts(id)).receipts[0]?.state).toBe('sent');
  const [first] = (await world.receipts(id)).receipts;
  await accept(id);
  await setStatus(id, 'completed');
  await expect.poll(() => telegram.shown[0]?.text).toContain('Completed');
  await must(on.admin.send('POST', `/api/outgoing/messages/${first?.id}/send-again`));
  // It is noticed below.
  await expect.poll(() => telegram.shown.length).toBe(2);
  expect(telegram.shown.map(({ text }) => /Completed|nobody has accepted/.exec(text)?.[0])).toEqual([
    'Completed',
    'Completed',
  ]);
});

test('Slack and Mattermost have the notes of a problem in the thread of its message', async () => {
  const customer = `Threads ${crypto.randomUUID()}`;
  const slack = createSlackService();
  const mattermost = createMattermostService();
  const { url: slackUrl } = await receive(slack.rules);
  await addFor(customer, slackAt(slackUrl));
  const { url } = await receive(mattermost.rules);
  await addFor(customer, { kind: 'mattermost-bot', url, token: MATTERMOST_TOKEN, room: MATTERMOST_CHANNEL });
  const id = await post({ ...problem(customer), host: 'db-7 <!channel>' });
  await expect.poll(() => [slack.messages.length, mattermost.posts.length]).toEqual([1, 1]);
  await accept(id);
  await note(id, 'The *archive* is stuck <https://evil.example|here>');
  await expect.poll(() => [slack.messages.length, mattermost.posts.length]).toEqual([2, 2]);
  const [card, reply] = slack.messages;
  expect(JSON.stringify(card?.blocks)).toContain('Ada Admin');
  expect(reply).toMatchObject({ thread_ts: card?.ts, text: expect.stringContaining('&lt;https://evil') });
  const [shown, below] = mattermost.posts;
  expect(JSON.stringify(shown?.props)).toContain('Ada Admin');
  expect(below).toMatchObject({ root_id: shown?.id, message: expect.stringContaining(String.raw`\*archive\*`) });
});

test('after an outage only the newest state is shown, by one request for each problem', async () => {
  const customer = `Away ${crypto.randomUUID()}`;
  const slack = createSlackService();
  const receiver = await receive(slack.rules);
  const destination = await addFor(customer, slackAt(receiver.url));
  const id = await post(problem(customer));
  await expect.poll(() => slack.messages.length).toBe(1);
  receiver.answer({ status: 503, headers: { 'Retry-After': '3' } });
  await accept(id);
  await expect.poll(async () => (await world.destination(destination.id)).health).toBe('slowed');
  await setStatus(id, 'in-progress');
  await setStatus(id, 'completed');
  await expect.poll(async () => (await world.receipts(id)).receipts.at(-1)?.event).toBe('completed');
  const before = receiver.requests.length;
  receiver.answer(undefined);
  await expect.poll(() => JSON.stringify(slack.messages[0]?.blocks)).toContain('Completed');
  expect(receiver.requests.length - before).toBe(1);
  expect(slack.messages).toHaveLength(1);
  await expect.poll(async () => (await world.destination(destination.id)).waiting).toBe(0);
});

test('a post whose answer was lost is found again, and not posted twice', async () => {
  const customer = `Lost ${crypto.randomUUID()}`;
  const slack = createSlackService();
  const mattermost = createMattermostService();
  /** Takes the first post and loses its answer, as where a server is killed before it knows. */
  const losing = (rules: typeof slack.rules): typeof slack.rules => {
    let isLost = false;
    return (request) => {
      const answer = rules(request);
      if (isLost || request.method !== 'POST') return answer;
      isLost = true;
      return { status: 502, body: 'lost' };
    };
  };
  const { url: slackUrl } = await receive(losing(slack.rules));
  await addFor(customer, slackAt(slackUrl));
  const { url } = await receive(losing(mattermost.rules));
  await addFor(customer, { kind: 'mattermost-bot', url, token: MATTERMOST_TOKEN, room: MATTERMOST_CHANNEL });
  const id = await post(problem(customer));
  await expect
    .poll(async () => (await world.receipts(id)).receipts.map(({ state }) => state))
    .toEqual(['sent', 'sent']);
  expect([slack.messages.length, mattermost.posts.length]).toEqual([1, 1]);
  await accept(id);
  await expect.poll(() => JSON.stringify([slack.messages[0]?.blocks])).toContain('Ada Admin');
  await expect.poll(() => JSON.stringify([mattermost.posts[0]?.props])).toContain('Ada Admin');
});

test('what Slack answers is said in words that say what to do', async () => {
  const slack = createSlackService();
  const { url } = await receive(slack.rules);
  const testOf = async (draft: object) =>
    (await (
      await on.admin.send('POST', '/api/outgoing/test', { name: 'Somewhere', ...slackAt(url), ...draft })
    ).json()) as object;
  expect(await testOf({ token: 'xoxb-wrong' })).toMatchObject({
    message: expect.stringContaining('bot token is not right'),
  });
  expect(await testOf({ room: 'C9999999999' })).toMatchObject({
    message: expect.stringContaining('/invite @alertdesk'),
  });
  slack.scopes.delete('chat:write');
  expect(await testOf({})).toMatchObject({ message: expect.stringContaining('lacks the scope chat:write') });
  const refused = await on.admin.send('POST', '/api/outgoing/test', { name: 'X', ...slackAt(url), room: '#ops' });
  expect([refused.status, await refused.text()]).toEqual([
    422,
    expect.stringContaining('The channel id begins with C'),
  ]);
});
