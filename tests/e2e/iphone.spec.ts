import type { Page } from '@playwright/test';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { card, connected } from './support/screen.ts';

/** Lets the rules count that are for iOS alone. */
const BE_IOS = `
  const rulesOf = ({ cssRules }) => [...cssRules];
  const isForIos = (rule) => rule instanceof CSSSupportsRule && rule.conditionText.includes('-webkit-touch-callout');
  const rules = [...document.styleSheets].flatMap(rulesOf).filter(isForIos).flatMap(rulesOf);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules.map(({ cssText }) => cssText).join(''));
  document.adoptedStyleSheets.push(sheet);
`;

const FIELDS = 'input:not([type="checkbox"], [type="radio"]), select, textarea';

test('no field has so small a text that Safari on iOS zooms in on it, and with it no page is wider than the screen', async ({
  openAs,
}) => {
  const page = await openAs(ADMINISTRATOR, '/', {
    viewport: { width: 320, height: 640 },
    hasTouch: true,
    isMobile: true,
  });
  for (const path of ['/', '/admin/users', '/admin/sources/new', '/admin/rules/new']) {
    await page.goto(path);
    await expect(page.locator('main').locator(FIELDS).or(page.getByRole('combobox')).first()).toBeAttached();
    await page.evaluate(BE_IOS);
    const sizes = await page
      .locator(FIELDS)
      .evaluateAll((fields) => fields.map((field) => Number.parseFloat(getComputedStyle(field).fontSize)));
    expect(sizes.length).toBeGreaterThan(0);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(16);
    expect(await page.getByRole('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0);
  }
});

/** Takes these pixels of the screen for the notch and the home indicator of a phone. */
async function setInsets(page: Page, insets: { left?: number; right?: number; bottom?: number }): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets });
}

test('what is pressed lies beside the notch and above the home indicator of a phone', async ({ app, openAs }) => {
  await app.post({ customer: 'Nordwind', title: 'Disk almost full' });
  const page = await openAs(ADMINISTRATOR, '/', { viewport: { width: 844, height: 390 } });
  await connected(page);
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
  expect(await sidebar.boundingBox()).toMatchObject({ x: 0 });
  await setInsets(page, { left: 47, right: 47, bottom: 21 });
  await expect.poll(() => sidebar.boundingBox()).toMatchObject({ x: 47 });
  const main = await page.getByRole('main').boundingBox();
  expect((main?.x ?? 0) + (main?.width ?? 999)).toBe(844 - 47);
  const before = (await page.locator('.toaster__toaster').boundingBox())?.x ?? 0;
  await setInsets(page, { bottom: 21 });
  await expect.poll(async () => (await page.locator('.toaster__toaster').boundingBox())?.x).toBe(before - 47);

  await page.setViewportSize({ width: 390, height: 844 });
  await setInsets(page, { bottom: 34 });
  await card(page, 'Disk almost full').getByRole('link').click();
  const accept = page
    .getByRole('complementary', { name: 'Alert details' })
    .getByRole('button', { name: 'Accept', exact: true });
  await expect.poll(async () => bottomOf(await accept.boundingBox())).toBeLessThanOrEqual(844 - 34 - 12);
});

const bottomOf = (box: { y: number; height: number } | null): number => (box ? box.y + box.height : Infinity);
