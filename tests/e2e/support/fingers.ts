import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** A small phone: 360 px wide, without a mouse. */
export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/** Side of a touch target in pixels. */
const TARGET = 40;

/** A finger that rests for so long selects, in milliseconds. */
const PRESS_MS = 600;

/** How long a swipe takes, by the timestamps of its events. */
const SWIPE_SECONDS = 0.4;

/**
 * What fingers touch anywhere on the screen: also in menus, dialogs, toasts and the sidebar's sheet. Links in running text
 * are exempt, and so are a control's segments, whose padding is the control's, and a card's headline: the whole card is
 * its target.
 */
const TARGETS = ['button', 'a', '[role="menuitem"]', '[role="menuitemradio"]', 'select', 'label.bp6-control']
  .concat('input:not([type="checkbox"], [type="radio"])', 'textarea')
  .map((selector) => `#root ${selector}, .bp6-portal ${selector}, .toaster__toaster ${selector}`)
  .join(', ');
const EXEMPT = '.ad-link, .alert-card__link, .bp6-segmented-control > *, [inert] *';

/** What is too small for a finger on the screen, as text. A target is as wide as it is high, or half as wide at least. */
const tooSmall = (page: Page): Promise<string[]> =>
  page.locator(TARGETS).evaluateAll(
    (elements, { side, exempt }) =>
      elements
        .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        .filter((element) => !element.matches(exempt))
        .map((element) => ({ box: element.getBoundingClientRect(), element }))
        .filter(({ box }) => box.width > 0 && (box.height < side || box.width < side / 2))
        .map(({ box, element }) => `${element.outerHTML.slice(0, 120)} ${box.width}×${box.height}`),
    { side: TARGET, exempt: EXEMPT },
  );

/** How far the page, or its content, can be scrolled to the side, in pixels. */
const sideways = (page: Page): Promise<number> =>
  page.evaluate<number>(`Math.max(...[document.documentElement, ...document.querySelectorAll('main, .bp6-dialog')]
    .map((element) => element.scrollWidth - element.clientWidth))`);

/** Expects the screen to be made for fingers: everything is large enough, and nothing is to the side. */
export async function expectForFingers(page: Page): Promise<void> {
  await expect.poll(() => tooSmall(page), { message: 'what is too small' }).toEqual([]);
  await expect.poll(() => sideways(page), { message: 'scrolling to the side' }).toBe(0);
}

/** Rests a finger on an element for longer than a press. */
export async function pressLong(target: Locator): Promise<void> {
  const page = target.page();
  const fingers = await page.context().newCDPSession(page);
  const box = await target.boundingBox();
  if (!box) throw new Error('There is nothing to press.');
  const at = { x: box.x + box.width / 2, y: box.y + 20 };
  await fingers.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] });
  await page.waitForTimeout(PRESS_MS);
  await fingers.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await fingers.detach();
}

/** Swipes over an element, so many pixels to the right, as slowly as a finger that means the distance. */
export async function swipe(target: Locator, dx: number): Promise<void> {
  const page = target.page();
  // What follows fingers is fetched after the first screen.
  await page.locator('.swipe__list_swipe').waitFor();
  const fingers = await page.context().newCDPSession(page);
  const box = await target.boundingBox();
  if (!box) throw new Error('There is nothing to swipe over.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const startedAt = Date.now() / 1000 - SWIPE_SECONDS;
  for (const at of [0, 0.1, 0.2, 0.4, 0.6, 0.8, 1]) {
    await fingers.send('Input.dispatchTouchEvent', {
      type: at === 0 ? 'touchStart' : 'touchMove',
      touchPoints: [{ x: x + dx * at, y }],
      timestamp: startedAt + SWIPE_SECONDS * at,
    });
  }
  const timestamp = startedAt + SWIPE_SECONDS;
  await fingers.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], timestamp });
  await fingers.detach();
}
