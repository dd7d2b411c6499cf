import { afterEach, beforeAll, expect, test } from 'vitest';
import type { OutgoingEvent } from '#backend/contract/outgoing.ts';
import { makeRuns, startsOf } from '#backend/outgoing/ladders/start-ladders.ts';
import type { CompiledRule } from '#backend/outgoing/rules/compile-rule.ts';
import { factsText, parseFacts } from '#backend/platform/feed/feed-facts.ts';
import { FLAPPING_ON, type FlappingWorld, openFlappingWorld } from '#tests/support/flapping-world.ts';
import { GITHUB_REPOSITORY, GITHUB_TOKEN, githubService } from '#tests/support/github-service.ts';
import { JIRA_EMAIL, JIRA_TOKEN, jiraService } from '#tests/support/jira-service.ts';
import { liveDiscord, liveMatrix } from '#tests/support/live-chat-services.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';
import { SLACK_CHANNEL, SLACK_TOKEN, createSlackService } from '#tests/support/slack-service.ts';
import { happeningsOf } from './happenings.ts';
import { makeMessages } from './make-messages.ts';

const ALL: OutgoingEvent[] = ['new', 'escalated', 'accepted', 'completed', 'note'];

/** Rules about the same problems. */
const RULES = [
  ['a rule about what flaps', ' is:flapping'],
  ['a rule that says nothing of flapping', ''],
] as const;

/** The headline from the opening on that makes the card: each one before it is an alert of its own, which is over. */
const TITLE = 'Uplink flaps';

const on = useOutgoingServer();
const { world, receive } = on;
let flapping: FlappingWorld;
beforeAll(async () => {
  flapping = await openFlappingWorld(on.server);
});
afterEach(() => flapping.calm(10_000));

/** Has a rule send the problem of a test to destinations. */
async function sendTo(destinationIds: string[], more: string): Promise<void> {
  await world.addRule(destinationIds, { search: `customer:"${flapping.problem()}"${more}`, events: ALL });
}

/** What was sent of an alert to each destination, once so many beginnings are there and nothing waits any more. */
async function sentOf(id: string, beginnings: number): Promise<Record<string, string[]>> {
  const read = async () => (await world.receipts(id)).receipts;
  await expect
    .poll(async () => {
      const receipts = await read();
      const waiting = receipts.filter(({ state }) => state === 'waiting');
      return [receipts.filter(({ event }) => event === 'new').length, waiting.length];
    })
    .toEqual([beginnings, 0]);
  const receipts = await read();
  return Object.fromEntries(
    [...Map.groupBy(receipts, ({ destinationId }) => destinationId ?? '')].map(([to, some]) => [
      to,
      some.map(({ event }) => event),
    ]),
  );
}

const writer = () => flapping.writer(FLAPPING_ON, { reopenWithinMs: 0 });

/** The problem begins to flap. Resolves to its card. */
async function beginToFlap(): Promise<string> {
  const { flap, open } = writer();
  await flap(5);
  await open(10, { title: TITLE });
  const [card] = await flapping.cards();
  expect(card?.flapping).toMatchObject({ isOpen: true });
  return card?.id ?? '';
}

/** It goes on for 21 turns, and is closed at the end. */
async function goOn(): Promise<void> {
  const { open, close } = writer();
  await close(11, { title: TITLE });
  for (let minute = 12; minute < 32; minute += 2) {
    await open(minute, { title: TITLE });
    await close(minute + 1, { title: TITLE });
  }
}

/** In each chat the card's message says it, or not, and is the only one. */
const once = (isSaid: boolean) => Array.from({ length: 3 }, () => [isSaid, 0]);
const isOfCard = (text: string): boolean => text.includes(TITLE);

/** The same with its end. */
const withEnd = (sent: Record<string, string[]>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(sent).map(([to, events]) => [to, events.concat('completed')]));

const add = async (input: Omit<Parameters<typeof world.addDestination>[0], 'name'>) =>
  (await world.addDestination({ name: `Chat ${crypto.randomUUID()}`, ...input })).destination.id;

test.each(RULES)('%s has one message in each chat, which is changed in place until the end', async (_, more) => {
  flapping.nextProblem();
  const [discord, matrix, slack] = [liveDiscord(), liveMatrix('syt_12345', '!a:example.com'), createSlackService()];
  const [{ url: discordUrl }, { url: matrixUrl }, { url: slackUrl }] = [
    await receive(discord.rules),
    await receive(matrix.rules),
    await receive(slack.rules),
  ];
  await sendTo(
    [
      await add({ kind: 'discord', url: `${discordUrl}/api/webhooks/123456789012345678/${'x'.repeat(68)}` }),
      await add({ kind: 'matrix', url: matrixUrl, token: 'syt_12345', room: '!a:example.com' }),
      await add({ kind: 'slack-bot', url: `${slackUrl}/api`, token: SLACK_TOKEN, room: SLACK_CHANNEL }),
    ],
    more,
  );
  /** Of each chat whether the card's message says this, and how many more it has of it. */
  const says = (text: string) =>
    [
      discord.shown.map((message) => message.text),
      matrix.shown.map((message) => message.text),
      slack.messages.map(({ blocks }) => JSON.stringify(blocks)),
    ].map((texts) => {
      const [first, ...others] = texts.filter(isOfCard);
      return [first?.includes(text), others.length];
    });
  const id = await beginToFlap();
  const before = await sentOf(id, 3);
  expect(Object.values(before)).toEqual([['new'], ['new'], ['new']]);
  await expect.poll(() => says('Completed')).toEqual(once(false));
  await goOn();
  expect(await flapping.calm(90)).toBe(1);
  await expect.poll(() => says('Completed')).toEqual(once(true));
  expect(await sentOf(id, 3)).toEqual(withEnd(before));
});

