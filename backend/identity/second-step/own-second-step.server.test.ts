import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { createdServiceTokenSchema } from '#backend/contract/api-token.ts';
import { CLOSE_SESSION_RENEWED } from '#backend/contract/live-event.ts';
import { recoveryCodesSchema, secondStepStateSchema } from '#backend/contract/second-step.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { SessionEntity, createSessionStore } from '#backend/identity/sessions/session-store.ts';
import { sessionIdOf } from '#backend/identity/users/session-tokens.ts';
import { ApiTokenEntity } from '#backend/identity/sessions/api-token.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { addTotp, beginTotp, codeOf, pendingSignIn, secondStep, wrongCode } from '#tests/support/second-step-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

const PATH = '/api/auth/second-step';
const stateOf = async (client: TestClient) => secondStepStateSchema.parse(await (await must(client.get(PATH))).json());
const requireFor = async (requiredFor: string) => {
  const admin = await server.signedIn({ role: 'admin' });
  if (admin.session?.mustSetUpSecondStep) await addTotp(server, admin);
  await must(admin.send('PUT', '/api/auth/second-step-rule', { requiredFor }));
};
/** Sets the rule, until the test has finished. */
const setRule = async (requiredFor: string) => {
  onTestFinished(() => requireFor('nobody'));
  await requireFor(requiredFor);
};
const confirm = async (client: TestClient, code: string) =>
  (await client.send('POST', `${PATH}/totp/confirm`, { code })).status;
/** The session's last proof is eleven minutes old. */
const forgetProof = (client: TestClient) =>
  server.database.transaction((tx) =>
    tx.getRepository(SessionEntity).update({ userId: client.id }, { provedAt: Date.now() - 11 * 60_000 }),
  );

describe('an authenticator app', () => {
  test('is set up by a code that it shows; the first second step comes with ten recovery codes', async () => {
    const member = await server.signedIn();
    expect(await stateOf(member)).toEqual({
      isRequired: false,
      isProved: true,
      totpSince: null,
      passkeys: [],
      recoveryCodesLeft: 0,
      browsers: [],
    });
    const answer = await member.send('POST', `${PATH}/totp`);
    const { key, uri } = (await answer.json()) as { key: string; uri: string };
    expect(key).toMatch(/^[A-Z2-7]{32}$/);
    const address = new URL(uri);
    expect(uri).toMatch(/^otpauth:\/\/totp\/Alertdesk:/);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      issuer: 'Alertdesk',
      secret: key,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });

    const wrong = await member.send('POST', `${PATH}/totp/confirm`, { code: wrongCode(key) });
    expect(wrong.status).toBe(422);
    expect((await stateOf(member)).totpSince).toBeNull();
    const typed = codeOf(key).replace(/^(...)/, '$1 ');
    const confirmed = await must(member.send('POST', `${PATH}/totp/confirm`, { code: typed }));
    expect(recoveryCodesSchema.parse(await confirmed.json()).recoveryCodes).toHaveLength(10);
    expect(await stateOf(member)).toMatchObject({
      totpSince: expect.any(String) as unknown,
      recoveryCodesLeft: 10,
    });
    // Another app takes the place of the first, and the codes stay.
    expect((await addTotp(server, member)).recoveryCodes).toEqual([]);
  });

  test('that was begun in another session, twice, or a quarter of an hour ago is not confirmed', async () => {
    const member = await server.signedIn();
    const other = server.anonymous();
    await other.signIn(member.session?.email ?? '', TEST_PASSWORD);
    const first = await beginTotp(member);
    expect(await confirm(other, codeOf(first))).toBe(409);
    const second = await beginTotp(member);
    expect(await confirm(member, codeOf(first))).toBe(422);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 });
    await server.database.transaction((tx) =>
      tx.getRepository(SessionEntity).update({ userId: member.id }, { provedAt: Date.now() }),
    );
    const late = await confirm(member, codeOf(second));
    vi.useRealTimers();
    expect(late).toBe(409);
    expect((await stateOf(member)).totpSince).toBeNull();
  });

  test('goes with recovery codes and remembered browsers when it was the last second step', async () => {
    const member = await server.signedIn();
    const email = member.session?.email ?? '';
    const { recoveryCodes } = await addTotp(server, member);
    const browser = await pendingSignIn(server, email);
    await must(secondStep(browser, { method: 'recovery_code', code: recoveryCodes[0], remember: true }));
    expect((await member.send('DELETE', `${PATH}/totp`)).status).toBe(204);
    expect((await member.send('DELETE', `${PATH}/totp`)).status).toBe(404);
    expect(await stateOf(member)).toMatchObject({ recoveryCodesLeft: 0, browsers: [] });
    await server.anonymous().signIn(email, TEST_PASSWORD);
  });
});

