import { createHmac } from 'node:crypto';
import { sign as signAsGithub, verify as verifyAsGithub } from '@octokit/webhooks-methods';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, test } from 'vitest';
import type { SignatureScheme } from '#backend/contract/sender.ts';
import { isKeyOf } from './hmac-schemes.ts';
import type { Verification } from './verification.ts';
import { verifySignature } from './verify-signature.ts';

const NOW = Date.UTC(2026, 2, 4, 10, 0, 0);
const SECONDS = String(NOW / 1000);
const BODY = Buffer.from('{"title":"Größe überschritten","id":820982911946154508}\n');
const MINUTE = 60_000;

const OLD = `whsec_${Buffer.from('an old secret of 24 bytes').toString('base64')}`;
const NEW = `whsec_${Buffer.from('a new secret of 24 bytes.').toString('base64')}`;

const hmac = (secret: string, text: string | Buffer, encoding: 'hex' | 'base64' = 'hex') =>
  createHmac('sha256', secret).update(text).digest(encoding);

const check = (
  scheme: SignatureScheme,
  headers: Record<string, string>,
  { secrets = ['s3cret'], body = BODY, now = NOW }: { secrets?: string[]; body?: Buffer; now?: number } = {},
): Promise<Verification> =>
  verifySignature(scheme, { headers, body }, secrets, {
    now: () => now,
    certificates: { publicKey: () => Promise.reject(new Error('not asked for')) },
  });

/** How each sender signs a body at a time, by its own package where there is one. */
const SENDERS: Readonly<
  Record<string, { scheme: SignatureScheme; secret: string; sign: (secret: string) => Promise<Record<string, string>> }>
> = {
  'Standard Webhooks': {
    scheme: 'standard-webhooks',
    secret: OLD,
    sign: async (secret) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': SECONDS,
      'webhook-signature': new Webhook(secret).sign('msg_1', new Date(NOW), BODY.toString()),
    }),
  },
  Svix: {
    scheme: 'standard-webhooks',
    secret: OLD,
    sign: async (secret) => ({
      'svix-id': 'msg_1',
      'svix-timestamp': SECONDS,
      'svix-signature': new SvixWebhook(secret).sign('msg_1', new Date(NOW), BODY.toString()),
    }),
  },
  Zoom: {
    scheme: 'zoom',
    secret: 's3cret',
    sign: async (secret) => ({
      'x-zm-request-timestamp': SECONDS,
      'x-zm-signature': `v0=${hmac(secret, `v0:${SECONDS}:${BODY.toString()}`)}`,
    }),
  },
  GitHub: {
    scheme: 'github',
    secret: 's3cret',
    sign: async (secret) => ({ 'x-hub-signature-256': await signAsGithub(secret, BODY.toString()) }),
  },
  Jira: {
    scheme: 'jira',
    secret: 's3cret',
    sign: async (secret) => ({ 'x-hub-signature': `sha256=${hmac(secret, BODY)}` }),
  },
  Stripe: {
    scheme: 'stripe',
    secret: 'whsec_stripe',
    sign: async (secret) => ({
      'stripe-signature': new Stripe('sk_test_1').webhooks.generateTestHeaderString({
        payload: BODY.toString(),
        secret,
        timestamp: NOW / 1000,
      }),
    }),
  },
  Slack: {
    scheme: 'slack',
    secret: '8f742231b10e8888abcd99yyyzzz85a5',
    sign: async (secret) => ({
      'x-slack-request-timestamp': SECONDS,
      'x-slack-signature': `v0=${hmac(secret, `v0:${SECONDS}:${BODY.toString()}`)}`,
    }),
  },
  Shopify: {
    scheme: 'shopify',
    secret: 'shpss_1',
    sign: async (secret) => ({ 'x-shopify-hmac-sha256': hmac(secret, BODY, 'base64') }),
  },
  Sentry: {
    scheme: 'sentry',
    secret: 's3cret',
    sign: async (secret) => ({ 'sentry-hook-signature': hmac(secret, BODY) }),
  },
  PagerDuty: {
    scheme: 'pagerduty',
    secret: 's3cret',
    sign: async (secret) => ({ 'x-pagerduty-signature': `v1=${hmac(secret, BODY)}` }),
  },
};

const MISMATCH = { ok: false, reason: expect.stringMatching(/^The signature does not match/) };

