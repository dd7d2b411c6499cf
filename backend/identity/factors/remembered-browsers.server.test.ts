import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { UserEntity } from '#backend/identity/users/user.ts';
import { newAccountLinkSchema } from '#backend/contract/account-link.ts';
import { secondStepStateSchema } from '#backend/contract/second-step.ts';
import { RememberedBrowserEntity } from './second-step-entities.ts';
import { addTotp, pendingSignIn, secondStep } from '#tests/support/second-step-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

const DAY_MS = 24 * 60 * 60_000;

/** A member with a second step, and a browser that is remembered. */
async function withBrowser() {
  const member = await server.signedIn();
  const email = member.session?.email ?? '';
  const { recoveryCodes } = await addTotp(server, member);
  const remember = async () => {
    const client = await pendingSignIn(server, email);
    const answer = { method: 'recovery_code', code: recoveryCodes.pop() ?? '', remember: true };
    await must(secondStep(client, answer));
    return client;
  };
  return { member, email, remember, browser: await remember() };
}
/** Whether a browser is asked for the second step. */
async function isAsked(browser: TestClient, email: string, password = TEST_PASSWORD): Promise<boolean> {
  const answer = await must(browser.send('POST', '/api/auth/login', { email, password }));
  return 'secondStep' in ((await answer.json()) as object);
}
const stateOf = async (client: TestClient) =>
  secondStepStateSchema.parse(await (await must(client.get('/api/auth/second-step'))).json());

test('a remembered browser is spared the second step for 30 days, another one is not', async () => {
  const { email, browser } = await withBrowser();
  expect(await isAsked(browser, email)).toBe(false);
  expect(await isAsked(server.anonymous(), email)).toBe(true);
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: now + 30 * DAY_MS - 60_000 });
  const before = await isAsked(browser, email);
  vi.setSystemTime(now + 30 * DAY_MS + 60_000);
  const after = await isAsked(browser, email);
  vi.useRealTimers();
  expect([before, after]).toEqual([false, true]);
});

test('it is remembered for one account, with its password', async () => {
  const [one, other] = [await withBrowser(), await withBrowser()];
  expect(await isAsked(one.browser, other.email)).toBe(true);
  const thief = server.anonymous();
  thief.cookies.set('remembered', one.browser.cookies.get('remembered') ?? '');
  const wrong = await thief.send('POST', '/api/auth/login', { email: one.email, password: 'wrong' });
  expect(wrong.status).toBe(401);
});

test('it is forgotten with another password, however that is set', async () => {
  const admin = await server.signedIn({ role: 'admin' });
  const { member, email, browser } = await withBrowser();
  await must(admin.send('POST', `/api/auth/users/${member.id}/reset-password`, { newPassword: 'something new' }));
  expect(await isAsked(browser, email, 'something new')).toBe(true);
  expect(await server.database.reads.getRepository(RememberedBrowserEntity).countBy({ userId: member.id })).toBe(0);

  const other = await withBrowser();
  await server.database.transaction((tx) =>
    tx.getRepository(UserEntity).update({ id: other.member.id }, { passwordChangedAt: Date.now() }),
  );
  expect(await isAsked(other.browser, other.email)).toBe(true);

  const third = await withBrowser();
  const link = await must(admin.send('POST', `/api/auth/users/${third.member.id}/reset-link`, {}));
  const token = newAccountLinkSchema.parse(await link.json()).path.split('#')[1];
  await must(server.anonymous().send('POST', '/api/auth/reset-password', { token, password: 'battery staple' }));
  expect(await isAsked(third.browser, third.email, 'battery staple')).toBe(true);
});

test('it is forgotten when its second steps are reset, also once there are new ones', async () => {
  const admin = await server.signedIn({ role: 'admin' });
  const { member, email, browser } = await withBrowser();
  await must(admin.send('POST', `/api/auth/users/${member.id}/reset-second-step`));
  const again = server.anonymous();
  await again.signIn(email, TEST_PASSWORD);
  await addTotp(server, again);
  expect(await isAsked(browser, email)).toBe(true);
});

test('the member sees and forgets their browsers, one or all, and nobody else’s', async () => {
  const { email, browser, remember } = await withBrowser();
  const second = await remember();
  const stranger = await server.signedIn();
  const { browsers } = await stateOf(second);
  expect(browsers.map(({ isThisBrowser }) => isThisBrowser)).toEqual([true, false]);
  expect(browsers[0]).toMatchObject({ ip: expect.stringMatching(/127\.0\.0\.1/) as unknown });
  expect(JSON.stringify(browsers)).not.toContain(second.cookies.get('remembered'));

  const path = `/api/auth/second-step/browsers/${browsers[1]?.id}`;
  expect((await stranger.send('DELETE', path)).status).toBe(404);
  await must(stranger.send('DELETE', '/api/auth/second-step/browsers'));
  expect((await second.send('DELETE', path)).status).toBe(204);
  expect((await second.send('DELETE', path)).status).toBe(404);
  expect(await isAsked(browser, email)).toBe(true);
  expect((await stateOf(second)).browsers).toHaveLength(1);
  await must(second.send('DELETE', '/api/auth/second-step/browsers'));
  expect(await isAsked(second, email)).toBe(true);
});

test('one that is forgotten while it signs in gets no session', async () => {
  const { member, email, browser } = await withBrowser();
  const before = browser.cookies.get('sid');
  const begin = server.database.transaction.bind(server.database);
  const spy = vi.spyOn(server.database, 'transaction').mockImplementationOnce(async (work) => {
    spy.mockRestore();
    await must(member.send('DELETE', '/api/auth/second-step/browsers'));
    return begin(work);
  });
  const answer = await browser.send('POST', '/api/auth/login', { email, password: TEST_PASSWORD });
  // Work in the background may have asked for the first transaction: then it is asked for the second step.
  expect(answer.ok ? await answer.json() : { secondStep: 'refused' }).toHaveProperty('secondStep');
  expect(browser.cookies.get('sid')).toBe(before);
});

test('of 21 browsers the one that was used longest ago is forgotten', async () => {
  const { email, browser, member } = await withBrowser();
  const rows = server.database.reads.getRepository(RememberedBrowserEntity);
  const [first] = await rows.findBy({ userId: member.id });
  if (!first) throw new Error('nothing is remembered');
  await server.database.transaction(async (tx) => {
    for (let count = 0; count < 19; count += 1) {
      const copy = { ...first, id: crypto.randomUUID(), tokenHash: `${count}`, lastUsedAt: first.lastUsedAt + 1 };
      await tx.getRepository(RememberedBrowserEntity).insert(copy);
    }
  });
  const admin = await server.signedIn();
  expect((await stateOf(admin)).browsers).toEqual([]);
  const { recoveryCodes } = (await (
    await must(member.send('POST', '/api/auth/second-step/recovery-codes'))
  ).json()) as { recoveryCodes: string[] };
  const client = await pendingSignIn(server, email);
  await must(secondStep(client, { method: 'recovery_code', code: recoveryCodes[0], remember: true }));
  expect(await rows.countBy({ userId: member.id })).toBe(20);
  expect(await isAsked(browser, email)).toBe(true);
});
