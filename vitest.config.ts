import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { COMPILE_CACHE_DIR } from '#scripts/ensure-web-build.ts';
import { bundledLibraries } from '#tests/support/bundled-libraries.ts';
import { LongFirst } from '#tests/support/long-first.ts';
import { hasMariaDb } from '#tests/support/mariadb.ts';
import { styleModules } from '#tests/support/style-modules.ts';
import { LONG_FAULTS, ON_ONE_DATABASE, RUNS_LONG } from '#tests/support/what-runs-where.ts';

// Servers that tests start have threads and processes, which would each read the same sources again.
process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE_DIR;

const FOLDERS = '{backend,electron,renderer,scripts,tests,bench}';
const ELSEWHERE = ['**/node_modules/**', 'dist/**', 'data/**', 'tests/e2e/**', 'tests/desktop/**/*.spec.ts'];

/** Screens and parts of them, in a DOM without a browser. */
const COMPONENTS = 'tests/components/**/*.test.tsx';

/** Measures processor time. */
const COSTS = 'bench/costly-bodies.test.ts';

/**
 * Tests against a real server wait for bcrypt, sockets and a database. A virtual machine that shares its processors and its
 * memory can take four times as long as a quiet one.
 */
const SERVER_TIMEOUT = 60_000;
const FAULT_TIMEOUT = 180_000;

/** For what is waited for, as in the browser: a busy machine takes longer than Vitest's second. */
const EXPECT = { poll: { timeout: 20_000 } };

/** What was expected is in the summary whole: what fails once in a hundred runs cannot be looked at again. */
const CHAI = { truncateThreshold: 2_000 };

/**
 * In CI, whose machine may stall, a failed test runs again, at most twice, and is named in the summary. Not where faults
 * are provoked: what is lost once is lost.
 */
const RETRIES = process.env['CI'] === 'true' ? 2 : 0;

/**
 * How many files run side by side. What waits for timers, sockets and bcrypt leaves processors idle, so there are more than
 * cores; tests on MariaDB share one server, which answers in time for one more alone.
 */
const CORES = availableParallelism();
const WORKERS = { inMemory: CORES + 2, sqlite: CORES + 4, mysql: CORES + 1 };

/** One kind of test on one database; `TEST_DIALECT` names it to the tests. */
const onDatabase = (name: string, include: string, dialect: 'sqlite' | 'mysql', testTimeout: number) => ({
  test: {
    name: `${name}-${dialect === 'mysql' ? 'mariadb' : dialect}`,
    // Faults load the machine more than others should feel.
    maxWorkers: name === 'faults' ? WORKERS.mysql : WORKERS[dialect],
    include: [include],
    exclude: RUNS_LONG ? ELSEWHERE : [...ELSEWHERE, ...LONG_FAULTS, ...(dialect === 'mysql' ? ON_ONE_DATABASE : [])],
    env: { TEST_DIALECT: dialect },
    setupFiles: ['tests/support/choose-database.ts', 'tests/support/draw-again.ts'],
    globalSetup: dialect === 'mysql' ? ['tests/support/provide-mariadb.ts'] : [],
    // Files share the modules that they load: loading them again takes a third of the processor time.
    isolate: false,
    retry: name === 'faults' ? 0 : RETRIES,
    // Projects with other numbers of workers come one after the other, faults last.
    sequence: { groupOrder: name === 'faults' ? 3 : dialect === 'mysql' ? 2 : 1 },
    testTimeout,
    hookTimeout: testTimeout,
    expect: EXPECT,
    chaiConfig: CHAI,
  },
});

// Without a server, under CI=true its set-up fails; elsewhere its tests are left out, and this says so.
const runsOnMariaDb = hasMariaDb() || process.env['CI'] === 'true';
if (!runsOnMariaDb) {
  console.warn('Tests on MariaDB are skipped: there is no MariaDB or MySQL server here (see "npm test").');
}
const dialects = runsOnMariaDb ? (['sqlite', 'mysql'] as const) : (['sqlite'] as const);

export default defineConfig({
  test: {
    maxWorkers: WORKERS.inMemory,
    sequence: { sequencer: LongFirst },
    projects: [
      {
        plugins: [styleModules(), bundledLibraries()],
        test: {
          name: 'unit',
          retry: RETRIES,
          setupFiles: ['tests/support/draw-again.ts'],
          isolate: false,
          // Some start processes, such as npm, on a busy machine.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: EXPECT,
          chaiConfig: CHAI,
          include: [`${FOLDERS}/**/*.test.{ts,tsx}`],
          exclude: [...ELSEWHERE, COSTS, COMPONENTS, '**/*.server.test.ts', '**/*.fault.test.ts', '**/*.build.test.ts'],
        },
      },
      {
        // What is read after thousands of other bodies is read by slower code: this measures fresh modules.
        test: { name: 'costs', retry: RETRIES, testTimeout: 60_000, include: [COSTS] },
      },
      {
        plugins: [styleModules(), bundledLibraries()],
        test: {
          name: 'components',
          retry: RETRIES,
          include: [COMPONENTS],
          environment: 'jsdom',
          // A page is made and thrown away for each test: with V8's own 16 MiB for young objects, collecting them takes a tenth of
          // the time.
          execArgv: ['--max-semi-space-size=64'],
          setupFiles: ['tests/components/support/dom.ts'],
          globalSetup: ['tests/components/support/end-servers.ts'],
          // Loading the app takes longer than all that a file does with it.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: EXPECT,
          chaiConfig: CHAI,
        },
      },
      ...dialects.map((dialect) => onDatabase('server', `${FOLDERS}/**/*.server.test.ts`, dialect, SERVER_TIMEOUT)),
      ...dialects.map((dialect) => onDatabase('faults', 'tests/faults/**/*.fault.test.ts', dialect, FAULT_TIMEOUT)),
      {
        test: {
          name: 'builds',
          retry: RETRIES,
          include: ['scripts/desktop/**/*.build.test.ts'],
          // One after the other: each builds the web app first when it is stale.
          maxWorkers: 1,
          // Of its own, as the number of workers is. "npm test" runs it beside the others, once the web app is built.
          sequence: { groupOrder: 4 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: EXPECT,
          chaiConfig: CHAI,
        },
      },
    ],
  },
});
