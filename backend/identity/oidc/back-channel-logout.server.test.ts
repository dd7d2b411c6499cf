import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { oidcAddressSchema } from '#backend/contract/oidc.ts';
import {
  type IdentityProvider,
  signOutThere,
  startIdentityProvider,
  visitProvider,
} from '#tests/support/identity-provider.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { PUBLIC_ORIGIN, arrive, begin, end, isSignedIn, providersFile, signInAt } from '#tests/support/oidc-calls.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';
import { REFUSED_LOGOUTS_PER_NETWORK } from './oidc-routes.ts';

let company: IdentityProvider;
let server: TestServer;
beforeAll(async () => {
  company = await startIdentityProvider([PUBLIC_ORIGIN]);
  server = await startTestServer(providersFile([{ at: company, createAccounts: true, signOut: true }]));
});
afterAll(async () => {
  await server?.destroy();
  await company?.stop();
});

const send = (token: string, provider = 'company', { url }: Pick<TestServer, 'url'> = server) =>
  fetch(`${url}/api/auth/oidc/${provider}/logout`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: token }),
  });

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const seconds = () => Math.floor(Date.now() / 1000);
let names = 0;
const claimsFor = (sub: string) => {
  names += 1;
  return {
    iss: company.issuer,
    aud: 'alertdesk',
    iat: seconds(),
    exp: seconds() + 60,
    jti: `token-${names}`,
    sub,
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} } as unknown,
  };
};

async function arrived() {
  const subject = arrive(company);
  const client = server.anonymous();
  await must(signInAt(client));
  return { subject, client };
}

