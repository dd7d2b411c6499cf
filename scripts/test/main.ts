/**
 * `npm test`: fetches what the tests need, runs all of them but the long ones, ends with one line `N passed, N failed`.
 * `--only=check|server|builds|browser|desktop` runs a part. `npm run test:long` is `--long`: every test of servers and every fault, on both databases, and longer.
 */
import { constants, globSync } from 'node:fs';
import { access, mkdir, readFile, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { BrowserMissingError, ensureBrowser, hasBrowsers } from '#tests/support/browser.ts';
import { ENDED_DATABASES_FILE } from '#tests/support/provide-mariadb.ts';
import { MariaDbMissingError, ensureMariaDb, hasMariaDb } from '#tests/support/mariadb.ts';
import { LONG_FAULTS, ON_ONE_DATABASE } from '#tests/support/what-runs-where.ts';
import { FAILED, SKIPPED, addCounts, countPlaywright, countVitest } from './counts.ts';
import { type Stage, type StageResult, runStage } from './run-stage.ts';
import { STRAY_ERRORS_FILE } from './stray-errors.ts';
import { describeRun } from './summary.ts';

const isCi = process.env['CI'] === 'true';

/** With `--changed` only the tests that import what differs from main. */
const isChangedOnly = process.argv.includes('--changed');
/** Every test of servers and every fault on both databases, each as long as somebody who is away can wait. */
const isLong = process.argv.includes('--long');
const LONG = {
  TEST_LONG: '1',
  FUZZ_SECONDS: '10',
  OVERLOAD_SECONDS: '60',
  CLUSTER_MINUTES: '10',
  HALF_OPEN_SECONDS: '9',
};

const vitestChoice = isChangedOnly ? ['--changed=main', '--passWithNoTests'] : [];
const playwrightChoice = isChangedOnly ? ['--only-changed=main', '--pass-with-no-tests'] : [];

/**
 * In CI, whose machine may stall, a failed test has two more attempts; the summary names those that needed one. Vitest's is in
 * its configuration.
 */
const playwrightRetry = isCi ? ['--retries=2'] : [];

const reports = join(PROJECT_DIR, 'test-results');
const vitestReport = join(reports, 'vitest.json');
const buildsReport = join(reports, 'builds.json');
const playwrightReport = join(reports, 'playwright.json');
const desktopReport = join(reports, 'desktop.json');

const checks: Stage[] = [
  { name: 'types', program: 'node_modules/typescript/bin/tsc', args: ['-p', 'tsconfig.json'] },
  { name: 'types of the web app', program: 'node_modules/typescript/bin/tsc', args: ['-p', 'renderer/tsconfig.json'] },
  {
    name: 'types of its tests',
    program: 'node_modules/typescript/bin/tsc',
    args: ['-p', 'tests/components/tsconfig.json'],
  },
  { name: 'lint', program: 'node_modules/oxlint/bin/oxlint', args: ['--deny-warnings'] },
  { name: 'format', program: 'node_modules/oxfmt/bin/oxfmt', args: ['--check', '.'] },
];

/** The web app, the embedded server and the desktop app, which browser and desktop tests run. */
const bundles: Stage = { name: 'bundles', program: 'scripts/build-desktop.ts', args: [] };

/** A stage of the projects of vitest that `projects` chooses. */
const vitestStage = (name: string, projects: string, report: string): Stage => ({
  name,
  program: 'node_modules/vitest/vitest.mjs',
  args: [
    'run',
    `--project=${projects}`,
    '--reporter=default',
    '--reporter=json',
    '--reporter=./scripts/test/stray-errors.ts',
    `--outputFile.json=${report}`,
    ...vitestChoice,
  ],
  env: { [STRAY_ERRORS_FILE]: `${report}.stray` },
  report: { file: report, count: countVitest, mayBeEmpty: isChangedOnly, strayErrors: `${report}.stray` },
});

const unitAndServer = vitestStage('unit, server and fault tests', '!builds', vitestReport);

const longTests: Stage = {
  ...vitestStage('every server and fault test, on both databases', '{server,faults}-*', vitestReport),
  env: { ...unitAndServer.env, ...LONG, ...process.env },
};

/** Tests of what ships in the desktop app, for which parts of it are built once more. */
const builds = vitestStage('what ships in the desktop app', 'builds', buildsReport);

const endToEnd: Stage = {
  name: 'tests in the browser',
  program: 'node_modules/@playwright/test/cli.js',
  args: ['test', '--reporter=list,json', ...playwrightRetry, ...playwrightChoice],
  env: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport },
  report: { file: playwrightReport, count: countPlaywright, mayBeEmpty: isChangedOnly },
};

const desktop: Stage = {
  name: 'the desktop app on a double of Electron',
  program: 'node_modules/@playwright/test/cli.js',
  args: [
    'test',
    '--config=playwright.desktop.config.ts',
    '--reporter=list,json',
    ...playwrightRetry,
    ...playwrightChoice,
  ],
  env: { PLAYWRIGHT_JSON_OUTPUT_FILE: desktopReport },
  report: { file: desktopReport, count: countPlaywright, mayBeEmpty: isChangedOnly },
};

