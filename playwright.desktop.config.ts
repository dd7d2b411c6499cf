import { defineConfig } from '@playwright/test';
import webConfig, { WITHOUT_WINDOW } from './playwright.config.ts';

/** The desktop app's specs, on the double of Electron (docs/testing.md). */
export default defineConfig({
  ...webConfig,
  testDir: 'tests/desktop',
  outputDir: 'test-results/desktop',
  projects: [
    { name: 'build', testMatch: 'build.setup.ts' },
    { name: 'double', testMatch: '**/*.spec.ts', dependencies: ['build'], use: WITHOUT_WINDOW },
  ],
});
