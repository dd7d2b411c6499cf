import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { findBrowser, findHeadlessShell } from '#tests/support/browser.ts';

/**
 * What Chromium leaves out. It builds the suggestions of its address bar from a web page of their own in every context,
 * which costs more than the page under test, and starts a process for the next site, to which no test goes. Chromium
 * heeds only the last such list, so Playwright's own is repeated.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'LensOverlay',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'AimEnabled',
  'NetworkTimeServiceQuerying',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
];

const args = [
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
  // Chromium refuses to run sandboxed as root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

const launchOptions = (executablePath: string | undefined, more: readonly string[] = []) => ({
  args: [...args, ...more],
  ...(executablePath && { executablePath }),
});

/**
 * A browser without a window costs less; it has no notifications of its own. The pages of a context share a process
 * (`tests/e2e/support/warm-contexts.ts`).
 */
export const WITHOUT_WINDOW = {
  launchOptions: launchOptions(findHeadlessShell() ?? findBrowser(), ['--process-per-site']),
};

/**
 * Tests of what the service worker does. For all others it is kept out: calls that pass it are not seen by `page.route`,
 * from whatever moment on it takes over, and every browser would set it up for nothing.
 */
const WITH_SERVICE_WORKER = '**/{service-worker,push*,notification*,installable}.spec.ts';

/** Each worker has a server and a browser of its own, which take memory. */
const MOST_BROWSERS = 8;

/** Test, browser and server wait for each other: with a worker for each core a fifth of the processors' time is idle. */
const WORKERS_BESIDE_CORES = 1;

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results/e2e',
  fullyParallel: true,
  workers: Math.min(availableParallelism() + WORKERS_BESIDE_CORES, MOST_BROWSERS),
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: process.env['CI'] === 'true',
  projects: [
    { name: 'build', testMatch: 'build.setup.ts' },
    {
      name: 'web',
      testMatch: '**/*.spec.ts',
      testIgnore: WITH_SERVICE_WORKER,
      use: { serviceWorkers: 'block', ...WITHOUT_WINDOW },
      dependencies: ['build'],
    },
    { name: 'service-worker', testMatch: WITH_SERVICE_WORKER, dependencies: ['build'] },
  ],
  use: {
    browserName: 'chromium',
    launchOptions: launchOptions(findBrowser()),
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    actionTimeout: 20_000,
    // A trace costs a fifth of every test; `--trace=retain-on-failure` brings it where a failure needs a look.
    // Taken of failed tests by the fixtures: Playwright's own way takes one of every test, and drops those that passed.
    screenshot: 'off',
  },
});
