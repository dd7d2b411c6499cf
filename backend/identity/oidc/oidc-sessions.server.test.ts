import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { IdentityEntity } from './identity.ts';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { createdApiTokenSchema } from '#backend/contract/api-token.ts';
import { identitiesSchema, oidcAddressSchema } from '#backend/contract/oidc.ts';
import { secondStepDueSchema } from '#backend/contract/second-step.ts';
import { sessionSchema } from '#backend/contract/session.ts';
import { writeRule } from '#backend/identity/factors/second-steps.ts';
import { SessionEntity } from '#backend/identity/sessions/session-store.ts';
import { type IdentityProvider, startIdentityProvider } from '#tests/support/identity-provider.ts';
import {
  PUBLIC_ORIGIN,
  type ProviderOptions,
  arrive,
  begin,
  isSignedIn,
  providersFile,
  sessionOf,
  signInAt,
  textOf,
} from '#tests/support/oidc-calls.ts';
import { addPasskey, addTotp, codeOf, secondStep, signInWithPasskey } from '#tests/support/second-step-calls.ts';
import { SoftwareAuthenticator } from '#tests/support/software-authenticator.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, TEST_PASSWORD, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';

let company: IdentityProvider;
let running: TestServer | undefined;
beforeAll(async () => {
  company = await startIdentityProvider([PUBLIC_ORIGIN]);
});
afterAll(() => company?.stop());
afterEach(async () => {
  await running?.destroy();
  running = undefined;
});

/** A server with this provider. */
async function serve(options: ProviderOptions = {}, environment: Record<string, string> = {}): Promise<TestServer> {
  running = await startTestServer({ ...providersFile([{ at: company, ...options }]), ...environment });
  return running;
}

const identitiesOf = async (client: TestClient) =>
  identitiesSchema.parse(await (await must(client.get('/api/auth/identities'))).json());

/** What these browsers are answered when they ask who is signed in. */
const statusesOf = (server: TestServer, clients: TestClient[]) =>
  Promise.all(
    clients.map(
      async ({ cookieHeader: Cookie }) => (await server.anonymous().get('/api/auth/session', { Cookie })).status,
    ),
  );

/** A member with an authenticator app, who signs in at the provider once more. */
async function again(secondStepToo: boolean) {
  const server = await serve({ createAccounts: true, secondStep: secondStepToo });
  arrive(company);
  const member = server.anonymous();
  member.session = await sessionOf(signInAt(member));
  const { key } = await addTotp(server, member);
  const client = server.anonymous();
  return { server, member, key, client, answer: (await (await must(signInAt(client))).json()) as unknown };
}

describe('the second step of this server', () => {
  test('is not asked for where the provider is enough', async () => {
    const { answer, client } = await again(false);
    expect(sessionSchema.safeParse(answer).success).toBe(true);
    expect(await isSignedIn(client)).toBe(true);
  });

  test('is asked for where the configuration says so, and the session is the provider’s all the same', async () => {
    const { server, answer, client, key } = await again(true);
    expect(secondStepDueSchema.parse(answer).secondStep).toContain('totp');
    expect(await isSignedIn(client)).toBe(false);
    await must(secondStep(client, { method: 'totp', code: codeOf(key) }));
    const sessions = await server.database.reads.getRepository(SessionEntity).find({ select: { provider: true } });
    expect(sessions.map(({ provider }) => provider)).toEqual(['company', 'company']);
  });
});

test('a second step that is due after a provider comes to nothing once that is unlinked', async () => {
  const { member, client, key } = await again(true);
  const {
    identities: [identity],
  } = await identitiesOf(member);
  await must(member.send('DELETE', `/api/auth/identities/${identity?.id}`));
  expect((await secondStep(client, { method: 'totp', code: codeOf(key) })).status).toBe(401);
  expect(await isSignedIn(client)).toBe(false);
});

test.each([
  [false, 200],
  [true, 403],
])('a second step that everybody has to have, where the provider’s is not enough: %j', async (isAsked, status) => {
  const server = await serve({ createAccounts: true, secondStep: isAsked });
  arrive(company);
  const member = server.anonymous();
  await must(signInAt(member));
  expect((await member.get('/api/folders')).status).toBe(200);
  await server.database.transaction((tx) => writeRule(tx, { requiredFor: 'everybody' }));
  expect((await member.get('/api/folders')).status).toBe(status);
});

test.each([
  [false, 200],
  [true, 403],
])(
  'the API token of a member of a provider, where a second step of this server counts: %j',
  async (isAsked, status) => {
    const server = await serve({ createAccounts: true, secondStep: isAsked });
    arrive(company);
    const member = server.anonymous();
    member.session = await sessionOf(signInAt(member));
    const body = { name: 'Script', scope: 'read', expiresInDays: null };
    const made = await must(member.send('POST', '/api/auth/tokens', body));
    const { plainToken } = createdApiTokenSchema.parse(await made.json());
    const call = () => server.anonymous().get('/api/folders', { Authorization: `Bearer ${plainToken}` });
    await server.database.transaction((tx) => writeRule(tx, { requiredFor: 'everybody' }));
    expect((await call()).status).toBe(status);
  },
);

