import type { Page } from '@playwright/test';
import type { Device } from '#tests/support/push-service.ts';
import { deliverPush, workerOf } from './browser-device.ts';
import { expect } from './fixtures.ts';

/** One device of a person's, which notes by which channels it announces alerts. */
export interface AnnouncingDevice {
  page: Page;
  /** All that was ever announced, sorted: `toast …`, `page notification …`, `push notification …`, `sound`. */
  announced(): Promise<string[]>;
  /** Brings the pushes that came for this device since the last call to its service worker. */
  deliver(): Promise<void>;
  /** Closes the toast, if there is one, and lets more time pass than a storm lasts: the next alert is one by itself. */
  rest(): Promise<void>;
}

/** The sound that the tests choose has one tone. */
const NOTE_IN_PAGE = `
  window.announced = [];
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...at) { window.announced.push('sound'); return start.apply(this, at); };
  const show = ServiceWorkerRegistration.prototype.showNotification;
  ServiceWorkerRegistration.prototype.showNotification = function (title, options) {
    window.announced.push('page notification ' + options.tag);
    return show.call(this, title, options);
  };
  let shown;
  new MutationObserver(() => {
    const parts = document.querySelectorAll('.toaster__toast:not([aria-hidden]) :is(.toast-card__title, .toast-card__description)');
    const words = parts.length === 0 ? undefined : [...parts].map(({ firstChild }) => firstChild.textContent).join(' ');
    if (words !== undefined && words !== shown) window.announced.push('toast ' + words);
    shown = words;
  }).observe(document, { subtree: true, childList: true, characterData: true });
`;

const NOTE_IN_WORKER = `
  self.announced = [];
  const show = ServiceWorkerRegistration.prototype.showNotification;
  ServiceWorkerRegistration.prototype.showNotification = function (title, options) {
    self.announced.push('push notification ' + options.tag);
    return show.call(this, title, options);
  };
`;

const LET_TIME_PASS = '{ const now = Date.now; Date.now = () => now() + 11_000; }';

/** Has the page, and the worker of its browser, note what they announce. The person has touched the page: it may play sounds. */
export async function noteAnnouncements(page: Page, device?: Device): Promise<AnnouncingDevice> {
  await page.evaluate(NOTE_IN_PAGE);
  await page.getByRole('heading', { level: 1 }).click();
  const worker = await workerOf(page.context());
  await worker.evaluate(NOTE_IN_WORKER);
  let delivered = 0;
  return {
    page,
    async announced() {
      const lists = [await page.evaluate('announced'), await worker.evaluate('announced')] as string[][];
      return lists.flat().sort();
    },
    async deliver() {
      const news = device?.messages.slice(delivered) ?? [];
      delivered += news.length;
      for (const message of news) await deliverPush(page, message);
    },
    async rest() {
      await page.evaluate("document.querySelector('.toaster__toast:not([aria-hidden]) .toast-card__close')?.click()");
      await expect(page.locator('.toaster__toast:not([aria-hidden])')).toHaveCount(0);
      await page.evaluate(LET_TIME_PASS);
      await worker.evaluate(LET_TIME_PASS);
    },
  };
}
