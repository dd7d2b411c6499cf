import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { chromium } from '@playwright/test';
import { findProgram, isProgram } from './find-program.ts';
import { type PackageNames, installHint, installPackage, mayInstall } from './install-package.ts';

const PACKAGES: PackageNames = {
  'apt-get': [['chromium', 'chromium-headless-shell'], ['chromium'], ['chromium-browser']],
  dnf: [['chromium']],
  brew: [['--cask', 'chromium']],
};

/** Debian's alone has it apart. */
const HEADLESS_SHELL: PackageNames = { 'apt-get': [['chromium-headless-shell']] };

const NAMES = [
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'chromium',
  'chromium-browser',
  'microsoft-edge-stable',
  'microsoft-edge',
  'msedge',
];

const PROGRAM_FILES = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => process.env[name] ?? []);

const FOLDERS: readonly string[] = {
  darwin: ['/Applications/Google Chrome.app', '/Applications/Chromium.app', '/Applications/Microsoft Edge.app'].map(
    (app) => join(app, 'Contents', 'MacOS'),
  ),
  win32: PROGRAM_FILES.flatMap((folder) => [
    join(folder, 'Google', 'Chrome', 'Application'),
    join(folder, 'Microsoft', 'Edge', 'Application'),
  ]),
}[process.platform as string] ?? ['/usr/bin', '/usr/local/bin', '/snap/bin'];

const MAC_NAMES = ['Google Chrome', 'Chromium', 'Microsoft Edge'];

/** How long a download of the browser may take, in milliseconds. */
const DOWNLOAD_TIMEOUT = 300_000;

/** No browser is there and none may be installed; the message says what to do. */
export class BrowserMissingError extends Error {}

/**
 * Path of the browser for the tests: CHROME_PATH, an installed Chrome, Chromium or Edge, or what Playwright has
 * downloaded, in this order. Undefined when there is none.
 *
 * @throws {BrowserMissingError} when CHROME_PATH names no program
 */
export function findBrowser(): string | undefined {
  const chosen = process.env['CHROME_PATH'];
  if (chosen && !isProgram(chosen)) {
    throw new BrowserMissingError(`CHROME_PATH names ${chosen}, which is not a program that can be run.`);
  }
  return chosen || findProgram([...NAMES, ...MAC_NAMES], FOLDERS) || downloaded();
}

/**
 * Path of the browser without a window of its own, which takes less processor time; undefined when there is
 * none, or CHROME_PATH names a browser. It has no notifications, so tests of these run in {@link findBrowser}'s.
 */
export const findHeadlessShell = (): string | undefined =>
  process.env['CHROME_PATH'] ? undefined : findProgram(['chrome-headless-shell', 'chromium-headless-shell'], FOLDERS);

/** Whether nothing needs to be fetched: a browser is there, and the one without a window where it may be installed. */
export const hasBrowsers = (): boolean =>
  findBrowser() !== undefined && (!!process.env['CHROME_PATH'] || !mayInstall() || findHeadlessShell() !== undefined);

const downloaded = (): string | undefined => [chromium.executablePath()].find(isProgram);

/**
 * {@link findBrowser}, or else fetches one: Playwright's own download, then the system's package manager when allowed. Beside
 * a browser that is there it only tries to add {@link findHeadlessShell}'s.
 *
 * @throws {BrowserMissingError} when there is none and none can be had
 */
export async function ensureBrowser(): Promise<string> {
  const present = findBrowser();
  if (present) {
    if (!hasBrowsers()) await installPackage(HEADLESS_SHELL);
    return present;
  }
  if (download() || (await installPackage(PACKAGES))) {
    const installed = findBrowser();
    if (installed) return installed;
  }
  throw new BrowserMissingError(
    `There is no browser here and none could be downloaded: ${installHint(PACKAGES)}, or set CHROME_PATH to a Chrome, Chromium or Edge.`,
  );
}

/** Playwright's own Chromium; true when it is there afterwards and runs. */
function download(): boolean {
  const cli = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');
  const isRoot = process.getuid?.() === 0;
  const dependencies = mayInstall() && isRoot && process.platform === 'linux' ? ['--with-deps'] : [];
  const options = { stdio: 'ignore', timeout: DOWNLOAD_TIMEOUT } as const;
  spawnSync(process.execPath, [cli, 'install', ...dependencies, 'chromium'], options);
  const path = downloaded();
  return path !== undefined && spawnSync(path, ['--version'], options).status === 0;
}