test('new recovery codes take the place of all before', async () => {
  const member = await server.signedIn();
  expect((await member.send('POST', `${PATH}/recovery-codes`)).status).toBe(409);
  const { recoveryCodes: before } = await addTotp(server, member);
  const answer = await must(member.send('POST', `${PATH}/recovery-codes`));
  const { recoveryCodes: after = [] } = recoveryCodesSchema.parse(await answer.json());
  const statuses = [];
  for (const code of [before[0], after[0]]) {
    const client = await pendingSignIn(server, member.session?.email ?? '');
    statuses.push((await secondStep(client, { method: 'recovery_code', code })).status);
  }
  expect(statuses).toEqual([401, 200]);
});

describe('a proof of who asks', () => {
  test('is the password, which is throttled; another one in the future is none', async () => {
    const member = await server.signedIn();
    await forgetProof(member);
    expect((await member.send('POST', '/api/auth/proof', { password: 'wrong' })).status).toBe(422);
    expect((await member.send('POST', `${PATH}/totp`)).status).toBe(403);
    expect((await member.send('POST', '/api/auth/proof', { password: TEST_PASSWORD })).status).toBe(204);
    expect((await member.send('POST', `${PATH}/totp`)).status).toBe(201);

    // The clock was an hour ahead when it was given.
    await server.database.transaction((tx) =>
      tx.getRepository(SessionEntity).update({ userId: member.id }, { provedAt: Date.now() + 60 * 60_000 }),
    );
    expect((await member.send('POST', `${PATH}/totp`)).status).toBe(403);
    for (let count = 0; count < 10; count += 1) await member.send('POST', '/api/auth/proof', { password: 'wrong' });
    expect((await member.send('POST', '/api/auth/proof', { password: TEST_PASSWORD })).status).toBe(429);
    const trail = await server.database.reads.getRepository(AuditEntity).findBy({ actorId: member.id });
    expect(trail.filter(({ action }) => action === 'proof_failed')).toHaveLength(12);
  });

  test('gives the session another token: a copy of the one before is worth nothing, and what was begun goes on', async () => {
    const member = await server.signedIn();
    const key = await beginTotp(member);
    await forgetProof(member);
    const [copy, live] = [member.cookieHeader, await listenLive(member)];
    const before = await server.database.reads.getRepository(SessionEntity).findOneByOrFail({ userId: member.id });
    expect((await member.send('POST', '/api/auth/proof', { password: TEST_PASSWORD })).status).toBe(204);
    expect((await server.anonymous().get('/api/auth/session', { Cookie: copy })).status).toBe(401);
    expect(await live.closed).toBe(CLOSE_SESSION_RENEWED);
    const after = await server.database.reads.getRepository(SessionEntity).findOneByOrFail({ userId: member.id });
    expect(after).toMatchObject({ createdAt: before.createdAt, ip: before.ip });
    const confirmed = await member.send('POST', `${PATH}/totp/confirm`, { code: codeOf(key) });
    expect(confirmed.status).toBe(200);
    (await listenLive(member)).socket.close();
  });
});

describe('a second step that is required', () => {
  test('of administrators and super users is not of members; of everybody it is', async () => {
    const signIn = async (role: 'user' | 'admin' | 'super_user') => {
      const { email } = await server.addUser({ role });
      const session = await server.anonymous().signIn(email, TEST_PASSWORD);
      return session.mustSetUpSecondStep === true;
    };
    const all = async () => [await signIn('user'), await signIn('admin'), await signIn('super_user')];
    expect(await all()).toEqual([false, false, false]);
    await setRule('administrators');
    expect(await all()).toEqual([false, true, true]);
    const admin = await server.signedIn({ role: 'admin' });
    await addTotp(server, admin);
    await must(admin.send('PUT', '/api/auth/second-step-rule', { requiredFor: 'everybody' }));
    expect(await all()).toEqual([true, true, true]);
    await must(admin.send('PUT', '/api/auth/second-step-rule', { requiredFor: 'nobody' }));
    const trail = await server.database.reads.getRepository(AuditEntity).findBy({ actorId: admin.id });
    expect(trail.filter(({ action }) => action === 'second_step_rule_changed').map(({ subject }) => subject)).toEqual([
      'administrators → everybody',
      'everybody → nobody',
    ]);
  });

  test('is set up before anything else: until then every other call and the live connection are refused', async () => {
    const user = await server.addUser({ role: 'admin' });
    await setRule('everybody');
    const [member, elsewhere] = [server.anonymous(), server.anonymous()];
    for (const client of [member, elsewhere]) await client.signIn(user.email, TEST_PASSWORD);
    const open = server.endpoints.filter(({ isForSetUp }) => isForSetUp);
    expect(open.every(({ path }) => /^\/api\/auth\/(?:session|logout|proof|second-step|identities)/.test(path))).toBe(
      true,
    );
    for (const { method, path, access, isForSetUp } of server.endpoints) {
      if (access === 'anyone' || isForSetUp) continue;
      const address = path.replaceAll(/:\w+/g, crypto.randomUUID());
      const answer = method === 'GET' ? await member.get(address) : await member.send(method, address, {});
      expect([path, answer.status, await answer.text()]).toEqual([path, 403, 'Set up two-step sign-in first.']);
    }
    await expect(listenLive(member)).rejects.toThrow(/401/);
    expect(await (await member.get('/api/auth/session')).json()).toMatchObject({ mustSetUpSecondStep: true });

    await addTotp(server, member);
    expect(await (await member.get('/api/auth/session')).json()).not.toHaveProperty('mustSetUpSecondStep');
    expect((await member.get('/api/alerts/inbox')).status).toBe(200);
    // Whoever else has signed in with the password alone has not passed the second step.
    expect((await elsewhere.get('/api/auth/session')).status).toBe(401);
    expect((await member.send('DELETE', `${PATH}/totp`)).status).toBe(409);
    expect((await stateOf(member)).isRequired).toBe(true);
    await must(member.send('PUT', '/api/auth/second-step-rule', { requiredFor: 'nobody' }));
    expect((await member.send('DELETE', `${PATH}/totp`)).status).toBe(204);
  });
});

