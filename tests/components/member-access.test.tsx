import { screen, waitFor, within } from '@testing-library/dom';
import { uuidv7 } from 'uuidv7';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod/mini';
import { userSchema } from '#backend/contract/user.ts';
import { hold } from './support/leaving.ts';
import {
  ADMINISTRATOR,
  appServer,
  findDialog,
  findRow,
  findToast,
  findings,
  memberWithQueue,
  openPage,
} from './support/open-page.tsx';

const USERS = '/admin/users';

test('how long API tokens work is decided, and a new one is offered no more', async () => {
  const app = await appServer();
  onTestFinished(async () => void (await app.admin.request('PUT', '/api/auth/token-rule', { maxDays: null })));
  const user = await openPage(ADMINISTRATOR, USERS);
  await user.selectOptions(await screen.findByLabelText('API tokens work'), 'at most 30 days');
  await findToast('API token lifetime updated');
  const again = await openPage(ADMINISTRATOR, '/account');
  await again.click(await screen.findByRole('button', { name: 'New Token' }));
  const dialog = await findDialog();
  await waitFor(() =>
    expect(
      within(dialog.getByLabelText('Valid for'))
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['30 days']),
  );
  await app.admin.request('PUT', '/api/auth/token-rule', { maxDays: 1 });
  await openPage(ADMINISTRATOR, USERS);
  expect(await screen.findByLabelText('API tokens work')).toHaveDisplayValue('at most 1 day');
});

test.each([
  ['API tokens work', '/api/auth/token-rule', 'at most 90 days', 'at most 30 days'],
  ['Two-step sign-in is required for', '/api/auth/second-step-rule', 'Administrators and super users', 'Everyone'],
] as const)(
  'the choice of “%s” keeps the focus while it is saved, and is not changed meanwhile',
  async (label, path, one, other) => {
    const user = await openPage(ADMINISTRATOR, USERS);
    const choice = await screen.findByLabelText(label);
    const before = (choice as HTMLSelectElement).value;
    // The call that waits is answered as a failure, so that nothing is changed.
    const release = hold('PUT', path, () => new Response('It failed.', { status: 500 }));
    await user.selectOptions(choice, one);
    await waitFor(() => expect(choice).toHaveAttribute('aria-disabled', 'true'));
    expect(choice).toBeEnabled();
    expect(choice).toHaveFocus();
    await user.selectOptions(choice, other);
    expect(choice).toHaveDisplayValue(one);
    release();
    await waitFor(() => expect(choice).not.toHaveAttribute('aria-disabled'));
    expect(choice).toHaveValue(before);
  },
);

/** Whether this e-mail is in the list of invitations, which is there while there is one. */
function isInvited(email: string): boolean {
  const list = screen.queryByRole('list', { name: 'Pending links' });
  return list !== null && list.textContent?.includes(email) === true;
}

const expectInvited = (email: string, invited: boolean) => waitFor(() => expect(isInvited(email)).toBe(invited));

test('an account takes the place of its invitation, also when another administrator makes them', async () => {
  const { admin } = await appServer();
  const user = await openPage(ADMINISTRATOR, USERS);
  await screen.findByText('Connected');

  // Both here.
  const here = `${uuidv7()}@example.org`;
  await user.click(await screen.findByRole('button', { name: 'Invite' }));
  const invite = await findDialog();
  await user.type(invite.getByLabelText('Email'), here);
  await user.type(invite.getByLabelText('Display Name'), 'Noor Haddad');
  await user.click(invite.getByRole('button', { name: 'Invite' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Copy link' })).toHaveFocus());
  await user.click(screen.getByRole('button', { name: 'Done' }));
  await user.click(await screen.findByRole('button', { name: 'Close without the link' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await expectInvited(here, true);
  await user.click(screen.getByRole('button', { name: 'Create User' }));
  const create = await findDialog();
  await user.type(create.getByLabelText('Email'), here);
  await user.type(create.getByLabelText('Display Name'), 'Noor Haddad');
  await user.type(create.getByLabelText('Password', { exact: true }), 'tea at four');
  await user.click(create.getByRole('button', { name: 'Create User' }));
  expect(await findRow('Users', here)).toHaveTextContent('Noor Haddad');
  await expectInvited(here, false);

  // Both by somebody else, while this page is open.
  const there = `${uuidv7()}@example.org`;
  const account = { email: there, displayName: 'Ines Duarte' };
  await admin.request('POST', '/api/auth/invitations', account);
  await expectInvited(there, true);
  await admin.request('POST', '/api/auth/users', { ...account, role: 'user', password: 'tea at five' });
  expect(await findRow('Users', there)).toHaveTextContent('Ines Duarte');
  await expectInvited(there, false);
});

test('an account gets another e-mail and role, and its sessions and tokens are ended', async () => {
  const { mara, queue } = await memberWithQueue();
  const user = await openPage(ADMINISTRATOR, USERS);
  const edit = async (email: string) => {
    await user.click(within(await findRow('Users', email)).getByRole('button', { name: 'Edit' }));
    return findDialog();
  };
  const dialog = await edit(mara.email);
  const save = dialog.getByRole('button', { name: 'Save' });
  expect(save).toBeDisabled();
  expect(await dialog.findByRole('list', { name: 'Sessions' })).toBeVisible();
  expect(await dialog.findByText(/^No tokens\./)).toBeVisible();
  expect(await findings()).toEqual([]);
  await user.click(dialog.getAllByRole('button', { name: /^Sign out/ })[0] as HTMLElement);
  expect(await dialog.findByText('Not signed in anywhere.')).toBeVisible();
  expect((await queue.client.request('GET', '/api/alerts/mine')).status).toBe(401);

  const email = `moved.${mara.email}`;
  await user.clear(dialog.getByLabelText('Email'));
  await user.type(dialog.getByLabelText('Email'), email);
  const role = dialog.getByLabelText('Role');
  expect(role).toHaveAccessibleDescription(/^Changing the role signs them out everywhere/);
  await user.selectOptions(role, 'Admin');
  expect(role).toHaveAccessibleDescription('Save signs them out everywhere and revokes their API tokens.');
  await user.click(save);
  expect(await findToast('User updated')).toHaveTextContent('is Admin now');
  await waitFor(async () => expect(await findRow('Users', email)).toHaveTextContent('Admin'));

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const own = await edit(ADMINISTRATOR.email);
  expect(own.getByLabelText('Role')).toBeDisabled();
  expect(own.getByLabelText('Role')).toHaveAccessibleDescription(
    'You cannot change your own role. Another administrator can.',
  );
  expect(await own.findByText(/This browser/)).toBeVisible();
});

test('who is disabled is on the sign-in page at once', async () => {
  const { app, mara } = await memberWithQueue();
  const users = z.array(userSchema).parse(await (await app.admin.request('GET', '/api/auth/users')).json());
  const id = users.find(({ email }) => email === mara.email)?.id;
  await openPage(mara, '/');
  await screen.findByText('Connected');
  expect((await app.admin.request('PATCH', `/api/auth/users/${id}/toggle-active`, { active: false })).status).toBe(200);
  await waitFor(() => expect(location.pathname).toBe('/login'));
});
