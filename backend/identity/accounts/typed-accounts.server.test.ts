import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { accountLinkSchema, newAccountLinkSchema } from '#backend/contract/account-link.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { hasCluster, startRedis } from '#tests/support/redis.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, TEST_PASSWORD, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';
import { UserEntity } from '#backend/identity/users/user.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer({ TRUST_PROXY: '1' });
});
afterAll(() => server.destroy());
beforeEach(async () => {
  admin = await server.signedIn({ role: 'admin' });
});

const someEmail = () => `${crypto.randomUUID()}@example.com`;
const invite = (email: string) => admin.send('POST', '/api/auth/invitations', { email, displayName: 'Invited' });
const invited = async (email: string) => {
  const { link, path } = newAccountLinkSchema.parse(await (await must(invite(email))).json());
  return { id: link.id, token: path.split('#')[1] ?? '' };
};
const create = (email: string, by = admin) =>
  by.send('POST', '/api/auth/users', { email, displayName: 'Typed', password: TEST_PASSWORD });

let networks = 0;
const join = (token: string, at = server) => {
  networks += 1;
  const elsewhere = { 'X-Forwarded-For': `10.2.${Math.floor(networks / 250)}.${networks % 250}` };
  return at.anonymous().send('POST', '/api/auth/join', { token, password: 'battery staple' }, elsewhere);
};
const pendingOf = async (email: string) =>
  z
    .array(accountLinkSchema)
    .parse(await (await admin.get('/api/auth/links')).json())
    .filter((link) => link.email.toLowerCase() === email.toLowerCase());
const accountsOf = (email: string) =>
  server.database.reads.getRepository(UserEntity).countBy({ emailKey: email.toLowerCase() });

/** What may come of a typed account and of who joins by the invitation of its e-mail at the same moment. */
const OUTCOMES = [
  [201, 404, 'This link is no longer valid. Ask an administrator for a new one.'],
  [201, 409, 'There is an account with the e-mail EMAIL already. Sign in instead.'],
  [409, 200, 'There is an account with the e-mail EMAIL already.'],
];

/** Both at once, some times; each time there is one account and no invitation, and who came too late learns why. */
async function expectOneOutcome(joinAt: TestServer): Promise<void> {
  for (let round = 0; round < 8; round += 1) {
    const email = someEmail();
    const { token } = await invited(email);
    const [created, joined] = await Promise.all([create(email), join(token, joinAt)]);
    const late = created.status === 201 ? joined : created;
    const outcome = [created.status, joined.status, (await late.text()).replaceAll(email, 'EMAIL')];
    expect(OUTCOMES).toContainEqual(outcome);
    expect([await accountsOf(email), await pendingOf(email)]).toEqual([1, []]);
  }
}

describe('an account that an administrator types', () => {
  test('takes back the invitation of its e-mail, in whatever case, and the audit trail says so', async () => {
    const email = someEmail();
    const { token } = await invited(email);
    expect(await pendingOf(email)).toHaveLength(1);
    await must(create(email.toUpperCase()));
    expect(await pendingOf(email)).toEqual([]);
    expect((await join(token)).status).toBe(404);
    const entries = await server.database.reads.getRepository(AuditEntity).findBy({ actorId: admin.id });
    expect(entries.map(({ action }) => action)).toEqual(['signed_in', 'user_invited', 'user_created', 'link_revoked']);
  });

  test('leaves the invitation when it is not made', async () => {
    const email = someEmail();
    await invited(email);
    const taken = await server.addUser();
    expect((await create(taken.email)).status).toBe(409);
    expect(await pendingOf(email)).toHaveLength(1);
  });

  test('and its invitation at the same moment leave no invitation beside the account', async () => {
    for (let round = 0; round < 8; round += 1) {
      const email = someEmail();
      const [created, made] = await Promise.all([create(email), invite(email)]);
      expect(created.status).toBe(201);
      expect([201, 409]).toContain(made.status);
      expect(await pendingOf(email)).toEqual([]);
    }
  });

  test('and who joins by the invitation at the same moment make one account', async () => {
    await expectOneOutcome(server);
  });
});

test('administrators are notified of accounts and links, and nobody else is', async () => {
  const administrators = await listenLive(admin);
  const members = await listenLive(await server.signedIn());
  const changes = () => administrators.events.filter(({ type }) => type === 'members_changed').length;
  const first = await invited(someEmail());
  const second = await invited(someEmail());
  const { id } = await server.addUser();
  const steps: (() => Promise<Response>)[] = [
    () => admin.send('POST', `/api/auth/links/${first.id}/renew`, {}),
    () => admin.send('DELETE', `/api/auth/links/${first.id}`),
    () => join(second.token),
    () => create(someEmail()),
    () => admin.send('PATCH', `/api/auth/users/${id}/toggle-active`),
  ];
  await expect.poll(changes).toBe(2);
  for (const [at, step] of steps.entries()) {
    await must(step());
    await expect.poll(changes).toBe(at + 3);
  }
  // A refused change is none.
  expect((await admin.send('DELETE', `/api/auth/links/${first.id}`)).status).toBe(404);
  expect(changes()).toBe(steps.length + 2);
  expect(members.events.filter(({ type }) => type === 'members_changed')).toEqual([]);
});

describe.runIf(hasCluster && process.env['TEST_DIALECT'] === 'mysql')('with two servers', () => {
  test('joining on one and typing the account on the other at once make one account, and lists follow', async () => {
    const redis = await startRedis();
    const alone = server;
    server = await startTestServer({ REDIS_URL: redis.url, TRUST_PROXY: '1' });
    const second = await server.startSecond();
    try {
      admin = await server.signedIn({ role: 'admin' });
      const elsewhere = second.anonymous();
      await elsewhere.signIn(admin.session?.email ?? '', TEST_PASSWORD);
      const live = await listenLive(elsewhere);
      await expectOneOutcome(second);
      await expect.poll(() => live.events.some(({ type }) => type === 'members_changed')).toBe(true);
    } finally {
      await second.stop();
      await server.destroy();
      await redis.stop();
      server = alone;
    }
  });
});
