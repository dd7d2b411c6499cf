import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { newAccountLinkSchema } from '#backend/contract/account-link.ts';
import { AccountLinkEntity } from '#backend/identity/users/account-link.ts';
import { type IdentityProvider, startIdentityProvider } from '#tests/support/identity-provider.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { MAIL, startMailServer } from '#tests/support/mail-server.ts';
import {
  PUBLIC_ORIGIN,
  type ProviderOptions,
  arrive,
  providersFile,
  sessionOf,
  signInAt,
} from '#tests/support/oidc-calls.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
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

test('an account that is linked by its e-mail is mailed so: its member may not know of it', async () => {
  const mailServer = await startMailServer();
  onTestFinished(() => mailServer.stop());
  const server = await serve({ linkByEmail: true }, { MAIL_FROM: MAIL.MAIL_FROM, SMTP_URL: mailServer.url });
  const user = await server.addUser();
  arrive(company, { email: user.email });
  await must(signInAt(server.anonymous()));
  await expect.poll(() => mailServer.mails).toHaveLength(1);
  const [mail] = mailServer.mails;
  expect(mail?.to).toEqual([user.email]);
  expect(mail?.text).toContain('Your account was linked to a provider');
  expect(mail?.text).toMatch(/Example Corp[^]*Address: 127\.0\.0\.1\./);
});

test('an invitation is taken back when an account is made without it; open lists of administrators follow', async () => {
  const server = await serve({ createAccounts: true });
  const admin = await server.signedIn({ role: 'admin' });
  const live = await listenLive(admin);
  const invite = async (email: string) =>
    newAccountLinkSchema
      .parse(
        await (
          await must(admin.send('POST', '/api/auth/invitations', { email, displayName: 'Ben', role: 'admin' }))
        ).json(),
      )
      .path.split('#')[1];
  const news = () => live.events.filter(({ type }) => type === 'members_changed').length;

  await invite('ben@example.com');
  await expect.poll(news).toBe(1);
  arrive(company, { email: 'Ben@example.com' });
  expect((await sessionOf(signInAt(server.anonymous()))).role).toBe('user');
  expect(await server.database.reads.getRepository(AccountLinkEntity).count()).toBe(0);
  await expect.poll(news).toBe(2);
  expect(await (await admin.get('/api/audit?q=invitation')).json()).toMatchObject([
    { action: 'link_revoked', subject: 'Ben@example.com: invitation' },
  ]);

  const invitation = await invite('ada@example.com');
  await expect.poll(news).toBe(3);
  arrive(company);
  await must(signInAt(server.anonymous(), { invitation }));
  await expect.poll(news).toBe(4);
  live.socket.close();
});
