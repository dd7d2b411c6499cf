import { type BrowserContext, type CDPSession, type Page, type Worker, expect } from '@playwright/test';
import type { PushMessage } from '#backend/contract/push.ts';

/** What a person said to the browser's question whether the site may show notifications. */
type Permission = 'granted' | 'denied' | 'prompt';

/** A notification that stands on the screen. */
export interface ShownNotification {
  title: string;
  body: string;
  tag: string;
}

const sessionOf = (page: Page): Promise<CDPSession> => page.context().newCDPSession(page);

/** Sets the browser's permission for notifications, as its settings do. Pages are notified. */
export async function setPermission(page: Page, origin: string, setting: Permission): Promise<void> {
  const session = await sessionOf(page);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  const browser = await page.context().browser()?.newBrowserCDPSession();
  const { browserContextId } = targetInfo;
  await browser?.send('Browser.setPermission', {
    permission: { name: 'notifications' },
    setting,
    origin,
    ...(browserContextId !== undefined && { browserContextId }),
  });
  await session.detach();
}

/**
 * Answers the browser's questions in turn as a person does, the last answer for good; without a screen the browser asks
 * nobody. `prompt` is a question that was passed over. Counts how often it was asked.
 */
export async function answerPrompt(
  page: Page,
  origin: string,
  ...answers: Permission[]
): Promise<{ readonly asked: number }> {
  const counted = { asked: 0 };
  await page.exposeFunction('answerPrompt', async () => {
    const answer = answers[Math.min(counted.asked, answers.length - 1)] ?? 'prompt';
    counted.asked += 1;
    if (answer !== 'prompt') await setPermission(page, origin, answer);
  });
  await page.addInitScript(`
    const ask = Notification.requestPermission.bind(Notification);
    Notification.requestPermission = async () => { await window.answerPrompt(); return ask(); };
  `);
  return counted;
}

/** The service worker of a browser, once it runs. */
export async function workerOf(context: BrowserContext): Promise<Worker> {
  return context.serviceWorkers()[0] ?? context.waitForEvent('serviceworker');
}

/** Expects the site's service worker to be at work soon: from then on it has each page that is opened. */
export const workerActive = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate('navigator.serviceWorker.getRegistration().then((found) => found?.active?.state)'))
    .toBe('activated');

const hasFocus = (page: Page): Promise<unknown> => page.evaluate('document.hasFocus()');

/** Whether the worker takes the page for one in front. */
async function isFocusedClient(page: Page): Promise<unknown> {
  const worker = await workerOf(page.context());
  return worker.evaluate(
    `clients.matchAll({ type: 'window', includeUncontrolled: true })
       .then((all) => all.some(({ url, focused }) => focused && url === ${JSON.stringify(page.url())}))`,
  );
}

/** From when it was first run in a page, the page shows none while it is asked for them. */
const ONE_AT_A_TIME = `
  if (!window.oneAtATime) {
    let last = Promise.resolve();
    window.oneAtATime = (work) => (last = last.then(work, work));
    const show = ServiceWorkerRegistration.prototype.showNotification;
    ServiceWorkerRegistration.prototype.showNotification = function (...notification) {
      return window.oneAtATime(() => show.apply(this, notification));
    };
  }
`;

/**
 * The notifications that stand, in the order in which the browser lists them. Chromium may forget one that is being shown
 * while it is asked for them, so ask once before the page shows any: from then on it does one after the other.
 */
export const notifications = (page: Page): Promise<ShownNotification[]> =>
  page.evaluate(
    `(async () => {
       ${ONE_AT_A_TIME}
       const registration = await navigator.serviceWorker.ready;
       const all = await window.oneAtATime(() => registration.getNotifications());
       return all.map(({ title, body, tag }) => ({ title, body, tag }));
     })()`,
  );

/** Has the page count the notifications that it shows itself, from its next load on; the service worker's are not among them. */
export const countShown = (page: Page): Promise<unknown> =>
  page.addInitScript(`
    window.shownByPage = 0;
    const show = ServiceWorkerRegistration.prototype.showNotification;
    ServiceWorkerRegistration.prototype.showNotification = function (...notification) {
      window.shownByPage += 1;
      return show.apply(this, notification);
    };
  `);

/** How many the page has shown since it was loaded. */
export const shownByPage = (page: Page): Promise<unknown> => page.evaluate('window.shownByPage');

