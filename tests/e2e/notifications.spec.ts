import type { Page } from '@playwright/test';
import { tagOfAlert } from '#backend/contract/announcement.ts';
import type { Person } from './support/accounts.ts';
import type { AppServer } from './support/app-server.ts';
import { findings } from './support/axe.ts';
import { deliverPush, lookAt, lookAway, notifications, setPermission, workerActive } from './support/browser-device.ts';
import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import {
  BESIDE_THE_APP,
  accountButton,
  card,
  connected,
  navigation,
  passUntil,
  stopClock,
  toast,
} from './support/screen.ts';

const toggle = (page: Page) => page.getByRole('switch', { name: /^Notifications/ });

/** A browser of the person's that may show notifications. */
async function permitted(
  openAs: (person: Person, path?: string) => Promise<Page>,
  app: AppServer,
  person: Person,
): Promise<Page> {
  const page = await openAs(person);
  await setPermission(page, app.url.origin, 'granted');
  await expect(toggle(page)).toBeChecked();
  await connected(page);
  await workerActive(page);
  expect(await notifications(page)).toEqual([]);
  return page;
}

const tags = async (page: Page): Promise<string[]> => (await notifications(page)).map(({ tag }) => tag).sort();

test('an alert is announced once by several tabs: a toast in front, else one notification', async ({
  app,
  openAs,
  mara,
}) => {
  const first = await permitted(openAs, app, mara);
  const second = await first.context().newPage();
  await second.goto('/my-alerts');
  await connected(second);
  await lookAway(second);
  await lookAt(first);
  await navigation(first, 'My Alerts').click();
  await app.post({ customer: 'Harbour Lights' });
  await expect(toast(first)).toContainText('Alert from Harbour Lights');
  await toast(first).hover();
  await expect(second.getByRole('link', { name: /New Alerts/ })).toContainText('1');
  await expect(toast(second)).toHaveCount(0);
  expect(await notifications(first)).toEqual([]);
  await toast(first).getByRole('button', { name: 'Close' }).click();
  await navigation(first, 'New Alerts').click();

  await lookAway(first);
  const id = await app.post({ customer: 'Quayside Ferries', type: 'ferry.late' });
  await expect
    .poll(() => notifications(first))
    .toEqual([{ title: 'New alert received: ferry.late', body: 'Alert from Quayside Ferries', tag: tagOfAlert(id) }]);
  await expect(card(first, 'Quayside Ferries')).toBeVisible();
  for (const page of [first, second]) await expect(toast(page)).toHaveCount(0);

  // The one that spoke for both is closed.
  await first.close();
  const other = await app.post({ customer: 'Nordwind' });
  await expect.poll(() => tags(second)).toEqual([id, other].map(tagOfAlert).sort());
});

test('what came while the tab that speaks was closing, the next one announces', async ({ app, openAs, mara }) => {
  const page = await permitted(openAs, app, mara);
  await lookAway(page);
  const before = await app.post({ customer: 'Nordwind' });
  await expect.poll(() => tags(page)).toEqual([tagOfAlert(before)]);
  // It has the floor, and says nothing.
  const closing = await page.context().newPage();
  await closing.goto(BESIDE_THE_APP);
  await closing.evaluate(`navigator.locks.query().then(({ held: [{ name }] }) => new Promise((taken) => {
    void navigator.locks.request(name, { steal: true }, () => { taken(); return new Promise(() => {}); });
  }))`);
  // The page waits for two seconds of its clock at most.
  await stopClock(page);
  const id = await app.post({ customer: 'Harbour Lights' });
  await passUntil(page, () => expect(page).toHaveTitle('(2) Alertdesk', { timeout: 100 }));
  // What the page does then, it does after all that came before.
  await app.admin.request('DELETE', `/api/webhooks/${before}`);
  await passUntil(page, async () => expect(await tags(page)).toEqual([]));
  await closing.close();
  await expect.poll(() => tags(page)).toEqual([tagOfAlert(id)]);
});

test('without Web Locks, as on plain http, each tab announces in a toast of its own', async ({ app, openAs, mara }) => {
  const first = await permitted(openAs, app, mara);
  await setPermission(first, app.url.origin, 'denied');
  await first.context().addInitScript('delete Navigator.prototype.locks');
  await first.goto('/');
  await connected(first);
  const second = await first.context().newPage();
  await second.goto('/my-alerts');
  await connected(second);
  for (const page of [first, second]) expect(await page.evaluate(() => 'locks' in navigator)).toBe(false);
  await lookAway(second);
  await lookAt(first);
  await navigation(first, 'My Alerts').click();
  await app.post({ customer: 'Harbour Lights' });
  for (const page of [first, second]) await expect(toast(page)).toContainText('Alert from Harbour Lights');
});

test('what a window in front has announced, no late push announces again', async ({ app, openAs, mara }) => {
  const page = await permitted(openAs, app, mara);
  await navigation(page, 'My Alerts').click();
  const id = await app.post({ customer: 'Harbour Lights' });
  await expect(toast(page)).toContainText('Alert from Harbour Lights');
  await lookAway(page);
  const push = (alertId: string) =>
    deliverPush(page, { type: 'new_alert', alertId, title: 'New', body: '', tag: tagOfAlert(alertId), url: '/' });
  await push(id);
  await push('another');
  await expect.poll(() => tags(page)).toEqual(['another']);
  // The sender reports it as worse: that is another push.
  await push(id);
  await expect.poll(() => tags(page)).toEqual([tagOfAlert(id), 'another'].sort());
});

