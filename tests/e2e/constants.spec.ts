import type { Page, Request } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { card, connected, navigation } from './support/screen.ts';

// Durations are among what is looked at.
test.use({ moving: true });

/** The hue of the status that is set, in degrees. */
async function statusHue(page: Page): Promise<number> {
  const color = await page.evaluate<string>(
    `getComputedStyle(document.querySelector('[aria-checked="true"] > .status__dot')).backgroundColor`,
  );
  const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).map(Number);
  const span = Math.max(r, g, b) - Math.min(r, g, b);
  if (Math.max(r, g, b) === r) return (((g - b) / span) * 60 + 360) % 360;
  return (Math.max(r, g, b) === g ? 2 + (b - r) / span : 4 + (r - g) / span) * 60;
}

const within = (value: number, from: number, to: number) => from <= value && value <= to;

/**
 * Has the page answer the pings of its live connection itself, from its next load on, and note in `hasOpened` that the
 * connection is open. Minutes of its clock pass in a few
 * seconds: an answer that had to come from elsewhere would be late by that clock, and the server would take so many pings
 * for an attack.
 */
async function answerPings(page: Page): Promise<void> {
  await page.addInitScript(`
    window.WebSocket = class extends WebSocket {
      constructor(url) {
        super(url);
        this.addEventListener('open', () => (window.hasOpened = true));
      }
      send(text) {
        if (!text.includes('"ping"')) return super.send(text);
        const pong = new MessageEvent('message', { data: '[{"type":"pong"}]' });
        queueMicrotask(() => this.dispatchEvent(pong));
      }
    };
  `);
}

const submenu = (page: Page) => page.getByRole('menu', { name: 'Move to' });

test('a status has its colour: accepted green, in progress yellow, completed blue; Extra Information scrolls from 400 px on', async ({
  app,
  openAs,
  mara,
}) => {
  const fields = Object.fromEntries(Array.from({ length: 60 }, (_, number) => [`field_${number}`, `value ${number}`]));
  const queue = await queueOf(app, mara);
  await queue.accept({ customer: 'Nordwind', ...fields });
  // Completed alerts stay in sight.
  await queue.client.request('PATCH', '/api/auth/profile', { completedGroup: { list: 'mine', isOpen: true } });
  const page = await openAs(mara, '/my-alerts');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [name, from, to] of [
      ['Accepted', 90, 170],
      ['In Progress', 25, 60],
      ['Completed', 200, 250],
    ] as const) {
      const segment = card(page, 'Nordwind').getByRole('radio', { name });
      await segment.click();
      await expect(segment).toBeChecked();
      // A colour changes over a moment.
      await expect.poll(async () => within(await statusHue(page), from, to)).toBe(true);
    }
  }

  await card(page, 'Nordwind')
    .getByRole('button', { name: /^Extra information, 5\d more/ })
    .click();
  const region = page.getByRole('dialog').getByRole('region', { name: 'Additional fields' });
  await expect(region).toHaveCSS('max-height', '400px');
  expect((await region.boundingBox())?.height).toBe(400);
  await region.getByText('value 59').scrollIntoViewIfNeeded();
  await expect(region.getByText('value 59')).toBeInViewport();
});

test('a menu leads to an item by letters typed within 1 s, and opens a submenu after the pointer rested on it for 100 ms', async ({
  app,
  openAs,
  mara,
}) => {
  const queue = await queueOf(app, mara);
  await queue.folder('Urgent');
  await queue.accept({ customer: 'Nordwind' });
  const page = await openAs(mara, '/my-alerts');
  await card(page, 'Nordwind').getByRole('button', { name: 'More actions' }).focus();
  await page.keyboard.press('Enter');
  const [unaccept, move] = ['Unaccept', 'Move to'].map((name) => page.getByRole('menuitem', { name, exact: true }));
  if (!unaccept || !move) throw new Error('An item is missing.');
  await expect(unaccept).toBeFocused();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.keyboard.press('m');
  await expect(move).toBeFocused();
  await page.clock.runFor(999);
  // Still the same word: "mx" begins no item.
  await page.keyboard.press('x');
  await expect(move).toBeFocused();
  await page.clock.runFor(1000);
  await page.keyboard.press('u');
  await expect(unaccept).toBeFocused();

  await move.hover();
  await page.clock.runFor(99);
  await expect(submenu(page)).toHaveCount(0);
  await page.clock.runFor(1);
  await page.clock.resume();
  await expect(submenu(page)).toBeVisible();
});

