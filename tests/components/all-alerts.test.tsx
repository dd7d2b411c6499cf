import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, test } from 'vitest';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { queueOf } from '#tests/e2e/support/queue.ts';
import { ADMINISTRATOR, findCard, findToast, intercept, openPage, refusal, startServer } from './support/open-page.tsx';

const PATH = '/admin/alerts';

// Its own: every alert of the server is on this page.
let app: AppServer;
beforeEach(async () => {
  app = await startServer();
});

const stats = () => [...document.querySelectorAll('.ad-stat')].map(({ textContent }) => textContent);

test('a list that cannot be read says so; then an empty system does', async () => {
  const restore = intercept('GET', '/api/alerts/all', () => refusal(503, 'The database is away.'));
  const user = await openPage(ADMINISTRATOR, PATH, { app });
  expect(await screen.findByText('System-Wide Alerts could not be loaded')).toBeVisible();
  restore();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No alerts found')).toBeVisible();
  expect(screen.getByText('No alerts in the system yet')).toBeVisible();
  await waitFor(() => expect(stats()).toEqual(['Total0', 'Pending0', 'Accepted0', 'In Progress0', 'Completed0']));
});

test('an alert is given to somebody from its card; a super user sees it, too', async () => {
  const wanda = await app.addMember('Wanda Stern');
  const id = await app.post({ title: 'Disk almost full', customer: 'Nordwind' });
  const user = await openPage(ADMINISTRATOR, PATH, { app });
  await screen.findByText('Connected');
  await user.click(within(await findCard('Disk almost full')).getByRole('button', { name: 'Assign' }));
  await user.click(await screen.findByRole('menuitem', { name: new RegExp(wanda.displayName) }));
  await findToast(`1 assigned to ${wanda.displayName}`);
  await waitFor(async () => expect(await findCard('Disk almost full')).toHaveTextContent('Assigned'));
  expect(await (await queueOf(app, wanda)).mine()).toEqual([id]);
  await openPage(await app.addMember('Sunniva Berg', 'super_user'), PATH, { app });
  expect(await findCard('Disk almost full')).toHaveTextContent('Wanda Stern');
});