describe('signing out', () => {
  test('goes on at the provider where the configuration says so, with the ID token, which is stored encrypted', async () => {
    const server = await serve({ createAccounts: true, signOut: true });
    arrive(company);
    const client = server.anonymous();
    await must(signInAt(client));
    const [session] = await server.database.reads
      .getRepository(SessionEntity)
      .find({ select: { id: true, idToken: true, provider: true } });
    expect(session).toMatchObject({ provider: 'company', idToken: expect.stringMatching(/^v1\./) });
    const { address } = oidcAddressSchema.parse(await (await must(client.send('POST', '/api/auth/logout'))).json());
    const there = new URL(address);
    expect([there.origin, there.searchParams.get('post_logout_redirect_uri')]).toEqual([
      company.issuer,
      `${PUBLIC_ORIGIN}/login`,
    ]);
    const [, payload = ''] = there.searchParams.get('id_token_hint')?.split('.') ?? [];
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ sub: company.signsInAs });
    expect((await fetch(there)).status).toBe(200);
  });

  test('ends the session here alone for everybody else, and while the provider is away', async () => {
    const server = await serve({ createAccounts: true, signOut: true });
    expect((await (await server.signedIn()).send('POST', '/api/auth/logout')).status).toBe(204);
    arrive(company);
    const client = server.anonymous();
    await must(signInAt(client));
    const restarted = await server.restart();
    running = restarted;
    const same = restarted.anonymous();
    for (const [name, value] of client.cookies) same.cookies.set(name, value);
    company.failsWith = 503;
    expect((await same.send('POST', '/api/auth/logout')).status).toBe(204);
    company.failsWith = undefined;
    expect(await isSignedIn(same)).toBe(false);
  });
});

