import type { Page } from '@playwright/test';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { BESIDE_THE_APP } from './support/screen.ts';

/** Less than the page draws at once, in pixels. */
const SCROLL_STEP = 500;

/** How many calls the document describes: the page must show every one. */
async function countCalls(origin: string): Promise<number> {
  const document = (await (await fetch(`${origin}/api/openapi.json`)).json()) as { paths: Record<string, object> };
  return Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length;
}

/** Ids of the calls on the page, which draws those alone that are on screen. */
async function readCalls(page: Page): Promise<Set<string>> {
  const found = new Set<string>();
  for (let y = 0; ; y += SCROLL_STEP) {
    await page.evaluate(`scrollTo(0, ${y})`);
    await expect.poll(() => page.locator('.opblock').count()).toBeGreaterThan(0);
    for (const id of await page.locator('.opblock').evaluateAll((all) => all.map((one) => one.id))) found.add(id);
    if (y > (await page.evaluate<number>('document.documentElement.scrollHeight'))) break;
  }
  await page.evaluate('scrollTo(0, 0)');
  return found;
}

test('the document is a page to read in both themes and on narrow screens, which asks nobody but this server, and tries a call as the member who is signed in', async ({
  app,
  openAs,
}) => {
  test.slow();
  const page = await openAs(ADMINISTRATOR, BESIDE_THE_APP);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).origin));
  const isDark = () => page.evaluate<boolean>('document.documentElement.classList.contains("dark-mode")');
  const fits = async () => {
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await expect
        .poll(() => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'))
        .toBe(0);
    }
  };
  await page.emulateMedia({ colorScheme: 'dark' });
  // The address of a call opens it.
  await page.goto('/api/docs#/folders/postFolders');
  await expect(page.getByRole('heading', { name: 'Alertdesk API' })).toBeVisible();
  expect(await isDark()).toBe(true);
  const call = page.locator('#operations-folders-postFolders');
  // All calls are drawn before one is opened.
  await call.getByRole('button', { name: 'Try it out' }).click({ timeout: 40_000 });
  await call.getByRole('textbox').fill('{"name":"Made from the document","color":"blue"}');
  await call.getByRole('button', { name: 'Execute' }).click();
  await expect(call.locator('.live-responses-table .response .response-col_status')).toContainText('201');

  const calls = await countCalls(app.url.origin);
  // The page draws call after call, which takes a busy machine long.
  await expect.poll(async () => (await readCalls(page)).size, { timeout: 40_000 }).toBe(calls);
  await fits();

  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(isDark).toBe(false);
  await page.getByRole('button', { name: 'POST /webhook Takes' }).click();
  await expect(page.getByText('Names this delivery')).toBeVisible();
  await fits();
  expect(asked.length).toBeGreaterThan(4);
  expect(new Set(asked)).toEqual(new Set([app.url.origin]));
});
