import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { WEB_DIR } from '#scripts/ensure-web-build.ts';
import { WAIT_FOR_FIRST_SCREEN } from './support/first-screen.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { card, connected } from './support/screen.ts';

test.use({ warm: false });

/** Notes what of `Intl` is made: the first of a kind takes a slow phone 50 to 80 ms. */
const NOTE_INTL = `
  window.intl = [];
  for (const name of ['DateTimeFormat', 'NumberFormat', 'Segmenter', 'RelativeTimeFormat', 'Collator'])
    Intl[name] = new Proxy(Intl[name], {
      apply: (target, self, given) => { window.intl.push(name); return Reflect.apply(target, self, given); },
      construct: (target, given) => { window.intl.push(name); return Reflect.construct(target, given); },
    });
  for (const [name, type] of [['toLocaleString', Number], ['toLocaleString', Date], ['localeCompare', String]]) {
    const known = type.prototype[name];
    type.prototype[name] = function (...given) { window.intl.push(name); return known.apply(this, given); };
  }
`;

test('what runs first is compiled beside the main thread', async () => {
  const files = (await readdir(join(WEB_DIR, 'assets'))).filter((name) => /\.(?:js|css)$/.test(name));
  const marked = [];
  for (const name of files)
    if ((await readFile(join(WEB_DIR, 'assets', name), 'utf8')).startsWith('//# allFunctionsCalledOnLoad\n'))
      marked.push(name.replace(/\..*\./, '.'));
  // In styles it would be no comment, and the first rule would be lost.
  expect(marked.toSorted()).toEqual(['login.js', 'main.js', 'second.js', 'third.js']);
});

test('the browser loads its calendar and its tables of characters after the first screen', async ({ app, openAs }) => {
  await app.post({ customer: 'Ärzte & Söhne', title: 'Disk full', occurrences: 1_200 });
  const page = await openAs(ADMINISTRATOR);
  await connected(page);
  await page.goto('about:blank');
  await page.addInitScript(WAIT_FOR_FIRST_SCREEN);
  await page.addInitScript(NOTE_INTL);
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  // The first screen is not complete before its numbers.
  await page.route('**/api/alerts/facets?*', async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto('/');
  await expect(card(page, 'Ärzte & Söhne')).toBeVisible();
  expect(await page.evaluate('window.intl')).toEqual([]);
  release();
  await expect.poll(() => page.evaluate('window.intl')).toContain('DateTimeFormat');
});
