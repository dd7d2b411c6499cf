import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AccountLinkEntity } from '#backend/identity/users/account-link.ts';
import { findUser } from '#backend/identity/users/user.ts';
import { newAccountLinkSchema } from '#backend/contract/account-link.ts';
import { identitiesSchema, oidcAddressSchema } from '#backend/contract/oidc.ts';
import { type IdentityProvider, startIdentityProvider, visitProvider } from '#tests/support/identity-provider.ts';
import {
  PUBLIC_ORIGIN,
  type ProviderOptions,
  arrive,
  end,
  isSignedIn,
  providersFile,
  sessionOf,
  signInAt,
  textOf,
} from '#tests/support/oidc-calls.ts';
import { addTotp } from '#tests/support/second-step-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, TEST_PASSWORD, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';

let company: IdentityProvider;
let running: TestServer | undefined;
beforeAll(async () => {
  company = await startIdentityProvider([PUBLIC_ORIGIN], { providerIds: ['company', 'entra'] });
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

const change = (subject: string, claims: Record<string, unknown>): void => {
  Object.assign(company.accounts.get(subject) ?? {}, claims);
};

/** Goes to the provider for something of the member's own, and comes back. */
async function goFor(client: TestClient, purpose: 'link' | 'proof'): Promise<Response> {
  const answer = await must(client.send('POST', `/api/auth/identities/company/${purpose}`));
  return end(client, await visitProvider(oidcAddressSchema.parse(await answer.json()).address));
}
const identitiesOf = async (client: TestClient) =>
  identitiesSchema.parse(await (await must(client.get('/api/auth/identities'))).json());
const prove = (client: TestClient) => must(client.send('POST', '/api/auth/proof', { password: TEST_PASSWORD }));
const age = (server: TestServer) => server.database.transaction((tx) => tx.query('UPDATE sessions SET proved_at = 0'));

describe('linking by e-mail', () => {
  test('links an account once, by a verified e-mail in whatever case; from then on the subject counts', async () => {
    const server = await serve({ linkByEmail: true });
    const user = await server.addUser();
    arrive(company, { email: user.email.toUpperCase() });
    expect((await sessionOf(signInAt(server.anonymous()))).id).toBe(user.id);
    // The address goes to somebody else one day.
    arrive(company, { email: user.email });
    expect(await textOf(signInAt(server.anonymous()))).toMatch(/There is an account with the e-mail/);
  });

  test.each([false, 'true', undefined])('does not link an e-mail that is verified as %j', async (verified) => {
    const server = await serve({ linkByEmail: true, createAccounts: true });
    const user = await server.addUser();
    arrive(company, { email: user.email, email_verified: verified });
    expect(await textOf(signInAt(server.anonymous()))).toMatch(/did not say that your e-mail is verified/);
  });

  test('does not link an account with a second step, a service, or a disabled one', async () => {
    const server = await serve({ linkByEmail: true });
    const member = await server.signedIn();
    await addTotp(server, member);
    const disabled = await server.addUser({ isActive: false });
    for (const [email, sentence] of [
      [member.session?.email, /link Example Corp in My account/],
      [disabled.email, /is disabled/],
    ] as const) {
      arrive(company, { email });
      expect(await textOf(signInAt(server.anonymous()))).toMatch(sentence);
    }
    expect(await server.database.reads.query('SELECT id FROM identities')).toEqual([]);
  });

  test('makes no account where that is off', async () => {
    const server = await serve({ linkByEmail: true });
    arrive(company);
    expect(await textOf(signInAt(server.anonymous()))).toMatch(/^There is no account here for person-\d+@example\.com/);
  });
});

describe('a role by a claim', () => {
  const roles = { claim: 'groups', admin: ['alert-admins'], superUser: ['alert-readers'], user: ['staff'] };

  test('is given at the first sign-in and changed at the next: other sessions end', async () => {
    const server = await serve({ createAccounts: true, roles });
    const subject = arrive(company, { groups: ['staff', 'alert-readers'] });
    const first = server.anonymous();
    expect((await sessionOf(signInAt(first))).role).toBe('super_user');
    change(subject, { groups: ['staff'] });
    const second = server.anonymous();
    expect((await sessionOf(signInAt(second))).role).toBe('user');
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, true]);
    const third = server.anonymous();
    await must(signInAt(third));
    expect(await isSignedIn(second)).toBe(true);
    const admin = await server.signedIn({ role: 'admin' });
    const trail = (await (await admin.get('/api/audit?q=super_user')).json()) as {
      action: string;
      actorName: string;
    }[];
    expect(trail).toMatchObject([{ action: 'role_changed', actorName: 'Example Corp' }, { action: 'user_created' }]);
  });

  test('that is none lets nobody in, and ends the sessions of who had one', async () => {
    const server = await serve({ createAccounts: true, roles });
    const subject = arrive(company, { groups: ['staff'] });
    const client = server.anonymous();
    await must(signInAt(client));
    change(subject, { groups: ['guests'] });
    expect(await textOf(signInAt(server.anonymous()))).toMatch(/has no role here/);
    expect(await isSignedIn(client)).toBe(false);
    arrive(company, { groups: 'staff' });
    await must(signInAt(server.anonymous()));
    arrive(company);
    expect(await textOf(signInAt(server.anonymous()))).toMatch(/has no role here/);
  });

  test('never takes the last administrator’s', async () => {
    const server = await serve({ createAccounts: true, roles });
    const subject = arrive(company, { groups: ['alert-admins'] });
    const { id } = await sessionOf(signInAt(server.anonymous()));
    await server.database.transaction((tx) => tx.query("UPDATE users SET role = 'user' WHERE id <> ?", [id]));
    change(subject, { groups: ['staff'] });
    const client = server.anonymous();
    expect((await sessionOf(signInAt(client))).role).toBe('admin');
    const trail = (await (await client.get('/api/audit?q=last administrator')).json()) as { action: string }[];
    expect(trail.map(({ action }) => action)).toEqual(['role_kept']);
  });

  test('is found in objects, and everybody else is a user where no values of users are named', async () => {
    const server = await serve({ createAccounts: true, roles: { claim: 'groups.of.here', admin: ['x'] } });
    arrive(company, { groups: { of: { here: ['x'] } } });
    expect((await sessionOf(signInAt(server.anonymous()))).role).toBe('admin');
    arrive(company, { groups: { of: 'x' } });
    expect((await sessionOf(signInAt(server.anonymous()))).role).toBe('user');
  });
});

