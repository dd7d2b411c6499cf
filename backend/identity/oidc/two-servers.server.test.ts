import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CLOSE_SESSION_ENDED } from '#backend/contract/live-event.ts';
import { type IdentityProvider, startIdentityProvider, visitProvider } from '#tests/support/identity-provider.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { PUBLIC_ORIGIN, begin, end, providersFile } from '#tests/support/oidc-calls.ts';
import { type TestRedis, hasCluster, startRedis } from '#tests/support/redis.ts';
import { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { REFUSED_LOGOUTS_PER_NETWORK } from './oidc-routes.ts';

let redis: TestRedis;
let company: IdentityProvider;
let one: TestServer;
let other: TestServer;

/** The same browser, on another server. */
function onServer(server: TestServer, client: TestClient): TestClient {
  const same = new TestClient(server.url);
  for (const [name, value] of client.cookies) same.cookies.set(name, value);
  return same;
}

/** Sends a logout token that is none. */
async function sendLogout({ url }: TestServer): Promise<number> {
  const body = new URLSearchParams({ logout_token: 'x' });
  return (await fetch(`${url}/api/auth/oidc/company/logout`, { method: 'POST', body })).status;
}

describe.skipIf(!hasCluster)('two servers', () => {
  beforeAll(async () => {
    redis = await startRedis();
    company = await startIdentityProvider([PUBLIC_ORIGIN]);
    company.accounts.set('ada', { email: 'ada@example.com', email_verified: true, name: 'Ada' });
    company.signsInAs = 'ada';
    one = await startTestServer({ REDIS_URL: redis.url, ...providersFile([{ at: company, createAccounts: true }]) });
    other = await one.startSecond();
  });
  afterAll(async () => {
    await other?.stop();
    await one?.destroy();
    await company?.stop();
    await redis?.stop();
  });

  test('a sign-in that began at one ends at the other', async () => {
    const client = one.anonymous();
    const back = await visitProvider(await begin(client));
    const elsewhere = onServer(other, client);
    expect((await end(elsewhere, back)).status).toBe(200);
    expect((await onServer(one, elsewhere).get('/api/auth/session')).status).toBe(200);
    expect([(await end(client, back)).status, (await end(elsewhere, back)).status]).toEqual([401, 401]);
  });

  test('take a return once, also at the same moment, and make one account', async () => {
    for (let round = 0; round < 5; round += 1) {
      const subject = `round-${round}`;
      company.accounts.set(subject, { email: `${subject}@example.com`, email_verified: true });
      company.signsInAs = subject;
      const client = one.anonymous();
      const back = await visitProvider(await begin(client));
      const second = one.anonymous();
      const secondBack = await visitProvider(await begin(second));
      const answers = await Promise.all([
        end(onServer(one, client), back),
        end(onServer(other, client), back),
        end(onServer(other, second), secondBack),
      ]);
      const [first, again, third] = answers.map(({ status }) => status);
      expect([[first, again].toSorted(), third]).toEqual([[200, 401], 200]);
    }
    expect(await one.database.reads.query("SELECT id FROM users WHERE email LIKE 'round-%'")).toHaveLength(5);
  });

  test('end what a provider began, and its pages, where one more names the account as the break-glass administrator', async () => {
    const email = 'break-glass@example.com';
    company.accounts.set('eve', { email, email_verified: true });
    company.signsInAs = 'eve';
    const client = one.anonymous();
    expect((await end(client, await visitProvider(await begin(client)))).status).toBe(200);
    const page = await listenLive(onServer(other, client));
    const third = await one.startSecond({ BREAK_GLASS_ADMIN: email });
    onTestFinished(() => third.stop());
    expect(await page.closed).toBe(CLOSE_SESSION_ENDED);
    expect((await onServer(one, client).get('/api/auth/session')).status).toBe(401);
  });

  test('count logout tokens that are not accepted together', async () => {
    const statuses = new Set<number>();
    for (let sent = 0; sent < REFUSED_LOGOUTS_PER_NETWORK; sent += 1) statuses.add(await sendLogout(one));
    expect([statuses, await sendLogout(other)]).toEqual([new Set([400]), 429]);
  });
});
