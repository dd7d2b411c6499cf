import { afterAll, beforeAll, expect, test } from 'vitest';
import { noticeListSchema } from '#backend/contract/notice.ts';
import { LadderCallEntity } from './ladder-entities.ts';
import { ladderWorld } from '#tests/support/ladder-world.ts';
import { LOCAL_NETWORK, outgoingWorld } from '#tests/support/outgoing-world.ts';
import { payloadsOf, startReceiver } from '#tests/support/outgoing-receiver.ts';
import { SLACK_CHANNEL, SLACK_TOKEN, createSlackService } from '#tests/support/slack-service.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

/** Until a test says that the time is over. */
const GATHER_MS = 600_000;

let server: TestServer;
let admin: TestClient;
let night: TestClient;
let key: string;
const world = ladderWorld(() => admin);

beforeAll(async () => {
  server = await startTestServer(LOCAL_NETWORK, { outgoing: { resolve: async () => [], gatherMs: GATHER_MS } });
  admin = await server.signedIn({ role: 'admin', displayName: 'Ada Admin' });
  night = await server.signedIn({ displayName: 'Nora Night' });
  key = await server.addApiKey();
});
afterAll(() => server.destroy());

const post = async (body: object): Promise<string> => (await admin.postAlert(key, body)).id;
const postAll = (bodies: readonly object[]): Promise<string[]> => Promise.all(bodies.map(post));
const storm = (customer: string, count: number, more: object = {}): object[] =>
  Array.from({ length: count }, (_, at) => ({ customer, title: `Alert ${at}`, severity: 'warning', ...more }));
const notices = async (member: TestClient, ruleName: string) =>
  noticeListSchema
    .parse(await (await member.get('/api/notices')).json())
    .filter(({ byName }) => byName === ruleName)
    .map(({ alert, alerts, text }) => ({ id: alert.id, alerts, text }));
/** The time is over in which what comes for the same people is gathered. */
async function endQuiet(ruleId: string): Promise<void> {
  await server.database.transaction((tx) => tx.getRepository(LadderCallEntity).update({ ruleId }, { quietUntil: 0 }));
  // Whoever leads looks again at once.
  await post({ customer: 'Nobody' });
}

/** Until the first step of each of these alerts was taken. */
const untilTaken = async (ids: readonly string[]): Promise<void> => {
  for (const id of ids) await expect.poll(() => world.taken(id)).toEqual(['0.1']);
};

const receiptsOf = async (id: string) => (await outgoingWorld(() => admin).receipts(id)).receipts;

test('a storm is one notice and one with a number, which begins with the worst; receipts of each alert say so', async () => {
  const customer = `Storm ${crypto.randomUUID()}`;
  const receiver = await startReceiver();
  const { destination } = await outgoingWorld(() => admin).addDestination({
    kind: 'ntfy',
    name: crypto.randomUUID(),
    url: receiver.url,
    topic: 'night',
  });
  const rule = await world.addLadder(customer, {
    steps: [
      {
        afterMinutes: 0,
        recipients: [
          { kind: 'member', id: night.id },
          { kind: 'destination', id: destination.id },
        ],
      },
    ],
    repeat: 0,
    isUrgent: false,
  });
  const first = await post({ customer, title: 'First' });
  await expect.poll(() => notices(night, rule.name)).toHaveLength(1);
  const others = await postAll(storm(customer, 12));
  const worst = await post({ customer, title: 'Disk full', severity: 'critical' });
  const taken = others[0] ?? '';
  await untilTaken([...others, worst]);
  expect(await notices(night, rule.name)).toHaveLength(1);
  expect((await world.runs(worst))[0]?.steps[0]?.people[0]?.gathered?.state).toBe('waiting');
  await night.send('POST', `/api/alerts/${taken}/accept`, {});
  await endQuiet(rule.id);
  const text = `12 alerts of ${customer}, 1 of them critical`;
  await expect
    .poll(() => notices(night, rule.name))
    .toEqual([
      { id: worst, alerts: 12, text },
      { id: first, alerts: 1, text: '' },
    ]);
  const ofSteps = async (id: string) => (await world.runs(id))[0]?.steps[0]?.people.map(({ gathered }) => gathered);
  expect(await ofSteps(first)).toEqual([undefined]);
  expect(await ofSteps(others[1] ?? '')).toEqual([{ state: 'sent', alerts: 12, at: expect.any(String) as string }]);
  expect(await ofSteps(taken)).toEqual([{ state: 'dropped', alerts: 0, at: expect.any(String) as string }]);
  await expect.poll(() => receiver.taken().length).toBe(2);
  const bodies = receiver.taken().map(({ body }) => JSON.parse(body) as { title: string; message: string });
  expect(bodies.map(({ title }) => title)).toEqual(['First', text]);
  expect(bodies[1]?.message).toContain('The worst: Critical: Disk full');
  await expect.poll(async () => (await receiptsOf(others[2] ?? ''))[0]?.state).toBe('sent');
  expect(await receiptsOf(others[2] ?? '')).toMatchObject([{ alerts: 12, attemptCount: 1 }]);
  expect(await receiptsOf(taken)).toEqual([]);
  await receiver.stop();
});

