import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** What axe finds, as `rule: element`, so that a failure says it all; not looking at what `except` selects. */
export async function findings(page: Page, { except }: { except?: string } = {}): Promise<string[]> {
  // Neither a second page to put results of foreign frames together, as there are none, nor what is all right: both
  // take longer than the looking.
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await (except === undefined ? builder : builder.exclude(except)).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

const isScrollableSideways = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');

/** Things that stick out of the window's content area to the right, as the content area itself cuts off what does. */
const sticksOut = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(
    "(() => { const main = document.querySelector('main'); return main !== null && main.scrollWidth > main.clientWidth; })()",
  );

/** Expects the screen to be accessible in its present theme, and not to scroll sideways however narrow it is. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await findings(page)).toEqual([]);
  for (const width of [1440, 768, 360, 320]) {
    await page.setViewportSize({ width, height: 740 });
    await expect.poll(() => isScrollableSideways(page), { message: `the window at ${width} px` }).toBe(false);
    await expect.poll(() => sticksOut(page), { message: `the content at ${width} px` }).toBe(false);
  }
  expect(await findings(page)).toEqual([]);
}
