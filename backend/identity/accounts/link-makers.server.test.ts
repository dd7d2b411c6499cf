import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { COMMAND_LINE } from '#backend/identity/audit/audit-log.ts';
import { accountLinkSchema, newAccountLinkSchema } from '#backend/contract/account-link.ts';
import { NO_SECURITY_MAILS } from '#backend/identity/users/security-mails.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';
import { AccountLinkEntity } from '#backend/identity/users/account-link.ts';
import { join, renewLink, resetByLink } from './link-commands.ts';
import { createPasswords } from '#backend/identity/users/passwords.ts';
import { setUserRole } from './user-commands.ts';
import { type User, UserEntity } from '#backend/identity/users/user.ts';

let server: TestServer;
/** Who stays an administrator. */
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer({ TRUST_PROXY: '1' });
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

let networks = 0;
/** People are at addresses of their own, so that their limits do not meet. */
const fromElsewhere = () => ({ 'X-Forwarded-For': `10.2.${Math.floor(networks / 250)}.${(networks += 1) % 250}` });
const use = (call: string, token: string) =>
  server.anonymous().send('POST', `/api/auth/${call}`, { token, password: 'battery staple' }, fromElsewhere());
const look = (token: string) => server.anonymous().send('POST', '/api/auth/links/look', { token }, fromElsewhere());
const made = async (answer: Promise<Response>) => {
  const { link, path } = newAccountLinkSchema.parse(await (await answer).json());
  return { ...link, token: path.split('#')[1] ?? '' };
};
const list = async () => z.array(accountLinkSchema).parse(await (await admin.get('/api/auth/links')).json());
const disable = (id: string) => admin.send('PATCH', `/api/auth/users/${id}/toggle-active`, { active: false });
const demote = (id: string) => setUserRole({ database: server.database }, COMMAND_LINE, id, 'super_user');
const renew = (id: string) => admin.send('POST', `/api/auth/links/${id}/renew`, {});

/** Another administrator, their invitation for an administrator, and their reset link for somebody. */
async function makerWithLinks(member: Partial<User> = {}) {
  const maker = await server.signedIn({ role: 'admin' });
  const person = await server.addUser(member);
  const email = `${crypto.randomUUID()}@example.com`;
  const invitation = { email, displayName: 'New Comer', role: 'admin' };
  return {
    maker,
    person,
    email,
    invited: await made(maker.send('POST', '/api/auth/invitations', invitation)),
    reset: await made(maker.send('POST', `/api/auth/users/${person.id}/reset-link`, {})),
  };
}

const changePassword = (maker: TestClient, more: object = {}) => {
  const body = { currentPassword: TEST_PASSWORD, newPassword: 'battery staple', ...more };
  return must(maker.send('POST', '/api/auth/password', body));
};

/** Changes an account behind the back of its links, as a server of the release before does. */
const change = (id: string, changed: Partial<User>) =>
  server.database.transaction((tx) => tx.getRepository(UserEntity).update({ id }, changed));
const changeLink = (id: string, byId: string | null, byName: string) =>
  server.database.transaction((tx) => tx.getRepository(AccountLinkEntity).update({ id }, { byId, byName }));

const NO_RULES = { breakGlass: undefined, passwordOnlyFor: undefined };

