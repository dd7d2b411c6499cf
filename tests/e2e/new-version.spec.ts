import { cp, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRODUCT_VERSION } from '#backend/contract/product.ts';
import { serveWebBuild } from '#backend/http/web-build.ts';
import { WEB_DIR } from '#scripts/ensure-web-build.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { expect, test } from './support/fixtures.ts';
import { cookiesOf } from './support/pushing.ts';
import { BESIDE_THE_APP, accountButton, connected, navigation } from './support/screen.ts';

let folder: string;
let server: TestServer;
let mara: TestClient;
let builds = 1_763_700_000;

test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alertdesk-web-'));
  await cp(WEB_DIR, folder, { recursive: true });
  server = await startTestServer({}, { webApp: serveWebBuild(folder) });
  mara = await server.signedIn({ displayName: 'Mara Lindqvist' });
});
test.afterEach(async () => {
  await server.destroy();
  await rm(folder, { recursive: true });
});

const session = () => ({
  baseURL: new URL(server.url).origin,
  storageState: { cookies: cookiesOf(mara), origins: [] },
});

/** Takes away every script that comes after the first screen, as an upgrade does. Returns what brings them back. */
async function removeLazyFiles(): Promise<() => Promise<void>> {
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const assets = join(folder, 'assets');
  const lazy = (await readdir(assets)).filter((name) => {
    const [file = ''] = /^.*?\.(?:js|css)/.exec(name) ?? [];
    return file !== '' && !page.includes(file) && !name.startsWith('second.');
  });
  await Promise.all(lazy.map((name) => rm(join(assets, name))));
  await touch();
  return async () => {
    await Promise.all(lazy.map((name) => cp(join(WEB_DIR, 'assets', name), join(assets, name))));
    await touch();
  };
}

/** As another build: the server reads again which files there are. */
async function touch(): Promise<void> {
  builds += 1;
  await utimes(join(folder, 'index.html'), builds, builds);
}

test('a screen whose file is gone after an upgrade offers the new version, and the rest of the app stays', async ({
  browser,
}) => {
  const bringBack = await removeLazyFiles();
  // A browser of its own: it complains of the files that are not there.
  const page = await (await browser.newContext(session())).newPage();
  await page.goto('/');
  await connected(page);
  await navigation(page, 'My Alerts').click();
  await expect(page.getByRole('heading', { name: 'A new version is available' })).toBeVisible();
  await expect(navigation(page, 'New Alerts')).toBeVisible();
  // Not the page either that says it stopped working.
  await expect(page.getByText('This page stopped working')).toHaveCount(0);

  await navigation(page, 'New Alerts').click();
  await expect(page.getByText('All caught up!')).toBeVisible();
  await navigation(page, 'My Alerts').click();
  await bringBack();
  await page.getByRole('button', { name: 'Reload' }).first().click();
  await expect(page.getByText('No alerts yet')).toBeVisible();
  await page.context().close();
});

test('a menu whose file is gone leaves the screen as it is, and says that there is a new version', async ({
  browser,
}) => {
  await removeLazyFiles();
  const page = await (await browser.newContext(session())).newPage();
  await page.goto('/');
  await connected(page);
  await accountButton(page, { email: '' }).first().click();
  await expect(page.getByText('A new version is available').first()).toBeVisible();
  await expect(page.getByText('All caught up!')).toBeVisible();
  await page.context().close();
});

test('a file that could not be fetched once is fetched again', async ({ open }) => {
  const page = await open(BESIDE_THE_APP, session());
  const failed = new Set<string>();
  // All but what the page itself names.
  const html = await readFile(join(folder, 'index.html'), 'utf8');
  await page.route('**/assets/*.js', (route) => {
    const { pathname } = new URL(route.request().url());
    if (html.includes(pathname) || failed.has(pathname)) return route.continue();
    failed.add(pathname);
    return route.abort('connectionreset');
  });
  await page.goto('/settings');
  await expect(page.getByRole('heading', { name: /^Settings/ })).toBeVisible();
  expect(failed.size).toBeGreaterThan(0);
});

test('a server of another version is offered to the open page', async ({ open }) => {
  // The page of the version before: as it was built, but for its number.
  for (const name of await readdir(join(folder, 'assets'))) {
    const file = join(folder, 'assets', name);
    if (/\.js\.(?:br|gz)$/.test(name)) await rm(file);
    else if (name.endsWith('.js')) {
      const script = await readFile(file, 'utf8');
      await writeFile(file, script.replaceAll(PRODUCT_VERSION, '1.0.2'));
    }
  }
  const page = await open('/', session());
  // Nothing is kept by the browser: the second file has one name here in both versions, which no two builds give it.
  await page.route('**/assets/second.*', (route) => route.continue());
  await expect(page.getByText('A new version is available')).toBeVisible();
  // Nothing that is open is thrown away: the page loads again when it is asked to.
  await expect(page.getByText('All caught up!')).toBeVisible();
  // The browser keeps assets for a year: the new version has others.
  for (const name of await readdir(join(folder, 'assets'))) {
    const file = join(folder, 'assets', name);
    if (!name.endsWith('.js')) continue;
    const script = await readFile(join(WEB_DIR, 'assets', name));
    for (const next of [file.replace(/\.js$/, '.next.js'), ...(name.startsWith('second.') ? [file] : [])])
      await writeFile(next, script);
  }
  const html = await readFile(join(folder, 'index.html'), 'utf8');
  await writeFile(join(folder, 'index.html'), html.replaceAll(/\.js(?=[\s>"])/g, '.next.js'));
  await Promise.all(['br', 'gz'].map((twin) => rm(join(folder, `index.html.${twin}`), { force: true })));
  await touch();
  await page.getByRole('button', { name: 'Reload' }).click();
  await connected(page);
  await expect(page.getByText('A new version is available')).toHaveCount(0);
});
