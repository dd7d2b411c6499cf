import { screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import { permitNotifications } from './support/browser-permission.ts';
import { findToast, findings, intercept, memberWithQueue, openPage } from './support/open-page.tsx';

const KEY = 'notifications-enabled';

let mara: Person;
beforeEach(async () => {
  ({ mara } = await memberWithQueue());
});

const findSwitch = () => screen.findByRole('switch', { name: /^Notifications/ });
const stored = () => localStorage.getItem(KEY);
const expectStored = (value: string | null) => waitFor(() => expect(stored()).toBe(value));

/** Opens a page again, as reloading it does. */
const reload = (path = '/'): Promise<UserEvent> => openPage(mara, path, { keepsStorage: true });

/** Presses the switch by the keyboard, and waits for the toast that says what it did. */
async function press(user: UserEvent, said: string): Promise<HTMLElement> {
  (await findSwitch()).focus();
  await user.keyboard(' ');
  return findToast(said);
}

const navigate = async (user: UserEvent, name: string) => {
  const main = within(screen.getByRole('navigation', { name: 'Main' }));
  await user.click(main.getByRole('link', { name: new RegExp(`^${name}`) }));
  await screen.findByRole('heading', { level: 1, name });
};

test('the first load of the inbox asks for permission, once, and notes that it was granted', async () => {
  const browser = permitNotifications('default', 'granted');
  await openPage(mara, '/settings');
  await screen.findByRole('heading', { level: 1, name: 'Settings' });
  await screen.findByText('Connected');
  expect(browser.asked).toBe(0);
  await reload();
  await waitFor(async () => expect(await findSwitch()).toBeChecked());
  expect(await findSwitch()).toHaveAccessibleName('Notifications On');
  await expectStored('true');
  await reload();
  await waitFor(async () => expect(await findSwitch()).toBeChecked());
  await screen.findByText('Connected');
  expect(browser.asked).toBe(1);
});

test('the switch asks again when the first question was passed over, and says what it did', async () => {
  const browser = permitNotifications('default', 'default', 'granted');
  // The browser's first question stands until the test ends it.
  const { promise: ended, resolve: endFirstQuestion } = Promise.withResolvers<void>();
  const ask = Notification.requestPermission;
  vi.spyOn(Notification, 'requestPermission').mockImplementationOnce(async () => {
    void ask();
    await ended;
    return Notification.permission;
  });
  const user = await openPage(mara, '/');
  await waitFor(() => expect(browser.asked).toBe(1));
  expect(await findSwitch()).toHaveAccessibleName('Notifications Off');
  expect(stored()).toBeNull();
  await press(user, 'Notifications enabled');
  expect(await findSwitch()).toBeChecked();
  expect(browser.asked).toBe(2);
  await expectStored('true');
  await press(user, 'Notifications disabled');
  expect(await findSwitch()).toHaveAccessibleName('Notifications Off');
  expect(stored()).toBe('false');
  // What was switched off since stays off.
  endFirstQuestion();
  await ended;
  await new Promise((drawn) => requestAnimationFrame(drawn));
  expect(stored()).toBe('false');
  const again = await reload();
  expect(await findSwitch()).not.toBeChecked();
  await press(again, 'Notifications enabled');
  await expectStored('true');
});

test('where notifications are switched off, nobody is asked; switched on, they are', async () => {
  const browser = permitNotifications('default', 'granted');
  localStorage.setItem(KEY, 'false');
  const user = await reload();
  await screen.findByText('Connected');
  expect(await findSwitch()).not.toBeChecked();
  expect(browser.asked).toBe(0);
  await press(user, 'Notifications enabled');
  expect(browser.asked).toBe(1);
});

test('a permission that was granted before counts as switched on', async () => {
  permitNotifications('granted');
  await openPage(mara, '/my-alerts');
  await screen.findByRole('heading', { level: 1, name: 'My Alerts' });
  expect(stored()).toBeNull();
  await reload();
  await waitFor(async () => expect(await findSwitch()).toBeChecked());
  await expectStored('true');
});

test('blocked notifications are shown as such', async () => {
  permitNotifications('denied');
  const user = await openPage(mara, '/');
  expect(await findSwitch()).not.toBeChecked();
  const toast = await press(user, 'Permission denied');
  expect(toast).toHaveTextContent("You've blocked notifications. Please enable them in your browser settings");
  expect(await findings()).toEqual([]);
  await openPage(mara, '/settings');
  const push = await screen.findByRole('region', { name: 'Push Notifications' });
  await waitFor(() => expect(push).toHaveTextContent('Blocked'));
});

/** Gives the page a subscription to pushes, which jsdom has not, until the test ends. */
function offerPushes(): void {
  const subscription = {
    endpoint: 'https://push.example.com/1',
    options: { applicationServerKey: null },
    toJSON: () => ({ endpoint: 'https://push.example.com/1', keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: async () => true,
  };
  const registration = { pushManager: { getSubscription: async () => subscription } };
  const workers = Object.assign(new EventTarget(), {
    startMessages() {},
    getRegistration: async () => undefined,
    register: async () => registration,
    ready: Promise.resolve(registration),
  });
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: workers });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'serviceWorker'));
}

test('pushes are active only once the server has this browser’s subscription', async () => {
  permitNotifications('granted');
  offerPushes();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  intercept('POST', '/api/push/subscribe', async () => {
    ask();
    await released;
    return new Response(null, { status: 204 });
  });
  await openPage(mara, '/settings');
  const push = await screen.findByRole('region', { name: 'Push Notifications' });
  await asked;
  expect(push).toHaveTextContent('Enabled');
  expect(within(push).queryByText('Active', { exact: true })).toBeNull();
  release();
  await within(push).findByText('Active', { exact: true });
});

test('a browser without notifications says so', async () => {
  expect('Notification' in window).toBe(false);
  const user = await openPage(mara, '/');
  const toast = await press(user, 'Not supported');
  expect(toast).toHaveTextContent('Desktop notifications are not supported in your browser');
  await openPage(mara, '/settings');
  await screen.findByRole('region', { name: 'Quiet Hours' });
  expect(screen.queryByRole('region', { name: 'Push Notifications' })).toBeNull();
});

test('the permission is not read at every render', async () => {
  const browser = permitNotifications('granted');
  const user = await openPage(mara, '/');
  await screen.findByText('Connected');
  await expectStored('true');
  browser.reads = 0;
  await navigate(user, 'My Alerts');
  await navigate(user, 'New Alerts');
  await findSwitch();
  expect(browser.reads).toBe(0);
  dispatchEvent(new Event('focus'));
  expect(browser.reads).toBeGreaterThan(0);
});