describe('without passwords', () => {
  const OFF = { PASSWORD_SIGN_IN: 'off', BREAK_GLASS_ADMIN: 'Break-Glass@example.com' };

  test('nobody but the break-glass administrator signs in by password or passkey, and the answers do not say who that is', async () => {
    const before = await serve();
    const member = await before.signedIn();
    const device = new SoftwareAuthenticator({ origin: PUBLIC_ORIGIN });
    await must(addPasskey(member, device));
    const { email } = await before.addUser({ role: 'admin', email: 'break-glass@example.com' });
    const server = await before.restart(OFF);
    running = server;
    expect(await textOf(signInWithPasskey(server.anonymous(), device))).toMatch(/does not belong to an account here/);
    const answers = await Promise.all(
      [member.session?.email, 'nobody@example.com'].map((name) =>
        textOf(server.anonymous().send('POST', '/api/auth/login', { email: name, password: TEST_PASSWORD })),
      ),
    );
    expect(answers).toEqual(['Invalid email or password', 'Invalid email or password']);
    const failed = await server.database.reads.getRepository(AuditEntity).findBy({ action: 'sign_in_failed' });
    const off = 'passwords are switched off';
    expect(failed.map(({ detail }) => detail).toSorted()).toEqual([off, off, 'unknown account']);
    await server.anonymous().signIn(email, TEST_PASSWORD);
    expect(await (await server.anonymous().get('/api/auth/options')).json()).toMatchObject({
      hasPasswords: false,
      providers: [{ id: 'company', name: 'Example Corp' }],
    });
  });

  test('sessions that were begun by one end, for good; those of a provider and of the break-glass administrator go on', async () => {
    const before = await serve({ createAccounts: true });
    arrive(company);
    const user = await before.addUser({ role: 'admin', email: 'break-glass@example.com' });
    const [member, admin, provided] = [await before.signedIn(), before.anonymous(), before.anonymous()];
    await admin.signIn(user.email, TEST_PASSWORD);
    await must(signInAt(provided));
    expect(await statusesOf(before, [member, admin, provided])).toEqual([200, 200, 200]);
    const off = await before.restart(OFF);
    expect(await statusesOf(off, [member, admin, provided])).toEqual([401, 200, 200]);
    running = await off.restart({ PASSWORD_SIGN_IN: 'on', BREAK_GLASS_ADMIN: '' });
    expect(await statusesOf(running, [member, admin, provided])).toEqual([401, 200, 200]);
  });

  test('no password is set by a link, and no link is mailed', async () => {
    const server = await serve({}, OFF);
    const use = { token: 'x', password: TEST_PASSWORD };
    for (const [path, body] of [
      ['/api/auth/join', use],
      ['/api/auth/reset-password', use],
      ['/api/auth/forgot-password', { email: 'ada@example.com' }],
    ] as const) {
      const answer = await server.anonymous().send('POST', path, body);
      expect([path, answer.status]).toEqual([path, 409]);
    }
  });

  test('the break-glass account is linked to no provider, and its role is kept', async () => {
    const server = await serve({ linkByEmail: true, createAccounts: true }, OFF);
    const { email } = await server.addUser({ role: 'admin', email: 'break-glass@example.com' });
    arrive(company, { email });
    expect(await textOf(signInAt(server.anonymous()))).toMatch(/There is an account/);
    const admin = server.anonymous();
    await admin.signIn(email, TEST_PASSWORD);
    expect((await admin.send('POST', '/api/auth/identities/company/link')).status).toBe(409);
    expect((await identitiesOf(admin)).linkable).toEqual([]);
  });

  test('a provider that the break-glass account was linked to before does not sign it in', async () => {
    const before = await serve({ createAccounts: true });
    arrive(company, { email: 'break-glass@example.com' });
    await must(signInAt(before.anonymous()));
    running = await before.restart(OFF);
    expect(await textOf(signInAt(running.anonymous()))).toBe(
      'No provider signs in to the break-glass administrator. Sign in with the password, which whoever runs the server can set.',
    );
    const refused = { action: 'provider_sign_in_refused' } as const;
    expect(await running.database.reads.getRepository(AuditEntity).countBy(refused)).toBe(1);
    running = await running.restart({ PASSWORD_SIGN_IN: 'on', BREAK_GLASS_ADMIN: '' });
    await must(signInAt(running.anonymous()));
  });

  test.each(['on', 'off'])(
    'sessions that a provider began end once the account is the break-glass one, for good, passwords %s',
    async (passwords) => {
      const before = await serve({ createAccounts: true });
      const [named, other] = [before.anonymous(), before.anonymous()];
      arrive(company, { email: 'break-glass@example.com' });
      await must(signInAt(named));
      arrive(company);
      await must(signInAt(other));
      expect(await statusesOf(before, [named, other])).toEqual([200, 200]);
      const after = await before.restart({ ...OFF, PASSWORD_SIGN_IN: passwords });
      expect(await statusesOf(after, [named, other])).toEqual([401, 200]);
      running = await after.restart({ PASSWORD_SIGN_IN: 'on', BREAK_GLASS_ADMIN: '' });
      expect(await statusesOf(running, [named, other])).toEqual([401, 200]);
    },
  );

  test('no administrator disables the break-glass account', async () => {
    const server = await serve({ createAccounts: true, roles: { claim: 'groups', admin: ['x'] } }, OFF);
    const { id, email } = await server.addUser({ role: 'admin', email: 'break-glass@example.com' });
    arrive(company, { groups: ['x'] });
    const admin = server.anonymous();
    admin.session = await sessionOf(signInAt(admin));
    const answer = await admin.send('PATCH', `/api/auth/users/${id}/toggle-active`);
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('break-glass')]);
    await server.anonymous().signIn(email, TEST_PASSWORD);
  });

  test('nobody unlinks the last provider', async () => {
    const server = await serve({ createAccounts: true }, OFF);
    arrive(company);
    const member = server.anonymous();
    const { id: userId } = await sessionOf(signInAt(member));
    const [identity] = (await identitiesOf(member)).identities;
    // That of a provider which is gone from the configuration lets nobody in.
    const gone = uuidv7();
    const left = { id: gone, userId, provider: 'former', issuer: 'x', subjectHash: gone, email: null };
    await server.database.transaction((tx) =>
      tx.getRepository(IdentityEntity).insert({ ...left, createdAt: 0, lastUsedAt: null }),
    );
    expect(await textOf(member.send('DELETE', `/api/auth/identities/${identity?.id}`))).toMatch(/could not sign in/);
    await must(member.send('DELETE', `/api/auth/identities/${gone}`));
    expect(await textOf(member.send('DELETE', `/api/auth/identities/${identity?.id}`))).toMatch(/could not sign in/);
  });
});

test('strangers may begin 300 sign-ins from one network in a quarter of an hour; those that members end do not count', async () => {
  const server = await serve({ createAccounts: true });
  arrive(company);
  await sessionOf(signInAt(server.anonymous()));
  const end = () => server.anonymous().send('POST', '/api/auth/oidc/company/callback', { query: 'x=y' });
  const statuses: number[] = [];
  for (let one = 0; one < 301; one += 1) statuses.push((await end()).status);
  expect([statuses.indexOf(429), new Set(statuses.slice(0, 300))]).toEqual([300, new Set([401])]);
  expect(await begin(server.anonymous()).catch((error: Error) => error.message)).toMatch(/429/);
});
