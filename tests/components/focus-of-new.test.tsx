import { screen } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { ADMINISTRATOR, openPage } from './support/open-page.tsx';
import { bePhone } from './support/phone.ts';

const LISTS = [
  '/admin/outgoing/destinations',
  '/admin/outgoing/rules',
  '/admin/outgoing/groups',
  '/admin/outgoing/calendars',
  '/admin/rules',
  '/maintenance',
  '/heartbeats',
];

test.each(LISTS)('n in %s opens a page that has the focus in the name', async (path) => {
  const user = await openPage(ADMINISTRATOR, path);
  await screen.findAllByRole('button', { name: /^(New|Plan) / });
  await user.keyboard('n');
  const name = await screen.findByLabelText('Name');
  expect(name).toHaveFocus();
  await user.keyboard('Night shift');
  expect(name).toHaveValue('Night shift');
});

test('a new source has the focus in the name, where what is suggested is typed over', async () => {
  const user = await openPage(ADMINISTRATOR, '/admin/sources/new');
  const name = await screen.findByRole('textbox', { name: 'Name' });
  expect(name).toHaveFocus();
  await user.keyboard('Night shift');
  expect(name).toHaveValue('Night shift');
});

test('on a phone no field of a new page has the focus, and the keyboard stays down', async () => {
  bePhone();
  await openPage(ADMINISTRATOR, '/admin/outgoing/groups/new');
  expect(await screen.findByLabelText('Name')).not.toHaveFocus();
});
