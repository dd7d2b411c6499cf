import type { Page } from '@playwright/test';
import { expectAccessible, findingsInThemes } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { chooseFilter, filterButton, navigation } from './support/screen.ts';

const cards = (page: Page) => page.getByRole('feed').getByRole('article');
/** How far the page is scrolled, in pixels. */
const scrolled = (page: Page) => page.evaluate<number>("document.querySelector('.main-layout__content').scrollTop");

test('filter and scroll position survive going away and back', async ({ app, openAs, mara }) => {
  for (let number = 0; number < 130; number += 1)
    await app.post({ customer: number % 13 === 0 ? 'Atlas' : 'Nordwind', number });
  const page = await openAs(mara);
  await chooseFilter(page, 'Customer', 'Nordwind');
  await expect(page.getByText('120 for Nordwind')).toBeVisible();
  await cards(page).first().focus();
  await page.keyboard.press('End');
  await expect(page.locator('article[aria-posinset="120"]')).toBeFocused();
  const before = await scrolled(page);
  expect(before).toBeGreaterThan(5000);

  await navigation(page, 'My Alerts').click();
  await expect(page.getByText('No alerts yet')).toBeVisible();
  await navigation(page, 'New Alerts').click();
  await expect(page.getByText('120 for Nordwind')).toBeVisible();
  expect(await scrolled(page)).toBe(before);
  await expect(page.locator('article[aria-posinset="120"]')).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(page.getByText('120 for Nordwind')).toBeVisible();
  expect(await scrolled(page)).toBe(before);
});

test('filters and an emptied list: axe has nothing to say in either theme, nothing scrolls sideways', async ({
  app,
  openAs,
  mara,
}) => {
  // Several looks at a whole page, each of which takes seconds on a busy machine.
  test.slow();
  const queue = await queueOf(app, mara);
  const customer = 'A customer with a name that is far too long for any button of this size';
  for (let number = 0; number < 9; number += 1) await queue.accept({ customer: `Customer ${number}`, type: 'order' });
  await queue.accept({ customer, type: 'disk.full.on.a.machine.with.a.long.name' });
  const page = await openAs(mara, '/my-alerts');
  await filterButton(page, 'Customer').click();
  const customers = page.getByRole('listbox', { name: 'Customer' }).getByRole('option');
  await expect(customers).toHaveCount(11);
  expect(await findingsInThemes(page)).toEqual([]);
  await customers.filter({ hasText: customer }).click();
  await expect(page.getByText('1 in your queue')).toBeVisible();
  await expectAccessible(page);
  await chooseFilter(page, 'Type', 'order');
  await expect(page.getByText('No alerts for this customer.')).toBeVisible();
  await expectAccessible(page);

  for (const severity of ['critical', 'warning']) await app.post({ title: `Disk ${severity}`, severity });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/?severity=critical&sort=severity');
  await filterButton(page, 'Severity').click();
  const menu = page.getByRole('menu', { name: 'Severity' });
  await expect(menu.getByRole('menuitemcheckbox', { name: /^Critical/ })).toBeChecked();
  await expectAccessible(page);
});
