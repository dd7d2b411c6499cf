import { appendFile, cp, mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { tagOfAlert } from '#backend/contract/announcement.ts';
import { serveWebBuild } from '#backend/http/web-build.ts';
import { WEB_BUILD_DIR } from '#backend/build-paths.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { findingsInThemes } from './support/axe.ts';
import {
  clickNotification,
  deliverPush,
  lookAt,
  lookAway,
  notifications,
  setPermission,
  workerActive,
  workerOf,
} from './support/browser-device.ts';
import { expect, test } from './support/fixtures.ts';
import { BESIDE_THE_APP, card, connected, toast } from './support/screen.ts';

/** A page whose browser may show notifications and whose worker is in charge. */
async function ready(page: Page, origin: string): Promise<Page> {
  await setPermission(page, origin, 'granted');
  await workerActive(page);
  await connected(page);
  return page;
}

const newAlert = (alertId: string) => ({
  type: 'new_alert' as const,
  alertId,
  title: 'New alert received: disk.full',
  body: 'Alert from Nordwind',
  tag: tagOfAlert(alertId),
  url: '/',
});

const assigned = (noticeId: string) => ({
  type: 'notice' as const,
  noticeId,
  title: 'Ben assigned an alert to you',
  body: '',
  tag: tagOfAlert(noticeId),
  url: '/my-alerts',
});

test('the worker is registered at start-up for the whole site, and requested again each time', async ({
  app,
  openAs,
  mara,
}) => {
  const page = await openAs(mara);
  await workerActive(page);
  const registration = await page.evaluate(
    'navigator.serviceWorker.ready.then(({ scope, active, updateViaCache }) => [scope, active.scriptURL, updateViaCache])',
  );
  expect(registration).toEqual([app.url.href, new URL('/service-worker.js', app.url).href, 'none']);
  const script = await fetch(new URL('/service-worker.js', app.url));
  expect(script.headers.get('Cache-Control')).toBe('no-cache');
  expect(await page.evaluate('caches.keys()')).toEqual([]);
});

test('a push becomes a notification where no window of the app is in front, and none where one is', async ({
  app,
  openAs,
  mara,
}) => {
  const page = await ready(await openAs(mara), app.url.origin);
  await deliverPush(page, newAlert('in-front'));
  await deliverPush(page, assigned('n-1'));
  await deliverPush(page, { type: 'test', title: 'Test', body: 'It works', tag: 'test', url: '/settings' });
  await expect.poll(() => notifications(page)).toEqual([{ title: 'Test', body: 'It works', tag: 'test' }]);

  await lookAway(page);
  await deliverPush(page, newAlert('behind'));
  const expected = { title: 'New alert received: disk.full', body: 'Alert from Nordwind', tag: 'behind' };
  await expect.poll(() => notifications(page)).toContainEqual(expected);
  await deliverPush(page, newAlert('behind'));
  await deliverPush(page, assigned('n-2'));
  await expect
    .poll(() => notifications(page))
    .toContainEqual({ title: 'Ben assigned an alert to you', body: '', tag: 'n2' });
  await deliverPush(page, 'not for this version');
  await expect.poll(() => notifications(page)).toHaveLength(4);
});

test('after the third in ten seconds pushes stand as one notification, which counts; an alert that was accepted or deleted takes its own with it', async ({
  app,
  openAs,
  mara,
}) => {
  const page = await ready(await openAs(mara), app.url.origin);
  await lookAway(page);
  // They come in the same ten seconds, however long the machine takes.
  await (await workerOf(page.context())).evaluate('{ const now = Date.now(); Date.now = () => now; }');
  for (const id of ['a', 'b', 'c', 'd', 'e']) await deliverPush(page, newAlert(id));
  const tags = async () => (await notifications(page)).map(({ tag }) => tag).sort();
  await expect.poll(tags).toEqual(['a', 'b', 'c', 'new-alerts']);
  const shown = { title: 'New alerts received', body: '7 new alerts from Nordwind', tag: 'new-alerts', url: '/' };
  await deliverPush(page, { type: 'new_alerts', count: 7, isMore: false, ...shown });
  const group = { title: 'New alerts received', body: '9 new alerts', tag: 'new-alerts' };
  await expect.poll(() => notifications(page)).toContainEqual(group);
  const words = { title: 'Alert accepted', body: 'By Mara', tag: 'a', url: '/' };
  await deliverPush(page, { type: 'alert_withdrawn', alertIds: ['a'], ...words });
  await expect.poll(tags).toEqual(['b', 'c', 'new-alerts']);
});

test('a click brings the open window to its alert, an older link to its card, however far down the list', async ({
  app,
  openAs,
  mara,
}) => {
  const wanted = await app.post({ customer: 'Harbour Lights' });
  for (let count = 0; count < 110; count += 1) await app.post({ customer: `Customer ${count}` });
  const page = await ready(await openAs(mara, '/settings'), app.url.origin);
  await lookAway(page);
  await deliverPush(page, newAlert(wanted));
  await expect.poll(() => notifications(page)).toHaveLength(1);
  await clickNotification(page.context(), tagOfAlert(wanted));
  await lookAt(page);
  await expect(page).toHaveURL(`/alert/${wanted}`);
  await expect(page.getByRole('heading', { name: 'Harbour Lights' })).toBeVisible();
  await expect.poll(() => notifications(page)).toEqual([]);

  // What an older version has notified of, or linked to.
  await page.goto(`/?alert=${wanted}`);
  await expect(page).toHaveURL('/');
  const article = page.getByRole('article').filter({ hasText: 'Harbour Lights' });
  await expect(article).toBeFocused();
  await expect(article).toBeInViewport();
});

test('a click on what is no longer in the inbox says so', async ({ app, openAs, mara }) => {
  const id = await app.post({ customer: 'Harbour Lights' });
  const page = await ready(await openAs(mara), app.url.origin);
  await lookAway(page);
  await deliverPush(page, newAlert(id));
  await expect.poll(() => notifications(page)).toHaveLength(1);
  await app.admin.request('DELETE', `/api/webhooks/${id}`);
  await expect(card(page, 'Harbour Lights')).toHaveCount(0);
  await page.goto(`/?alert=${id}`);
  await expect(toast(page)).toContainText('No longer in the inbox');
  await expect(page).toHaveURL('/');
});

test('a click opens a window where there is none, which shows the alert after signing in, too', async ({
  app,
  openAs,
  open,
  mara,
}) => {
  const id = await app.post({ customer: 'Harbour Lights' });
  await app.post({ customer: 'Quayside Ferries' });
  const page = await ready(await openAs(mara), app.url.origin);
  // No page of the app any more.
  await page.goto(BESIDE_THE_APP);
  await deliverPush(page, newAlert(id));
  await expect.poll(() => notifications(page)).toHaveLength(1);
  const worker = await workerOf(page.context());
  // Browsers open windows for fingers only: it notes where it would go.
  await worker.evaluate(
    'self.opened = []; clients.openWindow = async (path) => { self.opened.push(path); return null; };',
  );
  await clickNotification(page.context(), tagOfAlert(id));
  await expect.poll(() => worker.evaluate('self.opened')).toEqual([`/alert/${id}`]);
  await expect.poll(() => notifications(page)).toEqual([]);

  const signedOut = await open(`/alert/${id}`);
  await signedOut.getByLabel('Email', { exact: true }).fill(mara.email);
  await signedOut.getByLabel('Password', { exact: true }).fill(mara.password);
  await signedOut.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(signedOut.getByRole('heading', { name: 'Harbour Lights' })).toBeVisible();
});

test('without a page of the app the worker counts the inbox on the badge', async ({ app, openAs, mara }) => {
  const page = await ready(await openAs(mara), app.url.origin);
  await page.goto(BESIDE_THE_APP);
  const worker = await workerOf(page.context());
  await worker.evaluate(`
    self.badges = [];
    navigator.setAppBadge = async (count) => void self.badges.push(count);
    navigator.clearAppBadge = async () => void self.badges.push(0);
  `);
  const badges = () => worker.evaluate('self.badges');
  const first = await app.post({ customer: 'Harbour Lights' });
  const second = await app.post({ customer: 'Quayside Ferries' });
  await deliverPush(page, newAlert(second));
  await expect.poll(badges).toEqual([2]);
  for (const id of [first, second]) await app.admin.request('DELETE', `/api/webhooks/${id}`);
  const words = { title: 'Alerts deleted', body: '', tag: tagOfAlert(second), url: '/' };
  await deliverPush(page, { type: 'alert_withdrawn', alertIds: [first, second], ...words });
  await expect.poll(badges).toEqual([2, 0]);
});

test('without a server a page says so in both themes, and comes back by itself; an API call gets what it meets', async ({
  openAs,
  mara,
}) => {
  const page = await openAs(mara, '/my-alerts');
  await workerActive(page);
  await page.context().setOffline(true);
  const call = "fetch('/api/folders').then(() => 'answered', (error) => error.name)";
  expect(await page.evaluate(call)).toBe('TypeError');
  await page.goto('/settings');
  await expect(page.getByRole('heading', { name: 'Alertdesk cannot be reached' })).toBeVisible();
  expect(await findingsInThemes(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  expect(await page.evaluate(call)).toBe('answered');
});

test('a new version of the worker takes over while pages are open', async ({ browser }) => {
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-web-'));
  await cp(WEB_BUILD_DIR, folder, { recursive: true });
  for (const twin of ['.br', '.gz']) await rm(join(folder, `service-worker.js${twin}`));
  const server = await startTestServer({}, { webApp: serveWebBuild(folder) });
  const context = await browser.newContext({ baseURL: server.url });
  try {
    const page = await context.newPage();
    await page.goto('/login');
    await workerActive(page);
    await page.reload();
    expect(await versionOf(context)).toBeUndefined();

    // Listens before there is a new version: the page itself may look for one at any time.
    await page.evaluate(
      "window.changed = false; navigator.serviceWorker.addEventListener('controllerchange', () => { window.changed = true; })",
    );
    await appendFile(join(folder, 'service-worker.js'), '\nself.version = 2;\n');
    await utimes(join(folder, 'index.html'), new Date(), new Date());
    // The page's own look may have read the old version already, and then answers for this one as well.
    const lookAgain =
      'navigator.serviceWorker.ready.then((registration) => registration.update()).then(() => window.changed)';
    await expect.poll(() => page.evaluate(lookAgain)).toBe(true);
    await expect.poll(() => versionOf(context)).toBe(2);
    expect(await page.evaluate('navigator.serviceWorker.getRegistration().then(({ waiting }) => waiting)')).toBeNull();
  } finally {
    await context.close();
    await server.destroy();
    await rm(folder, { recursive: true });
  }
});

const versionOf = async (context: BrowserContext): Promise<unknown> => {
  await workerOf(context);
  const workers = await Promise.all(
    context.serviceWorkers().map((worker) => worker.evaluate('self.version').catch(() => undefined)),
  );
  return workers.find((version) => version !== undefined);
};
