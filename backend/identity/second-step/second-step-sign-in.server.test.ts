import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { secondStepStateSchema } from '#backend/contract/second-step.ts';
import { RecoveryCodeEntity, TotpKeyEntity } from '#backend/identity/factors/second-step-entities.ts';
import { addTotp, beginTotp, codeOf, pendingSignIn, secondStep, wrongCode } from '#tests/support/second-step-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ TRUST_PROXY: '1' });
});
afterAll(() => server.destroy());

/** A member with an authenticator app. */
async function withTotp() {
  const member = await server.signedIn();
  return { member, email: member.session?.email ?? '', ...(await addTotp(server, member)) };
}
const totp = (client: TestClient, code: string, remember = false) =>
  secondStep(client, { method: 'totp', code, remember });
const recover = (client: TestClient, code: string) => secondStep(client, { method: 'recovery_code', code });
/** Lets transactions begin once so many are asked for, so that each has found what was there before any of them. */
function holdTransactions(count: number): void {
  const begin = server.database.transaction.bind(server.database);
  const held = Promise.withResolvers<void>();
  let asked = 0;
  const spy = vi.spyOn(server.database, 'transaction').mockImplementation(async (work) => {
    asked += 1;
    if (asked === count) held.resolve();
    await held.promise;
    return begin(work);
  });
  onTestFinished(() => spy.mockRestore());
}
const isSignedIn = async (client: TestClient) => (await client.get('/api/auth/session')).status === 200;
const actionsOf = async (userId: string) =>
  (
    await server.database.reads.getRepository(AuditEntity).find({ where: { actorId: userId }, order: { id: 'ASC' } })
  ).map(({ action }) => action);

describe('after a right password', () => {
  test('an account with a second step gets no session, but the methods it has; a code ends the sign-in', async () => {
    const { member, email, key } = await withTotp();
    const client = server.anonymous();
    const answer = await client.send('POST', '/api/auth/login', { email, password: TEST_PASSWORD });
    expect(await answer.json()).toEqual({ secondStep: ['totp', 'recovery_code'] });
    const [cookie = '', ...others] = answer.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(cookie).toMatch(/^sign-in=[\w-]{43}; path=\/; expires=.*; samesite=lax; httponly$/i);
    expect(await isSignedIn(client)).toBe(false);

    const signedIn = await totp(client, codeOf(key));
    expect(await signedIn.json()).toEqual(member.session);
    expect(await isSignedIn(client)).toBe(true);
    expect(client.cookies.has('sign-in')).toBe(false);
    expect(await actionsOf(member.id)).toEqual(['signed_in', 'totp_added', 'signed_in']);
  });

  test('and after a wrong one nothing says whether the account has a second step', async () => {
    const { email } = await withTotp();
    const plain = await server.addUser();
    const answers = [];
    for (const address of [email, plain.email, 'nobody@example.com']) {
      const answer = await server.anonymous().send('POST', '/api/auth/login', { email: address, password: 'wrong' });
      answers.push([answer.status, await answer.text(), answer.headers.getSetCookie()]);
    }
    expect(answers).toEqual(answers.map(() => [401, 'Invalid email or password', []]));
  });

  test('cookies of the sign-in and of a remembered browser are bound to the host over https', async () => {
    const own = await startTestServer({ PUBLIC_URL: 'https://alerts.example.com' });
    const member = await own.signedIn();
    const { key } = await addTotp(own, member);
    const client = await pendingSignIn(own, member.session?.email ?? '');
    expect(client.cookies.has('__Host-sign-in')).toBe(true);
    const answer = await totp(client, codeOf(key), true);
    const remembered = answer.headers.getSetCookie().find((cookie) => cookie.startsWith('__Host-remembered='));
    expect(remembered).toMatch(/; path=\/; expires=.*; samesite=lax; secure; httponly$/i);
    await own.destroy();
  });
});