test('the sidebar opens and closes by Cmd+B, too, closed its tooltips open at once, and under 768 px it is a sheet', async ({
  openAs,
  mara,
}) => {
  const page = await openAs(mara, '/', { viewport: { width: 768, height: 900 } });
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
  await connected(page);
  await expect(sidebar).toHaveCSS('width', '256px');
  await page.keyboard.press('Meta+b');
  await expect(sidebar).toHaveCSS('width', '48px');
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await navigation(page, 'My Alerts').hover();
  await page.clock.runFor(1);
  await expect(page.locator('.bp6-tooltip')).toHaveText('My Alerts');
  await page.clock.resume();
  await page.setViewportSize({ width: 767, height: 900 });
  await expect(sidebar).toHaveCount(0);
  await page.keyboard.press('Meta+b');
  await expect(page.locator('.main-layout__sheet')).toHaveCSS('width', '288px');
});

test('what was read is not read again: not by focus, not by time, not after a failure', async ({
  app,
  openAs,
  mara,
}) => {
  await app.post({ customer: 'Nordwind' });
  const page = await openAs(mara);
  let isGreeted = true;
  await page.routeWebSocket(/\/ws\?/, (socket) => {
    if (isGreeted) socket.connectToServer();
  });
  await answerPings(page);
  // Before the page has timers: one of the real clock would find that it slept whenever the time of the others jumps.
  await page.clock.install();
  let asked: string[] = [];
  const read: string[] = [];
  const unanswered = new Set<Request>();
  let lastAt = 0;
  page.on('request', (request) => {
    lastAt = performance.now();
    unanswered.add(request);
    if (new URL(request.url()).pathname.startsWith('/api/')) asked.push(request.url());
  });
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => {
      unanswered.delete(request);
      read.push(new URL(request.url()).pathname);
    });
  /** Until nothing was asked for in a second and a half: Playwright's own `networkidle` comes once for a document. */
  const quiet = () => expect.poll(() => unanswered.size === 0 && performance.now() - lastAt > 1_500).toBe(true);
  await page.reload();
  await connected(page);
  await expect(card(page, 'Nordwind')).toBeVisible();
  // The last of what a first load reads.
  for (const path of ['/api/notification-settings', '/api/alerts/snoozed/counts'])
    await expect.poll(() => read).toContain(path);
  // Which of the others come after these two depends on how fast the machine is.
  await quiet();
  asked = [];
  /** A minute of the page's clock, by which a read without an answer is given up after 40 s. */
  const passMinute = async (): Promise<void> => {
    for (let step = 0; step < 6; step += 1) {
      await expect.poll(() => unanswered.size).toBe(0);
      await page.clock.runFor(10_000);
    }
  };
  await page.evaluate(
    "for (const name of ['blur', 'focus', 'offline', 'online']) window.dispatchEvent(new Event(name)); document.dispatchEvent(new Event('visibilitychange'));",
  );
  await page.clock.runFor(20 * 60_000);
  await expect(card(page, 'Nordwind')).toBeVisible();
  expect(asked).toEqual([]);

  // A greeting would have everything read again, as after a lost connection.
  isGreeted = false;
  await page.route('**/api/alerts/mine?*', (route) => route.fulfill({ status: 503, body: 'The database is away.' }));
  await page.goto('/my-alerts');
  // A connection that is not open within eight seconds of the page's clock is given up.
  await expect.poll(() => page.evaluate('window.hasOpened')).toBe(true);
  await expect(page.getByText('The database is away.')).toBeVisible();
  // What comes after the first screen is read within a minute.
  await passMinute();
  await expect.poll(() => asked.some((url) => url.endsWith('/api/notices/unread'))).toBe(true);
  // The others of them follow as fast as the machine is.
  await quiet();
  const before = asked.length;
  await passMinute();
  await expect(page.getByText('The database is away.')).toBeVisible();
  expect(asked).toHaveLength(before);
});
