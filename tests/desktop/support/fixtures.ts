import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type Page, test as base, expect } from '@playwright/test';
import { ADMIN } from '#tests/support/server-process.ts';
import type { Launch } from './desktop.ts';
import { type DoubleDesktop, launchOnDouble } from './double-driver.ts';

export { expect };

interface Fixtures {
  /** A data folder that is removed after the test. */
  userData: string;
  /** What the app's pages keep: cookies and storage outlive a restart of the app, as they do on a disk. */
  profile: BrowserContext;
  /** Starts the app; it is quit at the test's end, and an error that nobody caught fails the test. */
  launch: (options?: Launch) => Promise<DoubleDesktop>;
}

export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are needed from the pattern
  userData: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'alertdesk-desktop-'));
    await use(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  },

  profile: async ({ browser }, use) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await use(context);
    await context.close();
  },

  launch: async ({ userData, profile }, use, testInfo) => {
    // Handed on to the embedded server, whose password would else be known to its own output only.
    process.env['ADMIN_PASSWORD'] = ADMIN.password;
    const running: DoubleDesktop[] = [];
    await use(async (options = {}) => {
      const desktop = launchOnDouble(profile, { userData, ...options });
      running.push(desktop);
      await desktop.double.world.app.whenReady();
      return desktop;
    });
    for (const desktop of running) await desktop.quit();
    const log = running.map(({ double }) => double.world.output.join('')).join('\n');
    await testInfo.attach('log', { body: log, contentType: 'text/plain' });
    expect(running.flatMap(({ double }) => double.world.errors)).toEqual([]);
  },
});

/** Chooses the embedded server at the first start and signs in. */
export async function useThisComputer(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use this computer' }).click();
  await signIn(page);
}

/** How long a server may take to make its database and the first administrator on a busy machine, in milliseconds. */
const FIRST_START = 40_000;

/** Signs the administrator in on the sign-in page. */
export async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').waitFor({ timeout: FIRST_START });
  await page.getByLabel('Email').fill(ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByText('Connected', { exact: true }).waitFor();
}