describe('a code', () => {
  test('is accepted once, whichever sign-in it is for', async () => {
    const { email, key } = await withTotp();
    const code = codeOf(key);
    expect((await totp(await pendingSignIn(server, email), code)).status).toBe(200);
    const again = await totp(await pendingSignIn(server, email), code);
    expect([again.status, await again.text()]).toEqual([401, 'This code is wrong, or it was used before.']);
    // One of the step before is no newer.
    expect((await totp(await pendingSignIn(server, email), codeOf(key, -30))).status).toBe(401);
  });

  test('is accepted once of eight at the same moment', async () => {
    const { email, key } = await withTotp();
    const code = codeOf(key);
    const clients = await Promise.all(Array.from({ length: 8 }, () => pendingSignIn(server, email)));
    const answers = await Promise.all(clients.map((client) => totp(client, code)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 401)]);
    const sessions = await Promise.all(clients.map(isSignedIn));
    expect(sessions.filter(Boolean)).toHaveLength(1);
  });

  test('may be one step early or late, and no more', async () => {
    const { email, key } = await withTotp();
    // In the middle of a step, so that it does not end while this goes on.
    vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 30_000) * 30_000 + 15_000 });
    onTestFinished(() => void vi.useRealTimers());
    for (const seconds of [-90, -60, 60, 90]) {
      expect((await totp(await pendingSignIn(server, email), codeOf(key, seconds))).status).toBe(401);
    }
    expect((await totp(await pendingSignIn(server, email), codeOf(key, -30))).status).toBe(200);
    expect((await totp(await pendingSignIn(server, email), codeOf(key, 30))).status).toBe(200);
  });

  test('that confirmed the set-up is used up', async () => {
    const member = await server.signedIn();
    const key = await beginTotp(member);
    const code = codeOf(key);
    await must(member.send('POST', '/api/auth/second-step/totp/confirm', { code }));
    expect((await totp(await pendingSignIn(server, member.session?.email ?? ''), code)).status).toBe(401);
  });

  test('of an app that was replaced is good no more', async () => {
    const { member, email, key } = await withTotp();
    const newer = await addTotp(server, member);
    expect((await totp(await pendingSignIn(server, email), codeOf(key))).status).toBe(401);
    expect((await totp(await pendingSignIn(server, email), codeOf(newer.key))).status).toBe(200);
  });
});

describe('a recovery code', () => {
  test('is good once, however it is typed; the others stay', async () => {
    const { member, email, recoveryCodes } = await withTotp();
    expect(recoveryCodes).toHaveLength(10);
    const [first = '', second = ''] = recoveryCodes;
    expect(first).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{4}-){5}[0-9a-hjkmnp-tv-z]{4}$/);
    const typed = ` ${first.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')} `;
    expect((await recover(await pendingSignIn(server, email), typed)).status).toBe(200);
    expect((await recover(await pendingSignIn(server, email), first)).status).toBe(401);
    const client = await pendingSignIn(server, email);
    expect((await recover(client, second)).status).toBe(200);
    const state = secondStepStateSchema.parse(await (await client.get('/api/auth/second-step')).json());
    expect(state.recoveryCodesLeft).toBe(8);
    expect(await actionsOf(member.id)).toContain('recovery_code_used');
  });

  test('is good once of eight at the same moment, and two codes give two sessions', async () => {
    const { email, recoveryCodes } = await withTotp();
    const [first = '', second = ''] = recoveryCodes;
    const clients = await Promise.all(Array.from({ length: 8 }, () => pendingSignIn(server, email)));
    const answers = await Promise.all(clients.map((client, at) => recover(client, at === 0 ? second : first)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses[0]).toBe(200);
    expect(statuses.slice(1).filter((status) => status === 200)).toHaveLength(1);
  });

  test('of another member is worth nothing, and no code is stored', async () => {
    const [{ email }, other] = [await withTotp(), await withTotp()];
    expect((await recover(await pendingSignIn(server, email), other.recoveryCodes[0] ?? '')).status).toBe(401);
    const rows = JSON.stringify(await server.database.reads.getRepository(RecoveryCodeEntity).find());
    for (const code of other.recoveryCodes) expect(rows).not.toContain(code.replaceAll('-', ''));
  });
});

describe('a pending sign-in', () => {
  test('ends with one session, whatever is sent twice', async () => {
    const { email, recoveryCodes } = await withTotp();
    const client = await pendingSignIn(server, email);
    const cookies = new Map(client.cookies);
    holdTransactions(4);
    const answers = await Promise.all(recoveryCodes.slice(0, 4).map((code) => recover(client, code)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
    const late = server.anonymous();
    for (const [name, value] of cookies) late.cookies.set(name, value);
    expect((await recover(late, recoveryCodes[5] ?? '')).status).toBe(401);
    // What came too late has used up nothing.
    const left = await server.database.reads.getRepository(RecoveryCodeEntity).find();
    expect(left.length).toBeGreaterThan(0);
    const next = await pendingSignIn(server, email);
    expect((await recover(next, recoveryCodes[5] ?? '')).status).toBe(200);
  });

  test('ends after ten minutes, and with a clock that is set back', async () => {
    const { email, recoveryCodes } = await withTotp();
    const client = await pendingSignIn(server, email);
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: now + 10 * 60_000 + 1_000 });
    const late = await recover(client, recoveryCodes[0] ?? '');
    vi.setSystemTime(now - 60 * 60_000);
    const early = await recover(client, recoveryCodes[0] ?? '');
    vi.useRealTimers();
    const over = [401, 'The sign-in took too long. Start again with your password.'];
    expect([late.status, await late.text()]).toEqual(over);
    expect([early.status, await early.text()]).toEqual(over);
    expect((await recover(client, recoveryCodes[0] ?? '')).status).toBe(200);
  });

  test('comes to nothing when the password is reset, the account disabled, or its second steps are reset', async () => {
    const admin = await server.signedIn({ role: 'admin' });
    const changes = {
      'reset-password': { newPassword: 'something new' },
      'reset-second-step': undefined,
    };
    for (const [change, body] of Object.entries(changes)) {
      const { member, email, recoveryCodes } = await withTotp();
      const client = await pendingSignIn(server, email);
      await must(admin.send('POST', `/api/auth/users/${member.id}/${change}`, body));
      expect([change, (await recover(client, recoveryCodes[0] ?? '')).status]).toEqual([change, 401]);
    }
    const { member, email, recoveryCodes } = await withTotp();
    const client = await pendingSignIn(server, email);
    await must(admin.send('PATCH', `/api/auth/users/${member.id}/toggle-active`));
    expect((await recover(client, recoveryCodes[0] ?? '')).status).toBe(401);
  });

  test('without one there is no second step', async () => {
    const { recoveryCodes } = await withTotp();
    expect((await recover(server.anonymous(), recoveryCodes[0] ?? '')).status).toBe(401);
  });
});

