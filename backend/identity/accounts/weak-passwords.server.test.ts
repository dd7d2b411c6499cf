import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPasswords } from '#backend/identity/users/passwords.ts';
import { runUserCli } from './user-cli.ts';
import { newAccountLinkSchema } from '#backend/contract/account-link.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

let made = 0;
const email = () => `${(made += 1)}.olga.petrenko@kyivstar.example`;
const NAME = 'Olga Petrenko';

const linkAt = async (path: string, body: object) => {
  const { path: link } = newAccountLinkSchema.parse(await (await must(admin.send('POST', path, body))).json());
  return link.split('#')[1] ?? '';
};
const cli = (...args: string[]) =>
  runUserCli({ database: server.database, passwords: createPasswords(4) }, args).then(
    () => new Response(),
    (error: Error) => new Response(error.message, { status: 422 }),
  );

/** Every way in which an account gets a password, each with an account of its own that is called as Olga is. */
const WAYS: Record<string, (password: string) => Promise<Response>> = {
  'an administrator who creates it': (password) =>
    admin.send('POST', '/api/auth/users', { email: email(), displayName: NAME, password, role: 'admin' }),
  'an administrator who resets it': async (newPassword) => {
    const { id } = await server.addUser({ email: email(), displayName: NAME });
    return admin.send('POST', `/api/auth/users/${id}/reset-password`, { newPassword });
  },
  'its own member': async (newPassword) => {
    const user = await server.addUser({ email: email(), displayName: NAME });
    const member = server.anonymous();
    await member.signIn(user.email, TEST_PASSWORD);
    return member.send('POST', '/api/auth/password', { currentPassword: TEST_PASSWORD, newPassword });
  },
  'an invitation': async (password) => {
    const token = await linkAt('/api/auth/invitations', { email: email(), displayName: NAME });
    return server.anonymous().send('POST', '/api/auth/join', { token, password });
  },
  'a reset link': async (password) => {
    const { id } = await server.addUser({ email: email(), displayName: NAME });
    const token = await linkAt(`/api/auth/users/${id}/reset-link`, {});
    return server.anonymous().send('POST', '/api/auth/reset-password', { token, password });
  },
  'the command line that creates it': (password) => cli('create', email(), '--name', NAME, '--password', password),
  'the command line that resets it': async (password) => {
    const user = await server.addUser({ email: email(), displayName: NAME });
    return cli('reset-password', user.email, '--password', password);
  },
};

describe.each(Object.entries(WAYS))('a password that is set by %s', (_, set) => {
  test.each([
    ['123456', 'Password must be at least 8 characters'],
    ['password123', 'This password is too common. Choose another.'],
    ['OlgaPetrenko1!', 'This password is based on the account’s name or email. Choose another.'],
  ])('is refused when it is %j', async (password, sentence) => {
    const answer = await set(password);
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining(sentence)]);
  });

  test('is taken when nobody guesses it', async () => {
    const answer = await set('four words and olga');
    expect([answer.status, await answer.text()]).toEqual([expect.toBeOneOf([200, 201, 204]), expect.anything()]);
  });
});

test('of five characters or less is refused in the words of the form', async () => {
  const answer = await WAYS['an administrator who resets it']?.('12345');
  expect(await answer?.text()).toContain('Password must be at least 6 characters');
});

describe('ADMIN_PASSWORD', () => {
  test.each(['secret', 'qwertyuiop', 'Alertdesk-2026', 'boss@example.com'])(
    'is not %j at the first start',
    async (ADMIN_PASSWORD) => {
      const started = startTestServer({ ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD });
      await expect(started.then((own) => own.destroy())).rejects.toThrow(
        /ADMIN_PASSWORD has a value that is not shown/,
      );
    },
  );

  test('is not looked at later: who has a weak one signs in as before', async () => {
    const own = await startTestServer({ ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'chosen by me' });
    const again = await own.restart({ ADMIN_PASSWORD: 'secret' });
    const passwordHash = await createPasswords(4).hash('secret');
    await again.database.transaction((tx) => tx.query('UPDATE users SET password_hash = ?', [passwordHash]));
    const session = await again.anonymous().signIn('boss@example.com', 'secret');
    expect(session.role).toBe('admin');
    await again.destroy();
  });
});