describe.each(Object.entries(SENDERS))('%s', (_name, { scheme, secret, sign }) => {
  test('is believed with its secret, and not with another', async () => {
    const headers = await sign(secret);
    expect(await check(scheme, headers, { secrets: [secret] })).toMatchObject({ ok: true, scheme, secretIndex: 0 });
    expect(await check(scheme, headers, { secrets: [`${secret.slice(0, -3)}abc`] })).toEqual(MISMATCH);
    expect(await check(scheme, headers, { secrets: [] })).toMatchObject({ ok: false });
  });

  test('is believed with either secret while they are rotated', async () => {
    const headers = await sign(secret);
    expect(await check(scheme, headers, { secrets: [NEW, secret] })).toMatchObject({ ok: true, secretIndex: 1 });
  });

  test('is not believed when a byte of the body was changed', async () => {
    const headers = await sign(secret);
    const change = fc.tuple(fc.nat(BODY.length - 1), fc.integer({ min: 1, max: 255 }));
    await fc.assert(
      fc.asyncProperty(change, async ([position, difference]) => {
        const body = Buffer.from(BODY);
        body[position] = body[position]! ^ difference;
        expect(await check(scheme, headers, { secrets: [secret], body })).toEqual(MISMATCH);
      }),
      { numRuns: 50 },
    );
    const shorter = BODY.subarray(0, -1);
    expect(await check(scheme, headers, { secrets: [secret], body: shorter })).toEqual(MISMATCH);
    expect(await check(scheme, headers, { secrets: [secret], body: Buffer.concat([BODY, Buffer.from(' ')]) })).toEqual(
      MISMATCH,
    );
  });

  test('is not believed when a character of a header was changed', async () => {
    const headers = await sign(secret);
    const entry = fc.constantFrom(...Object.keys(headers));
    await fc.assert(
      fc.asyncProperty(
        entry,
        fc.nat(200),
        fc.constantFrom('0', 'a', 'f', 'Z', '=', ','),
        async (name, at, character) => {
          const value = headers[name]!;
          const position = at % value.length;
          const changed = value.slice(0, position) + character + value.slice(position + 1);
          // Upper and lower case of hex digits, and bits of base64 that are not used, are the same signature.
          fc.pre(changed.toLowerCase() !== value.toLowerCase() && position < value.length - 2);
          expect(await check(scheme, { ...headers, [name]: changed }, { secrets: [secret] })).toMatchObject({
            ok: false,
          });
        },
      ),
      { numRuns: 100 },
    );
  });

  test('names the header that is missing', async () => {
    const headers = await sign(secret);
    expect(await check(scheme, {}, { secrets: [secret] })).toMatchObject({
      reason: expect.stringMatching(/^There is no [a-z0-9-]+ header/),
    });
    for (const name of Object.keys(headers)) {
      const { [name]: _removed, ...others } = headers;
      expect(await check(scheme, others, { secrets: [secret] })).toMatchObject({ ok: false });
    }
  });
});

describe.each(['Standard Webhooks', 'Svix', 'Stripe', 'Slack'])('%s signs a time', (name) => {
  const { scheme, secret, sign } = SENDERS[name]!;

  test('that is good for five minutes', async () => {
    const headers = await sign(secret);
    const at = (now: number) => check(scheme, headers, { secrets: [secret], now });
    expect(await at(NOW + 5 * MINUTE)).toMatchObject({ ok: true });
    expect(await at(NOW - 5 * MINUTE)).toMatchObject({ ok: true });
    expect(await at(NOW + 5 * MINUTE + 1)).toEqual({
      ok: false,
      reason: 'Signed 5 min ago: the sender’s clock or an old request',
    });
    expect(await at(NOW + 720 * MINUTE)).toMatchObject({ reason: expect.stringMatching(/^Signed 12 h ago/) });
    expect(await at(NOW - 9 * MINUTE)).toEqual({ ok: false, reason: 'Signed 9 min in the future: the sender’s clock' });
  });
});

