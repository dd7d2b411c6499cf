/** `npm run screenshots`: writes the README's pictures: the inbox, from the real app filled by the demo, and the desktop app. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { alertListSchema } from '#backend/contract/alert.ts';
import { ensureBrowser } from '#tests/support/browser.ts';
import { launchOnDouble } from '#tests/desktop/support/double-driver.ts';
import { type AppServer, startAppServer } from '#tests/e2e/support/app-server.ts';
import { createDemoSources } from './demo/demo-sources.ts';
import { createPoster } from './demo/post-alert.ts';
import { createRandom } from './demo/random.ts';
import { SENDER_NAMES, createStream } from './demo/senders.ts';
import type { SignedInClient } from './demo/signed-in-client.ts';
import { createTally } from './demo/tally.ts';
import { PROJECT_DIR } from './ensure-web-build.ts';

const IMAGES_DIR = join(PROJECT_DIR, 'docs', 'images');
const THEMES = ['light', 'dark'] as const;

/** Another seed gives other alerts; this one has a bit of everything at the top. */
const SEED = 783;
const ALERTS = 40;
const ACCEPTED = 3;

/** What the team has set up: a view for everybody, and a folder. */
const VIEW = { name: 'Urgent', isShared: true, list: 'inbox', search: 'severity:critical severity:high' };
const FOLDER = { name: 'Waiting for a customer', color: 'purple' };

/** Fills the inbox through the demo's own sources, as `npm run demo` does, and takes the oldest alerts. */
async function fill({ admin, url }: AppServer): Promise<void> {
  const sources = await createDemoSources(admin, SENDER_NAMES);
  const poster = createPoster({
    url,
    authenticate: sources.authenticate,
    connections: 1,
    tally: createTally(undefined),
    signal: new AbortController().signal,
  });
  const next = createStream(createRandom(SEED));
  for (let count = 0; count < ALERTS; count += 1) {
    const status = await poster.post(next(new Date()));
    if (status !== 202) throw new Error(`An alert was answered with ${status}.`);
  }
  poster.close();
  await ask(admin, 'POST', '/api/views', VIEW);
  await ask(admin, 'POST', '/api/folders', FOLDER);
  const oldest = await ask(admin, 'GET', `/api/alerts/inbox?sort=oldest&limit=${ACCEPTED}`);
  for (const { id } of alertListSchema.parse(await oldest.json())) await ask(admin, 'POST', `/api/alerts/${id}/accept`);
}

async function ask(client: SignedInClient, method: string, path: string, body?: unknown): Promise<Response> {
  const response = await client.request(method, path, body);
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}.`);
  return response;
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
  // What comes after the first screen.
  await page.getByRole('combobox', { name: 'Search alerts' }).waitFor();
  await page.getByRole('switch', { name: 'Notifications' }).waitFor();
  await page
    .getByRole('listitem')
    .filter({ hasText: /^Urgent.*\d/ })
    .waitFor();
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
