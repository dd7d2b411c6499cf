import type { Page } from '@playwright/test';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { WEB_DIR } from '#scripts/ensure-web-build.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { WAIT_FOR_FIRST_SCREEN } from './support/first-screen.ts';
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

/** Most script that index.html names, compressed by brotli, in bytes (docs/decisions/0007-web-build.md). */
const MAX_SCRIPT_BYTES = 150_000;

/** Most style that index.html names, in the same way. */
const MAX_STYLE_BYTES = 15_000;

/** Leaves the page, which may still be asking for something: what is asked for from now on is of the next one. */
const leave = (page: Page) => page.goto('about:blank');

/** The list of `/?customer=Waiting`. */
const NARROWED = /\/api\/alerts\/inbox\?customer=Waiting&/;

/** How the path of the file begins that is fetched while the first screen is drawn. */
const SECOND = '/assets/second.';

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
  await leave(page);
  await page.addInitScript(WAIT_FOR_FIRST_SCREEN);
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/alerts/inbox?*', async (route) => {
    await isReleased;
    await route.continue();
  });
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') asked.push(new URL(request.url()).pathname);
  });
  await page.goto('/', { waitUntil: 'commit' });
  await connected(page);
  // What makes the screen live is fetched while it is drawn.
  const [second, others] = [true, false].map((is) => asked.filter((path) => path.startsWith(SECOND) === is));
  expect(second).toHaveLength(1);
  expect(others?.toSorted()).toEqual((await namedFiles('js')).toSorted());
  const before = asked.length;
  release();
  await expect(card(page, 'Waiting')).toBeVisible();
  await expect(page.getByRole('switch', { name: /^Notifications/ })).toBeVisible();
  expect(asked.length).toBeGreaterThan(before);
});

test('the sign-in page and what it offers are asked for beside the app, and once', async ({ open }) => {
  const page = await open('/login');
  await leave(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/assets/main.*.js', async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  for (const file of [/^\/assets\/login\./, /^\/assets\/blueprint\..*\.css$/, /^\/api\/auth\/options$/])
    await expect.poll(() => asked).toContainEqual(expect.stringMatching(file));
  release();
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
  await expect(page).toHaveURL('/login');
  // How often it asks for the page's icon is up to the browser.
  const files = asked.filter((path) => path !== '/icon.svg');
  expect(files).toEqual([...new Set(files)]);
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
  await leave(page);
  const release = await holdGreeting(page);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/alerts/inbox?')) asked.push(request.url());
  });
  await page.goto('/');
  await expect(card(page, 'Read with the page')).toBeVisible();
  await expect(page.getByText('Connected', { exact: true })).toBeHidden();
  release();
  await connected(page);
  await app.post({ customer: 'Came live' });
  await expect(card(page, 'Came live')).toBeVisible();
  expect(asked).toHaveLength(1);
});

/** Holds what the server says over the live connection until the returned function is called; or the connection itself. */
async function holdGreeting(page: Page, isConnectionHeld = false): Promise<() => void> {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.routeWebSocket(/\/ws\b/, async (socket) => {
    if (isConnectionHeld) await isReleased;
    const server = socket.connectToServer();
    server.onMessage(async (message) => {
      await isReleased;
      socket.send(message);
    });
  });
  return release;
}

/** Opens a path with the live connection held until a list was answered. Resolves to how often the list has been asked for. */
async function openAhead(page: Page, path: string, list: RegExp, meanwhile?: () => Promise<unknown>) {
  await connected(page);
  await page.addInitScript(WAIT_FOR_GREETING);
  await leave(page);
  const release = await holdGreeting(page, meanwhile !== undefined);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (list.test(request.url())) asked.push(request.url());
  });
  const answered = page.waitForResponse(list);
  await page.goto(path);
  await answered;
  await meanwhile?.();
  release();
  await connected(page);
  return () => asked.length;
}

for (const { name, path, list, viewport } of [
  { name: 'the queue of a phone', path: '/', list: /\/api\/alerts\/mine\?/, viewport: { width: 360, height: 640 } },
  { name: 'a narrowed inbox', path: '/?customer=Waiting', list: NARROWED, viewport: { width: 1440, height: 900 } },
]) {
  test(`${name}, which the app asks for before the greeting, is asked for once`, async ({ app, openAs }) => {
    await app.post({ customer: 'Waiting' });
    const page = await openAs(ADMINISTRATOR, '/', { viewport });
    const timesAsked = await openAhead(page, path, list);
    await app.post({ customer: 'Waiting', title: 'Came live' });
    await expect(card(page, 'Came live')).toBeVisible();
    expect(timesAsked()).toBe(1);
  });
}

test('a narrowed inbox is asked for again where something came between its answer and the greeting', async ({
  app,
  openAs,
}) => {
  await app.post({ customer: 'Waiting' });
  const page = await openAs(ADMINISTRATOR);
  const timesAsked = await openAhead(page, '/?customer=Waiting', NARROWED, () =>
    app.post({ customer: 'Waiting', title: 'Came meanwhile' }),
  );
  await expect(card(page, 'Came meanwhile')).toBeVisible();
  expect(timesAsked()).toBeGreaterThan(1);
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
    await leave(page);
    await page.addInitScript(OBSERVE_SHIFTS);
    await page.addInitScript(WAIT_FOR_GREETING);
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/api/')) asked.push(pathname + search);
    });
    await page.goto('/');
    await connected(page);
    await expect(card(page, 'Waiting 19')).toBeVisible();
    // A phone has it behind a button.
    await expect(page.getByRole('switch', { name: /^Notifications/, includeHidden: true })).toBeAttached();
    // What comes from now on is live: all that the screen asked for at first was asked for before.
    await app.post({ customer: 'Came live' });
    await expect(card(page, 'Came live')).toBeVisible();
    const lists = () =>
      asked.filter((path) => /^\/api\/(?:alerts\/(?:inbox|mine)|auth\/session|folders)/.test(path)).toSorted();
    // What only the sidebar shows is not asked for where that is closed at first.
    const sidebar = ['/api/alerts/mine?completion=open&limit=100', ...(isMobile ? [] : ['/api/folders'])];
    const once = ['/api/alerts/inbox?limit=100', ...sidebar, '/api/auth/session'].toSorted();
    // The rest of the first load may come after the alert.
    await expect.poll(lists).toEqual(once);
    expect(await page.evaluate<number>('window.shifted')).toBeLessThan(0.02);
    expect(lists()).toEqual(once);
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
