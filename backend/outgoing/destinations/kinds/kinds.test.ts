import { expect, test } from 'vitest';
import type { DestinationKind, OutgoingEvent, OutgoingPayload } from '#backend/contract/outgoing.ts';
import type { Target } from '#backend/outgoing/destinations/destination-entity.ts';
import { NO_SETTINGS } from '#backend/outgoing/destinations/destination-entity.ts';
import {
  type SentAlert,
  SAMPLE_ALERT,
  cardOf,
  contentOf,
  wordsOf,
} from '#backend/outgoing/destinations/message-content.ts';
import {
  GOOGLE_PATH,
  ROCKET_PATH,
  TEAMS_PATH,
  googleChatRules,
  matrixRules,
  rocketChatRules,
  teamsRules,
  telegramRules,
  zulipRules,
} from '#tests/support/outgoing-chat-services.ts';
import { discordRules, gotifyRules, ntfyRules, slackRules } from '#tests/support/outgoing-services.ts';
import type { ServiceRules } from '#tests/support/outgoing-receiver.ts';
import { KINDS } from './all-kinds.ts';
import { signatureOf } from './webhook.ts';

const TELEGRAM_TOKEN = '123456789:AAE-abcdefghij_klmnopqrstuvwxyz12';

/** A destination of each kind that a service takes messages of, and what the service takes. */
const CASES = {
  slack: { url: 'https://hooks.slack.com/services/T000/B000/XXXXXXXXXXXXXXXXXXXXXXXX', rules: slackRules },
  teams: { url: `https://x.environment.api.powerplatform.com${TEAMS_PATH}`, rules: teamsRules },
  'google-chat': { url: `https://chat.googleapis.com${GOOGLE_PATH}`, rules: googleChatRules },
  discord: { url: `https://discord.com/api/webhooks/123456789012345678/${'x'.repeat(68)}`, rules: discordRules },
  telegram: {
    url: 'https://api.telegram.org',
    room: '-1001234',
    token: TELEGRAM_TOKEN,
    rules: telegramRules(TELEGRAM_TOKEN, '-1001234'),
  },
  zulip: {
    url: 'https://zulip.example.com/',
    room: 'ops & alerts',
    rules: zulipRules('bot@zulip.example.com', 'tk_secret', 'ops & alerts'),
  },
  matrix: {
    url: 'https://matrix.example.com',
    room: '!abc:example.com',
    rules: matrixRules('tk_secret', '!abc:example.com'),
  },
  ntfy: { url: 'https://ntfy.example.com', rules: ntfyRules('tk_secret') },
  gotify: { url: 'https://gotify.example.com/', rules: gotifyRules('tk_secret') },
} satisfies Partial<Record<DestinationKind, { url: string; room?: string; token?: string; rules: ServiceRules }>>;
type CaseKind = keyof typeof CASES;
const KIND_NAMES = Object.keys(CASES) as CaseKind[];

