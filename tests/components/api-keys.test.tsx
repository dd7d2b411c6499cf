import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import {
  ADMINISTRATOR,
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
  await user.type(name, 'Day shift{Enter}');
  const created = await dialogNamed('API Key Created');
  await gone('New API Key');
  const button = (label: string) => within(created).getByRole('button', { name: label });
  await waitFor(() => expect(button('Copy API key')).toHaveFocus());
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

  await user.click(within(await findRow('API keys', 'Day shift')).getByRole('button', { name: 'Delete API key' }));
  const asked = await dialogNamed('Delete API Key');
  expect(within(asked).getByRole('button', { name: 'Cancel' })).toHaveFocus();
  expect(await findings()).toEqual([]);
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
  expect(await findToast('Failed to create API key')).toHaveTextContent('503: The database is away.');
  expect(name).toHaveValue('In vain');
});
