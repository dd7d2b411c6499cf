import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { accountButton, card, folderRow } from './support/screen.ts';

const ALERT = {
  customer: 'Harbor & Finch Logistics',
  type: 'order.payment_failed',
  order_no: 'HF-204918',
  amount: '1,249.00 EUR',
  host: 'payments-7.eu-west-1.example.com',
  url: 'https://example.com/orders/204918/payments/failed?attempt=3',
  note: 'card declined by issuer',
  attempts: 3,
  region: 'eu-west-1',
};

/** 1280 × 1024 at 400 % zoom (WCAG 2.2, 1.4.10). */
const ZOOMED = { width: 320, height: 256 };

/** What people may set without losing anything (WCAG 2.2, 1.4.12). */
const TEXT_SPACING =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }';

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox();
  if (!box) throw new Error('There is no such element on the screen.');
  return box;
};
const isCut = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => element.scrollWidth > element.clientWidth);
const colour = (locator: Locator): Promise<string> =>
  locator.evaluate((element) => getComputedStyle(element).backgroundColor);
const look = (locator: Locator): Promise<string[]> =>
  locator.evaluate((element) => [getComputedStyle(element).backgroundColor, getComputedStyle(element).color]);
const edge = (locator: Locator): Promise<string> =>
  locator.evaluate((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return `${outlineStyle} ${outlineWidth}`;
  });
const openSidebar = (page: Page) =>
  page
    .getByRole('button', { name: /sidebar/i })
    .first()
    .click();

test('at 400 % zoom every item of the user menu can be brought into view, and Extra Information has space to be read', async ({
  app,
  openAs,
  mara,
}) => {
  await app.post(ALERT);
  const page = await openAs(mara, '/', { viewport: ZOOMED });
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: /^Extra information/ }).click();
  await expect(page.getByRole('dialog').getByText('card declined by issuer', { exact: true })).toBeVisible();
  expect((await boxOf(page.locator('.extra-information-dialog__scroll'))).height).toBeGreaterThanOrEqual(120);
  const last = page.getByRole('dialog').locator('dt').last();
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await openSidebar(page);
  await accountButton(page, mara).click();
  const panel = page.getByRole('dialog', { name: 'Account' });
  for (const item of [
    panel.getByText('Theme'),
    page.getByRole('menuitem', { name: 'Settings' }),
    page.getByRole('menuitem', { name: 'Logout' }),
  ]) {
    await item.scrollIntoViewIfNeeded();
    await expect(item).toBeInViewport({ ratio: 1 });
  }
  expect((await boxOf(panel)).y).toBeGreaterThanOrEqual(0);
});

