import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { type Picture, changeOf, edgeOf, inkOf, pictureOf } from './support/pixels.ts';
import { queueOf } from './support/queue.ts';
import { card, connected, filterButton, folderRow, navigation, toast } from './support/screen.ts';

const SEVERITIES = ['critical', 'high', 'warning', 'low', 'info'] as const;

/** What people set in their system, each in both themes. */
const MODES = [
  ['forced colours, light', { forcedColors: 'active', colorScheme: 'light' }],
  ['forced colours, dark', { forcedColors: 'active', colorScheme: 'dark' }],
  ['more contrast, light', { forcedColors: 'none', contrast: 'more', colorScheme: 'light' }],
  ['more contrast, dark', { forcedColors: 'none', contrast: 'more', colorScheme: 'dark' }],
] as const;

/** Pixels around an element that its edge may take, and the line around it that shows the focus. */
const EDGE = 3;
const RING = 4;

const row = (page: Page, text: string) => card(page, text).locator('..');
const accept = (page: Page, text: string) => card(page, text).getByRole('button', { name: 'Accept' });
const mark = (page: Page, text: string) => card(page, text).locator('.severity-mark__mark');

/** Expects an edge along most of the sides: corners are round, and what is beside may touch. */
async function expectEdge(locator: Locator, what: string): Promise<void> {
  const edge = edgeOf(await pictureOf(locator, EDGE), EDGE + 2);
  expect(edge, `the edge of ${what}`).toBeGreaterThan(0.6);
}

/** Expects what is chosen to look other than what is not: a fill, an edge, a mark. */
function expectStandsOut(one: Picture, other: Picture, what: string): void {
  const length = Math.min(one.width, other.width);
  expect(Math.abs(inkOf(one) - inkOf(other)) > length || changeOf(one, other) > length, what).toBe(true);
}

/** Expects the focus to draw a line around the element, or to change it as much. */
async function expectFocusShows(target: Locator, what: string): Promise<void> {
  await target.evaluate((element) => (element as HTMLElement).blur());
  const before = await pictureOf(target, RING);
  await target.focus();
  await expect(target).toBeFocused();
  const after = await pictureOf(target, RING);
  expect(changeOf(before, after), `the focus of ${what}`).toBeGreaterThan((before.width + before.height) * 1.5);
}

test('one day with forced colours or more contrast: controls, focus, selection, what is chosen and severities can be seen', async ({
  app,
  openAs,
  mara,
}) => {
  // Some hundred pictures.
  test.slow();
  const queue = await queueOf(app, mara);
  await queue.folder('Urgent', { color: 'red' });
  await queue.accept({ title: 'Backup failed', customer: 'Atlas', severity: 'high' });
  for (const severity of SEVERITIES.toReversed())
    await app.post({ title: `One that is ${severity}`, customer: 'Nordwind', severity });
  const page = await openAs(mara);
  await connected(page);
  await expect(page.getByRole('article')).toHaveCount(SEVERITIES.length);

  for (const [mode, media] of MODES) {
    // Nothing moves while its picture is taken.
    await page.emulateMedia({ ...media, reducedMotion: 'reduce' });

    await test.step(`${mode}: each severity has a shape that can be seen`, async () => {
      const pictures: Picture[] = [];
      for (const severity of SEVERITIES) pictures.push(await pictureOf(mark(page, `One that is ${severity}`)));
      for (const [at, picture] of pictures.entries()) {
        expect(inkOf(picture), SEVERITIES[at]).toBeGreaterThan(20);
        // Without colours the shape alone says it.
        for (const other of media.forcedColors === 'active' ? pictures.slice(0, at) : [])
          expect(changeOf(picture, other), SEVERITIES[at]).toBeGreaterThan(8);
      }
    });

    await test.step(`${mode}: controls have an edge`, async () => {
      await expectEdge(accept(page, 'One that is low'), 'Accept');
      await expectEdge(filterButton(page, 'Customer'), 'the filter');
      await expectEdge(page.locator('.search-field__box'), 'the search');
    });

    await test.step(`${mode}: the focus can be seen`, async () => {
      // It is drawn for who uses the keyboard.
      await page.keyboard.press('Tab');
      await expectFocusShows(row(page, 'One that is low'), 'a card');
      await expectFocusShows(accept(page, 'One that is low'), 'Accept');
      await expectFocusShows(navigation(page, 'My Alerts'), 'the navigation');
      await expectFocusShows(filterButton(page, 'Customer'), 'the filter');
    });

    await test.step(`${mode}: what is selected and what is current stand out`, async () => {
      const box = row(page, 'One that is high').locator('.bp6-control-indicator');
      await row(page, 'One that is high').focus();
      await page.keyboard.press('x');
      const bar = page.getByRole('toolbar', { name: '1 selected' });
      await expect(bar).toBeVisible();
      await expectEdge(bar, 'the bar of the selection');
      const other = row(page, 'One that is low').locator('.bp6-control-indicator');
      expect(changeOf(await pictureOf(box), await pictureOf(other)), 'a checked box').toBeGreaterThan(60);
      await page.keyboard.press('Escape');
      await expect(bar).toHaveCount(0);
      expectStandsOut(
        await pictureOf(navigation(page, 'New Alerts')),
        await pictureOf(navigation(page, 'Snoozed')),
        'the current screen',
      );
    });

    await test.step(`${mode}: menus, toasts and dialogs have an edge`, async () => {
      await filterButton(page, 'Customer').click();
      await expect(page.getByRole('menu', { name: 'Customer' })).toBeVisible();
      await expectEdge(page.locator('.bp6-popover-content'), 'a menu');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('menu')).toHaveCount(0);
      await accept(page, 'One that is info').click();
      await expect(toast(page)).toContainText('Alert accepted');
      await toast(page).hover();
      await expectEdge(toast(page), 'a toast');
      await toast(page).getByRole('button', { name: 'Undo' }).click();
      await expect(page.getByRole('article')).toHaveCount(SEVERITIES.length);
      await expect(toast(page)).toHaveCount(0);
      await page.getByRole('button', { name: 'Create a folder' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create New Folder' });
      await expect(dialog.getByLabel('Folder Name')).toBeFocused();
      await expectEdge(dialog.getByLabel('Folder Name'), 'a field');
      const [chosen, other] = [
        dialog.getByRole('radio', { checked: true }),
        dialog.getByRole('radio', { checked: false }),
      ];
      expectStandsOut(await pictureOf(chosen, 3), await pictureOf(other.first(), 3), 'the chosen colour');
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
    });

    await test.step(`${mode}: a status and a folder differ from others`, async () => {
      await navigation(page, 'My Alerts').click();
      const status = (name: string) => card(page, 'Backup failed').getByRole('radio', { name });
      await expect(status('Accepted')).toBeChecked();
      expectStandsOut(await pictureOf(status('Accepted')), await pictureOf(status('Completed')), 'the status');
      expect(inkOf(await pictureOf(folderRow(page, 'Urgent').locator('.folder-dot__folderDot'), 2))).toBeGreaterThan(
        20,
      );
      await navigation(page, 'New Alerts').click();
      await expect(page.getByRole('article')).toHaveCount(SEVERITIES.length);
    });
  }
});
