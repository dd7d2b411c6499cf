import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);

const reportSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numFailedTestSuites: z.int(),
  testResults: z.array(
    z.object({
      /** Path of the file. */
      name: z.string(),
      status: z.string(),
      message: z.string(),
      startTime: z.number(),
      endTime: z.number(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

/** What vitest's JSON reporter says. Times are milliseconds. */
export type Report = z.infer<typeof reportSchema>;

/** Longest run of the tests of one mistake, in milliseconds. A loop that does not end is one that was noticed. */
export const TESTS_TIMEOUT = 180_000;

const PROJECTS = ['--project=unit', '--project=server-sqlite'];

/** So many files of tests run in one worker: others would load the same modules for a few seconds of tests. */
const FILES_OF_ONE_WORKER = 4;

/**
 * Runs tests in a copy of the project. Undefined when they did not end.
 *
 * @param files parts of paths, as vitest takes them
 * @param timeout in milliseconds
 * @param stopsAtFirst whether the first failure ends the run
 */
export async function runTests(
  folder: string,
  files: readonly string[],
  timeout: number = TESTS_TIMEOUT,
  stopsAtFirst: boolean = true,
): Promise<Report | undefined> {
  const report = join(folder, 'guards.json');
  await rm(report, { force: true });
  const vitest = join(folder, 'node_modules', 'vitest', 'vitest.mjs');
  const reporter = ['--reporter=json', `--outputFile=${report}`, ...(stopsAtFirst ? ['--bail=1'] : [])];
  // The project of components has a global set-up, which takes a moment also where none of its tests run.
  const projects = files.some((file) => file.startsWith('tests/components/'))
    ? [...PROJECTS, '--project=components']
    : PROJECTS;
  const workers = files.length <= FILES_OF_ONE_WORKER ? ['--maxWorkers=1'] : [];
  await run(process.execPath, [vitest, 'run', ...projects, ...reporter, ...workers, ...files], {
    cwd: folder,
    maxBuffer: 64 * 1024 ** 2,
    env: { ...process.env, CI: '' },
    timeout,
  }).catch(() => undefined);
  const text = await readFile(report, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : reportSchema.parse(JSON.parse(text));
}

/** Whether a test failed, a file did not load, or the tests did not end. */
export const isRed = (report: Report | undefined): boolean =>
  !report || report.numFailedTests > 0 || report.numFailedTestSuites > 0;

/** Names of the tests that failed, and of the files that did not load. */
export function failedOf(report: Report | undefined): string[] {
  if (!report) return ['They did not end.'];
  return report.testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      return failed.length === 0 ? [`${name}: ${message}`] : failed.map(({ fullName }) => `${name}: ${fullName}`);
    });
}

/** Runs something while a file has another text. */
export async function withText<Result>(path: string, text: string, work: () => Promise<Result>): Promise<Result> {
  const whole = await readFile(path, 'utf8');
  await writeFile(path, text);
  try {
    return await work();
  } finally {
    await writeFile(path, whole);
  }
}
