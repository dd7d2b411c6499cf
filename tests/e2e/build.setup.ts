import { expect, test } from '@playwright/test';
import { ensureServerBuild } from '#scripts/desktop/build-server.ts';
import { isWebBuildFresh } from '#scripts/ensure-web-build.ts';

// Once, before the workers start their servers at once.
test('the server builds, with the web app', async () => {
  test.setTimeout(300_000);
  await ensureServerBuild();
  expect(await isWebBuildFresh()).toBe(true);
});