const target = (kind: CaseKind): Target => {
  const { url, room = null, token = 'tk_secret' }: { url: string; room?: string | null; token?: string } = CASES[kind];
  return {
    ...NO_SETTINGS,
    id: 'id',
    kind,
    name: 'Somewhere',
    url,
    topic: 'alerts',
    room,
    account: 'bot@zulip.example.com',
    recipients: ['ops@example.com'],
    customers: [],
    ticketTemplates: {},
    completesAlert: true,
    secrets: { url, token, signingSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    oldSecretUntil: null,
  };
};

/** The request that a kind makes, as a double reads it. */
function requestOf(kind: CaseKind, payload: OutgoingPayload, id = 'id') {
  const rendered = KINDS[kind].render(target(kind), { id, payload, now: 0 });
  if (rendered.via !== 'http') throw new Error('a mail');
  const { method = 'POST', url, headers, body } = rendered;
  const { origin, pathname, search } = new URL(url);
  return {
    origin,
    method,
    path: pathname + search,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    body,
  };
}

/** An alert whose every text is hostile, and longer than any service takes. */
const MENTIONS = '<!channel> @everyone <users/all> @room @**all** @_**all** @admin {{DATE(2026-11-26T00:00:00Z)}}';
const LONG = `${MENTIONS} & "quoted" [safe](https://evil.example) ‮${'ä'.repeat(10_000)}`;
const HOSTILE: SentAlert = {
  ...SAMPLE_ALERT,
  title: LONG,
  customer: LONG,
  alertType: LONG,
  payload: JSON.stringify(Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${at} ${LONG}`, LONG]))),
};

const payloadOf = (alert: SentAlert, event: OutgoingEvent, publicUrl = 'https://alerts.example.com') =>
  contentOf(
    alert,
    { event, at: 0, by: null, note: event === 'note' ? { author: LONG, text: LONG } : undefined },
    new URL(publicUrl),
  );

const EVENTS: OutgoingEvent[] = ['new', 'escalated', 'accepted', 'completed', 'note'];

test.each(KIND_NAMES.flatMap((kind) => EVENTS.map((event) => [kind, event] as const)))(
  'what %s is sent of an alert that is %s is taken by its description, whatever texts are in it',
  (kind, event) => {
    for (const alert of [SAMPLE_ALERT, HOSTILE]) {
      const request = requestOf(kind, payloadOf(alert, event));
      expect(CASES[kind].rules(request)).toBeUndefined();
      expect(request.body).not.toMatch(/[\u202A-\u202E]/);
    }
  },
);

test.each(['http://localhost:4400', 'https://alertdesk', 'http://192.0.2.7'])(
  'Discord takes messages of a server at %s, with its link',
  (publicUrl) => {
    for (const alert of [SAMPLE_ALERT, HOSTILE]) {
      const request = requestOf('discord', payloadOf(alert, 'new', publicUrl));
      expect(CASES.discord.rules(request)).toBeUndefined();
      expect(request.body).toContain(`${publicUrl}/alert/`);
    }
  },
);

test.each(EVENTS)('what Rocket.Chat is sent of an alert that is %s is taken by its description', (event) => {
  const url = `https://chat.example.com${ROCKET_PATH}`;
  for (const alert of [SAMPLE_ALERT, HOSTILE]) {
    const message = { id: 'id', payload: payloadOf(alert, event), now: 0 };
    const rendered = KINDS.slack.render({ ...target('slack'), secrets: { url } }, message);
    const body = rendered.via === 'http' ? rendered.body : '';
    const headers = { 'content-type': 'application/json' };
    expect(rocketChatRules({ method: 'POST', path: ROCKET_PATH, headers, body })).toBeUndefined();
  }
});

test('nobody in a chat is mentioned by what a sender writes', () => {
  const payload = payloadOf({ ...SAMPLE_ALERT, title: MENTIONS, customer: MENTIONS }, 'new');
  const bodyOf = (kind: CaseKind): string => requestOf(kind, payload).body;
  expect(bodyOf('slack')).not.toMatch(/<!channel>|@everyone/);
  expect(bodyOf('discord')).toContain('"allowed_mentions":{"parse":[]}');
  expect(bodyOf('google-chat')).not.toContain('<users/all>');
  expect(bodyOf('telegram')).not.toContain('@admin');
  expect(bodyOf('matrix')).not.toContain('@room');
  expect(bodyOf('matrix')).toContain('"m.mentions":{}');
  expect(new URLSearchParams(bodyOf('zulip')).get('content')).not.toMatch(/@_?\*/);
  // A mention in Teams is an entity of the card beside its text.
  expect(bodyOf('teams')).not.toMatch(/"msteams"|\{\{DATE/);
});

test('a payload is the same in every attempt, and bounded', () => {
  const body = JSON.stringify(payloadOf(HOSTILE, 'note'));
  expect(Buffer.byteLength(body)).toBeLessThan(40_000);
  expect(JSON.stringify(payloadOf(HOSTILE, 'note'))).toBe(body);
});

test('numbers of a message are as they were received', () => {
  const payload = '{"order":820982911946154508,"price":10.00,"limit":1e400,"left":-0.10,"items":[1],"at":{"line":7}}';
  expect(payloadOf({ ...SAMPLE_ALERT, payload }, 'new').data.alert.fields).toEqual([
    { name: 'order', value: '820982911946154508' },
    { name: 'price', value: '10.00' },
    { name: 'limit', value: '1e400' },
    { name: 'left', value: '-0.10' },
    { name: 'line', value: '7' },
  ]);
});

test('of several fields with one name the last one counts, as everywhere', () => {
  const payload =
    '{"host":"db-1","ready":true,"host":"db-7","note":" ","_id":4,"user_name":"Ann","gone":"x","gone":null}';
  expect(payloadOf({ ...SAMPLE_ALERT, payload }, 'new').data.alert.fields).toEqual([
    { name: 'host', value: 'db-7' },
    { name: 'ready', value: 'true' },
    { name: 'user name', value: 'Ann' },
  ]);
});

test('people are shown fields that say something beside the message, and programs all of them', () => {
  const labels = {
    receiver: 'alertdesk',
    status: 'firing',
    alertname: 'HostOutOfDiskSpace',
    account_id: '77',
    severity_label: 'P1',
    summary: 'Disk almost full on db-7',
    team: 'Production monitoring',
    phase: 'failed over',
    instance: 'db-7:9100',
    fingerprint: 'b3c5d8f1a2e49607',
    job: 'node',
    region: 'eu-west-1',
  };
  const payload = payloadOf({ ...SAMPLE_ALERT, payload: JSON.stringify(labels) }, 'new');
  expect(payload.data.alert.fields).toHaveLength(12);
  const shown = ['phase', 'instance', 'job', 'region'];
  expect(wordsOf(payload).fields.map(({ name }) => name)).toEqual(shown);
  expect(cardOf(payload).fields.map(({ name }) => name)).toEqual(shown);
  // Where nothing else is there, an id is better than nothing.
  const ids = payloadOf({ ...SAMPLE_ALERT, payload: '{"state":"FIRING","monitorId":"m-12","host":"db-7"}' }, 'new');
  expect(wordsOf(ids).fields.map(({ name }) => name)).toEqual(['host', 'monitorId']);
});

test('a card says who completed its alert only where that is what it is sent of', () => {
  const alert = { ...SAMPLE_ALERT, status: 'completed' as const, ownerName: 'Ann' };
  const newsOf = (event: OutgoingEvent, by: string | null) =>
    cardOf(contentOf(alert, { event, at: 0, by }, undefined)).news;
  expect(newsOf('completed', 'Bob')).toBe('Completed, by Bob');
  expect([newsOf('completed', null), newsOf('accepted', 'Ann'), newsOf('note', 'Eve')]).toEqual(
    Array.from({ length: 3 }, () => 'Completed, Ann'),
  );
});

test('a body of nothing but names that come twice is read in one pass, and a name with escapes is one', () => {
  const names = Array.from({ length: 20_000 }, (_, number) => `"k${number}"`);
  const payload = `{${names.map((name) => `${name}:1`).join()},${names.map((name) => `${name}:null`).join()},"h\\u006fst":"db-7"}`;
  const before = process.cpuUsage();
  expect(payloadOf({ ...SAMPLE_ALERT, payload }, 'new').data.alert.fields).toEqual([{ name: 'host', value: 'db-7' }]);
  // Twenty thousand names compared with each other take twenty seconds.
  expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
});

test('a field is left out only where the message says all of it', () => {
  const title = `${'long '.repeat(40)}end`;
  const alert = { ...SAMPLE_ALERT, title, severity: 'critical' as const, state: 'acknowledged' as const };
  const payload = JSON.stringify({ summary: title, status: 'acknowledged', priority: 'P1' });
  const namesOf = (event: 'new' | 'accepted') =>
    wordsOf(payloadOf({ ...alert, payload }, event)).fields.map(({ name }) => name);
  expect(namesOf('new')).toEqual(['summary', 'status']);
  expect(namesOf('accepted')).toEqual(['summary', 'status', 'priority']);
});

test('a webhook is signed as the specification’s libraries sign', () => {
  // The test vector of those libraries (https://github.com/standard-webhooks/standard-webhooks/tree/main/libraries).
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  expect(signatureOf('msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}', [secret])).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

test('a card for Teams is under 24 KB, whatever its texts are', () => {
  const lines = { author: LONG, text: '"\n\\\n'.repeat(2_000) };
  const payload = contentOf(
    HOSTILE,
    { event: 'note', at: 0, by: LONG, note: lines },
    new URL('https://alerts.example.com'),
  );
  for (const one of [payload, ...EVENTS.map((event) => payloadOf(HOSTILE, event))]) {
    expect(Buffer.byteLength(requestOf('teams', one).body)).toBeLessThan(24_000);
  }
});

test('an attempt that is repeated is the same transaction for Matrix', () => {
  const payload = payloadOf(SAMPLE_ALERT, 'new');
  expect(requestOf('matrix', payload, 'message-1')).toMatchObject({
    method: 'PUT',
    path: '/_matrix/client/v3/rooms/!abc%3Aexample.com/send/m.room.message/message-1',
  });
});

test('a problem has one thread in Google Chat and one topic in Zulip, which its repeats keep', () => {
  const first = payloadOf(SAMPLE_ALERT, 'new');
  const later = payloadOf({ ...SAMPLE_ALERT, title: 'Disk full on db-7', occurrences: 9 }, 'completed');
  const other = payloadOf({ ...SAMPLE_ALERT, id: '00000000-0000-7000-8000-000000000001' }, 'new');
  const threads = [first, later, other].map((payload) => JSON.parse(requestOf('google-chat', payload).body).thread);
  expect(threads[0]).toEqual(threads[1]);
  expect(threads[0]).not.toEqual(threads[2]);
  const topics = [first, later, other].map((payload) =>
    new URLSearchParams(requestOf('zulip', payload).body).get('topic'),
  );
  expect(topics[0]).toBe('HostOutOfDiskSpace · Harbor & Finch 000000');
  expect(topics[1]).toBe(topics[0]);
  expect(topics[2]).not.toBe(topics[0]);
});

test('a server keeps its path, and characters of texts stay what they are', () => {
  const payload = payloadOf({ ...SAMPLE_ALERT, title: 'a<b & "c" *d* 5 > 3', customer: null, alertType: null }, 'new');
  const telegram = requestOf('telegram', payload);
  expect(telegram).toMatchObject({ origin: 'https://api.telegram.org', path: `/bot${TELEGRAM_TOKEN}/sendMessage` });
  expect(JSON.parse(telegram.body).text).toContain('<b>Critical: a&lt;b &amp; &quot;c&quot; *d* 5 &gt; 3</b>');
  const content = new URLSearchParams(requestOf('zulip', payload).body).get('content');
  expect(content).toContain('**Critical: a&#60;b & "c" &#42;d&#42; 5 &#62; 3**');
  expect(JSON.parse(requestOf('matrix', payload).body)).toMatchObject({
    body: expect.stringContaining('Critical: a<b & "c" *d* 5 > 3'),
    formatted_body: expect.stringContaining('a&lt;b &amp; &quot;c&quot;'),
  });
});