test('an alert that comes when the time is over does not put off what was gathered', async () => {
  const customer = `Storm ${crypto.randomUUID()}`;
  const steps = [{ afterMinutes: 0, recipients: [{ kind: 'member' as const, id: night.id }] }];
  const rule = await world.addLadder(customer, { steps, repeat: 0, isUrgent: false });
  await untilTaken([await post({ customer, title: 'First' })]);
  const gathered = await postAll(storm(customer, 2));
  await untilTaken(gathered);
  await server.database.transaction((tx) =>
    tx.getRepository(LadderCallEntity).update({ ruleId: rule.id }, { quietUntil: 0 }),
  );
  await untilTaken([await post({ customer, title: 'Next' })]);
  const stateOf = async (id: string) => (await world.runs(id))[0]?.steps[0]?.people[0]?.gathered?.state;
  for (const id of gathered) await expect.poll(() => stateOf(id)).toBe('sent');
});

test('what was left out because somebody had it is sent with the rest, when they give it back', async () => {
  const customer = `Storm ${crypto.randomUUID()}`;
  const steps = [{ afterMinutes: 0, recipients: [{ kind: 'member' as const, id: night.id }] }];
  const rule = await world.addLadder(customer, { steps, repeat: 0, isUrgent: false });
  await untilTaken([await post({ customer, title: 'First' })]);
  const [one = ''] = await postAll(storm(customer, 1));
  await untilTaken([one]);
  await admin.send('POST', `/api/alerts/${one}/accept`, {});
  await endQuiet(rule.id);
  const stateOf = async () => (await world.runs(one))[0]?.steps[0]?.people[0]?.gathered?.state;
  await expect.poll(stateOf).toBe('dropped');
  await admin.send('POST', `/api/alerts/${one}/unaccept`);
  await expect.poll(stateOf).toBe('sent');
  expect((await notices(night, rule.name)).map(({ id }) => id)).toContain(one);
});

test('a program is sent every alert of a storm, and another rule notifies by itself', async () => {
  const customer = `Storm ${crypto.randomUUID()}`;
  const receiver = await startReceiver();
  const { destination } = await outgoingWorld(() => admin).addDestination({
    kind: 'webhook',
    name: crypto.randomUUID(),
    url: receiver.url,
  });
  const recipients = [
    { kind: 'destination' as const, id: destination.id },
    { kind: 'member' as const, id: night.id },
  ];
  const ladder = { steps: [{ afterMinutes: 0, recipients }], repeat: 0, isUrgent: false };
  const rules = [await world.addLadder(customer, ladder), await world.addLadder(customer, ladder)];
  await untilTaken(await postAll(storm(customer, 5)));
  for (const { id } of rules) await endQuiet(id);
  await expect.poll(() => receiver.taken().length).toBe(10);
  const groups = payloadsOf(receiver.taken()).filter(({ data }) => data.group !== undefined);
  expect(groups).toEqual([]);
  for (const { name } of rules) {
    await expect.poll(async () => (await notices(night, name)).map(({ alerts }) => alerts)).toEqual([4, 1]);
  }
});

