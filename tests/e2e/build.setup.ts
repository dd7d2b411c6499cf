import { expect, test } from '@playwright/test';
import { ensureWebBuild, isWebBuildFresh } from '#scripts/ensure-web-build.ts';

// Once, before the workers start their servers at once.
test('the web app builds', async () => {
  test.setTimeout(300_000);
  await ensureWebBuild();
  expect(await isWebBuildFresh()).toBe(true);
});