describe('a member who is signed in', () => {
  test('links a provider after a proof, signs in with it, and unlinks it', async () => {
    const server = await serve();
    const member = await server.signedIn();
    arrive(company, { email_verified: false });
    expect((await identitiesOf(member)).linkable).toEqual([{ id: 'company', name: 'Example Corp' }]);
    await age(server);
    expect(await textOf(member.send('POST', '/api/auth/identities/company/link'))).toBe('Confirm your identity first.');
    await prove(member);
    expect(await (await must(goFor(member, 'link'))).json()).toEqual({ done: 'linked' });
    expect((await sessionOf(signInAt(server.anonymous()))).id).toBe(member.id);
    const { identities, linkable } = await identitiesOf(member);
    expect([identities.length, linkable]).toEqual([1, []]);
    expect(await textOf(goFor(member, 'link'))).toMatch(/is linked to an account at Example Corp already/);
    const [{ id } = { id: '' }] = identities;
    const stranger = await server.signedIn();
    expect((await stranger.send('DELETE', `/api/auth/identities/${id}`)).status).toBe(404);
    await must(member.send('DELETE', `/api/auth/identities/${id}`));
    expect(await textOf(signInAt(server.anonymous()))).toMatch(/Ask an administrator/);
  });

  test('stays linked to a provider whose id was changed, and proves who they are there', async () => {
    const before = await serve({ createAccounts: true });
    arrive(company);
    await must(signInAt(before.anonymous()));
    const server = await before.restart(providersFile([{ at: company, id: 'entra', name: 'Entra' }]));
    running = server;
    const member = server.anonymous();
    await must(signInAt(member, {}, 'entra'));
    const { identities, linkable } = await identitiesOf(member);
    expect([identities.map(({ provider, providerName }) => [provider, providerName]), linkable]).toEqual([
      [['entra', 'Entra']],
      [],
    ]);
  });

  test('cannot link who is linked to somebody else, also not in the same moment', async () => {
    const server = await serve();
    arrive(company);
    const members = [await server.signedIn(), await server.signedIn(), await server.signedIn()];
    const statuses = (await Promise.all(members.map((member) => goFor(member, 'link')))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409, 409]);
  });

  test('links nothing with a return that another session began, or after theirs has ended', async () => {
    const server = await serve();
    arrive(company);
    const victim = await server.signedIn();
    const attacker = await server.signedIn();
    const answer = await must(attacker.send('POST', '/api/auth/identities/company/link'));
    const back = await visitProvider(oidcAddressSchema.parse(await answer.json()).address);
    victim.cookies.set('oidc', attacker.cookies.get('oidc') ?? '');
    expect((await end(victim, back)).status).toBe(401);
    const again = await must(attacker.send('POST', '/api/auth/identities/company/link'));
    const late = await visitProvider(oidcAddressSchema.parse(await again.json()).address);
    await must(attacker.send('POST', '/api/auth/logout'));
    expect((await end(attacker, late)).status).toBe(401);
    expect(await server.database.reads.query('SELECT id FROM identities')).toEqual([]);
  });

  test('proves who they are by signing in at the provider again, with the account that is linked', async () => {
    const server = await serve({ createAccounts: true });
    const subject = arrive(company);
    const member = server.anonymous();
    await must(signInAt(member));
    await age(server);
    const stranger = arrive(company);
    company.signsInAs = stranger;
    expect(await textOf(goFor(member, 'proof'))).toMatch(/not the account at Example Corp/);
    company.signsInAs = subject;
    const copy = member.cookieHeader;
    expect(await (await must(goFor(member, 'proof'))).json()).toEqual({ done: 'proved' });
    await must(member.send('POST', '/api/auth/second-step/totp'));
    expect((await server.anonymous().get('/api/auth/session', { Cookie: copy })).status).toBe(401);
  });

  test('goes on under the session’s new token: of two tabs that prove at once both do', async () => {
    const server = await serve({ createAccounts: true });
    arrive(company);
    const member = server.anonymous();
    await must(signInAt(member));
    const goOut = async () =>
      visitProvider(
        oidcAddressSchema.parse(await (await must(member.send('POST', '/api/auth/identities/company/proof'))).json())
          .address,
      );
    const [first, second] = [await goOut(), await goOut()];
    const copy = new Map(member.cookies);
    expect(await (await must(end(member, first))).json()).toEqual({ done: 'proved' });
    const thief = server.anonymous();
    for (const [name, value] of copy) thief.cookies.set(name, value);
    const third = await goOut();
    expect((await end(thief, third)).status).toBe(401);
    expect(await (await must(end(member, second))).json()).toEqual({ done: 'proved' });
  });

  test('goes on at a server of another release, which has the session in the flow alone', async () => {
    const server = await serve({ createAccounts: true });
    arrive(company);
    const member = server.anonymous();
    await must(signInAt(member));
    const begun = await must(member.send('POST', '/api/auth/identities/company/proof'));
    const back = await visitProvider(oidcAddressSchema.parse(await begun.json()).address);
    // As the release before leaves the row, and reads it.
    await server.database.transaction((tx) => tx.query("UPDATE ceremonies SET details = NULL WHERE kind = 'oidc'"));
    expect(await (await must(end(member, back))).json()).toEqual({ done: 'proved' });
  });

  test('does not prove it with an old sign-in at the provider', async () => {
    const server = await serve({ createAccounts: true });
    arrive(company);
    const member = server.anonymous();
    await must(signInAt(member));
    company.forgery = { claims: (claims) => ({ ...claims, auth_time: Math.floor(Date.now() / 1000) - 600 }) };
    expect(await textOf(goFor(member, 'proof'))).toMatch(/was not accepted/);
    company.forgery = {};
  });
});

