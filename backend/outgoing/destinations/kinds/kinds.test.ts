import { expect, test } from 'vitest';
import type { DestinationKind, OutgoingEvent } from '#backend/contract/outgoing.ts';
import type { Target } from '#backend/outgoing/destinations/destination-entity.ts';
import { type SentAlert, SAMPLE_ALERT, contentOf } from '#backend/outgoing/destinations/message-content.ts';
import { discordRules, gotifyRules, ntfyRules, slackRules } from '#tests/support/outgoing-services.ts';
import type { ServiceRules } from '#tests/support/outgoing-receiver.ts';
import { KINDS } from './all-kinds.ts';
import { signatureOf } from './webhook.ts';

const URLS = {
  slack: 'https://hooks.slack.com/services/T000/B000/XXXXXXXXXXXXXXXXXXXXXXXX',
  discord: `https://discord.com/api/webhooks/123456789012345678/${'x'.repeat(68)}`,
  ntfy: 'https://ntfy.example.com',
  gotify: 'https://gotify.example.com/',
} as const;

const RULES: Record<keyof typeof URLS, ServiceRules> = {
  slack: slackRules,
  discord: discordRules,
  ntfy: ntfyRules('tk_secret'),
  gotify: gotifyRules('tk_secret'),
};

const target = (kind: DestinationKind, url: string): Target => ({
  id: 'id',
  kind,
  name: 'Somewhere',
  url,
  topic: 'alerts',
  recipients: ['ops@example.com'],
  customers: [],
  secrets: { url, token: 'tk_secret', signingSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  oldSecretUntil: null,
});

/** An alert whose every text is hostile, and longer than any service takes. */
const LONG = `<!channel> @everyone & "quoted" ‮${'ä'.repeat(10_000)}`;
const HOSTILE: SentAlert = {
  ...SAMPLE_ALERT,
  title: LONG,
  customer: LONG,
  alertType: LONG,
  payload: JSON.stringify(Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${at} ${LONG}`, LONG]))),
};

const payloadOf = (alert: SentAlert, event: OutgoingEvent) =>
  contentOf(
    alert,
    { event, at: 0, by: null, note: event === 'note' ? { author: LONG, text: LONG } : undefined },
    new URL('https://alerts.example.com'),
  );

const KINDS_BY_URL = Object.entries(URLS) as [keyof typeof URLS, string][];
const EVENTS: OutgoingEvent[] = ['new', 'escalated', 'accepted', 'completed', 'note'];

test.each(KINDS_BY_URL.flatMap(([kind, url]) => EVENTS.map((event) => [kind, event, url] as const)))(
  'what %s is sent of an alert that is %s is taken by its description, whatever texts are in it',
  (kind, event, url) => {
    for (const alert of [SAMPLE_ALERT, HOSTILE]) {
      const payload = payloadOf(alert, event);
      const rendered = KINDS[kind].render(target(kind, url), { id: 'id', payload, now: 0 });
      const request = rendered.via === 'http' ? rendered : { url: '', headers: {}, body: '' };
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      expect(RULES[kind]({ path: new URL(request.url).pathname, headers, body: request.body })).toBeUndefined();
      expect(request.body).not.toMatch(/[\u202A-\u202E]/);
    }
  },
);

test('nobody in a chat is mentioned by what a sender writes', () => {
  const payload = payloadOf(HOSTILE, 'new');
  const [slack, discord] = (['slack', 'discord'] as const).map((kind) => {
    const rendered = KINDS[kind].render(target(kind, URLS[kind]), { id: 'id', payload, now: 0 });
    return rendered.via === 'http' ? rendered.body : '';
  });
  expect(slack).not.toMatch(/<!channel>|@everyone/);
  expect(discord).toContain('"allowed_mentions":{"parse":[]}');
});

test('a payload is the same in every attempt, and bounded', () => {
  const body = JSON.stringify(payloadOf(HOSTILE, 'note'));
  expect(Buffer.byteLength(body)).toBeLessThan(40_000);
  expect(JSON.stringify(payloadOf(HOSTILE, 'note'))).toBe(body);
});

test('a webhook is signed as the specification’s libraries sign', () => {
  // The test vector of those libraries (https://github.com/standard-webhooks/standard-webhooks/tree/main/libraries).
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  expect(signatureOf('msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}', [secret])).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});
