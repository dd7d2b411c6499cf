import { screen, waitFor, within } from '@testing-library/dom';
import { format } from 'date-fns';
import { expect, test } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { awayFromMidnight } from './support/away-from-midnight.ts';
import {
  ADMINISTRATOR,
  appServer,
  findDialog,
  findRow,
  findToast,
  findings,
  intercept,
  json,
  openPage,
  refusal,
} from './support/open-page.tsx';

const PATH = '/admin/api-keys';

/** Opens the page and the form for a key. */
async function openForm() {
  const user = await openPage(ADMINISTRATOR, PATH);
  const open = async () => {
    await user.click(await screen.findByRole('button', { name: 'New Key' }));
    return (await findDialog()).getByLabelText('Name');
  };
  return { user, open, name: await open() };
}

const dialogNamed = (name: string) => screen.findByRole('dialog', { name });
const gone = (name: string) => waitFor(() => expect(screen.queryByRole('dialog', { name })).toBeNull());

test('a key needs a name, which is empty again after each one and after thinking better of it', async () => {
  const { user, open, name } = await openForm();
  const create = screen.getByRole('button', { name: 'Create Key' });
  expect(name).toHaveFocus();
  expect(name).toHaveAttribute('placeholder', 'Production Webhook Key');
  expect(create).toBeDisabled();
  await user.type(name, '   {Enter}');
  expect(create).toBeDisabled();
  await user.type(name, 'Second thoughts');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await gone('New API Key');
  const again = await open();
  expect(again).toHaveValue('');
  await user.type(again, 'Kept{Enter}');
  const created = await dialogNamed('API Key Created');
  await user.click(within(created).getByRole('button', { name: 'Copy API key' }));
  await user.click(within(created).getByRole('button', { name: 'Done' }));
  await gone('API Key Created');
  expect(await open()).toHaveValue('');
});

test('the only view of a key is not lost by Escape, and the focus is where it can be seen', async () => {
  const { user, name } = await openForm();
  // A name of its own: the key of an earlier attempt is still there.
  const keyName = `Day shift ${uuidv7().slice(-8)}`;
  await user.type(name, `${keyName}{Enter}`);
  const created = await dialogNamed('API Key Created');
  await gone('New API Key');
  const button = (label: string) => within(created).getByRole('button', { name: label });
  await waitFor(() => expect(button('Copy API key')).toHaveFocus());
  // A slip beside it does not lose it.
  const beside = document.querySelector('.bp6-dialog-container');
  if (!beside) throw new Error('There is nothing beside the dialog.');
  await user.click(beside);
  expect(within(created).queryByRole('alert')).toBeNull();
  expect(within(created).getByText(/^ad_/)).toBeVisible();
  await user.keyboard('{Escape}');
  expect(await within(created).findByRole('alert')).toHaveTextContent('The key has not been copied.');
  expect(button('Keep open')).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(within(created).queryByRole('alert')).toBeNull();
  expect(button('Done')).toHaveFocus();
  expect(await findings()).toEqual([]);
  await user.click(button('Copy API key'));
  await findToast('Copied to clipboard');
  expect(await navigator.clipboard.readText()).toMatch(/^ad_[\w-]{43}$/);
  await user.keyboard('{Escape}');
  await gone('API Key Created');

  await user.click(within(await findRow('API keys', keyName)).getByRole('button', { name: 'Delete API key' }));
  const asked = await dialogNamed('Delete API Key');
  expect(within(asked).getByRole('button', { name: 'Cancel' })).toHaveFocus();
  expect(await findings()).toEqual([]);
});

test('a key that is made while the list is still read is in it, whichever answer comes first', async () => {
  const listRead = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  intercept('GET', '/api/api-keys', async (_call, go) => {
    const answer = await go();
    listRead.resolve();
    await released.promise;
    return answer;
  });
  const { user, name } = await openForm();
  await listRead.promise;
  const keyName = `Early shift ${uuidv7().slice(-8)}`;
  await user.type(name, `${keyName}{Enter}`);
  await dialogNamed('API Key Created');
  released.resolve();
  expect(await findRow('API keys', keyName)).toBeVisible();
});

test('a key says when it was made and last used, and is deleted after a question', async () => {
  await awayFromMidnight();
  const [app, today, keyName] = [await appServer(), format(new Date(), 'PPP'), `Night shift ${uuidv7().slice(-8)}`];
  const { plainKey } = await app.admin.createApiKey(keyName);
  const row = () => findRow('API keys', keyName);
  const post = async () => {
    const headers = { 'content-type': 'application/json', 'x-webhook-auth': plainKey, connection: 'close' };
    const answer = await fetch(new URL('/webhook', app.url), {
      method: 'POST',
      headers,
      body: '{"customer":"By key"}',
    });
    return answer.status;
  };
  await openPage(ADMINISTRATOR, PATH);
  expect(await row()).toHaveTextContent(`Created ${today}`);
  expect(await row()).toHaveTextContent('Never used');
  expect(await post()).toBe(202);
  const user = await openPage(ADMINISTRATOR, PATH);
  expect(await row()).toHaveTextContent(`Last used ${today}`);

  const remove = async () => within(await row()).getByRole('button', { name: 'Delete API key' });
  await user.click(await remove());
  await dialogNamed('Delete API Key');
  await user.keyboard('{Escape}');
  await gone('Delete API Key');
  expect(await remove()).toHaveFocus();
  expect(await post()).toBe(202);
  await user.click(await remove());
  const asked = await dialogNamed('Delete API Key');
  await user.click(within(asked).getByRole('button', { name: 'Delete' }));
  await findToast('API key deleted');
  await waitFor(() => expect(screen.queryByText(keyName)).toBeNull());
  // The dialog gives the focus back after it has closed, and the row that it came from is gone by then.
  await waitFor(() => expect(screen.getByRole('main')).toContainElement(document.activeElement as HTMLElement));
  expect(await post()).toBe(401);
});

test('a page without keys says what they are for', async () => {
  intercept('GET', '/api/api-keys', () => json([]));
  await openPage(ADMINISTRATOR, PATH);
  expect(await screen.findByText('No API keys yet')).toBeVisible();
  expect(screen.getByRole('main')).toHaveTextContent('0 keys');
});

test('what fails says why, and keeps the name', async () => {
  const { user, name } = await openForm();
  intercept('POST', '/api/api-keys', () => refusal(503, 'The database is away.'));
  await user.type(name, 'In vain{Enter}');
  expect(await findToast('Failed to create API key')).toHaveTextContent('The database is away.');
  expect(name).toHaveValue('In vain');
});
