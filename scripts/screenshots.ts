/** `npm run screenshots`: writes the README's pictures of the inbox, taken from the real app filled by the demo. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { ensureBrowser } from '#tests/support/browser.ts';
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

await mkdir(IMAGES_DIR, { recursive: true });
const executablePath = await ensureBrowser();
const app = await startAppServer();
try {
  await fill(app);
  // Chromium refuses to run sandboxed as root.
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  for (const theme of THEMES) console.log(await takePicture(browser, app, theme));
  await browser.close();
} finally {
  await app.dispose();
}
