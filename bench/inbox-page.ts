import type { Browser, Page } from '@playwright/test';
import { type Alert, alertListSchema } from '#backend/contract/alert.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';

/** What the browser itself says of a first load. */
export interface FirstLoad {
  /** Bytes of the scripts that the page names, as they were sent. */
  scriptBytes: number;
  /** First contentful paint, in milliseconds from the navigation's start. */
  paint: number;
}

/** How many cards the first screen shows at least. */
export const FIRST_SCREEN = 10;

/** A browser of its own, as on the first visit, signed in at the inbox. */
export async function openInbox(
  browser: Browser,
  app: AppServer,
  prepare?: (page: Page) => Promise<void>,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: app.url.origin,
    storageState: app.storageState(),
    viewport: { width: 1440, height: 900 },
    // It would fetch after the page, and keeps calls from being answered here.
    serviceWorkers: 'block',
  });
  const page = await context.newPage();
  await prepare?.(page);
  await page.goto('/');
  await page.locator('article').nth(FIRST_SCREEN).waitFor({ state: 'attached', timeout: 120_000 });
  return page;
}

/** What the first load cost that has just ended. Its script is what the page names: other parts come after the first screen. */
export const readFirstLoad = (page: Page): Promise<FirstLoad> =>
  page.evaluate<FirstLoad>(`(async () => {
    const text = await (await fetch('/')).text();
    // The page's policy keeps it from parsing text as a document.
    const named = [...text.matchAll(/<script[^>]* src="?([^"\\s>]+)/g)].map(([, src]) => new URL(src, location.href).href);
    return {
      scriptBytes: performance.getEntriesByType('resource')
        .filter(({ name }) => named.includes(name))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
    };
  })()`);

/** All alerts of the inbox, newest first: one answer ends at a number of bytes. */
export async function readWhole(app: AppServer): Promise<Alert[]> {
  const alerts: Alert[] = [];
  let page: string | undefined = '/api/alerts/inbox?limit=500';
  while (page) {
    const response = await app.admin.request('GET', page);
    alerts.push(...alertListSchema.parse(await response.json()));
    page = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return alerts;
}

/** Has the inbox answered whole, in one page of the list, so that all of it is loaded at once. */
export async function answerWhole(page: Page, alerts: readonly unknown[]): Promise<void> {
  const headers = { 'X-Total-Count': String(alerts.length) };
  await page.route(/\/api\/alerts\/inbox\?limit=100$/, (route) => route.fulfill({ json: alerts, headers }));
}

/** No card is higher, in pixels. */
const CARD_HEIGHT = 200;

/**
 * Makes the part of the page that scrolls as high as the whole list, below the window's edge: so every card is in view
 * as far as the list knows, and the same cards are drawn as if the list were not virtual.
 */
export async function stretch(page: Page, cards: number): Promise<void> {
  await page.addInitScript(`
    const style = new CSSStyleSheet();
    style.replaceSync('.main-layout__content { flex: none !important; height: ${cards * CARD_HEIGHT}px !important; }');
    document.adoptedStyleSheets = [style];
  `);
}

/** Goes to My Alerts and back to the inbox, whose alerts are at hand. Milliseconds from the click to so many cards painted. */
export async function paintInbox(page: Page, cards: number): Promise<number> {
  await page.evaluate(`document.querySelector('nav a[href="/my-alerts"]').click()`);
  await page.locator('article').first().waitFor({ state: 'detached' });
  return page.evaluate<number>(`new Promise((resolve) => {
    const startedAt = performance.now();
    document.querySelector('nav a[href="/"]').click();
    const look = () => {
      if (document.querySelectorAll('article').length < ${cards}) requestAnimationFrame(look);
      else requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - startedAt)));
    };
    look();
  })`);
}

export const countNodes = (page: Page): Promise<number> =>
  page.evaluate<number>("document.querySelectorAll('main *').length");

/** Accepts the first alert. Milliseconds from the click, as the browser received it, to its card's leaving painted. */
export async function acceptFirst(page: Page): Promise<number> {
  await page.evaluate(`window.left = new Promise((resolve) => {
    addEventListener('click', ({ timeStamp }) => {
      const id = document.querySelector('article').dataset.alertId;
      const look = () => {
        const card = document.querySelector('article[data-alert-id="' + id + '"]');
        if (card && !card.classList.contains('alert-list__row_leaving')) requestAnimationFrame(look);
        else setTimeout(() => resolve(performance.now() - timeStamp));
      };
      requestAnimationFrame(look);
    }, { capture: true, once: true });
  }); undefined`);
  await page.locator('article').first().getByRole('button', { name: 'Accept' }).click();
  return page.evaluate<number>('window.left');
}
