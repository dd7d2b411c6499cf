import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { countPlaywright, countVitest } from './counts.ts';
import { STRAY_ERRORS_FILE } from './stray-errors.ts';

const file = (status: string, ...tests: string[]) => ({
  name: join(PROJECT_DIR, 'a.test.ts'),
  status,
  message: 'a module is missing\n    at a line',
  assertionResults: tests.map((name) => ({
    status: name,
    ancestorTitles: [],
    title: name,
    failureMessages: name === 'failed' ? ['was 1\nand more', 'was 2\nand more'] : [],
  })),
});

test('counts the tests of a vitest report', () => {
  const report = {
    testResults: [file('passed', 'passed', 'passed', 'skipped'), file('failed', 'passed', 'failed', 'todo')],
  };
  expect(countVitest(report)).toEqual({
    passed: 3,
    failed: 1,
    skipped: 2,
    failures: ['a.test.ts › failed: was 1\n    and more'],
    flaky: [],
  });
});

test('counts a test file that did not load as a failure', () => {
  expect(countVitest({ testResults: [file('failed')] })).toEqual({
    passed: 0,
    failed: 1,
    skipped: 0,
    failures: ['a.test.ts: a module is missing'],
    flaky: [],
  });
});

test('refuses what is not a report', () => {
  expect(() => countVitest({})).toThrow('testResults');
  expect(() => countPlaywright({ stats: {} })).toThrow('stats');
});

test('counts the tests of a Playwright report, stray errors as failures', () => {
  const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 2 };
  const late = {
    status: 'unexpected',
    results: [{ error: { message: 'was 1' } }, { error: { message: 'was 2\n\n    at a line' } }],
  };
  const suite = { title: 'a.spec.ts', file: 'a.spec.ts', specs: [{ title: 'is late', tests: [late] }] };
  expect(countPlaywright({ stats, errors: [{ message: 'no browser' }], suites: [suite] })).toEqual({
    passed: 6,
    failed: 2,
    skipped: 2,
    failures: ['a.spec.ts › is late: was 1', 'no browser'],
    flaky: [],
  });
});

/** Runs a program of the project in a folder with one file of tests, to whatever end; the folder, where it puts its reports. */
async function runIn(source: string, name: string, program: string, args: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-flaky-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await symlink(join(PROJECT_DIR, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, name), source);
  const env = {
    PATH: process.env['PATH'],
    TMPDIR: folder,
    PLAYWRIGHT_JSON_OUTPUT_FILE: join(folder, 'report.json'),
    [STRAY_ERRORS_FILE]: join(folder, 'stray.json'),
  };
  const module = join(PROJECT_DIR, 'node_modules', program);
  await promisify(execFile)(process.execPath, [module, ...args], { cwd: folder, env }).catch(() => undefined);
  return folder;
}

/** What that program reports. */
async function reportOf(...of: Parameters<typeof runIn>): Promise<unknown> {
  return JSON.parse(await readFile(join(await runIn(...of), 'report.json'), 'utf8'));
}

test('names what passed only at another attempt: vitest', async () => {
  const source = `import { describe, expect, test } from 'vitest';
    let attempts = 0;
    describe('a suite', () => test('is late', () => expect(++attempts).toBe(2)));
    test('is right', () => {});`;
  const args = ['run', '--retry=1', '--reporter=json', '--outputFile=report.json'];
  const counts = countVitest(await reportOf(source, 'late.test.js', 'vitest/vitest.mjs', args));
  expect(counts).toEqual({ passed: 2, failed: 0, skipped: 0, failures: [], flaky: [expect.any(String)] });
  expect(counts.flaky[0]).toMatch(/late\.test\.js › a suite › is late: AssertionError: expected 1 to be 2/);
});

test('names what was thrown outside of a test: vitest', async () => {
  const source = `import { test } from 'vitest';
    test('leaves work behind', () => void setTimeout(() => { throw new Error('nobody waits') }, 1));
    test('waits', () => new Promise((resolve) => setTimeout(resolve, 100)));`;
  const reporter = `--reporter=${join(PROJECT_DIR, 'scripts/test/stray-errors.ts')}`;
  const folder = await runIn(source, 'stray.test.js', 'vitest/vitest.mjs', ['run', reporter]);
  const strays: unknown = JSON.parse(await readFile(join(folder, 'stray.json'), 'utf8'));
  expect(strays).toEqual([expect.stringMatching(/stray\.test\.js › waits: nobody waits \(.*stray\.test\.js:2/)]);
});

test('names what passed only at another attempt: Playwright', async () => {
  const source = `const { expect, test } = require('@playwright/test');
    test.describe('a suite', () => test('is late', ({}, { retry }) => expect(retry).toBe(1)));
    test('is right', () => {});`;
  const args = ['test', '--retries=1', '--reporter=json'];
  const counts = countPlaywright(await reportOf(source, 'late.spec.cjs', '@playwright/test/cli.js', args));
  expect(counts).toEqual({ passed: 2, failed: 0, skipped: 0, failures: [], flaky: [expect.any(String)] });
  expect(counts.flaky[0]).toMatch(/^late\.spec\.cjs › a suite › is late: .*toBe/);
});
