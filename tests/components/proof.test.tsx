import { screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { uuidv7 } from 'uuidv7';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  ADMINISTRATOR,
  appServer,
  findRow,
  findToast,
  findings,
  intercept,
  json,
  openPage,
} from './support/open-page.tsx';

/** Proves who one is in the dialog that asks for it. */
async function confirm(user: UserEvent): Promise<void> {
  const proof = within(await screen.findByRole('dialog', { name: 'Confirm your identity' }));
  await user.type(proof.getByLabelText('Password'), `${ADMINISTRATOR.password}{Enter}`);
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Confirm your identity' })).toBeNull());
}

test('keys, secrets and how a source lets its sender in ask, too', async () => {
  const app = await appServer();
  const made = await app.admin.createSource({ name: `Proof ${uuidv7()}` });
  const keys = await openPage(ADMINISTRATOR, '/admin/api-keys');
  await keys.click((await screen.findAllByRole('button', { name: 'New Key' }))[0] ?? document.body);
  await app.forgetProofs(ADMINISTRATOR);
  await keys.type(await screen.findByLabelText('Name'), 'Asked twice{Enter}');
  await confirm(keys);
  await screen.findByRole('dialog', { name: 'API Key Created' });

  const settings = await openPage(ADMINISTRATOR, `/admin/sources/${made?.id}/settings`);
  const basic = await screen.findByRole('checkbox', { name: 'Basic authentication' });
  await app.forgetProofs(ADMINISTRATOR);
  await settings.click(basic);
  await confirm(settings);
  await findToast(/saved/);
  expect(basic).not.toBeChecked();
});

test('what decides who gets in asks for the password over what one was doing, and goes on with it', async () => {
  const app = await appServer();
  const user = await openPage(ADMINISTRATOR, '/admin/users');
  const email = `${uuidv7()}@example.org`;
  await user.click(await screen.findByRole('button', { name: 'Create User' }));
  const form = within(await screen.findByRole('dialog', { name: 'Create User' }));
  await user.type(form.getByLabelText('Email'), email);
  await user.type(form.getByLabelText('Display Name'), 'Priya Raman');
  await user.type(form.getByLabelText('Password'), 'tea at four');
  await app.forgetProofs(ADMINISTRATOR);
  await user.keyboard('{Enter}');

  const proof = within(await screen.findByRole('dialog', { name: 'Confirm your identity' }));
  await waitFor(() => expect(proof.getByLabelText('Password')).toHaveFocus());
  expect(await findings()).toEqual([]);
  await user.keyboard('not the password{Enter}');
  await findToast(/This is not your current password\./);
  await waitFor(() => expect(proof.getByLabelText('Password')).toHaveFocus());
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Confirm your identity' })).toBeNull());
  await findToast(/You did not confirm your identity\. Nothing was changed\./);
  expect(form.getByLabelText('Email')).toHaveValue(email);

  await user.click(form.getByRole('button', { name: 'Create User' }));
  await confirm(user);
  await findToast('User created');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  // From then on not again, also where no dialog is open.
  const press = async (name: string) => user.click(within(await findRow('Users', email)).getByRole('button', { name }));
  const expectRow = (state: string) =>
    waitFor(async () => expect(await findRow('Users', email)).toHaveTextContent(state));
  await press('Disable');
  await expectRow('Disabled');
  await app.forgetProofs(ADMINISTRATOR);
  await press('Enable');
  await confirm(user);
  await expectRow('Active');
});

test('a key whose creation waited long for the proof keeps its dialog until it is shown', async () => {
  const app = await appServer();
  const user = await openPage(ADMINISTRATOR, '/admin/api-keys');
  await user.click((await screen.findAllByRole('button', { name: 'New Key' }))[0] ?? document.body);
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  let sent = 0;
  intercept('POST', '/api/api-keys', async (_call, go) => {
    sent += 1;
    if (sent > 1) await isReleased;
    return go();
  });
  await app.forgetProofs(ADMINISTRATOR);
  await user.type(await screen.findByLabelText('Name'), 'Asked slowly');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  await user.keyboard('{Enter}');
  await screen.findByRole('dialog', { name: 'Confirm your identity' });
  await vi.advanceTimersByTimeAsync(41_000);
  await confirm(user);
  await waitFor(() => expect(sent).toBe(2));
  const form = screen.getByRole('dialog');
  expect(within(form).getByRole('button', { name: 'Cancel' })).toBeDisabled();
  await user.click(within(form).getByLabelText('Name'));
  await user.keyboard('{Escape}');
  // A dialog that closes gives the focus back.
  expect(form.contains(document.activeElement)).toBe(true);
  release();
  expect(await screen.findByRole('dialog', { name: 'API Key Created' })).toBeVisible();
});

test('a proof is offered at no provider that is gone from the configuration', async () => {
  const app = await appServer();
  const identity = { email: null, createdAt: new Date().toISOString(), lastUsedAt: null };
  const identities = [
    { ...identity, id: uuidv7(), provider: 'company', providerName: 'Example Corp' },
    { ...identity, id: uuidv7(), provider: 'former', providerName: null },
  ];
  intercept('GET', '/api/auth/identities', () => json({ identities, linkable: [] }));
  const user = await openPage(ADMINISTRATOR, '/admin/api-keys');
  await user.click((await screen.findAllByRole('button', { name: 'New Key' }))[0] ?? document.body);
  await app.forgetProofs(ADMINISTRATOR);
  await user.type(await screen.findByLabelText('Name'), 'Not made{Enter}');
  const proof = within(await screen.findByRole('dialog', { name: 'Confirm your identity' }));
  expect(await proof.findByRole('button', { name: 'Sign in with Example Corp again instead' })).toBeVisible();
  expect(proof.queryByRole('button', { name: /former/ })).toBeNull();
  await user.keyboard('{Escape}');
});
