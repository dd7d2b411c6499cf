import { hash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { CeremonyEntity } from '#backend/identity/factors/second-step-entities.ts';
import { UserEntity } from '#backend/identity/users/user.ts';
import { appCodeSchema } from '#backend/contract/oidc.ts';
import { sessionSchema } from '#backend/contract/session.ts';
import { type IdentityProvider, startIdentityProvider, visitProvider } from '#tests/support/identity-provider.ts';
import { PUBLIC_ORIGIN, arrive, begin, end, providersFile, sessionOf, signInAt } from '#tests/support/oidc-calls.ts';
import { addTotp, codeOf, secondStep } from '#tests/support/second-step-calls.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { untilQueued } from '#tests/support/until-queued.ts';
import { must } from '#tests/support/write-routes.ts';

let company: IdentityProvider;
let other: IdentityProvider;
let server: TestServer;

beforeAll(async () => {
  const providerIds = ['company', 'other'];
  company = await startIdentityProvider([PUBLIC_ORIGIN], { providerIds });
  other = await startIdentityProvider([PUBLIC_ORIGIN], { providerIds });
  const environment = providersFile([
    { at: company, createAccounts: true },
    {
      at: other,
      id: 'other',
      name: 'Other Corp',
      createAccounts: true,
      clientAuth: 'client_secret_basic',
      secondStep: true,
    },
  ]);
  server = await startTestServer(environment);
});
afterAll(async () => {
  await server?.destroy();
  await Promise.all([company?.stop(), other?.stop()]);
});

let subject = '';
let email = '';
beforeEach(() => {
  subject = arrive(company);
  email = `${subject}@example.com`;
});
afterEach(() => {
  company.forgery = {};
});

const refused = async (answer: Response) => ({ status: answer.status, text: await answer.text() });

describe('a sign-in at a provider', () => {
  test('makes an account at the first, and finds it by issuer and subject at the next, whatever its e-mail is then', async () => {
    const client = server.anonymous();
    const session = sessionSchema.parse(await (await must(signInAt(client))).json());
    expect(session).toMatchObject({ email, role: 'user', displayName: company.accounts.get(subject)?.['name'] });
    expect((await client.get('/api/auth/session')).status).toBe(200);
    Object.assign(company.accounts.get(subject) ?? {}, { email: 'renamed@example.com' });
    const again = sessionSchema.parse(await (await must(signInAt(server.anonymous()))).json());
    expect(again.id).toBe(session.id);
    // Nobody knows the password of such an account.
    expect((await server.anonymous().send('POST', '/api/auth/login', { email, password: '' })).status).toBe(422);
  });

  test('is recorded in the audit trail, with the provider', async () => {
    await must(signInAt(server.anonymous()));
    const admin = await server.signedIn({ role: 'admin' });
    const trail = (await (await admin.get(`/api/audit?q=${email}`)).json()) as { action: string; subject: string }[];
    expect(trail.map((entry) => [entry.action, entry.subject])).toEqual([
      ['signed_in', 'Example Corp'],
      ['identity_linked', 'Example Corp'],
      ['user_created', `${email}: user, by Example Corp`],
    ]);
  });

  test('is recorded with the second step that followed', async () => {
    arrive(other);
    const member = server.anonymous();
    member.session = await sessionOf(signInAt(member, {}, 'other'));
    const { key } = await addTotp(server, member);
    const client = server.anonymous();
    await must(signInAt(client, {}, 'other'));
    await must(secondStep(client, { method: 'totp', code: codeOf(key) }));
    const entries = await server.database.reads
      .getRepository(AuditEntity)
      .find({ where: { actorId: member.id, action: 'signed_in' }, order: { id: 'ASC' } });
    expect(entries.map((entry) => entry.subject)).toEqual(['Other Corp', 'Other Corp and code of an app']);
  });

  test('asks with the code flow, PKCE with S256, state and nonce, and an address of its own for each provider', async () => {
    const one = new URL(await begin(server.anonymous()));
    const two = new URL(await begin(server.anonymous(), {}, 'other'));
    const asked = Object.fromEntries(one.searchParams);
    expect(asked).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${PUBLIC_ORIGIN}/login/company/callback`,
      scope: 'openid email profile groups',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(asked[name]).toMatch(/^[\w-]{43}$/);
      expect(asked[name]).not.toBe(two.searchParams.get(name));
    }
    expect(two.searchParams.get('redirect_uri')).toBe(`${PUBLIC_ORIGIN}/login/other/callback`);
  });

  test('is made once by two browsers at the same moment', async () => {
    const clients = [server.anonymous(), server.anonymous(), server.anonymous()];
    const backs = await Promise.all(clients.map(async (client) => visitProvider(await begin(client))));
    const answers = await Promise.all(clients.map((client, index) => end(client, backs[index] as URL)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await server.database.reads.getRepository(UserEntity).countBy({ email })).toBe(1);
  });

  test('replaces the session that the browser had', async () => {
    const client = await server.signedIn();
    const before = client.cookies.get('sid');
    await must(signInAt(client));
    const stale = server.anonymous();
    stale.cookies.set('sid', before ?? '');
    expect((await stale.get('/api/auth/session')).status).toBe(401);
  });

  test('of a disabled account is refused, and nothing of it is changed', async () => {
    const client = server.anonymous();
    const { id } = sessionSchema.parse(await (await must(signInAt(client))).json());
    const admin = await server.signedIn({ role: 'admin' });
    await must(admin.send('PATCH', `/api/auth/users/${id}/toggle-active`));
    expect(await refused(await signInAt(server.anonymous()))).toEqual({
      status: 401,
      text: 'Your account is disabled. Ask an administrator.',
    });
    expect((await client.get('/api/auth/session')).status).toBe(401);
  });
});

describe('a response of a provider', () => {
  test('is taken once, also by many at the same moment', async () => {
    const client = server.anonymous();
    const back = await visitProvider(await begin(client));
    const before = company.requests.length;
    // Nobody ends it before all have found it.
    const requests = await server.database.transaction(async (tx) => {
      await tx.lockRows(CeremonyEntity, { kind: 'oidc' });
      const sent = Array.from({ length: 6 }, () => end(client, back));
      await untilQueued(server.database, 'DELETE FROM `ceremonies`%', sent.length);
      return { sent };
    });
    const answers = await Promise.all(requests.sent);
    // The provider refuses a code the second time, too: it is not asked.
    expect(company.requests.slice(before).filter((path) => path === '/token')).toHaveLength(1);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401, 401]);
    expect((await refused(await end(client, back))).text).toMatch(/was used already/);
  });

  test('with a code that was used is refused by the provider, also with another state', async () => {
    const client = server.anonymous();
    const back = await visitProvider(await begin(client));
    await must(end(client, back));
    const next = new URL(back);
    next.searchParams.set('state', new URL(await begin(client)).searchParams.get('state') ?? '');
    expect((await refused(await end(client, next))).text).toMatch(/was not accepted/);
  });

  test('of another browser is refused, and leaves the sign-in to the browser that began it', async () => {
    const client = server.anonymous();
    const back = await visitProvider(await begin(client));
    const attacker = server.anonymous();
    expect((await end(attacker, back)).status).toBe(401);
    await begin(attacker);
    expect((await end(attacker, back)).status).toBe(401);
    expect((await end(client, back)).status).toBe(200);
  });

  test('of one provider is refused at the address of another', async () => {
    const client = server.anonymous();
    const back = await visitProvider(await begin(client));
    const before = other.requests.length;
    expect((await end(client, back, 'other')).status).toBe(401);
    expect(other.requests.slice(before)).toEqual([]);
    expect((await end(client, back)).status).toBe(200);
  });

  test.each([
    ['another issuer', () => other.issuer],
    ['no issuer, from a provider that names itself', () => null],
  ])('with %s is refused before its code is sent anywhere', async (_, issuer) => {
    company.forgery = { responseIssuer: issuer() };
    const client = server.anonymous();
    const back = await visitProvider(await begin(client));
    const before = company.requests.length;
    expect((await refused(await end(client, back))).text).toMatch(/was not accepted/);
    expect(company.requests.slice(before)).toEqual([]);
  });

  test('that says no is given back as a sentence', async () => {
    const client = server.anonymous();
    const address = new URL(await begin(client));
    const back = new URL(`${PUBLIC_ORIGIN}/login/company/callback`);
    back.searchParams.set('error', 'access_denied');
    back.searchParams.set('error_description', '<b>do this</b>');
    back.searchParams.set('iss', company.issuer);
    back.searchParams.set('state', address.searchParams.get('state') ?? '');
    expect(await refused(await end(client, back))).toEqual({
      status: 401,
      text: 'Example Corp did not let you in, or you canceled the sign-in there.',
    });
  });

  test.each(['', 'state=x&state=y', 'code=x', 'state=x&code=y'])('that is none is refused: %j', async (query) => {
    const client = server.anonymous();
    await begin(client);
    const answer = await client.send('POST', '/api/auth/oidc/company/callback', { query });
    expect([401, 422]).toContain(answer.status);
  });
});

describe('an e-mail', () => {
  test.each([false, 'true', 1, undefined, null])('that is verified as %j makes no account', async (verified) => {
    arrive(company, { email_verified: verified });
    expect((await refused(await signInAt(server.anonymous()))).text).toMatch(
      /did not say that your e-mail is verified/,
    );
  });

  test('of an account is not linked where that is off, and the sentence says what to do', async () => {
    const user = await server.addUser();
    arrive(company, { email: user.email.toUpperCase() });
    expect((await refused(await signInAt(server.anonymous()))).text).toMatch(
      /^There is an account with the e-mail .* already\. Sign in to it as before, then link Example Corp in My account\.$/,
    );
    // Unverified, it says nothing about who has an account.
    arrive(company, { email: user.email, email_verified: false });
    expect((await refused(await signInAt(server.anonymous()))).text).not.toMatch(/There is an account/);
  });
});

describe('the desktop app', () => {
  const verifier = 'v'.repeat(43);
  const challenge = hash('sha256', verifier, 'base64url');

  const codeFor = async () => {
    const browser = server.anonymous();
    const { appCode } = appCodeSchema.parse(await (await must(signInAt(browser, { app: challenge }))).json());
    return { appCode, browser };
  };

  test('gets the session that its browser does not, once', async () => {
    const { appCode, browser } = await codeFor();
    expect(browser.cookies.has('sid')).toBe(false);
    const app = server.anonymous();
    const answers = await Promise.all(
      [app, server.anonymous(), server.anonymous()].map((client) =>
        client.send('POST', '/api/auth/oidc/app', { code: appCode, verifier }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
  });

  test('takes no code of somebody else’s sign-in, which stays good for who has its secret', async () => {
    const { appCode } = await codeFor();
    const victim = server.anonymous();
    const stray = await victim.send('POST', '/api/auth/oidc/app', { code: appCode, verifier: 'w'.repeat(43) });
    expect([stray.status, victim.cookies.has('sid')]).toEqual([401, false]);
    expect((await server.anonymous().send('POST', '/api/auth/oidc/app', { code: appCode, verifier })).status).toBe(200);
  });
});