test.each(RULES)('%s has one ticket in each system, which stays open and is closed at the end', async (_, more) => {
  flapping.nextProblem();
  const [jira, github] = [jiraService(), githubService()];
  const [{ url: jiraUrl }, { url: githubUrl }] = [await receive(jira.rules), await receive(github.rules)];
  const made = [
    await world.addDestination({
      name: `Jira ${crypto.randomUUID()}`,
      kind: 'jira',
      url: jiraUrl,
      account: JIRA_EMAIL,
      token: JIRA_TOKEN,
      room: 'OPS',
    }),
    await world.addDestination({
      name: `GitHub ${crypto.randomUUID()}`,
      kind: 'github',
      url: githubUrl,
      token: GITHUB_TOKEN,
      room: GITHUB_REPOSITORY,
    }),
  ];
  await sendTo(
    made.map(({ destination }) => destination.id),
    more,
  );
  const id = await beginToFlap();
  const before = await sentOf(id, 2);
  const tickets = () => jira.tickets.concat(github.tickets).filter(({ summary }) => isOfCard(summary));
  const states = () => tickets().map(({ state }) => state);
  await expect.poll(states).toEqual(['open', 'open']);
  const comments = tickets().map((ticket) => ticket.comments.length);
  await goOn();
  expect(states()).toEqual(['open', 'open']);
  expect(await flapping.calm(90)).toBe(1);
  await expect.poll(states).toEqual(['closed', 'closed']);
  await expect
    .poll(async () => (await world.receipts(id)).tickets?.map(({ state }) => state))
    .toEqual(['closed', 'closed']);
  expect(await sentOf(id, 2)).toEqual(withEnd(before));
  // What a ticket says of its end is one comment at most.
  for (const [at, { comments: now }] of tickets().entries()) {
    expect(now.length).toBeLessThanOrEqual((comments[at] ?? 0) + 1);
  }
});

/** A rule with a ladder, beside those of the server. */
const ruleThat = (name: string, matches: CompiledRule['matches']): CompiledRule => ({
  id: name,
  name,
  events: new Set(ALL),
  activeSince: 0,
  destinationIds: [name],
  ladder: { steps: [], repeat: 0, isUrgent: false },
  mayMatch: matches,
  matches,
});
const LATE_RULES = [
  ruleThat('flaps', ({ content }) => content.isFlapping),
  ruleThat('any', () => true),
  ruleThat('steady', ({ content }) => !content.isFlapping),
];
const LATE_PLAN = {
  rules: LATE_RULES,
  destinations: new Map(
    LATE_RULES.map(({ id }) => [id, { id, customers: [], isPaused: false, isForPeople: true, isLive: false }]),
  ),
};

test('a rule about what flaps sends no earlier opening when the feed is read late', async () => {
  flapping.nextProblem();
  const { open, close, changes } = flapping.writer(FLAPPING_ON, { reopenWithinMs: 3_600_000 });
  const rows: { facts: NonNullable<ReturnType<typeof parseFacts>>; row: { writer: 1; number: number; at: number } }[] =
    [];
  for (let minute = 0; minute <= 10; minute += 2) {
    const { length } = changes;
    await open(minute, minute === 8 ? { severity: 'high' } : {});
    await close(minute + 1);
    const facts = parseFacts(factsText(changes.slice(length))) ?? [];
    rows.push({ facts, row: { writer: 1, number: minute, at: Date.parse(flapping.timeOf(minute)) } });
  }
  const deps = { database: on.server.database, publicUrl: undefined };
  const messages = await makeMessages(
    deps,
    LATE_PLAN,
    rows.flatMap(({ facts, row }) => happeningsOf(facts, row).happenings),
  );
  const sentBy = (rule: string) =>
    messages.filter(({ destinationId }) => destinationId === rule).map(({ eventKey }) => eventKey);
  expect(sentBy('any')).toEqual(['new', 'new:1-2', 'new:1-4', 'new:1-6', 'escalated:1-8', 'new:1-10']);
  expect(sentBy('flaps')).toEqual(['new:1-10']);
  expect(sentBy('steady')).toEqual([]);
  const runs = await makeRuns(
    deps,
    LATE_PLAN,
    rows.flatMap(({ facts, row }) => startsOf(facts, row)),
  );
  const begunBy = (rule: string) => runs.filter(({ ruleId }) => ruleId === rule).map(({ startKey }) => startKey);
  expect(begunBy('any')).toEqual(expect.arrayContaining(['new', 'reopened:1-2', 'escalated:1-8', 'flapping:1-10']));
  expect(begunBy('flaps')).toEqual(['back:1-10', 'flapping:1-10']);
});