test('a storm is three notifications and one that counts; what others accept goes', async ({ app, openAs, mara }) => {
  const page = await permitted(openAs, app, mara);
  await lookAway(page);
  const ids: string[] = [];
  for (let count = 0; count < 12; count += 1) ids.push(await app.post({ customer: `Customer ${count}` }));
  const group = { title: 'New alerts received', body: '9 new alerts', tag: 'new-alerts' };
  await expect(page).toHaveTitle(/^\(12\)/);
  await expect.poll(() => notifications(page)).toContainEqual(group);
  const [one = '', two = '', three = ''] = ids.map(tagOfAlert);
  expect(await tags(page)).toEqual([one, two, three, 'new-alerts'].sort());

  const others = await queueOf(app, await app.addMember('Jonas Weber'));
  await others.client.request('POST', `/api/alerts/${ids[1]}/accept`);
  await app.admin.request('DELETE', `/api/webhooks/${ids[2]}`);
  await expect.poll(() => tags(page)).toEqual([one, 'new-alerts'].sort());

  await lookAt(page);
  await accountButton(page, mara).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/login');
  await expect.poll(() => notifications(page)).toEqual([]);
});

test('mutes and pauses count for notifications at once, wherever they were set', async ({ app, openAs, mara }) => {
  await app.post({ customer: 'Muted Mutual', type: 'any' });
  const page = await permitted(openAs, app, mara);
  await lookAway(page);
  const { client } = await queueOf(app, mara);
  const first = await app.post({ customer: 'Nordwind' });
  await expect.poll(() => tags(page)).toEqual([tagOfAlert(first)]);

  const customers = (await (await client.request('GET', '/api/customers')).json()) as { id: string; name: string }[];
  const customerId = customers.find(({ name }) => name === 'Muted Mutual')?.id;
  await client.request('POST', '/api/customer-mutes', { customerId });
  await app.post({ customer: 'Muted Mutual' });
  await expect(card(page, 'Muted Mutual')).toHaveCount(2);
  await expect(toast(page)).toHaveCount(0);

  await client.request('PATCH', '/api/notification-settings', {
    pausedUntil: new Date(Date.now() + 60 * 60_000).toISOString(),
  });
  await expect(page.getByText('Paused until')).toBeVisible();
  await app.post({ customer: 'Paused Freight' });
  await expect(card(page, 'Paused Freight')).toHaveCount(1);
  await client.request('PATCH', '/api/notification-settings', { pausedUntil: null });
  await expect(page.getByText('Paused until')).toHaveCount(0);
  const last = await app.post({ customer: 'Nordwind' });
  await expect.poll(() => tags(page)).toEqual([first, last].map(tagOfAlert).sort());
});

test('notifications are paused and resumed from the user menu and beside the switch', async ({ app, openAs, mara }) => {
  const page = await openAs(mara);
  await accountButton(page, mara).click();
  await page.getByRole('menuitem', { name: 'Pause notifications for 1 hour' }).click();
  await expect(toast(page)).toContainText('Notifications paused');
  await expect(page.getByText('Paused until')).toBeVisible();
  // The longest words: an end that needs its day.
  const client = await app.signIn(mara);
  const pausedUntil = new Date(Date.now() + 27 * 60 * 60_000).toISOString();
  expect((await client.request('PATCH', '/api/notification-settings', { pausedUntil })).status).toBe(200);
  await page.reload();
  for (const width of [1440, 768, 360, 320]) {
    await page.setViewportSize({ width, height: 740 });
    // On a small screen the icon stands for the first words.
    if (width >= 768) await expect(page.getByText('Paused until')).toBeInViewport({ ratio: 1 });
    await expect(page.getByText(/\w{3} \d+:\d\d [AP]M$/).last()).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('button', { name: 'Resume' })).toBeInViewport({ ratio: 1 });
    if (width < 768) await expect(page.getByRole('button', { name: /^Filter/ })).toBeInViewport({ ratio: 1 });
    // A small screen has the switch behind a button.
    if (width >= 768) await expect(page.getByText(/^Notifications O/)).toBeInViewport({ ratio: 1 });
    expect(
      await page.evaluate('document.querySelector("main").scrollWidth <= document.querySelector("main").clientWidth'),
    ).toBe(true);
  }
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(toast(page)).toContainText('Notifications resumed');
  await expect(page.getByText('Paused until')).toHaveCount(0);
});

test('a sound is chosen for an alert type, played as a preview, and played when one comes, three times in a storm', async ({
  app,
  openAs,
  mara,
}) => {
  await app.post({ customer: 'Nordwind', type: 'disk.full' });
  const page = await openAs(mara, '/settings');
  await page.addInitScript(`
    window.tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...at) { window.tones += 1; return start.apply(this, at); };
  `);
  await page.reload();
  const tones = () => page.evaluate('window.tones');
  const choice = page.getByRole('combobox', { name: 'Sound of disk.full' });
  const preview = page.getByRole('button', { name: 'Play the sound of disk.full' });
  await expect(choice).toHaveValue('');
  await expect(preview).toBeDisabled();
  await page.getByRole('heading', { name: 'Settings' }).click();
  await choice.selectOption('Ping');
  await expect.poll(tones).toBe(1);
  await preview.click();
  await expect.poll(tones).toBe(2);
  await page.reload();
  await expect(choice).toHaveValue('ping');
  await connected(page);
  await page.getByRole('heading', { name: 'Settings' }).click();
  await app.post({ customer: 'Nordwind', type: 'disk.fine' });
  await expect(toast(page)).toContainText('Nordwind');
  expect(await tones()).toBe(0);
  for (let count = 1; count <= 5; count += 1) {
    await app.post({ customer: 'Nordwind', type: 'disk.full' });
    await expect(page.getByRole('link', { name: /New Alerts/ })).toContainText(String(count + 2));
  }
  await expect.poll(tones).toBe(3);
  await choice.selectOption('No sound');
  await expect(preview).toBeDisabled();
  expect(await tones()).toBe(3);
});