describe('wrong codes', () => {
  test('are counted for each account and network, with the time to wait; a known device is let in', async () => {
    const { member, email, key } = await withTotp();
    const client = await pendingSignIn(server, email);
    const statuses = [];
    for (let count = 0; count < 10; count += 1) statuses.push((await totp(client, wrongCode(key))).status);
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 401));
    // Another sign-in changes nothing about it.
    const refused = await totp(await pendingSignIn(server, email), codeOf(key));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);

    const known = server.anonymous();
    known.cookies.set('device', member.cookies.get('device') ?? '');
    await known.send('POST', '/api/auth/login', { email, password: TEST_PASSWORD });
    expect((await totp(known, codeOf(key))).status).toBe(200);
    const actions = await actionsOf(member.id);
    expect(actions.filter((action) => action === 'second_step_failed')).toHaveLength(10);
    const why = await server.database.reads.getRepository(AuditEntity).findBy({ action: 'second_step_failed' });
    const ofMember = why.filter(({ actorId }) => actorId === member.id);
    expect(new Set(ofMember.map(({ detail }) => detail))).toEqual(new Set(['code of an app']));
    expect(actions.filter((action) => action === 'second_step_throttled')).toHaveLength(1);
  });

  test('from many networks are counted for the account', async () => {
    const { email, key } = await withTotp();
    const statuses = [];
    const client = await pendingSignIn(server, email);
    for (let count = 0; count < 51; count += 1) {
      const answer = await client.send(
        'POST',
        '/api/auth/login/second-step',
        { method: 'totp', code: wrongCode(key) },
        { 'X-Forwarded-For': `203.0.113.${count}` },
      );
      statuses.push(answer.status);
    }
    expect(statuses.lastIndexOf(401)).toBe(49);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('what is stored', () => {
  test('the key of an app is encrypted, for its member alone', async () => {
    const [one, two] = [await withTotp(), await withTotp()];
    const keys = server.database.reads.getRepository(TotpKeyEntity);
    const stored = await keys.findOneByOrFail({ userId: one.member.id });
    expect(stored.sealed).not.toContain(one.key);
    // Moved to another account it opens nothing there.
    await server.database.transaction((tx) =>
      tx.getRepository(TotpKeyEntity).update({ userId: two.member.id }, { sealed: stored.sealed, lastStep: 0 }),
    );
    const answer = await totp(await pendingSignIn(server, two.email), codeOf(one.key));
    expect(answer.status).toBe(409);
    expect((await recover(await pendingSignIn(server, two.email), two.recoveryCodes[0] ?? '')).status).toBe(200);
  });

  test('a session that starts while the first second step is set up is none', async () => {
    const member = await server.signedIn();
    const begin = server.database.transaction.bind(server.database);
    let isAsked = false;
    const spy = vi.spyOn(server.database, 'transaction').mockImplementation(async (work) => {
      // Work in the background asks for transactions, too.
      if (!isAsked && new Error('asked by').stack?.includes('session-store') === true) {
        isAsked = true;
        await addTotp(server, member);
      }
      return begin(work);
    });
    onTestFinished(() => spy.mockRestore());
    const [client, body] = [server.anonymous(), { email: member.session?.email, password: TEST_PASSWORD }];
    const { status } = await client.send('POST', '/api/auth/login', body);
    expect([isAsked, status]).toEqual([true, 401]);
    expect(await isSignedIn(client)).toBe(false);
  });
});
