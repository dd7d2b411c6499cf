import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type IdentityProvider, startIdentityProvider, visitProvider } from '#tests/support/identity-provider.ts';
import { PUBLIC_ORIGIN, arrive, begin, end, providersFile, signInAt } from '#tests/support/oidc-calls.ts';
import { type TestServer, TEST_PASSWORD, startTestServer } from '#tests/support/test-server.ts';
import { CLOCK_TOLERANCE_SECONDS } from './provider-fetch.ts';

let company: IdentityProvider;
let server: TestServer;
beforeAll(async () => {
  company = await startIdentityProvider([PUBLIC_ORIGIN]);
  server = await startTestServer(providersFile([{ at: company, createAccounts: true }]));
});
afterAll(async () => {
  await server?.destroy();
  await company?.stop();
});
beforeEach(() => void arrive(company));
afterEach(() => {
  company.forgery = {};
  company.failsWith = undefined;
  company.hangs = false;
});

const refused = async (answer: Response) => ({ status: answer.status, text: await answer.text() });

/** Seconds since the epoch, as tokens have them. */
const seconds = (): number => Math.floor(Date.now() / 1000);

describe('an ID token', () => {
  // By the clock of the sign-in, which may come minutes after these lines were read.
  test.each<[string, () => Record<string, unknown>]>([
    ['of another issuer', () => ({ iss: 'https://attacker.example' })],
    ['for another client', () => ({ aud: 'somebody else' })],
    ['of another sign-in', () => ({ nonce: 'x'.repeat(43) })],
    ['without a nonce', () => ({ nonce: undefined })],
    ['without a subject', () => ({ sub: undefined })],
    ['that has run out', () => ({ exp: seconds() - CLOCK_TOLERANCE_SECONDS - 60 })],
    ['that holds later only', () => ({ nbf: seconds() + CLOCK_TOLERANCE_SECONDS + 60 })],
    ['of several audiences for another party', () => ({ aud: ['alertdesk', 'other'], azp: 'other' })],
    ['of one audience for another party', () => ({ azp: 'other' })],
    ['that was made in the future', () => ({ iat: seconds() + CLOCK_TOLERANCE_SECONDS + 60 })],
    ['of a sign-in in the future', () => ({ auth_time: seconds() + CLOCK_TOLERANCE_SECONDS + 60 })],
  ])('%s is refused', async (_, changes) => {
    company.forgery = { claims: (claims) => ({ ...claims, ...changes() }) };
    expect((await refused(await signInAt(server.anonymous()))).text).toMatch(/was not accepted/);
  });

  test('that another key has signed is refused', async () => {
    company.forgery = { hasForeignKey: true };
    expect((await refused(await signInAt(server.anonymous()))).text).toMatch(/was not accepted/);
  });

  test.each(['none', 'HS256'] as const)(
    'that nobody has signed, or the client’s secret, is refused: %s',
    async (algorithm) => {
      company.forgery = { algorithm };
      expect((await refused(await signInAt(server.anonymous()))).text).toMatch(/was not accepted/);
    },
  );

  test('may be of a clock that differs by some seconds', async () => {
    const ahead = seconds() + CLOCK_TOLERANCE_SECONDS - 5;
    company.forgery = {
      claims: (claims) => ({ ...claims, iat: ahead, nbf: ahead, auth_time: ahead, azp: 'alertdesk' }),
    };
    const early = await signInAt(server.anonymous());
    company.forgery = { claims: (claims) => ({ ...claims, exp: seconds() - CLOCK_TOLERANCE_SECONDS + 5 }) };
    const late = await signInAt(server.anonymous());
    expect([early.status, late.status]).toEqual([200, 200]);
  });
});

describe('a provider that is away', () => {
  test.each<[string, (provider: IdentityProvider) => void]>([
    ['answers 503', (provider) => Object.assign(provider, { failsWith: 503 })],
    ['does not answer within five seconds', (provider) => Object.assign(provider, { hangs: true })],
  ])('%s: the answer says so, and passwords still work', async (_, fail) => {
    const client = server.anonymous();
    const back = await visitProvider(await begin(client));
    fail(company);
    expect(await refused(await end(client, back))).toEqual({
      status: 503,
      text: 'Example Corp cannot be reached. Try again, or sign in another way.',
    });
    const user = await server.addUser();
    await server.anonymous().signIn(user.email, TEST_PASSWORD);
  });

  test('does not keep a server from starting, and is asked again once it is back', async () => {
    const late = await startIdentityProvider([PUBLIC_ORIGIN]);
    late.isAway = true;
    const waiting = await startTestServer(providersFile([{ at: late, createAccounts: true }]));
    try {
      const client = waiting.anonymous();
      const answer = await client.send('POST', '/api/auth/oidc/company/start', {});
      expect(await refused(answer)).toEqual({
        status: 503,
        text: 'Example Corp cannot be reached. Try again, or sign in another way.',
      });
      late.isAway = false;
      await expect.poll(async () => (await client.send('POST', '/api/auth/oidc/company/start', {})).status).toBe(200);
    } finally {
      await waiting.destroy();
      await late.stop();
    }
  });

  test('that publishes another issuer than the configured one is not used', async () => {
    const wrong = await startIdentityProvider([PUBLIC_ORIGIN]);
    wrong.forgery = { metadata: (metadata) => ({ ...metadata, issuer: company.issuer }) };
    const own = await startTestServer(providersFile([{ at: wrong }]));
    try {
      const answer = await own.anonymous().send('POST', '/api/auth/oidc/company/start', {});
      expect((await refused(answer)).status).toBe(503);
    } finally {
      await own.destroy();
      await wrong.stop();
    }
  });
});
