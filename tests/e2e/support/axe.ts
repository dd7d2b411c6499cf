import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { RunOptions } from 'axe-core';
import { expect } from './fixtures.ts';

/** The short one: each page that is loaded has to parse it again. */
const AXE = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Theme = 'light' | 'dark';

/** axe's rules about colours, which are all that a theme changes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Appearing and colours that fade take a fifth of a second. */
const OFTEN = { intervals: [20, 50] };

interface Scope {
  /** Selects what is not looked at. */
  except?: string;
  /** The rules to check; by default all. */
  rules?: readonly string[];
}

/**
 * What axe finds, as `rule: element`, so that a failure says it all. Axe is given to a page once and asked there: the
 * package for Playwright brings it again for every look, which takes longer than the looking.
 */
export async function findings(page: Page, { except, rules }: Scope = {}): Promise<string[]> {
  // What is half there has half its contrast.
  await expect.poll(() => isFading(page), { ...OFTEN, message: 'what still appears' }).toBe(false);
  if (await page.evaluate<boolean>('window.axe === undefined')) await page.evaluate(await AXE);
  const options: RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: [...rules] }) };
  const scope = except === undefined ? 'document' : JSON.stringify({ exclude: [except] });
  return page.evaluate<string[]>(
    `axe.run(${scope}, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target.join(' '))))`,
  );
}

const background = (page: Page): Promise<string> =>
  page.evaluate<string>(
    '[document.documentElement, document.body].map((element) => getComputedStyle(element).backgroundColor).join()',
  );

/** Whether something comes up, goes or changes its colour. What turns for ever is left out. */
const isFading = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(`document.getAnimations().some((animation) =>
    animation.playState === 'running' && animation.effect.getComputedTiming().endTime !== Infinity)`);

/** Has the system change its theme, which the page follows unless one is chosen. Resolves when the colours are there. */
async function switchTheme(page: Page, to: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: to === 'dark' ? 'light' : 'dark' });
  const before = await background(page);
  await page.emulateMedia({ colorScheme: to });
  await expect.poll(() => background(page), { ...OFTEN, message: `the ${to} theme` }).not.toBe(before);
}

/** What axe finds in the theme that the page has and, about colours, in the other one, which the page is left in. */
async function findingsAndColours(page: Page, scope: Scope, [one, other]: readonly [Theme, Theme]): Promise<string[]> {
  const found = await findings(page, scope);
  await switchTheme(page, other);
  const colours = await findings(page, { ...scope, rules: COLOUR_RULES });
  return [
    ...found.map((finding) => `${one} theme, ${finding}`),
    ...colours.map((finding) => `${other} theme, ${finding}`),
  ];
}

/** What axe finds in the light theme, and in the dark one about colours. The page is left in the light theme. */
export async function findingsInThemes(page: Page, scope: Scope = {}): Promise<string[]> {
  const found = await findingsAndColours(page, scope, ['light', 'dark']);
  await switchTheme(page, 'light');
  return found;
}

const isScrollableSideways = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');

/** Things that stick out of the window's content area to the right, as the content area itself cuts off what does. */
const sticksOut = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(
    "(() => { const main = document.querySelector('main'); return main !== null && main.scrollWidth > main.clientWidth; })()",
  );

/** Expects the screen to be accessible in both themes, and not to scroll sideways however narrow it is. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await findingsAndColours(page, {}, ['light', 'dark'])).toEqual([]);
  for (const width of [1440, 768, 360, 320]) {
    await page.setViewportSize({ width, height: 740 });
    // A theme changes colours only.
    await expect.poll(() => isScrollableSideways(page), { message: `the window at ${width} px` }).toBe(false);
    await expect.poll(() => sticksOut(page), { message: `the content at ${width} px` }).toBe(false);
  }
  expect(await findingsAndColours(page, {}, ['dark', 'light'])).toEqual([]);
}

/** Expects the screen to be accessible on the way to something else: the window is left as wide as it was. */
export async function expectAccessibleInPassing(page: Page): Promise<void> {
  const size = page.viewportSize();
  await expectAccessible(page);
  if (size) await page.setViewportSize(size);
}