describe('links end with the right to make them', () => {
  test.each([
    ['who is disabled', disable],
    ['who gets another role', demote],
    [
      'whose password is reset',
      (id: string) => admin.send('POST', `/api/auth/users/${id}/reset-password`, { newPassword: 'something new' }),
    ],
    ['who changes their password', (_id: string, maker: TestClient) => changePassword(maker)],
  ])('of an administrator %s', async (_who, act) => {
    const { maker, email, invited, reset } = await makerWithLinks();
    await act(maker.id, maker);
    const statuses = [
      look(invited.token),
      use('join', invited.token),
      look(reset.token),
      use('reset-password', reset.token),
    ];
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(await server.database.reads.getRepository(UserEntity).countBy({ email })).toBe(0);

    // They are listed as run out. Who renews one is its maker from then on.
    const listed = (await list()).find(({ id }) => id === invited.id);
    expect(Date.parse(listed?.expiresAt ?? '')).toBeLessThanOrEqual(Date.now());
    const again = await made(renew(invited.id));
    expect(again).toMatchObject({ id: invited.id, byName: admin.session?.email });
    expect((await use('join', again.token)).status).toBe(200);
  });

  test('not of one who changes their password and stays signed in elsewhere', async () => {
    const { maker, invited } = await makerWithLinks();
    await changePassword(maker, { endSessions: false });
    expect((await look(invited.token)).status).toBe(200);
  });

  test('of an administrator of whom somebody else has seen to it, and not of one who comes back', async () => {
    const { maker, invited, reset } = await makerWithLinks();
    await change(maker.id, { isActive: false });
    expect([(await use('join', invited.token)).status, (await look(invited.token)).status]).toEqual([404, 404]);
    await change(maker.id, { isActive: true, role: 'user' });
    expect((await use('reset-password', reset.token)).status).toBe(404);
    await change(maker.id, { role: 'admin' });
    expect((await use('reset-password', reset.token)).status).toBe(204);
    expect((await use('join', invited.token)).status).toBe(200);
  });

  test('of a release before, which kept the maker’s e-mail alone', async () => {
    const { maker, invited, reset } = await makerWithLinks();
    await changeLink(invited.id, null, maker.session?.email ?? '');
    await changeLink(reset.id, null, 'nobody@example.com');
    expect((await use('reset-password', reset.token)).status).toBe(404);
    expect((await look(invited.token)).status).toBe(200);
    await disable(maker.id);
    expect((await use('join', invited.token)).status).toBe(404);
  });

  test('while somebody who has one chooses a password', async () => {
    const { maker, email, invited, reset } = await makerWithLinks();
    const hash = async () => {
      await change(maker.id, { isActive: false });
      return 'a hash';
    };
    const deps = {
      config: NO_RULES,
      database: server.database,
      passwords: { ...createPasswords(4), hash },
      securityMails: NO_SECURITY_MAILS,
      mails: { isConfigured: false, publicUrl: undefined, add: async () => undefined },
    };
    await expect(join(deps, '10.0.0.1', invited.token, 'battery staple')).rejects.toThrow('no longer valid');
    await change(maker.id, { isActive: true });
    await expect(resetByLink(deps, '10.0.0.1', reset.token, 'battery staple')).rejects.toThrow('no longer valid');
    expect(await server.database.reads.getRepository(UserEntity).countBy({ email })).toBe(0);
  });

  test('at the same moment as they are used: whoever comes first wins', async () => {
    for (let round = 0; round < 4; round += 1) {
      // The person is an administrator, too: those who lock each other’s rows do not wait for each other.
      const { maker, email, invited, reset } = await makerWithLinks({ role: 'admin' });
      const [joined, resetted, disabled] = await Promise.all([
        use('join', invited.token),
        use('reset-password', reset.token),
        round % 2 === 0 ? disable(maker.id) : demote(maker.id).then(() => new Response()),
      ]);
      expect(disabled.status).toBe(200);
      expect([200, 404]).toContain(joined.status);
      expect([204, 404]).toContain(resetted.status);
      const accounts = await server.database.reads.getRepository(UserEntity).countBy({ email });
      expect(accounts).toBe(joined.status === 200 ? 1 : 0);
      expect((await use('join', invited.token)).status).toBe(404);
    }
  });
});

describe('a reset link that nobody could use', () => {
  test('goes when its member is disabled, also where they are enabled again', async () => {
    const { person, reset } = await makerWithLinks();
    for (const active of [false, true]) {
      await must(admin.send('PATCH', `/api/auth/users/${person.id}/toggle-active`, { active }));
      expect((await list()).map(({ id }) => id)).not.toContain(reset.id);
      expect((await renew(reset.id)).status).toBe(404);
    }
    expect((await use('reset-password', reset.token)).status).toBe(404);
  });

  test('is not renewed: of a disabled member, or where passwords are switched off', async () => {
    const { person, invited, reset } = await makerWithLinks();
    await change(person.id, { isActive: false });
    const answer = await renew(reset.id);
    expect([answer.status, await answer.text()]).toEqual([409, 'This account is disabled. Enable it first.']);
    await change(person.id, { isActive: true });
    const deps = {
      config: { ...NO_RULES, passwordOnlyFor: 'boss@example.com' },
      database: server.database,
      passwords: createPasswords(4),
      securityMails: NO_SECURITY_MAILS,
      mails: { isConfigured: false, publicUrl: undefined, add: async () => undefined },
    };
    await expect(renewLink(deps, COMMAND_LINE, reset.id, false)).rejects.toThrow('Passwords are switched off');
    expect((await renewLink(deps, COMMAND_LINE, invited.id, false)).link.id).toBe(invited.id);
    expect((await look(reset.token)).status).toBe(200);
  });
});
