import { type AppServer, startAppServer } from './support/app-server.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { card, connected } from './support/screen.ts';

let own: AppServer;

test.beforeAll(async () => {
  own = await startAppServer();
});

test.afterAll(() => own.dispose());

test('when the server comes back, the open screen does too, with what it missed', async ({ openAs }) => {
  const kept = await own.post({ customer: 'Here before' });
  const page = await openAs(ADMINISTRATOR, '/', { app: own });
  await connected(page);
  await expect(card(page, 'Here before')).toBeVisible();

  await own.end('SIGTERM');
  await expect(page.getByText('Reconnecting…')).toBeVisible();
  // Nothing that is on the screen disappears.
  await expect(card(page, 'Here before')).toBeVisible();

  await own.start();
  await own.post({ customer: 'Came while away' });
  await own.admin.request('DELETE', `/api/webhooks/${kept}`);
  await connected(page);
  await expect(page.getByText('Reconnecting…')).toHaveCount(0);
  await expect(card(page, 'Came while away')).toBeVisible();
  await expect(card(page, 'Here before')).toHaveCount(0);
  await expect(page).toHaveTitle('(1) Alertdesk');

  await own.post({ customer: 'Live again' });
  await expect(card(page, 'Live again')).toBeVisible();
});
