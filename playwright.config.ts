import { defineConfig } from '@playwright/test';
import { findBrowser, findHeadlessShell } from '#tests/support/browser.ts';

/** Chromium refuses to run sandboxed as root. */
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

const launchOptions = (executablePath: string | undefined) => ({ args, ...(executablePath && { executablePath }) });

/**
 * Tests of what the service worker does. For all others it is kept out: calls that pass it are not seen by `page.route`,
 * from whatever moment on it takes over, and every browser would set it up for nothing.
 */
const WITH_SERVICE_WORKER = '**/{service-worker,push*,notification*,installable}.spec.ts';

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results/e2e',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: process.env['CI'] === 'true',
  projects: [
    { name: 'build', testMatch: 'build.setup.ts' },
    {
      name: 'web',
      testMatch: '**/*.spec.ts',
      testIgnore: WITH_SERVICE_WORKER,
      use: { serviceWorkers: 'block', launchOptions: launchOptions(findHeadlessShell() ?? findBrowser()) },
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
    actionTimeout: 10_000,
    // A trace costs a fifth of every test; `--trace=retain-on-failure` brings it where a failure needs a look.
    screenshot: 'only-on-failure',
  },
});
