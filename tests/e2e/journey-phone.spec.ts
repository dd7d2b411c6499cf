import type { Locator, Page } from '@playwright/test';
import { PHONE, expectForFingers, pressLong, swipe } from './support/fingers.ts';
import { expect, test } from './support/fixtures.ts';
import { accountButton, card, choice, connected, folderRow, navigation, toast } from './support/screen.ts';

// Sheets slide and menus grow under a finger.
test.use({ moving: true });

const cards = (page: Page) => page.getByRole('feed').getByRole('article');
const panel = (page: Page) => page.getByRole('complementary', { name: 'Alert details' });
const openSheet = (page: Page) => page.getByRole('button', { name: 'Toggle the sidebar' }).tap();

const bar = (page: Page) => page.getByRole('navigation', { name: 'Lists' });
const selectionBar = (page: Page) => page.getByRole('toolbar', { name: /selected$/ });

/** Upper and lower edge of what is on screen. */
async function edges(target: Locator): Promise<{ top: number; bottom: number }> {
  const box = await target.boundingBox();
  if (!box) throw new Error('It is not on the screen.');
  return { top: box.y, bottom: box.y + box.height };
}

/** Expects a toast, and closes it: it lies over the foot of the list. */
async function closeToast(page: Page, text: string): Promise<void> {
  await expect(toast(page)).toContainText(text);
  await toast(page).getByRole('button', { name: 'Close' }).tap();
  await expect(toast(page)).toHaveCount(0);
}

/** Goes to a list by the sidebar's sheet, which closes. */
async function goTo(page: Page, name: string): Promise<void> {
  await openSheet(page);
  await navigation(page, name).tap();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(page.locator('.main-layout__sheet')).toHaveCount(0);
}