describe('an invitation', () => {
  test('is accepted by signing in at a provider: the account is the invitation’s, once', async () => {
    const server = await serve(
      {},
      { PASSWORD_SIGN_IN: 'off', BREAK_GLASS_ADMIN: 'admin@alertdesk.local', ADMIN_PASSWORD: TEST_PASSWORD },
    );
    const admin = server.anonymous();
    await admin.signIn('admin@alertdesk.local', TEST_PASSWORD);
    const invited = { email: 'ada@example.com', displayName: 'Ada', role: 'admin' };
    const made = await must(admin.send('POST', '/api/auth/invitations', invited));
    const invitation = newAccountLinkSchema.parse(await made.json()).path.split('#')[1];
    arrive(company, { email_verified: false });
    const answers = await Promise.all(
      [server.anonymous(), server.anonymous()].map((client) => signInAt(client, { invitation })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { id, email, role } = await sessionOf(Promise.resolve(answers[0] as Response));
    expect({ email, role }).toEqual({ email: 'ada@example.com', role: 'admin' });
    expect(await server.database.reads.getRepository(AccountLinkEntity).count()).toBe(0);
    arrive(company);
    const late = await server.anonymous().send('POST', '/api/auth/oidc/company/start', { invitation });
    expect(late.status).toBe(404);
    expect((await findUser(server.database.reads, id))?.passwordHash).toMatch(/^\$2/);
  });
});
