/** `npm run screenshots`: writes the README's pictures: the inbox, from the real app filled by the demo, and the desktop app. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { ensureBrowser } from '#tests/support/browser.ts';
import { launchOnDouble } from '#tests/desktop/support/double-driver.ts';
import { type AppServer, startAppServer } from '#tests/e2e/support/app-server.ts';
import { createRandom } from './demo/random.ts';
import { nextRequest } from './demo/senders.ts';
import { PROJECT_DIR } from './ensure-web-build.ts';

const IMAGES_DIR = join(PROJECT_DIR, 'docs', 'images');
const THEMES = ['light', 'dark'] as const;

/** Another seed gives other alerts; this one has a bit of everything at the top. */
const SEED = 72;
const ALERTS = 40;
const ACCEPTED = 3;

async function fill(app: AppServer): Promise<void> {
  const random = createRandom(SEED);
  const ids: string[] = [];
  for (let count = 0; count < ALERTS; count += 1)
    ids.push(await app.post(JSON.parse(nextRequest(random, new Date()).body)));
  for (const id of ids.slice(0, ACCEPTED)) await app.admin.request('POST', `/api/alerts/${id}/accept`);
}

async function takePicture(browser: Browser, app: AppServer, theme: (typeof THEMES)[number]): Promise<string> {
  const context = await browser.newContext({
    baseURL: app.url.origin,
    colorScheme: theme,
    viewport: { width: 1440, height: 900 },
    storageState: app.storageState(),
  });
  const page = await context.newPage();
  await page.goto('/');
  await page.getByText('Connected').waitFor();
  await page.getByRole('button', { name: 'Accept' }).first().waitFor();
  const path = join(IMAGES_DIR, `inbox-${theme}.png`);
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  await context.close();
  return path;
}

/** The first page of the desktop app, from its own bundles on the double of Electron. */
async function takeDesktopPicture(browser: Browser): Promise<string> {
  execFileSync(process.execPath, [join(PROJECT_DIR, 'scripts', 'build-desktop.ts')], { stdio: 'inherit' });
  const userData = await mkdtemp(join(tmpdir(), 'alertdesk-picture-'));
  const context = await browser.newContext({ colorScheme: 'light', viewport: { width: 1000, height: 640 } });
  const { desktop } = launchOnDouble(context, { userData });
  const page = await desktop.page();
  await page.getByRole('heading', { name: 'Use this computer' }).waitFor();
  const path = join(IMAGES_DIR, 'desktop-first-start.png');
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  await desktop.quit();
  await context.close();
  await rm(userData, { recursive: true });
  return path;
}

await mkdir(IMAGES_DIR, { recursive: true });
const executablePath = await ensureBrowser();
const app = await startAppServer();
try {
  await fill(app);
  // Chromium refuses to run sandboxed as root.
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  for (const theme of THEMES) console.log(await takePicture(browser, app, theme));
  console.log(await takeDesktopPicture(browser));
  await browser.close();
} finally {
  await app.dispose();
}
// What the desktop app does every few hours goes on after its end on the double, which is no process of its own.
process.exit();
