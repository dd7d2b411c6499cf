import { type Locator, type Page, expect } from '@playwright/test';

/** A page of the server that is none of the app's and loads nothing. */
export const BESIDE_THE_APP = '/healthz';

/** The toast in sight; its announcement for screen readers says the same beside it. */
export const toast = (page: Page): Locator => page.locator('.toaster__toast');

/** The cards on the screen that hold a text, such as their customer. */
export const card = (page: Page, text: string): Locator => page.locator('.alert-card__card', { hasText: text });

/** The row of the sidebar that leads to a screen, with its count. */
export const navigation = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });

/** Resolves when the screen receives live events. */
export const connected = (page: Page): Promise<void> => page.getByText('Connected', { exact: true }).waitFor();

/** The sidebar's footer, behind which are the theme and Logout. */
export const accountButton = (page: Page, { email }: { email: string }): Locator =>
  page.getByRole('button', { name: email });

/** A folder's row in the sidebar's tree; its accessible name goes on with its count. */
export const folderRow = (page: Page, name: string): Locator =>
  page.getByRole('tree', { name: 'Folders' }).getByRole('treeitem', { name: new RegExp(`^${name}( [\\d+]+ open|$)`) });

/** The number at a folder's row. */
export const folderCount = (page: Page, name: string): Locator => folderRow(page, name).locator('.folder-tree__count');

/**
 * Goes to a screen as the browser's Back and Forward do: without loading the page, which takes half a second of processor
 * time and has axe be brought again. For pages of the app alone, once it is there.
 */
export const goWithin = (page: Page, path: string): Promise<void> =>
  page.evaluate<void>(
    `history.pushState(null, '', ${JSON.stringify(path)}); void dispatchEvent(new PopStateEvent('popstate', { state: null }))`,
  );

/** Opens what else can be done with the card that holds a text. */
export const openCardMenu = (page: Page, text: string): Promise<void> =>
  card(page, text).getByRole('button', { name: 'More actions' }).click();

/** Opens a card's menu and, in it, the folders that its alert can go to. */
export async function openMoveMenu(page: Page, text: string): Promise<void> {
  await openCardMenu(page, text);
  await page.getByRole('menuitem', { name: 'Move to', exact: true }).click();
}

/** Goes to a screen by G and a second key, which is sent before the first is answered: the app waits a second and a half for it. */
export const goBy = (page: Page, key: string): Promise<unknown> =>
  Promise.all([page.keyboard.press('g'), page.keyboard.press(key)]);

type FilterName = 'Severity' | 'Customer' | 'Type' | 'Source' | 'Sort';

/** A filter of the list, such as "Customer", as its button. */
export const filterButton = (page: Page, name: FilterName): Locator =>
  page.getByRole('group', { name: /^Filters$|^More filters$/ }).getByRole('button', { name: new RegExp(`^${name}`) });

/** An entry of a menu with a filter, such as a person or a folder: from eight entries on it is a list that can be searched. */
export const choice = (page: Page, name: RegExp | string, exact = false): Locator =>
  page
    .getByRole('menuitemradio', { name, exact })
    .or(page.getByRole('menuitem', { name, exact }))
    .or(page.getByRole('option', { name, exact }));

/** Sets a filter of the list, also where it is behind the button of all that have no space. */
export async function chooseFilter(page: Page, name: FilterName, option: string): Promise<void> {
  const button = page.getByRole('button', { name: /^Filter( \d+ set)?$/ });
  await filterButton(page, name).or(button).first().waitFor();
  const isFolded = !(await filterButton(page, name).isVisible());
  if (isFolded) await button.click();
  await filterButton(page, name).click();
  await choice(page, option, true).click();
  // The menu gives the focus back once it has gone; what the test does next shall not lose it to that.
  await expect(filterButton(page, name)).toBeFocused();
  if (isFolded) await page.keyboard.press('Escape');
}

/** Has the page count, from its next load on, the answers to the pings of its live connection. */
export async function countPongs(page: Page): Promise<void> {
  await page.addInitScript(`
    window.pongs = 0;
    window.WebSocket = class extends WebSocket {
      constructor(url) {
        super(url);
        this.addEventListener('message', ({ data }) => (window.pongs += Number(data.includes('"pong"'))));
      }
    };
  `);
}

/**
 * Resolves when the page has done what follows from what happened in it. React does that in later tasks, and with a stopped
 * clock nothing on the screen may show that it is done.
 */
export const settled = (page: Page): Promise<void> =>
  page.evaluate("scheduler.postTask(() => undefined, { priority: 'background' })");

/** Stops the page's clock: from now on its time passes by `runFor` alone, however slow the machine is. */
export async function stopClock(page: Page): Promise<void> {
  const now = Date.now();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 60_000);
}

/**
 * Lets time pass under a stopped clock until the page shows what is expected. That is drawn by timers, which may begin after
 * the clock has stopped again.
 *
 * @param check with a timeout of its own, which is short
 */
export const passUntil = (page: Page, check: () => Promise<void>): Promise<void> =>
  expect(async () => {
    await page.clock.runFor(100);
    await check();
  }).toPass();

/** How many there have been; the page has seen to each of them. */
export const pongs = (page: Page): Promise<number> => page.evaluate('window.pongs');