/**
 * Hands a push to the service worker as the browser does once it has decrypted one; returns when the worker is done with
 * it. Who asks Chromium for the notifications while one is being shown may make it forget that one.
 */
export async function deliverPush(page: Page, message: PushMessage | string): Promise<void> {
  const session = await sessionOf(page);
  const registrationId = await new Promise<string>((resolve, reject) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const registration = registrations.find(({ isDeleted }) => !isDeleted);
      if (registration) resolve(registration.registrationId);
    });
    session.send('ServiceWorker.enable').catch(reject);
  });
  const service = 'pushMessaging';
  await session.send('BackgroundService.setRecording', { shouldRecord: true, service });
  await session.send('BackgroundService.startObserving', { service });
  await session.send('BackgroundService.clearEvents', { service });
  const handled = new Promise<void>((resolve) => {
    session.on('BackgroundService.backgroundServiceEventReceived', ({ backgroundServiceEvent: { eventName } }) => {
      if (eventName === 'Push event completed') resolve();
    });
  });
  const data = typeof message === 'string' ? message : JSON.stringify(message);
  await session.send('ServiceWorker.deliverPushMessage', { origin: new URL(page.url()).origin, registrationId, data });
  await handled;
  await session.detach();
}

/** Clicks the notification with this tag as the browser reports it to the worker. */
export const clickNotification = async (context: BrowserContext, tag: string): Promise<void> =>
  (await workerOf(context)).evaluate(`(async () => {
    const [notification] = await registration.getNotifications({ tag: ${JSON.stringify(tag)} });
    if (!notification) throw new Error('There is no such notification.');
    self.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
  })()`);

/** The person looks at another tab, which is none of the app's. */
export async function lookAway(page: Page): Promise<Page> {
  const session = await sessionOf(page);
  // Else every page of a browser without a screen believes that it is in front.
  await session.send('Emulation.setFocusEmulationEnabled', { enabled: false });
  const other = await page.context().newPage();
  await other.bringToFront();
  await expect.poll(() => hasFocus(page)).toBe(false);
  await expect.poll(() => isFocusedClient(page)).toBe(false);
  return other;
}

/** The person looks at this tab. */
export async function lookAt(page: Page): Promise<void> {
  const session = await sessionOf(page);
  await session.send('Emulation.setFocusEmulationEnabled', { enabled: false });
  await page.bringToFront();
  await expect.poll(() => hasFocus(page)).toBe(true);
}

/** The person looks at this window, whatever windows are in front on other devices. */
export async function lookAtDevice(page: Page): Promise<void> {
  const session = await sessionOf(page);
  await page.bringToFront();
  await session.send('Emulation.setFocusEmulationEnabled', { enabled: true });
  await expect.poll(() => hasFocus(page)).toBe(true);
  await expect.poll(() => isFocusedClient(page)).toBe(true);
}

/** What a browser's subscription to a push service is made of. */
export interface Subscribing {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/**
 * Has the browser subscribe to this push service, which it cannot reach by itself without Google's. What it subscribed
 * to outlives reloads, as in life. `fails` says that the push service refuses.
 */
export const subscribeTo = (page: Page, { endpoint, keys }: Subscribing): Promise<unknown> =>
  page.addInitScript(`
    const bytes = (base64url) => Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    const subscription = (serverKey) => ({
      endpoint: ${JSON.stringify(endpoint)},
      options: { userVisibleOnly: true, applicationServerKey: new Uint8Array(JSON.parse(serverKey)).buffer },
      toJSON: () => (${JSON.stringify({ endpoint, expirationTime: null, keys })}),
      unsubscribe: async () => { localStorage.removeItem('push-service'); return true; },
    });
    PushManager.prototype.getSubscription = async () => {
      const stored = localStorage.getItem('push-service');
      return stored === null ? null : subscription(stored);
    };
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      if (localStorage.getItem('push-service-fails')) throw new DOMException('Registration failed - push service error', 'AbortError');
      const key = typeof applicationServerKey === 'string' ? bytes(applicationServerKey) : new Uint8Array(applicationServerKey);
      if (localStorage.getItem('push-service') !== null) throw new DOMException('Registration failed - another key', 'InvalidStateError');
      localStorage.setItem('push-service', JSON.stringify([...key]));
      return subscription(JSON.stringify([...key]));
    };
  `);
