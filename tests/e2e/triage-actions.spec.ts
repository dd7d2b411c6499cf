import type { Page } from '@playwright/test';
import { countActions } from './support/count-actions.ts';
import { expect, test } from './support/fixtures.ts';
import { card, connected, toast, choice } from './support/screen.ts';

// Cards leave here, with what follows at once.
test.use({ moving: true });

const cards = (page: Page) => page.getByRole('feed').getByRole('article');
const mostActions = 3;

test('twenty alerts of a customer are accepted, and handed to a colleague, in three actions each', async ({
  app,
  openAs,
  mara,
}) => {
  test.slow();
  // Members of earlier tests are in the lists, too.
  const jolanta = await app.addMember(`Jolanta ${crypto.randomUUID().slice(0, 8)}`);
  const { displayName } = jolanta;
  const arrive = async (): Promise<void> => {
    for (let count = 1; count <= 20; count += 1) await app.post({ title: `Order ${count}`, customer: 'Atlas' });
    await app.post({ title: 'Another', customer: 'Nordwind' });
  };
  await arrive();
  const page = await openAs(mara);
  await connected(page);
  await expect(card(page, 'Another')).toBeVisible();

  const byKeys = countActions(page);
  await byKeys.search('customer:Atlas');
  await expect(page.locator('.page-head__count')).toHaveText('20 of 21 match');
  await byKeys.press('Control+A');
  await expect(page.getByRole('toolbar', { name: '20 selected' })).toBeVisible();
  await byKeys.press('a');
  await expect(toast(page)).toContainText('20 accepted');
  expect(byKeys.taken()).toBeLessThanOrEqual(mostActions);

  await page.goto('/my-alerts');
  await expect(page.getByText('20 in your queue')).toBeVisible();
  await expect(cards(page).first()).toBeVisible();
  await connected(page);
  const assigning = countActions(page);
  await assigning.press('Control+A');
  await expect(page.getByRole('toolbar', { name: '20 selected' })).toBeVisible();
  await assigning.press('Shift+A');
  await expect(choice(page, displayName)).toBeVisible();
  await assigning.click(choice(page, displayName));
  await expect(toast(page)).toContainText(`20 assigned to ${displayName}`);
  expect(assigning.taken()).toBeLessThanOrEqual(mostActions);
  expect(
    await (await app.signIn(jolanta)).request('GET', '/api/alerts/mine').then((answer) => answer.json()),
  ).toHaveLength(20);

  await arrive();
  await page.goto('/');
  await expect(cards(page).first()).toBeVisible();
  const byMouse = countActions(page);
  const first = card(page, 'Order 20');
  await first.hover();
  await byMouse.click(page.getByRole('article').filter({ hasText: 'Order 20' }).getByRole('checkbox').locator('..'));
  await byMouse.click(page.getByRole('button', { name: 'All of Atlas' }));
  const bar = page.getByRole('toolbar', { name: '20 selected' });
  await byMouse.click(bar.getByRole('button', { name: 'Accept', exact: true }));
  await expect(toast(page)).toContainText('20 accepted');
  expect(byMouse.taken()).toBeLessThanOrEqual(mostActions);

  await page.goto('/my-alerts');
  await expect(page.getByText('20 in your queue')).toBeVisible();
  const handing = countActions(page);
  const last = page.getByRole('article').filter({ hasText: 'Order 20' });
  await last.hover();
  await handing.click(last.getByRole('checkbox').locator('..'));
  await handing.click(page.getByRole('button', { name: 'Select all 20' }));
  await page.getByRole('toolbar', { name: '20 selected' }).getByRole('button', { name: 'Assign' }).hover();
  await handing.click(choice(page, displayName));
  await expect(toast(page)).toContainText(`20 assigned to ${displayName}`);
  expect(handing.taken()).toBeLessThanOrEqual(mostActions);
});

test('what is typed for the search field before it is there is not for the cards', async ({ app, openAs, mara }) => {
  await app.post({ title: 'Disk full', customer: 'Atlas' });
  await app.post({ title: 'Mail', customer: 'Nordwind' });
  const page = await openAs(mara, '/settings');
  const released = Promise.withResolvers<undefined>();
  await page.route(/\/search\..*\.js$/, async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.goto('/');
  await expect(cards(page)).toHaveCount(2);
  await page.keyboard.press('j');
  await page.keyboard.type('/as');
  released.resolve(undefined);
  await expect(page.getByRole('combobox', { name: 'Search alerts' })).toHaveValue('as');
  await expect(toast(page)).toHaveCount(0);
  expect(await app.inbox()).toHaveLength(2);
});
