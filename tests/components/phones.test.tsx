import { screen, within } from '@testing-library/dom';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { deleteOutgoing } from './support/delete-outgoing.ts';
import { ADMINISTRATOR, appServer, openPage } from './support/open-page.tsx';

beforeEach(async () => deleteOutgoing(await appServer()));
afterAll(async () => deleteOutgoing(await appServer()));

test('a phone gateway is a template that says where it is wrong; a step asks for phones, and a member adds theirs', async () => {
  const user = await openPage(ADMINISTRATOR, '/admin/outgoing/destinations/new');
  await user.selectOptions(await screen.findByLabelText('Kind'), 'Phone gateway (text messages, calls)');
  await user.type(screen.getByLabelText('Name'), 'Text messages');
  expect(screen.getByLabelText('Method')).toHaveValue('POST');
  await user.type(screen.getByLabelText('Address'), 'https://sms.example.com/send');
  await user.type(screen.getByLabelText('Phone number'), '+49301234567');
  await user.type(screen.getByLabelText('Headers'), 'Content-Type: application/x-www-form-urlencoded');
  await user.type(screen.getByLabelText('Body'), 'to={{{{number}}&{Enter}text={{{{txt}}');
  const fault = /Line 2, character 6: there is no {{txt}}/;
  expect((await screen.findAllByText(fault)).length).toBeGreaterThan(0);
  await user.clear(screen.getByLabelText('Body'));
  await user.type(screen.getByLabelText('Body'), 'to={{{{number}}&key={{{{secret}}&text={{{{title}}');
  await user.type(screen.getByLabelText('Secret'), 'sk_live_1234');
  const body = await screen.findByText(/to: \+49301234567/);
  expect(body).toHaveTextContent('key: ****');
  await user.click(screen.getByRole('button', { name: 'Create destination' }));
  const question = within(await screen.findByRole('dialog', { name: 'Send alerts of every customer?' }));
  await user.click(question.getByRole('button', { name: 'Save for all customers' }));
  await screen.findByRole('heading', { level: 1, name: 'Text messages' });
  expect(screen.getByLabelText('Secret')).toHaveAttribute('placeholder', 'Kept, ends with 1234');

  const rule = await openPage(ADMINISTRATOR, '/admin/outgoing/rules/new');
  await rule.click(await screen.findByRole('checkbox', { name: 'Notify people step by step' }));
  const by = screen.getByLabelText('By what step 1 notifies');
  expect(by).toHaveDisplayValue('their own choice');
  await rule.selectOptions(by, 'phone');
  const dryRun = within(screen.getByRole('region', { name: 'If an alert came now' }));
  expect(await dryRun.findByText(/has no phone, and is notified by their own choice/)).toBeVisible();

  const member = await openPage(ADMINISTRATOR, '/settings');
  const panel = within(await screen.findByRole('region', { name: 'Own channels' }));
  await member.click(await panel.findByRole('button', { name: 'Add a channel' }));
  await member.selectOptions(panel.getByLabelText('Kind'), 'Phone');
  await member.type(panel.getByLabelText('Name'), 'My phone');
  expect(panel.getByLabelText('Gateway')).toHaveDisplayValue('Text messages');
  await member.type(panel.getByLabelText(/Phone number/), '0170 555 0123');
  await member.click(panel.getByRole('button', { name: 'Send a code' }));
  expect(await panel.findByText(/must be a number with its country/)).toBeVisible();
  await member.clear(panel.getByLabelText(/Phone number/));
  await member.type(panel.getByLabelText(/Phone number/), '+49 170 5550123');
  await member.click(panel.getByRole('button', { name: 'Send a code' }));
  expect(await panel.findByText('Waits for its code')).toBeVisible();
  expect(panel.getByText('Phone, +491705550123')).toBeVisible();
});
