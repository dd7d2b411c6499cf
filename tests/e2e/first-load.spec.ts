import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { WEB_DIR } from '#scripts/ensure-web-build.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { card, connected, navigation } from './support/screen.ts';

test.use({ warm: false, moving: true });

/** Layout shifts that were not of the person's making, summed up by the browser while the page loads. */
const OBSERVE_SHIFTS = `
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

/** However slow this machine is just now, what waits for the greeting is not asked for without it. */
const WAIT_FOR_GREETING = `
  const later = window.setTimeout;
  window.setTimeout = (run, ms, ...more) => (ms === 2000 ? 0 : later(run, ms, ...more));
`;

/** What comes later is delayed for as long as the first screen takes, however slow this machine is. */
const WAIT_FOR_FIRST_SCREEN = `
  const afterwards = window.setTimeout;
  window.setTimeout = (run, ms, ...more) => (ms === 4000 ? 0 : afterwards(run, ms, ...more));
`;

/** Most script that index.html names, compressed by brotli, in bytes (docs/decisions/0007-web-build.md). */
const MAX_SCRIPT_BYTES = 183_500;

/** Most style that index.html names, in the same way. */
const MAX_STYLE_BYTES = 15_000;

/** The files of a kind that index.html names, as paths. */
async function namedFiles(kind: 'js' | 'css'): Promise<string[]> {
  const page = await readFile(join(WEB_DIR, 'index.html'), 'utf8');
  return [...page.matchAll(/(?:src|href)="?(\/assets\/[^\s">]+)/g)]
    .map(([, path = '']) => path)
    .filter((path) => path.endsWith(`.${kind}`));
}

for (const { kind, most } of [
  { kind: 'js', most: MAX_SCRIPT_BYTES },
  { kind: 'css', most: MAX_STYLE_BYTES },
] as const) {
  test(`the ${kind} of the first load stays small`, async () => {
    const files = await namedFiles(kind);
    expect(files.length).toBeGreaterThanOrEqual(kind === 'js' ? 2 : 1);
    const sizes = await Promise.all(files.map(async (path) => (await stat(join(WEB_DIR, `${path}.br`))).size));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(most / 4);
    expect(bytes).toBeLessThanOrEqual(most);
  });
}

test('what the first screen can do without is fetched after it', async ({ app, openAs }) => {
  await app.post({ customer: 'Waiting' });
  const page = await openAs(ADMINISTRATOR);
  await connected(page);
  // What this page fetches late would count for the next one.
  await expect(page.getByRole('switch', { name: /^Notifications/ })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await page.addInitScript(WAIT_FOR_FIRST_SCREEN);
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/alerts/inbox?*', async (route) => {
    await isReleased;
    await route.continue();
  });
  let asked: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) asked = [];
    if (request.resourceType() === 'script') asked.push(new URL(request.url()).pathname);
  });
  await page.reload({ waitUntil: 'commit' });
  await connected(page);
  expect(asked.toSorted()).toEqual((await namedFiles('js')).toSorted());
  release();
  await expect(card(page, 'Waiting')).toBeVisible();
  await expect(page.getByRole('switch', { name: /^Notifications/ })).toBeVisible();
  expect(asked.length).toBeGreaterThan((await namedFiles('js')).length);
});

/** Notes how each element looks, apart from the place that others leave it; then says of which that has changed. */
const LOOKS = `
  const isLeftOut = /^(?:--.*|width|height|.*-size|.*-origin|top|right|bottom|left|inset.*|margin-(?:left|inline-start))$/;
  const lookOf = (element) => ['', '::before', '::after'].map((part) => {
    const style = getComputedStyle(element, part);
    return [...style].filter((name) => !isLeftOut.test(name)).map((name) => name + ':' + style.getPropertyValue(name)).join(';');
  }).join('|');
  window.note = () => { window.looks = new Map([...document.querySelectorAll('body *')].map((one) => [one, lookOf(one)])); };
  window.changed = () => [...window.looks].filter(([one, look]) => one.isConnected && lookOf(one) !== look)
    .map(([one, look]) => one.className + ' ' + lookOf(one).split(/[;|]/).filter((part) => !look.includes(part)).join());
