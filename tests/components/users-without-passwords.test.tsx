import { screen, within } from '@testing-library/dom';
import { beforeEach, expect, test } from 'vitest';
import { accountOptionsSchema } from '#backend/contract/account-link.ts';
import { ADMINISTRATOR, appServer, findDialog, findRow, intercept, json, openPage } from './support/open-page.tsx';

const PATH = '/admin/users';

beforeEach(() =>
  intercept('GET', '/api/auth/options', async (_call, go) =>
    json({ ...accountOptionsSchema.parse(await (await go()).json()), hasPasswords: false }),
  ),
);

test('nobody is said to sign in with the password of a new account, or to choose one', async () => {
  const user = await openPage(ADMINISTRATOR, PATH);
  await user.click(await screen.findByRole('button', { name: 'Create User' }));
  const dialog = await findDialog();
  expect(await dialog.findByText(/^They sign in with a provider that knows this email\./)).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await user.click(screen.getByRole('button', { name: 'Invite' }));
  expect(await screen.findByText(/^They open a link and sign in with a provider\./)).toBeVisible();
});

test('another password of a member is said to let nobody in, and no link to choose one is offered', async () => {
  const mara = await (await appServer()).addMember('Mara Lindqvist');
  const user = await openPage(ADMINISTRATOR, PATH);
  const row = await findRow('Users', mara.email);
  await user.click(within(row).getByRole('button', { name: 'Reset Password' }));
  const dialog = await findDialog();
  expect(await dialog.findByText(/^This server has no passwords:/)).toBeVisible();
  expect(dialog.queryByText('Or let them choose it:')).toBeNull();
});
