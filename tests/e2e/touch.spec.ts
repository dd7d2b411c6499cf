import type { Locator, Page } from '@playwright/test';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { goWithin } from './support/screen.ts';
import { queueOf } from './support/queue.ts';

// Cards are swiped and let go.
test.use({ moving: true });

/** How long a swipe takes, by the timestamps of its events. */
const SWIPE_SECONDS = 0.4;

/** Side of a touch target in pixels: 40 everywhere on coarse pointers. */
const TARGET = 40;

/**
 * What fingers touch. Links in running text are exempt, and so are a control's segments, whose padding is the control's,
 * and a card's headline: the whole card is its target.
 */
const TARGETS = [
  'header button',
  'main button',
  'main a',
  'main input:not([type="checkbox"], [type="radio"])',
  'main select',
  'main label.bp6-control',
]
  .map((selector) => `${selector}:not(.ad-link, .alert-card__link, .bp6-segmented-control > *)`)
  .join(', ');

/** Icons of fields and choices that are not in the middle of them, as text. */
const offCentre = (page: Page): Promise<string[]> =>
  page.locator('main :is(.bp6-input-left-container, .bp6-html-select) > .bp6-icon').evaluateAll((icons) =>
    icons.flatMap((icon) => {
      const field = icon.closest('.bp6-input-group, .bp6-html-select')?.querySelector('input, select');
      const inner = icon.getBoundingClientRect();
      const outer = (field ?? icon).getBoundingClientRect();
      const off = inner.top + inner.height / 2 - outer.top - outer.height / 2;
      return Math.abs(off) > 1 ? [`${field?.getAttribute('aria-label')} by ${off}`] : [];
    }),
  );

/** What is too small for a finger on the page, as text. Asked in one go: settings can list hundreds of customers. */
const tooSmall = (page: Page): Promise<string[]> =>
  page.locator(TARGETS).evaluateAll(
    (elements, side) =>
      elements
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .map((element) => ({ box: element.getBoundingClientRect(), text: element.textContent }))
        .filter(({ box }) => box.width > 0 && (box.height < side || box.width < side / 2))
        .map(({ box, text }) => `${text} ${box.width}×${box.height}`),
    TARGET,
  );