test('what is signed with a time is known again, whatever else the request says', async () => {
  const { scheme, secret, sign } = SENDERS['Stripe']!;
  const headers = await sign(secret);
  const signed = await check(scheme, headers, { secrets: [secret] });
  expect(signed).toMatchObject({ signedHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(await check(scheme, { ...headers, 'idempotency-key': 'another' }, { secrets: [NEW, secret] })).toEqual({
    ...signed,
    secretIndex: 1,
  });
  const github = SENDERS['GitHub']!;
  expect(await check('github', await github.sign('s3cret'))).toMatchObject({ ok: true, signedHash: null });
});

test.each(['', 'whsec_', 'whsec_!!!!!!!!', '!!!!!!!!!!!!', 'whsec_AAAA', 'not base64 at all'])(
  'a secret of Standard Webhooks that decodes to next to nothing verifies nobody: %j',
  async (secret) => {
    const seconds = String(Math.floor(NOW / 1000));
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const digest = createHmac('sha256', key).update(`id.${seconds}.`).update(BODY).digest('base64');
    const headers = { 'webhook-id': 'id', 'webhook-timestamp': seconds, 'webhook-signature': `v1,${digest}` };
    expect(await check('standard-webhooks', headers, { secrets: [secret] })).toEqual(MISMATCH);
    expect(isKeyOf('standard-webhooks', secret)).toBe(false);
  },
);

describe('several signatures in a header', () => {
  test('of Standard Webhooks: one that matches is enough, other versions are passed over', async () => {
    const { sign } = SENDERS['Standard Webhooks']!;
    const [old, fresh] = [await sign(OLD), await sign(NEW)];
    const headers = {
      ...old,
      'webhook-signature': `v1a,AAAA ${fresh['webhook-signature']} ${old['webhook-signature']}`,
    };
    expect(await check('standard-webhooks', headers, { secrets: [OLD] })).toMatchObject({ ok: true });
    expect(await check('standard-webhooks', headers, { secrets: [NEW] })).toMatchObject({ ok: true });
    const renamed = { ...old, 'webhook-signature': old['webhook-signature']!.replace('v1,', 'v2,') };
    expect(await check('standard-webhooks', renamed, { secrets: [OLD] })).toEqual(MISMATCH);
  });

  test('of Stripe and PagerDuty', async () => {
    const good = hmac('s3cret', `${SECONDS}.${BODY.toString()}`);
    const stripe = { 'stripe-signature': `t=${SECONDS},v1=${'0'.repeat(64)},v1=${good},v0=${good}` };
    expect(await check('stripe', stripe)).toMatchObject({ ok: true });
    expect(await check('stripe', { 'stripe-signature': `t=${SECONDS},v0=${good}` })).toEqual(MISMATCH);
    const pagerduty = { 'x-pagerduty-signature': `v1=${'0'.repeat(64)}, v1=${hmac('s3cret', BODY)}` };
    expect(await check('pagerduty', pagerduty)).toMatchObject({ ok: true });
  });
});

test('GitHub’s published example is believed', async () => {
  const secret = "It's a Secret to Everybody";
  const body = Buffer.from('Hello, World!');
  const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
  expect(await check('github', { 'x-hub-signature-256': signature }, { secrets: [secret], body })).toMatchObject({
    ok: true,
  });
  expect(await verifyAsGithub(secret, body.toString(), signature)).toBe(true);
});

test('Slack’s published example is believed', async () => {
  const body = Buffer.from(
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
  );
  const headers = {
    'x-slack-request-timestamp': '1531420618',
    'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  };
  const secrets = ['8f742231b10e8888abcd99yyyzzz85a5'];
  expect(await check('slack', headers, { secrets, body, now: 1_531_420_618_000 })).toMatchObject({ ok: true });
});

test('whatever stands in the headers, the answer is a reason', async () => {
  const names = Object.values(SENDERS).map(({ scheme }) => scheme);
  const header = fc.dictionary(
    fc.constantFrom(
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
      'x-hub-signature-256',
      'stripe-signature',
      'x-slack-signature',
      'x-slack-request-timestamp',
      'x-twilio-email-event-webhook-signature',
      'x-twilio-email-event-webhook-timestamp',
    ),
    fc.oneof(fc.string(), fc.constantFrom('v1=', 't=,v1=', 'sha256=zz', 'v1,', 't=9e99,v1=00')),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom<SignatureScheme>(...names, 'sendgrid', 'sns'), header, async (scheme, headers) => {
      expect(await check(scheme, headers)).toMatchObject({ ok: false, reason: expect.stringMatching(/./) });
    }),
    { numRuns: 300 },
  );
});
