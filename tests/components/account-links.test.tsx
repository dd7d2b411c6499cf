import { screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test } from 'vitest';
import { MAIL, startMailServer } from '#tests/support/mail-server.ts';
import { ADMINISTRATOR, findRow, findToast, openPage, startServer } from './support/open-page.tsx';

test('a reset link is mailed, renewed and revoked; why a mail has failed is said', async () => {
  const mailServer = await startMailServer();
  onTestFinished(() => mailServer.stop());
  const app = await startServer({ ...MAIL, SMTP_URL: mailServer.url });
  const mara = await app.addMember('Mara Lindqvist');
  const user = await openPage(ADMINISTRATOR, '/admin/users', { app });
  const closeLink = async () => {
    await waitFor(() => expect(screen.getByRole('button', { name: 'Copy link' })).toHaveFocus());
    await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1));
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };
  const row = () => findRow('Pending links', mara.email);
  mailServer.refuse(550, 'No such user here');
  await user.click(within(await findRow('Users', mara.email)).getByRole('button', { name: 'Reset Password' }));
  await user.click(await screen.findByRole('button', { name: 'Email a reset link' }));
  expect(await screen.findByRole('dialog', { name: 'Reset Link' })).toHaveTextContent(
    'It is being emailed to Mara Lindqvist',
  );
  await closeLink();
  await waitFor(async () => expect(await row()).toHaveTextContent('The email could not be sent: '));
  expect(await row()).toHaveTextContent('No such user here');

  mailServer.refuse(undefined);
  await user.click(within(await row()).getByRole('button', { name: 'Renew' }));
  await closeLink();
  await waitFor(async () => expect(await row()).toHaveTextContent('Emailed'));
  expect(mailServer.mails.findLast(({ to }) => to.includes(mara.email))?.text).toContain('Choose a new password');
  await user.click(within(await row()).getByRole('button', { name: 'Revoke' }));
  await findToast('Reset link revoked');
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Pending links' })).toBeNull());
});