test('a chat that changes messages in place keeps the message about several alerts, beside those of each', async () => {
  const customer = `Storm ${crypto.randomUUID()}`;
  const slack = createSlackService();
  const receiver = await startReceiver(slack.rules);
  const outgoing = outgoingWorld(() => admin);
  const { destination } = await outgoing.addDestination({
    kind: 'slack-bot',
    name: crypto.randomUUID(),
    url: `${receiver.url}/api`,
    token: SLACK_TOKEN,
    room: SLACK_CHANNEL,
    requestSecret: 'ab'.repeat(16),
  });
  await outgoing.addRule([destination.id], { search: `customer:"${customer}"`, events: ['accepted'] });
  const rule = await world.addLadder(customer, {
    steps: [{ afterMinutes: 0, recipients: [{ kind: 'destination', id: destination.id }] }],
    repeat: 0,
    isUrgent: false,
  });
  await post({ customer, title: 'First' });
  await expect.poll(() => slack.messages.length).toBe(1);
  const [worst = ''] = await postAll(storm(customer, 1, { severity: 'critical' }));
  await untilTaken([worst, ...(await postAll(storm(customer, 2)))]);
  await endQuiet(rule.id);
  await expect.poll(() => slack.messages.length).toBe(2);
  const shown = (at: number) => JSON.stringify(slack.messages[at]?.blocks);
  const group = shown(1);
  expect(group).toContain(`3 alerts of ${customer}, 1 of them critical`);
  // It is about several: a button would act on one of them alone.
  expect([shown(0), group].map((blocks) => blocks.includes('"action_id":"accept"'))).toEqual([true, false]);
  await night.send('POST', `/api/alerts/${worst}/accept`, {});
  await expect.poll(() => slack.messages.length).toBe(3);
  expect(shown(2)).toContain('Nora Night');
  expect(shown(1)).toBe(group);
  await receiver.stop();
});

/** A message about four alerts that its destination does not take yet, the shown one first. */
async function waitingGroup() {
  const customer = `Storm ${crypto.randomUUID()}`;
  const receiver = await startReceiver();
  const { destination } = await outgoingWorld(() => admin).addDestination({
    kind: 'ntfy',
    name: crypto.randomUUID(),
    url: receiver.url,
    topic: 'night',
  });
  const rule = await world.addLadder(customer, {
    steps: [{ afterMinutes: 0, recipients: [{ kind: 'destination', id: destination.id }] }],
    repeat: 0,
    isUrgent: false,
  });
  await post({ customer, title: 'First' });
  await expect.poll(() => receiver.taken().length).toBe(1);
  receiver.answer({ status: 503, headers: { 'Retry-After': '1' } });
  const [worst = ''] = await postAll(storm(customer, 1, { severity: 'critical' }));
  const alerts = [worst, ...(await postAll(storm(customer, 3)))];
  await untilTaken(alerts);
  await endQuiet(rule.id);
  await expect.poll(() => receiver.requests.length).toBeGreaterThan(1);
  const takeAll = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) await night.send('POST', `/api/alerts/${id}/accept`, {});
    for (const id of ids) await expect.poll(async () => (await world.runs(id))[0]?.endReason).toBe('accepted');
  };
  const waiting = async () => (await outgoingWorld(() => admin).destination(destination.id)).waiting;
  return { customer, receiver, rule, alerts, takeAll, waiting };
}

test.each([
  ['the alert that it shows', [0], '3 warning alerts of'],
  ['another one', [1], '3 alerts of'],
])('a message about several alerts speaks of the rest, once somebody has taken %s', async (_, taken, rest) => {
  const { customer, receiver, rule, alerts, takeAll } = await waitingGroup();
  await takeAll(taken.flatMap((at) => alerts[at] ?? []));
  receiver.answer(undefined);
  await expect.poll(() => receiver.taken().length, { timeout: 20_000 }).toBe(2);
  expect(receiver.taken()[1]?.body).toContain(`${rest} ${customer}`);
  // Nobody is quiet for ever.
  await endQuiet(rule.id);
  const calls = server.database.reads.getRepository(LadderCallEntity);
  await expect.poll(() => calls.countBy({ ruleId: rule.id })).toBe(0);
  await receiver.stop();
});

test('and is not sent any more once all of them have been taken', async () => {
  const { receiver, alerts, takeAll, waiting } = await waitingGroup();
  await takeAll(alerts);
  receiver.answer(undefined);
  await expect.poll(waiting, { timeout: 20_000 }).toBe(0);
  expect(receiver.taken()).toHaveLength(1);
  await receiver.stop();
});
