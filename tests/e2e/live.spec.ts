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
