import { screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { uuidv7 } from 'uuidv7';
import { expect, test } from 'vitest';
import { ADMINISTRATOR, appServer, findToast, openPage } from './support/open-page.tsx';

/** Proves who one is in the dialog that asks for it. */
async function confirm(user: UserEvent): Promise<void> {
  const proof = within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }));
  await user.type(proof.getByLabelText('Password'), `${ADMINISTRATOR.password}{Enter}`);
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Confirm that it is you' })).toBeNull());
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
  const basic = await screen.findByRole('checkbox', { name: 'Basic' });
  await app.forgetProofs(ADMINISTRATOR);
  await settings.click(basic);
  await confirm(settings);
  await findToast(/saved/);
  expect(basic).not.toBeChecked();
});
