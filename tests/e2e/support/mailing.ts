import { MAIL, type TestMailServer, startMailServer } from '#tests/support/mail-server.ts';
import { test as base } from './fixtures.ts';

/** Tests on a server that sends mails. Files with the same fixtures share their workers, so all such tests begin with this. */
export const test = base.extend<object, { mailServer: TestMailServer }>({
  mailServer: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the pattern.
    async ({}, use) => {
      const mailServer = await startMailServer();
      await use(mailServer);
      await mailServer.stop();
    },
    { scope: 'worker' },
  ],
  environment: [
    async ({ mailServer }, use) => {
      await use({ ...MAIL, SMTP_URL: mailServer.url });
    },
    { scope: 'worker' },
  ],
});
