/** `npm run test:desktop`: the desktop app's specs, on real Electron where its binary can be had, else on the double. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { findElectron } from '#tests/desktop/support/find-electron.ts';
import { orRequired } from '#tests/support/find-program.ts';

/** How long a download of Electron may take, in milliseconds. */
const DOWNLOAD_TIMEOUT = 300_000;

function ensureElectron(): string | undefined {
  const present = findElectron();
  if (present) return present;
  console.log('Getting Electron for the specs …');
  const installer = join(PROJECT_DIR, 'node_modules', 'electron', 'install.js');
  spawnSync(process.execPath, [installer], { stdio: 'ignore', timeout: DOWNLOAD_TIMEOUT });
  return findElectron();
}

const usesDouble = process.argv.includes('--double');
const electron = usesDouble ? undefined : orRequired('electron', ensureElectron());
console.log(
  electron
    ? `The desktop specs run on Electron: ${electron}`
    : 'The desktop specs run on the double of Electron; this is no run of Electron itself.',
);
const cli = join(PROJECT_DIR, 'node_modules', '@playwright', 'test', 'cli.js');
const passedOn = process.argv.slice(2).filter((argument) => argument !== '--double');
const { status } = spawnSync(
  process.execPath,
  [cli, 'test', '--config=playwright.desktop.config.ts', '--reporter=list', ...passedOn],
  {
    cwd: PROJECT_DIR,
    stdio: 'inherit',
    env: { ...process.env, DESKTOP_DRIVER: electron ? 'electron' : 'double' },
  },
);
process.exitCode = status ?? 1;