describe('a sign-out at the provider', () => {
  test('ends the session that was begun by it, with its live connection, and no other', async () => {
    arrive(company);
    const [one, other] = [server.anonymous(), server.anonymous()];
    const jar = new Map<string, string>();
    await must(end(one, await visitProvider(await begin(one), jar)));
    await must(signInAt(other));
    const bystander = await arrived();
    const live = await listenLive(one);
    const closed = new Promise((resolve) => live.socket.once('close', resolve));

    // In another tab: where the sign-out of the product itself would lead.
    const copy = server.anonymous();
    await must(end(copy, await visitProvider(await begin(copy), jar)));
    const { address } = oidcAddressSchema.parse(await (await must(copy.send('POST', '/api/auth/logout'))).json());
    await signOutThere(address, jar);
    await expect.poll(() => company.logoutTokens.length).toBeGreaterThan(0);
    const token = company.logoutTokens.at(-1) ?? '';
    expect((await send(token)).status).toBe(200);
    expect([await isSignedIn(one), await isSignedIn(other), await isSignedIn(bystander.client)]).toEqual([
      false,
      true,
      true,
    ]);
    await closed;
    const trail = server.database.reads.getRepository(AuditEntity);
    expect(await trail.findBy({ action: 'sessions_ended_by_provider' })).toMatchObject([
      { actorName: 'Example Corp', actorId: null },
    ]);
  });

  test('that names the session alone ends what was begun by it, and no other', async () => {
    arrive(company);
    const [one, copy, other] = [server.anonymous(), server.anonymous(), server.anonymous()];
    const jar = new Map<string, string>();
    await must(end(one, await visitProvider(await begin(one), jar)));
    await must(end(copy, await visitProvider(await begin(copy), jar)));
    await must(signInAt(other));
    const { address } = oidcAddressSchema.parse(await (await must(copy.send('POST', '/api/auth/logout'))).json());
    const seen = company.logoutTokens.length;
    await signOutThere(address, jar);
    await expect.poll(() => company.logoutTokens.length).toBeGreaterThan(seen);
    const { sid } = decodeJwt(company.logoutTokens.at(-1) ?? '');
    expect(sid).toMatch(/./);
    const ofSession = (name: unknown) => company.sign({ ...claimsFor(''), sub: undefined, sid: name });
    expect((await send(ofSession('another session'))).status).toBe(200);
    expect(await isSignedIn(one)).toBe(true);
    expect((await send(ofSession(sid))).status).toBe(200);
    expect([await isSignedIn(one), await isSignedIn(other)]).toEqual([false, true]);
  });

  test('without a session ends every session of the person that the provider began, and none by password', async () => {
    const { subject, client } = await arrived();
    const again = server.anonymous();
    await must(signInAt(again));
    const byPassword = await server.signedIn();
    expect((await send(company.sign(claimsFor(subject)))).status).toBe(200);
    expect([await isSignedIn(client), await isSignedIn(again), await isSignedIn(byPassword)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('is accepted once: a token that was seen ends no later session, also of many at once', async () => {
    const { subject, client } = await arrived();
    const token = company.sign(claimsFor(subject));
    const answers = await Promise.all([send(token), send(token), send(token)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await isSignedIn(client)).toBe(false);
    const later = server.anonymous();
    await must(signInAt(later));
    expect((await send(token)).status).toBe(200);
    expect(await isSignedIn(later)).toBe(true);
  });

  test('of somebody whom nobody knows here is no error', async () => {
    expect((await send(company.sign(claimsFor('nobody')))).status).toBe(200);
    expect((await send(company.sign(claimsFor('nobody')), 'other')).status).toBe(404);
  });
});

test('strangers may send 300 tokens from one network in a quarter of an hour; what the provider signed uses up none', async () => {
  const { subject } = await arrived();
  const own = await startTestServer(providersFile([{ at: company }]));
  onTestFinished(() => own.destroy());
  const statusOf = async (token: string) => (await send(token, 'company', own)).status;
  for (let one = 0; one < 3; one += 1) expect(await statusOf(company.sign(claimsFor(subject)))).toBe(200);
  const statuses: number[] = [];
  for (let one = 0; one < REFUSED_LOGOUTS_PER_NETWORK + 1; one += 1) statuses.push(await statusOf('x'));
  expect([statuses.indexOf(429), new Set(statuses.slice(0, -1))]).toEqual([
    REFUSED_LOGOUTS_PER_NETWORK,
    new Set([400]),
  ]);
});

test('logout tokens that cannot be read while the provider is away use up none', async () => {
  const { subject } = await arrived();
  const own = await startTestServer(providersFile([{ at: company }]));
  company.failsWith = 503;
  onTestFinished(async () => {
    company.failsWith = undefined;
    await own.destroy();
  });
  const statuses = new Set<number>();
  for (let one = 0; one < REFUSED_LOGOUTS_PER_NETWORK + 1; one += 1)
    statuses.add((await send(company.sign(claimsFor(subject)), 'company', own)).status);
  expect(statuses).toEqual(new Set([503]));
});

describe('a logout token', () => {
  test.each<[string, Record<string, unknown>]>([
    ['of another issuer', { iss: 'https://attacker.example' }],
    ['for another client', { aud: 'other' }],
    ['without a time', { iat: undefined }],
    ['of the future', { iat: seconds() + 3600 }],
    ['that is old', { iat: seconds() - 3600 }],
    ['that has run out', { exp: seconds() - 3600 }],
    ['without a name', { jti: undefined }],
    ['that names nobody', { sub: undefined }],
    ['with a nonce, as an ID token', { nonce: 'x' }],
    ['about nothing', { events: undefined }],
    ['about another event', { events: { 'http://schemas.openid.net/event/other': {} } }],
  ])('%s is refused', async (_, changes) => {
    const { subject, client } = await arrived();
    const answer = await send(company.sign({ ...claimsFor(subject), ...changes }));
    expect([answer.status, await isSignedIn(client)]).toEqual([400, true]);
  });

  test('of another key, of none or of another kind is refused, and so is what is no form', async () => {
    const { subject, client } = await arrived();
    const claims = claimsFor(subject);
    const unsigned = `${encode({ alg: 'none' })}.${encode(claims)}.`;
    for (const token of [company.sign(claims, 'logout+jwt', true), unsigned, company.sign(claims, 'at+jwt'), 'x']) {
      expect((await send(token)).status).toBe(400);
    }
    const json = await server.anonymous().send('POST', '/api/auth/oidc/company/logout', { logout_token: 'x' });
    expect(json.status).toBe(415);
    expect(await isSignedIn(client)).toBe(true);
  });
});
