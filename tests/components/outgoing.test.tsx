import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { ADMINISTRATOR, appServer, openPage } from './support/open-page.tsx';

/** Nothing answers at this port of this machine, and messages may not go there. */
const INSIDE = 'https://10.0.4.7/in';

// First, while there is no rule.
test('an alert says that nobody was notified of it, and why', async () => {
  const app = await appServer();
  const id = await app.post({ customer: 'Nobody is notified' });
  const user = await openPage(ADMINISTRATOR, `/alert/${id}`);
  await user.click(await screen.findByRole('tab', { name: /Notified/ }));
  expect(await screen.findByText('Nobody was notified')).toBeVisible();
});

test('each kind of destination asks for its own fields', async () => {
  const user = await openPage(ADMINISTRATOR, '/admin/outgoing/destinations/new');
  const kind = await screen.findByLabelText('Kind');
  await user.type(screen.getByLabelText('Name'), 'On call');
  await user.selectOptions(kind, 'Telegram');
  expect(screen.getByLabelText('Server')).toHaveValue('https://api.telegram.org');
  expect(screen.getByText('Enter the bot token.')).toBeVisible();
  await user.type(screen.getByLabelText('Bot token'), '123456789:AAE');
  expect(screen.getByText('Enter the chat id.')).toBeVisible();
  await user.type(screen.getByLabelText('Chat id'), 'Ops');
  expect((await screen.findAllByText(/The chat id is a number, which begins/)).length).toBeGreaterThan(0);
  await user.selectOptions(kind, 'Zulip');
  expect(screen.getByLabelText('Server')).toHaveValue('');
  expect(screen.getByLabelText('Bot’s email')).toBeVisible();
  expect(screen.getByLabelText('API key')).toBeVisible();
  await user.selectOptions(kind, 'Microsoft Teams');
  await user.type(screen.getByLabelText('Workflow address'), 'https://prod-1.westus.logic.azure.com/workflows/1?sig=1');
  await user.click(screen.getByRole('button', { name: 'Create destination' }));
  await screen.findByRole('heading', { level: 1, name: 'On call' });
  expect(screen.getByLabelText('Workflow address')).toHaveAttribute('placeholder', 'Kept, ends with ig=1');
  await user.click(screen.getByRole('button', { name: 'Delete…' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Delete this destination?' }));
  await user.click(asked.getByRole('button', { name: /Delete/ }));
  await screen.findByText('Nothing goes out yet');
});

test('a destination and a rule are made, and leaving with changes asks', async () => {
  const user = await openPage(ADMINISTRATOR, '/admin/outgoing');
  await waitFor(() => expect(location.pathname).toBe('/admin/outgoing/destinations'));
  await screen.findByText('Nothing goes out yet');
  await user.click(screen.getByRole('button', { name: 'New destination' }));
  const create = await screen.findByRole('button', { name: 'Create destination' });
  expect(create).toBeDisabled();
  await user.type(screen.getByLabelText('Name'), 'Status page');
  await user.type(screen.getByLabelText('Address'), INSIDE);
  await user.click(create);
  expect((await screen.findAllByText(/inside the network\. The operator has to allow/)).length).toBeGreaterThan(0);
  await user.clear(screen.getByLabelText('Address'));
  await user.type(screen.getByLabelText('Address'), 'https://hooks.example.com/in');
  await screen.findByText('What people see');
  await user.click(create);
  const dialog = within(await screen.findByRole('dialog', { name: 'Signing secret' }));
  await user.click(dialog.getByRole('button', { name: 'Copy signing secret' }));
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  await screen.findByRole('heading', { level: 1, name: 'Status page' });

  await user.click(screen.getByRole('link', { name: 'Back to Destinations' }));
  await user.click(await screen.findByRole('link', { name: 'Rules' }));
  await user.click(await screen.findByRole('button', { name: 'New rule' }));
  const save = await screen.findByRole('button', { name: 'Save rule' });
  await user.type(screen.getByLabelText('Name'), 'Everything');
  expect(save).toBeDisabled();
  expect(screen.getByText('Choose where it sends, or whom it notifies step by step.')).toBeVisible();
  await user.click(screen.getByRole('checkbox', { name: /Status page/ }));
  await user.type(screen.getByLabelText('Which alerts'), 'severity:worst');
  await screen.findByText(/severity: takes critical/);
  await user.click(screen.getByRole('link', { name: 'Back to Rules' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }));
  await user.click(asked.getByRole('button', { name: 'Stay' }));
  await user.clear(screen.getByLabelText('Which alerts'));
  await screen.findByText(/All alerts, .* in 7 days/, { ignore: 'output' });
  await user.click(save);
  await screen.findByRole('heading', { level: 1, name: 'Everything' });
});