test('one round on a phone: alerts are accepted, filtered, opened, filed, snoozed and completed by touch alone', async ({
  app,
  open,
  openAs,
  mara,
}) => {
  // Some twenty looks at all that a finger can hit.
  test.slow();
  const jonas = await openAs(await app.addMember('Jonas Weber'));
  await connected(jonas);
  const page = await open('/login', PHONE);

  await test.step('signing in', async () => {
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
    await expectForFingers(page);
    await page.getByLabel('Email', { exact: true }).tap();
    await page.keyboard.type(mara.email);
    await page.getByLabel('Password', { exact: true }).tap();
    await page.keyboard.type(mara.password);
    await page.getByRole('button', { name: 'Sign In', exact: true }).tap();
    await closeToast(page, 'Login successful');
    await expect(page.getByText('All caught up!')).toBeVisible();
    await expectForFingers(page);
  });

  await test.step('three cards arrive, and are in view', async () => {
    const fields = { host: 'db-1.eu-west-1.example.net', load: 19.15, attempt: 3, team: 'storage' };
    for (const [title, customer] of [
      ['Disk almost full', 'Nordwind'],
      ['Card issuer declined', 'Harbor & Finch Logistics'],
      ['Backup failed', 'Atlas'],
    ])
      await app.post({ title, customer, type: 'ops.check', severity: 'high', ...fields });
    await expect(cards(page)).toHaveCount(3);
    await expect(cards(page).last()).toBeInViewport({ ratio: 1 });
    await expectForFingers(page);
  });

  await test.step('a swipe to the right accepts, and is undone', async () => {
    await swipe(cards(page).first(), 140);
    await expect(toast(page)).toContainText('Alert accepted');
    // A toast that has the focus stays.
    await toast(page).getByRole('button', { name: 'Undo' }).focus();
    await expect(cards(jonas)).toHaveCount(2);
    await expectForFingers(page);
    // Undo is over the bar, in reach of a thumb.
    const { bottom } = await edges(toast(page));
    const { top, bottom: end } = await edges(bar(page));
    expect([top - bottom >= 8, top - bottom < 12, end]).toEqual([true, true, PHONE.viewport.height]);
    await toast(page).getByRole('button', { name: 'Undo' }).tap();
    await expect(cards(page)).toHaveCount(3);
    await expect(cards(jonas)).toHaveCount(3);
  });

  await test.step('a long press selects, taps go on; the bar of the selection takes the place of the bar', async () => {
    await expect(bar(page).getByRole('link', { name: /^New/ })).toHaveAttribute('aria-current', 'page');
    await expect(bar(page).getByRole('link', { name: /^New/ })).toContainText('3');
    // A press on a card that came back under the finger a moment ago is not meant for it, and is ignored.
    await expect(async () => {
      if ((await selectionBar(page).count()) === 0) await pressLong(cards(page).first());
      await expect(selectionBar(page)).toHaveAccessibleName('1 selected', { timeout: 5_000 });
    }).toPass();
    await expect(bar(page)).toBeHidden();
    await cards(page)
      .last()
      .tap({ position: { x: 120, y: 20 } });
    await expect(selectionBar(page)).toHaveAccessibleName('2 selected');
    expect(page.url()).not.toContain('/alert/');
    await expectForFingers(page);
    await selectionBar(page).getByRole('button', { name: 'Clear' }).tap();
    await expect(selectionBar(page)).toHaveCount(0);
    await expect(bar(page)).toBeVisible();
  });

  await test.step('a keyboard takes the place of the bar', async () => {
    await bar(page).getByRole('button', { name: 'Search' }).tap();
    await expect(page.getByRole('combobox', { name: 'Search alerts' })).toBeFocused();
    await expect(page.getByRole('banner').getByRole('button', { name: 'Toggle the sidebar' })).toBeHidden();
    await expectForFingers(page);
    await page.setViewportSize({ width: PHONE.viewport.width, height: 440 });
    await expect(bar(page)).toBeHidden();
    await page.keyboard.press('Escape');
    await page.setViewportSize(PHONE.viewport);
    await expect(bar(page)).toBeVisible();
  });

  await test.step('a swipe to the left reveals what else can be done', async () => {
    await swipe(cards(page).first(), -160);
    const snooze = cards(page).first().locator('.swipe__swipe').getByRole('button', { name: 'Snooze' });
    await expect(snooze).toBeInViewport({ ratio: 1 });
    await snooze.tap();
    await expect(page.getByRole('menuitem', { name: '1 hour' })).toBeVisible();
    await expectForFingers(page);
    await page.getByRole('menuitem', { name: '1 hour' }).tap();
    await closeToast(page, '1 snoozed');
    await expect(card(page, 'Backup failed')).toHaveCount(0);
    await expect(card(jonas, 'Backup failed')).toHaveCount(0);
  });

  await test.step('the list is filtered by customer', async () => {
    await page.getByRole('button', { name: 'Filter', exact: true }).tap();
    await expect(page.getByRole('switch', { name: /^Notifications/ })).toBeVisible();
    await expectForFingers(page);
    await page.getByRole('button', { name: /^Customer/ }).tap();
    await expectForFingers(page);
    await choice(page, 'Nordwind').tap();
    await expect(cards(page)).toHaveCount(1);
    await page.getByRole('button', { name: 'Filter 1 set' }).tap();
    await expect(card(page, 'Disk almost full')).toBeVisible();
    await card(page, 'Disk almost full').getByRole('button', { name: 'Accept' }).tap();
    await expect(page.getByText('No alerts for this customer')).toBeVisible();
    await closeToast(page, 'Alert accepted');
    await expectForFingers(page);
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Clear|^Show/ })
      .tap();
    await expect(cards(page)).toHaveCount(1);
  });

  await test.step('an alert is opened over the whole screen; a note is written in its tab', async () => {
    await card(page, 'Card issuer declined').tap({ position: { x: 8, y: 8 } });
    await expect(panel(page).getByRole('heading', { name: 'Card issuer declined' })).toBeVisible();
    expect(await panel(page).boundingBox()).toMatchObject({ x: 0, width: PHONE.viewport.width });
    await expectForFingers(page);
    await panel(page).getByRole('button', { name: 'Accept', exact: true }).tap();
    await expect(panel(page).getByRole('radio', { name: 'Accepted' })).toBeChecked();
    await closeToast(page, 'Alert accepted');
    await panel(page)
      .getByRole('tab', { name: /^Notes and history/ })
      .tap();
    await panel(page).getByRole('textbox', { name: 'Add a note' }).tap();
    await page.keyboard.type('The bank was called');
    await expectForFingers(page);
    await panel(page)
      .getByRole('button', { name: /^Save|^Add/ })
      .tap();
    await expect(panel(page).getByRole('listitem').first()).toContainText('The bank was called');
    await panel(page).getByRole('button', { name: 'Back to the list' }).tap();
    await expect(page).toHaveURL('/');
    await expect(panel(page)).toHaveCount(0);
    await expect(page.getByText('All caught up!')).toBeVisible();
  });

  await test.step('a folder is made in the sheet, and an alert filed in it', async () => {
    // Not by the sheet, whose button is where the last tap was: two taps of one place are one action.
    await page
      .getByRole('main')
      .getByRole('button', { name: /^My Alerts/ })
      .tap();
    await expect(cards(page)).toHaveCount(2);
    await expectForFingers(page);
    await openSheet(page);
    await expectForFingers(page);
    await page.getByRole('button', { name: 'Create a folder' }).tap();
    const dialog = page.getByRole('dialog', { name: 'Create New Folder' });
    await dialog.getByLabel('Folder Name').tap();
    await page.keyboard.type('Payments');
    await expectForFingers(page);
    await dialog.getByRole('button', { name: 'Create Folder' }).tap();
    await expect(folderRow(page, 'Payments')).toBeVisible();
    await closeToast(page, 'Folder created');
    await page.getByRole('button', { name: 'Close the sidebar' }).tap();
    await expect(page.locator('.main-layout__sheet')).toHaveCount(0);
    await card(page, 'Card issuer').getByRole('button', { name: 'More actions' }).tap();
    await page.getByRole('menuitem', { name: 'Move to', exact: true }).tap();
    await expectForFingers(page);
    await page.getByRole('menuitem', { name: 'Move to Payments' }).tap();
    await expect(cards(page)).toHaveCount(1);
    await closeToast(page, 'Moved to Payments');
    await openSheet(page);
    await folderRow(page, 'Payments').getByRole('link').tap();
    await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible();
    await expect(card(page, 'Card issuer declined')).toBeVisible();
    await expectForFingers(page);
  });

  await test.step('the other alert is completed', async () => {
    await goTo(page, 'My Alerts');
    await card(page, 'Disk almost full').getByRole('radio', { name: 'Completed' }).tap();
    await closeToast(page, 'Status updated');
    await expect(page.getByRole('heading', { name: 'Nothing open' })).toBeVisible();
    await page.getByRole('button', { name: 'Completed (1)' }).tap();
    await expect(card(page, 'Disk almost full').getByRole('radio', { name: 'Completed' })).toBeChecked();
    await expectForFingers(page);
  });

  await test.step('what is snoozed is woken', async () => {
    await bar(page)
      .getByRole('link', { name: /^Snoozed/ })
      .tap();
    await expect(page.getByRole('heading', { level: 1, name: 'Snoozed' })).toBeVisible();
    await expectForFingers(page);
    await card(page, 'Backup failed').getByRole('button', { name: 'Unsnooze' }).tap();
    await closeToast(page, 'Alert unsnoozed');
    await expect(page.getByText('Nothing is snoozed')).toBeVisible();
    await expect(card(jonas, 'Backup failed')).toBeVisible();
  });

  await test.step('settings, and the end', async () => {
    await openSheet(page);
    await accountButton(page, mara).tap();
    await expectForFingers(page);
    await page.getByRole('menuitem', { name: 'Settings' }).tap();
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
    await expectForFingers(page);
    await openSheet(page);
    await accountButton(page, mara).tap();
    await page.getByRole('menuitem', { name: 'Logout' }).tap();
    await expect(page).toHaveURL('/login');
  });
});
