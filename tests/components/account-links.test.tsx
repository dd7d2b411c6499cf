import { screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test } from 'vitest';
import { MAIL, startMailServer } from '#tests/support/mail-server.ts';
import { ADMINISTRATOR, NOBODY, findRow, findToast, findings, openPage, startServer } from './support/open-page.tsx';

const PATH = /(?<path>\/(?:join|reset-password)#[\w-]{43})/;
const pathIn = (text: string): string => PATH.exec(text)?.groups?.['path'] ?? '';

test('somebody is invited, joins by a link that works once, and gets another password by mail', async () => {
  const mailServer = await startMailServer();
  onTestFinished(() => mailServer.stop());
  const app = await startServer({ ...MAIL, SMTP_URL: mailServer.url });
  const email = 'jonas@example.org';
  const admin = await openPage(ADMINISTRATOR, '/admin/users', { app });
  await admin.click(await screen.findByRole('button', { name: 'Invite' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Invite' }));
  await admin.type(dialog.getByLabelText('Email'), email);
  await admin.type(dialog.getByLabelText('Display Name'), 'Jonas Berg');
  await admin.click(await dialog.findByText('Email the link to them'));
  await admin.click(dialog.getByRole('button', { name: 'Invite' }));
  const made = await screen.findByRole('dialog', { name: 'Invitation' });
  expect(made).toHaveTextContent('Send this link to Jonas Berg');
  const path = pathIn(made.textContent ?? '');
  expect(path).toMatch(/^\/join#/);
  await waitFor(() => expect(screen.getByRole('button', { name: 'Copy link' })).toHaveFocus());
  await admin.click(screen.getByRole('button', { name: 'Done' }));
  await admin.click(await screen.findByRole('button', { name: 'Close without the link' }));
  expect(await findRow('Pending links', email)).toHaveTextContent('Invitation');

  const theirs = await openPage(NOBODY, path, { app });
  await waitFor(() =>
    expect(document.querySelector('form')).toHaveTextContent(`Welcome, Jonas Berg. Choose a password for ${email}.`),
  );
  expect(await findings()).toEqual([]);
  await theirs.type(screen.getByLabelText('Password'), 'tea at four');
  // Of who was signed in here before.
  localStorage.setItem('push-sent', 'https://push.example.com/1');
  await theirs.click(screen.getByRole('button', { name: 'Create account' }));
  await waitFor(() => expect(localStorage.getItem('push-sent')).toBeNull());
  // The page is loaded again then, which this DOM does not do.
  await waitFor(async () => expect(await (await fetch('/api/auth/session')).json()).toMatchObject({ email }));

  await openPage(NOBODY, path, { app });
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'This link is no longer valid. Ask an administrator for a new one.',
  );
  expect(screen.getByRole('link', { name: 'Go to the sign-in page' })).toHaveAttribute('href', '/login');
  const late = await openPage(NOBODY, '/login', { app });
  await late.type(await screen.findByLabelText('Email'), email);
  await late.click(await screen.findByRole('button', { name: 'Forgot password?' }));
  await findToast('Check your email');
  const lastMail = () => mailServer.mails.findLast(({ to }) => to.includes(email))?.text ?? '';
  await waitFor(() => expect(lastMail()).toMatch(PATH));
  const reset = await openPage(NOBODY, pathIn(lastMail()), { app });
  await reset.type(await screen.findByLabelText('Password'), 'tea at five');
  await reset.click(screen.getByRole('button', { name: 'Set new password' }));
  expect(await screen.findByText('Your password was changed. Sign in with it.')).toBeVisible();
  const again = await openPage(NOBODY, '/login', { app });
  await again.type(await screen.findByLabelText('Email'), email);
  await again.type(screen.getByLabelText('Password'), 'tea at five');
  await again.click(screen.getByRole('button', { name: 'Sign In' }));
  expect(await screen.findByText('All caught up!')).toBeVisible();
});

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