test('settings and the pages of the Admin Panel are made for fingers', async ({ app, openAs }) => {
  for (const customer of ['Atlas', 'Kestrel', 'Meridian', 'Oakline', 'Tern', 'Zenith'])
    await app.post({ customer, type: 'touch', a: 1, b: 2, c: 3, d: 4, e: 5 });
  const page = await openAs(ADMINISTRATOR, '/', {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  // Nothing here has a severity, so that the one button of the filters needs no row of its own.
  const filter = await page.getByRole('button', { name: 'Filter', exact: true }).boundingBox();
  const title = await page.getByRole('heading', { level: 1, name: 'New Alerts' }).boundingBox();
  expect(Math.abs((filter?.y ?? 0) - (title?.y ?? 999))).toBeLessThan(20);
  for (const [path, shows] of [
    ['/settings', 'Customer Notification Preferences'],
    ['/admin', 'User Management'],
    ['/admin/users', 'Reset Password'],
    ['/admin/api-keys', 'New Key'],
    ['/admin/webhook', 'Send test alert'],
    ['/admin/audit', 'Signed in'],
    ['/admin/alerts', 'Total'],
  ] as const) {
    await goWithin(page, path);
    await expect(page.getByText(shows).first()).toBeVisible();
    await expect.poll(() => tooSmall(page), { message: path }).toEqual([]);
    await expect.poll(() => offCentre(page), { message: path }).toEqual([]);
  }
  await page
    .locator('article')
    .first()
    .tap({ position: { x: 8, y: 8 } });
  await expect(page).toHaveURL(/\/alert\//);
});

test('a phone shows three cards; a swipe to the right accepts one and can be undone, one to the left reveals further actions', async ({
  app,
  openAs,
}) => {
  const fields = { host: 'db-1.example.net', region: 'eu-west-1', load: 19.15, attempt: 3, team: 'storage' };
  for (const title of ['First', 'Second', 'Third']) {
    await app.post({ title, customer: 'Nordwind', type: 'disk.full', severity: 'high', ...fields });
  }
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const page = await openAs(ADMINISTRATOR, '/', phone);
  const rows = page.getByRole('article');
  await expect(rows).toHaveCount(3);
  await expect(rows.last()).toBeInViewport({ ratio: 1 });
  // What is chosen seldom is behind a button.
  const severity = page.getByRole('button', { name: /^Severity/ });
  await expect(severity).toHaveCount(0);
  await page.getByRole('button', { name: 'Filter', exact: true }).tap();
  await expect(severity).toBeVisible();
  await expect(page.getByRole('switch', { name: /^Notifications/ })).toBeVisible();
  await page.getByRole('button', { name: 'Filter', exact: true }).tap();
  await expect(severity).toHaveCount(0);
  const fingers = await page.context().newCDPSession(page);
  const swipe = async (name: string, { dx, dy = 0 }: { dx: number; dy?: number }): Promise<void> => {
    const box = await rows.filter({ hasText: name }).boundingBox();
    const [x, y] = [180, (box?.y ?? 0) + 40];
    // As slow as a finger that means the distance, not a flick.
    const startedAt = Date.now() / 1000 - SWIPE_SECONDS;
    const touch = (type: string, at: number) =>
      fingers.send('Input.dispatchTouchEvent', {
        type: type as 'touchStart',
        touchPoints: type === 'touchEnd' ? [] : [{ x: x + dx * at, y: y + dy * at }],
        timestamp: startedAt + SWIPE_SECONDS * at,
      });
    await touch('touchStart', 0);
    for (const at of [0.1, 0.2, 0.4, 0.6, 0.8, 1]) await touch('touchMove', at);
    await touch('touchEnd', 1);
  };

  // Playwright's own tap may scroll first, which closes what a swipe revealed.
  const tapWhereItIs = async (target: Locator): Promise<void> => {
    await expect(target).toBeInViewport({ ratio: 1 });
    const box = await target.boundingBox();
    if (!box) throw new Error('There is nothing to tap.');
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  };

  // Too short, and down rather than to the side: nothing happens.
  // What follows fingers is fetched after the first screen.
  await page.locator('.swipe__list_swipe').waitFor();
  await swipe('Second', { dx: 60 });
  await swipe('Second', { dx: 60, dy: -80 });
  await expect(rows).toHaveCount(3);

  await swipe('Second', { dx: 140 });
  await expect(page.getByText('Alert accepted')).toBeVisible();
  await expect(rows.filter({ hasText: 'Second' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).first().tap();
  await expect(rows.filter({ hasText: 'Second' })).toBeVisible();

  await swipe('First', { dx: -160 });
  const remove = rows.filter({ hasText: 'First' }).locator('.swipe__swipe').getByRole('button', { name: 'Delete' });
  await expect(remove).toBeInViewport();
  expect(page.url()).not.toContain('/alert/');
  // A touch elsewhere closes it.
  await page.getByRole('heading', { level: 1 }).tap();
  await expect(remove).toHaveCount(0);
  await swipe('First', { dx: -160 });
  await tapWhereItIs(remove);
  await expect(rows.filter({ hasText: 'First' })).toHaveCount(0);
  await expect(page.getByText('Alert deleted')).toBeVisible();
  await swipe('Third', { dx: -160 });
  await rows.filter({ hasText: 'Third' }).locator('.swipe__swipe').getByRole('button', { name: 'Snooze' }).tap();
  await page.getByRole('menuitem', { name: '1 hour' }).tap();
  await expect(rows.filter({ hasText: 'Third' })).toHaveCount(0);

  // Counts that have no space scroll in their row, and fade where they go on.
  for (const other of ['critical', 'warning', 'low', 'info']) await app.post({ title: `Is ${other}`, severity: other });
  await page.setViewportSize({ width: 320, height: 740 });
  const counts = page.getByRole('group', { name: 'Severities' });
  await expect(counts.getByRole('button')).toHaveCount(5);
  await expect(counts).toHaveAttribute('data-after');
  await expect(counts).not.toHaveAttribute('data-before');
  await counts.evaluate((row) => row.scrollTo({ left: row.scrollWidth }));
  await expect(counts).not.toHaveAttribute('data-after');
  await expect(counts).toHaveAttribute('data-before');
});

test('a card of My Alerts has its history button beside its menu on a large touch screen', async ({
  app,
  openAs,
  mara,
}) => {
  await (await queueOf(app, mara)).accept({ customer: 'Nordwind' });
  const tablet = { viewport: { width: 1366, height: 1024 }, hasTouch: true, isMobile: true };
  const page = await openAs(mara, '/my-alerts', tablet);
  const card = page.getByRole('article');
  const history = card.getByRole('button', { name: 'Alert history' });
  await expect(history).toBeInViewport({ ratio: 1 });
  const [box, menu, status] = await Promise.all(
    [history, card.getByRole('button', { name: /^More actions/ }), card.getByRole('radiogroup')].map((one) =>
      one.boundingBox(),
    ),
  );
  expect(box?.width).toBe(TARGET);
  expect(box?.height).toBe(TARGET);
  expect(menu?.x).toBeGreaterThanOrEqual((box?.x ?? 0) + TARGET);
  expect(box?.x).toBeGreaterThanOrEqual((status?.x ?? 0) + (status?.width ?? 0));
});
