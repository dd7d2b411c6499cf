import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { windowSchema } from '#backend/contract/maintenance.ts';
import { ADMINISTRATOR, findCard, findDialog, findToast, openPage, startServer } from './support/open-page.tsx';

/** The choice of how long a window lasts. */
const threeHours = () => screen.getByText('3 h').closest('[role="radio"]');

test('an administrator starts a window over all alerts, whose cards are marked, and takes its end back', async () => {
  const app = await startServer();
  const user = await openPage(ADMINISTRATOR, '/maintenance', { app });
  await user.click(await screen.findByRole('button', { name: 'New window' }));
  // By their texts: roles are looked for among the names of all time zones.
  const plan = await screen.findByText('Plan window');
  expect(plan.closest('button')).toBeDisabled();
  await user.type(screen.getByLabelText('Name'), 'Upgrade');
  await user.click(screen.getByText('Now'));
  await user.click(await screen.findByText('Start window'));
  const dialog = await findDialog();
  await user.click(dialog.getByRole('button', { name: 'Start window' }));
  const banner = within(await screen.findByRole('region', { name: 'Maintenance' }));
  expect(banner.getByText(/is on until/)).toHaveTextContent('Upgrade is on until');
  await app.post({ customer: 'Nordwind', title: 'Primary does not answer' });
  await user.click(within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: /^New Alerts/ }));
  expect(await findCard('Primary does not answer')).toHaveTextContent('Upgrade');
  await banner.findByText(/alert is kept and notifies nobody/);
  await user.click(banner.getByRole('button', { name: 'End now' }));
  await findToast('Upgrade ends now');
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await findToast('Upgrade goes on');
});

test('what a colleague saves of a window meanwhile is taken over, and asked about where both changed the same', async () => {
  const app = await startServer();
  const body = { name: 'Upgrade', search: 'type:disk', startsAt: '2099-01-04T02:00:00Z', minutes: 60, timeZone: 'UTC' };
  const made = await app.admin.request('POST', '/api/maintenance/windows', { ...body, rrule: null });
  const { id } = windowSchema.parse(await made.json());
  const theySave = (change: object) => app.admin.request('PATCH', `/api/maintenance/windows/${id}`, change);
  const user = await openPage(ADMINISTRATOR, `/maintenance/${id}`, { app });
  const name = await screen.findByLabelText('Name');
  await user.type(name, ' of db-7');
  expect((await theySave({ minutes: 180 })).status).toBe(200);
  await waitFor(() => expect(threeHours()).toHaveAttribute('aria-checked', 'true'));
  expect(name).toHaveValue('Upgrade of db-7');

  expect((await theySave({ name: 'Move to the new rack' })).status).toBe(200);
  expect(await screen.findByText('Someone else has saved the same settings in the meantime.')).toBeVisible();
  expect(screen.getByText('Save window').closest('button')).toBeDisabled();
  await user.click(screen.getByText('Keep editing'));
  expect(name).toHaveValue('Upgrade of db-7');
  await user.click(screen.getByText('Save window'));
  await findToast('Window saved');
  await waitFor(() => expect(document.querySelector('h1')).toHaveTextContent('Upgrade of db-7'));
});