const idOf = (client: TestClient) => sessionIdOf(client.cookies.get('sid') ?? '');
const statusOf = async (client: TestClient) => (await client.get('/api/alerts/inbox')).status;

describe('a second step that is required meanwhile', () => {
  test('is asked of sessions that are in use, and of their live connections; one of them sets it up, the others end', async () => {
    const member = await server.signedIn();
    const { email } = member.session ?? { email: '' };
    const elsewhere = server.anonymous();
    await elsewhere.signIn(email, TEST_PASSWORD);
    const store = createSessionStore(server.database, createLogger('silent'), server.config);
    const ids = [idOf(member), idOf(elsewhere)];
    expect([await statusOf(member), (await store.filterActive(ids)).size]).toEqual([200, 2]);
    await setRule('everybody');
    expect([await statusOf(member), await statusOf(elsewhere)]).toEqual([403, 403]);
    expect(await (await member.get('/api/auth/session')).json()).toMatchObject({ mustSetUpSecondStep: true });
    expect((await store.filterActive(ids)).size).toBe(0);
    await expect(listenLive(member)).rejects.toThrow(/401/);
    await addTotp(server, member);
    expect([await statusOf(member), (await store.filterActive(ids)).size]).toEqual([200, 1]);
    expect((await elsewhere.get('/api/auth/session')).status).toBe(401);
  });
});

describe('an administrator', () => {
  test('sees who has a second step, and resets it: sessions end, the password alone is enough', async () => {
    const admin = await server.signedIn({ role: 'admin' });
    const member = await server.signedIn();
    await addTotp(server, member);
    const isMarked = async () => {
      const users = (await (await must(admin.get('/api/auth/users'))).json()) as {
        id: string;
        hasSecondStep: boolean;
      }[];
      return users.find(({ id }) => id === member.id)?.hasSecondStep;
    };
    expect(await isMarked()).toBe(true);
    const answer = await must(admin.send('POST', `/api/auth/users/${member.id}/reset-second-step`));
    expect(await answer.json()).toMatchObject({ id: member.id, hasSecondStep: false });
    expect(await isMarked()).toBe(false);
    expect((await member.get('/api/auth/session')).status).toBe(401);
    await server.anonymous().signIn(member.session?.email ?? '', TEST_PASSWORD);
    const trail = await server.database.reads.getRepository(AuditEntity).findBy({ actorId: admin.id });
    expect(trail.find(({ action }) => action === 'second_step_reset')?.subject).toBe(member.session?.email);
    const nobody = await admin.send('POST', `/api/auth/users/${crypto.randomUUID()}/reset-second-step`);
    expect(nobody.status).toBe(404);
  });

  test('resets nothing of a service, whose token goes on', async () => {
    const admin = await server.signedIn({ role: 'admin' });
    const body = { name: 'A service', role: 'user', scope: 'read', expiresInDays: null };
    const made = await (await must(admin.send('POST', '/api/service-tokens', body))).json();
    const { plainToken, id } = createdServiceTokenSchema.parse(made);
    const token = await server.database.reads.getRepository(ApiTokenEntity).findOneByOrFail({ id });
    const answer = await admin.send('POST', `/api/auth/users/${token.userId}/reset-second-step`);
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('account of a service')]);
    const asService = { Authorization: `Bearer ${plainToken}` };
    expect((await server.anonymous().get('/api/folders', asService)).status).toBe(200);
  });
});