`;

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the styles that come after the first screen change nothing on it, ${colorScheme}`, async ({ app, openAs }) => {
    for (const severity of ['critical', 'none']) await app.post({ customer: `Is ${severity}`, type: 'disk', severity });
    const page = await openAs(ADMINISTRATOR, '/', { colorScheme });
    await connected(page);
    await page.addInitScript(LOOKS);
    const named = await namedFiles('css');
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/assets/*.css', async (route) => {
      if (!named.includes(new URL(route.request().url()).pathname)) await isReleased;
      await route.continue();
    });
    await page.reload({ waitUntil: 'commit' });
    await connected(page);
    await expect(card(page, 'Is none')).toBeVisible();
    await page.evaluate('document.fonts.ready.then(window.note)');
    release();
    await expect(page.getByRole('switch', { name: /^Notifications/ })).toBeVisible();
    await expect.poll(() => page.evaluate('document.styleSheets.length')).toBeGreaterThan(named.length + 1);
    expect(await page.evaluate('window.looks.size')).toBeGreaterThan(100);
    expect(await page.evaluate('window.changed()')).toEqual([]);
  });
}

test('the list is there before the live connection is', async ({ app, openAs }) => {
  await app.post({ customer: 'Read with the page' });
  const page = await openAs(ADMINISTRATOR);
  await connected(page);
  await page.addInitScript(WAIT_FOR_GREETING);
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.routeWebSocket(/\/ws\b/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage(async (message) => {
      await isReleased;
      socket.send(message);
    });
  });
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) asked.length = 0;
    if (request.url().includes('/api/alerts/inbox?')) asked.push(request.url());
  });
  await page.reload();
  await expect(card(page, 'Read with the page')).toBeVisible();
  await expect(page.getByText('Connected', { exact: true })).toBeHidden();
  release();
  await connected(page);
  await app.post({ customer: 'Came live' });
  await expect(card(page, 'Came live')).toBeVisible();
  expect(asked).toHaveLength(1);
});

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 412, height: 823 },
  { width: 360, height: 640 },
]) {
  test(`a first load at ${viewport.width} pixels asks once for everything, and nothing on it jumps`, async ({
    app,
    openAs,
  }) => {
    const fields = { type: 'disk.full', host: 'db-1.example.net', message: 'Disk is 93 % full on /var/lib/data' };
    for (let number = 0; number < 20; number += 1) await app.post({ customer: `Waiting ${number}`, ...fields });
    const isMobile = viewport.width < 768;
    const page = await openAs(ADMINISTRATOR, '/', { viewport, isMobile, hasTouch: isMobile });
    await connected(page);
    await page.addInitScript(OBSERVE_SHIFTS);
    await page.addInitScript(WAIT_FOR_GREETING);
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      // The page before may still have been asking.
      if (request.isNavigationRequest()) asked.length = 0;
      if (pathname.startsWith('/api/')) asked.push(pathname + search);
    });
    await page.reload();
    await connected(page);
    await expect(card(page, 'Waiting 19')).toBeVisible();
    // A phone has it behind a button.
    await expect(page.getByRole('switch', { name: /^Notifications/, includeHidden: true })).toBeAttached();
    // What comes from now on is live: all that the screen asked for at first was asked for before.
    await app.post({ customer: 'Came live' });
    await expect(card(page, 'Came live')).toBeVisible();
    const lists = asked.filter((path) => /^\/api\/(?:alerts\/(?:inbox|mine)|auth\/session|folders)/.test(path));
    // What only the sidebar shows is not asked for where that is closed at first.
    const sidebar = ['/api/alerts/mine?completion=open&limit=100', ...(isMobile ? [] : ['/api/folders'])];
    expect(lists.toSorted()).toEqual(['/api/alerts/inbox?limit=100', ...sidebar, '/api/auth/session'].toSorted());
    expect(await page.evaluate<number>('window.shifted')).toBeLessThan(0.02);
  });
}

test('an alert that arrives while the page loads is on it', async ({ app, openAs }) => {
  await app.post({ customer: 'Before' });
  const page = await openAs(ADMINISTRATOR);
  await connected(page);
  // Between the answer and the script that shows it.
  const { promise: isAnswered, resolve: answered } = Promise.withResolvers<void>();
  const { promise: isPosted, resolve: posted } = Promise.withResolvers<void>();
  await page.route('**/api/alerts/inbox?*', async (route) => {
    const response = await route.fetch();
    answered();
    await isPosted;
    await route.fulfill({ response });
  });
  const reloading = page.reload({ waitUntil: 'commit' });
  await isAnswered;
  await app.post({ customer: 'Came meanwhile' });
  posted();
  await reloading;
  await expect(card(page, 'Came meanwhile')).toBeVisible();
  await expect(card(page, 'Before')).toBeVisible();
  await expect(navigation(page, 'New Alerts')).toContainText('2');
});