for (const [device, options] of [
  ['a mouse', { viewport: { width: 1440, height: 900 } }],
  ['a finger', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
] as const) {
  test(`folders ten deep keep name, caret and delete button in reach of ${device}`, async ({ app, openAs, mara }) => {
    const queue = await queueOf(app, mara);
    let parentId: string | undefined;
    for (let depth = 1; depth <= 10; depth += 1)
      parentId = await queue.folder(`Level ${depth} of the long names`, { ...(parentId && { parentId }) });
    await queue.file(await queue.accept(ALERT), parentId ?? '');
    const page = await openAs(mara, '/my-alerts', options);
    if (device === 'a finger') await openSidebar(page);
    const navigation = page.getByRole('navigation', { name: 'Main' });
    // The sheet slides in.
    await expect.poll(async () => (await boxOf(navigation)).x).toBe(0);
    const nav = await boxOf(navigation);
    for (const depth of [1, 5, 9, 10]) {
      const row = folderRow(page, `Level ${depth} of the long names`);
      await row.scrollIntoViewIfNeeded();
      const name = row.locator('.folder-tree__name');
      const { x, width } = await boxOf(name);
      expect(width).toBeGreaterThanOrEqual(48);
      expect(x + width).toBeLessThan(nav.x + nav.width);
      // Cut by an ellipsis of its own, not by what lies over it.
      if (depth > 8) expect(await isCut(name)).toBe(true);
      const { x: end, width: endWidth } = await boxOf(row.locator('.folder-tree__end'));
      expect(x + width).toBeLessThanOrEqual(end);
      expect(end + endWidth).toBeLessThanOrEqual(nav.x + nav.width);
      expect((await boxOf(row.locator('.folder-tree__caret'))).x).toBeGreaterThanOrEqual(nav.x);
    }
    expect(
      await page.getByRole('tree', { name: 'Folders' }).evaluate((tree) => tree.scrollWidth - tree.clientWidth),
    ).toBe(0);
    // Its caret is hit where it is drawn.
    await folderRow(page, 'Level 9 of the long names').locator('.folder-tree__caret').click();
    await expect(folderRow(page, 'Level 10 of the long names')).toHaveCount(0);
  });
}

test('on a window of 2560 px Accept is near the name, and one of 1024 px has space for the customer in My Alerts', async ({
  app,
  openAs,
  mara,
}) => {
  await app.post(ALERT);
  const page = await openAs(mara, '/', { viewport: { width: 2560, height: 1300 } });
  const customer = card(page, 'Harbor').locator('.alert-card__customer');
  const accept = await boxOf(card(page, 'Harbor').getByRole('button', { name: 'Accept' }));
  expect(accept.x - (await boxOf(customer)).x).toBeLessThan(1440);

  await (await queueOf(app, mara)).accept(ALERT);
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.goto('/my-alerts');
  await expect(customer).toBeVisible();
  expect(await isCut(customer)).toBe(false);
});

test("under WCAG's text spacing status switchers show whole words, below each other, whatever is set", async ({
  app,
  openAs,
  mara,
}) => {
  const queue = await queueOf(app, mara);
  const statuses = ['accepted', 'in-progress', 'completed'] as const;
  for (const status of statuses) {
    await queue.setStatus(await queue.accept({ ...ALERT, customer: status }), status);
  }
  // Completed alerts stay in sight.
  await queue.client.request('PATCH', '/api/auth/profile', { completedGroup: { list: 'mine', isOpen: true } });
  const page = await openAs(mara, '/my-alerts');
  for (const width of [1440, 1024, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.reload();
    // The pages' policy refuses <style> elements, and not what scripts adopt.
    await page.evaluate((css) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets.push(sheet);
    }, TEXT_SPACING);
    const switchers = page.getByRole('radiogroup', { name: 'Status' });
    await expect(switchers).toHaveCount(statuses.length);
    const list = await boxOf(page.getByRole('feed'));
    for (const switcher of await switchers.all()) {
      const radios = switcher.getByRole('radio');
      await expect(radios).toHaveCount(3);
      for (const radio of await radios.all()) expect(await isCut(radio)).toBe(false);
      const last = await boxOf(radios.last());
      expect(last.x + last.width).toBeLessThanOrEqual(list.x + list.width);
    }
    const boxes = await Promise.all((await switchers.all()).map(boxOf));
    // On a narrow card the switcher has a row of its own.
    expect(new Set(boxes.map(({ x }) => Math.round(x))).size).toBe(1);
    expect(new Set(boxes.map((box) => Math.round(box.width))).size).toBe(1);
  }
});

test('what the strip says stands alone in the header of a narrow window', async ({ openAs, mara }) => {
  const page = await openAs(mara, '/', { viewport: { width: 320, height: 640 } });
  await page.routeWebSocket(/\/ws\?/, (socket) => void socket.close({ code: 1012 }));
  await page.reload();
  const strip = page.getByText('Reconnecting…');
  for (const width of [320, 359]) {
    await page.setViewportSize({ width, height: 640 });
    await expect(strip).toBeVisible();
    await expect(page.locator('.header__title')).toBeHidden();
    const menu = await boxOf(page.getByRole('button', { name: 'Toggle the sidebar' }));
    expect((await boxOf(strip)).x).toBeGreaterThanOrEqual(menu.x + menu.width);
  }
});

test('with forced colours dots keep their colours and what is chosen stands out', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  await queue.folder('Urgent', { color: 'red' });
  await queue.accept(ALERT);
  const page = await openAs(mara, '/my-alerts', { forcedColors: 'active' });
  expect(await colour(folderRow(page, 'Urgent').locator('.folder-dot__folderDot'))).toBe('rgb(205, 66, 70)');
  const status = (name: string) => card(page, 'Harbor').getByRole('radio', { name });
  const nav = (name: RegExp) => page.getByRole('link', { name });
  for (const [chosen, other] of [
    [status('Accepted'), status('Completed')],
    [nav(/^My Alerts/), nav(/^New Alerts/)],
  ] as const) {
    const [background, text] = await look(chosen);
    expect(background).not.toBe((await look(other))[0]);
    expect(text).not.toBe(background);
  }
  // The colours that the system gives what is chosen.
  expect(await look(status('Accepted'))).toEqual(await look(nav(/^My Alerts/)));

  await page.goto('/settings');
  const box = page.getByRole('checkbox').first();
  await expect(box).toBeChecked();
  const indicator = page.locator('.bp6-control-indicator').first();
  expect(await indicator.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid');
});

test('with forced colours what lies over the page has an edge, and the focused field one of its own', async ({
  app,
  openAs,
  mara,
}) => {
  for (const customer of ['Harbor dark', 'Harbor light']) await app.post({ ...ALERT, customer });
  const page = await openAs(mara, '/', { forcedColors: 'active' });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ forcedColors: 'active', colorScheme });
    await page.goto('/');
    await page.getByRole('button', { name: /^Customer/ }).click();
    const menu = page.locator('.bp6-popover-content');
    await expect(menu).toBeVisible();
    expect(await edge(menu)).toBe('solid 1px');
    await page.keyboard.press('Escape');
    await card(page, `Harbor ${colorScheme}`).getByRole('button', { name: 'Accept' }).click();
    await expect(page.locator('.toaster__toast')).toBeVisible();
    expect(await edge(page.locator('.toaster__toast'))).toBe('solid 1px');
    await page.getByRole('button', { name: 'Create a folder' }).click();
    const field = page.getByRole('dialog').getByRole('textbox').first();
    await field.focus();
    expect(await edge(field)).toBe('solid 2px');
  }
});
