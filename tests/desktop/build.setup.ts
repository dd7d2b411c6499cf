import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test as setup } from '@playwright/test';
import { PROJECT_DIR, ensureWebBuild } from '#scripts/ensure-web-build.ts';

setup('the bundles that ship are built', async () => {
  setup.setTimeout(180_000);
  await ensureWebBuild();
  execFileSync(process.execPath, [join(PROJECT_DIR, 'scripts', 'build-desktop.ts')], { stdio: 'inherit' });
});
