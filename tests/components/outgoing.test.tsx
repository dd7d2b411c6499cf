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
  expect(screen.getByText('Choose where it sends.')).toBeVisible();
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