/** Fetches what is not there; a sentence when it is not to be had. */
async function lacks(
  name: string,
  isAvailable: () => boolean,
  fetch: () => Promise<unknown>,
): Promise<string | undefined> {
  try {
    if (isAvailable()) return undefined;
    console.log(`Getting ${name} for the tests …`);
    await fetch();
    return undefined;
  } catch (error) {
    if (error instanceof BrowserMissingError || error instanceof MariaDbMissingError) return error.message;
    throw error;
  }
}

/** Memory file system of Linux, and how much space the tests' databases and browser profiles take on it, in bytes. */
const MEMORY_FOLDER = '/dev/shm';
const MEMORY_WANTED = 4 * 1024 ** 3;

/**
 * Puts temporary data into memory where there is space: servers and browsers start on fresh data hundreds of times, and
 * on a disk that is a large part of the time. Set TMPDIR to choose another folder.
 */
async function useFastTemporaryFolder(): Promise<void> {
  if (process.env['TMPDIR']) return;
  try {
    await access(MEMORY_FOLDER, constants.W_OK);
    const { bavail, bsize } = await statfs(MEMORY_FOLDER);
    if (bavail * bsize >= MEMORY_WANTED) process.env['TMPDIR'] = MEMORY_FOLDER;
  } catch {
    // There is no such folder: the system's own temporary folder is used.
  }
}

/** Counts for tests that could not run: skipped, and under CI=true a failure, so that CI never passes unseen holes. */
const missing = (name: string, problem: string): StageResult => ({
  ...(isCi ? FAILED : SKIPPED),
  name,
  seconds: 0,
  problem,
});

async function show(stage: Stage): Promise<StageResult> {
  console.log(`\n── ${stage.name}`);
  return runStage(stage);
}

/** Builds the bundles, then runs the tests of builds, which would else build them, too. */
async function buildAndTest(): Promise<StageResult[]> {
  const bundled = isChangedOnly ? [] : [await runStage(bundles)];
  return [...bundled, await runStage(builds)];
}

const countFiles = (patterns: readonly string[]): number => globSync(patterns, { cwd: PROJECT_DIR }).length;

/** What this run leaves out on purpose, in sentences. */
const describeLeft = (part: Part | undefined): string[] =>
  isLong || isChangedOnly || (part ?? 'server') !== 'server'
    ? []
    : [
        `${countFiles(LONG_FAULTS)} files of long faults, and ${countFiles(ON_ONE_DATABASE)} files of server tests on MariaDB: "npm run test:long"`,
      ];

/** What `--only` chooses, each with its stages. Together they are what `npm test` runs. */
const PARTS = {
  check: () => runInTurn(checks),
  server: () => runInTurn([unitAndServer]),
  builds: buildAndTest,
  browser: () => runInTurn([bundles, endToEnd]),
  desktop: () => runInTurn([bundles, desktop]),
};
type Part = keyof typeof PARTS;

/** The part that `--only=` names; undefined without it. */
function readPart(): Part | undefined {
  const named = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length);
  if (named === undefined) return undefined;
  const part = (Object.keys(PARTS) as Part[]).find((name) => name === named);
  if (part) return part;
  throw new Error(`--only is "${named}", but allowed are ${Object.keys(PARTS).join(', ')}.`);
}

async function runInTurn(stages: readonly Stage[]): Promise<StageResult[]> {
  const results: StageResult[] = [];
  for (const stage of stages) results.push(await show(stage));
  return results;
}

/** Stages that need a browser. */
const look = (stages: readonly Stage[], noBrowser: string | undefined): Promise<StageResult[]> | StageResult[] =>
  noBrowser ? stages.map(({ name }) => missing(name, noBrowser)) : runInTurn(stages);

async function runAll(noBrowser: string | undefined): Promise<StageResult[]> {
  const checked = await PARTS.check();
  // A build keeps one core busy, and the tests beside it wait a lot. Browsers leave nothing idle.
  const tested = await Promise.all([PARTS.server(), buildAndTest()]);
  return [...checked, ...tested.flat(), ...(await look([endToEnd, desktop], noBrowser))];
}

async function main(): Promise<void> {
  const part = readPart();
  await useFastTemporaryFolder();
  await mkdir(reports, { recursive: true });
  await rm(ENDED_DATABASES_FILE, { force: true });
  const usesDatabase = isLong || part === undefined || part === 'server';
  const usesBrowser = !isLong && (part === undefined || part === 'browser' || part === 'desktop');
  const noMariaDb = usesDatabase ? await lacks('a MariaDB server', hasMariaDb, ensureMariaDb) : undefined;
  const noBrowser = usesBrowser ? await lacks('a browser', hasBrowsers, ensureBrowser) : undefined;

  const results = isLong ? await runInTurn([longTests]) : await (part ? PARTS[part]() : runAll(noBrowser));
  if (noMariaDb) results.push(missing('server tests on MariaDB', noMariaDb));
  if (part && noBrowser) results.push(missing('a browser', noBrowser));

  const endedDatabases = await readFile(ENDED_DATABASES_FILE, 'utf8').catch(() => '');
  console.log(`\n${endedDatabases}${describeRun(results, describeLeft(part))}`);
  process.exitCode = addCounts(results).failed > 0 ? 1 : 0;
}

await main();
