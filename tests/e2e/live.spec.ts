import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { card, connected, navigation, toast } from './support/screen.ts';

/** Longest from a webhook's 202 to its card on the screen, in milliseconds. */
const LIVE = 1_000;

test('an alert is on every open screen within a second of its 202; accepted by one, it leaves the others', async ({
  app,
  openAs,
  mara,
}) => {
  const [anna, other] = await Promise.all([openAs(ADMINISTRATOR), openAs(mara)]);
  await Promise.all([connected(anna), connected(other)]);
  await expect(anna).toHaveTitle('Alertdesk');

  await app.post({ customer: 'Brightwater Energy', alertType: 'meter_offline', meter: 4711 });
  await Promise.all(
    [anna, other].map((page) =>
      expect(card(page, 'Brightwater Energy')).toContainText('meter_offline', { timeout: LIVE }),
    ),
  );
  await expect(anna).toHaveTitle('(1) Alertdesk');
  await expect(other).toHaveTitle('(1) Alertdesk');

  await card(anna, 'Brightwater Energy').getByRole('button', { name: 'Accept' }).click();
  await expect(toast(anna)).toContainText('Alert accepted');
  await expect(toast(anna)).toContainText('Moved to your queue');
  await expect(card(anna, 'Brightwater Energy')).toHaveCount(0);
  await expect(card(other, 'Brightwater Energy')).toHaveCount(0);
  await expect(other).toHaveTitle('Alertdesk');
  await expect(other.getByText('All caught up!')).toBeVisible();

  await navigation(anna, 'My Alerts').click();
  await expect(card(anna, 'Brightwater Energy')).toBeVisible();
  await navigation(other, 'My Alerts').click();
  await expect(other.getByText('No alerts yet')).toBeVisible();
});

test('an alert that is given back returns to every inbox', async ({ app, openAs, mara }) => {
  const id = await app.post({ customer: 'Quayside Ferries' });
  await app.admin.request('POST', `/api/alerts/${id}/accept`);
  const [mine, inbox] = await Promise.all([openAs(ADMINISTRATOR, '/my-alerts'), openAs(mara)]);
  await Promise.all([connected(mine), connected(inbox)]);
  await expect(inbox.getByText('All caught up!')).toBeVisible();

  await card(mine, 'Quayside Ferries').getByRole('button', { name: 'More actions' }).click();
  await mine.getByRole('menuitem', { name: 'Unaccept' }).click();
  await expect(toast(mine)).toContainText('Alert unaccepted');
  await expect(toast(mine)).toContainText('Returned to the inbox');
  await expect(card(mine, 'Quayside Ferries')).toHaveCount(0);
  await expect(card(inbox, 'Quayside Ferries')).toBeVisible();
  await expect(inbox).toHaveTitle('(1) Alertdesk');
});

test('of two people who accept at once, the later one sees who has it', async ({ app, openAs, mara }) => {
  const id = await app.post({ customer: 'Kestrel Logistics' });
  const page = await openAs(mara);
  await page.route(`**/api/alerts/${id}/accept`, async (route) => {
    await app.admin.request('POST', `/api/alerts/${id}/accept`);
    await route.continue();
  });
  await card(page, 'Kestrel Logistics').getByRole('button', { name: 'Accept' }).click();
  await expect(toast(page)).toContainText('Already accepted by Administrator.');
  await expect(card(page, 'Kestrel Logistics')).toHaveCount(0);
  await expect(page).toHaveTitle('Alertdesk');
});

test('a burst of 300 alerts is on the screen whole', async ({ app, openAs, mara }) => {
  const page = await openAs(mara);
  await connected(page);
  await Promise.all(Array.from({ length: 300 }, (_, index) => app.post({ customer: `Burst ${index}`, number: index })));
  await expect(page).toHaveTitle('(300) Alertdesk');
  await expect(page.getByText('waiting for action')).toContainText('300');
  const stored = await app.inbox();
  expect(stored).toHaveLength(300);
  // The newest one is at the top, as it is in the database.
  await page.reload();
  await expect(page.locator('.ad-card').first()).toContainText(stored[0]?.customer ?? 'no customer');
});
