import { expect, test } from 'vitest';
import { FAILED, PASSED, SKIPPED } from './counts.ts';
import { describeRun } from './summary.ts';

const lint = { ...PASSED, name: 'lint', seconds: 1 };

test('names failed tests and says the sum in the last line, skipped tests only when there are any', () => {
  const browser = {
    name: 'browser',
    seconds: 2.04,
    passed: 4,
    failed: 1,
    skipped: 0,
    failures: ['b.spec.ts › opens: is 0'],
    flaky: [],
  };
  expect(describeRun([lint, browser])).toBe(
    '✓ lint: 1 passed, 0 failed (1.0 s)\n✗ browser: 4 passed, 1 failed (2.0 s)\n\nfailed\nb.spec.ts › opens: is 0\n\n5 passed, 1 failed',
  );
  const noDatabase = { ...SKIPPED, name: 'MariaDB', seconds: 0, problem: 'There is none.' };
  expect(describeRun([lint, noDatabase])).toBe(
    '✓ lint: 1 passed, 0 failed (1.0 s)\n– MariaDB: 0 passed, 0 failed, 1 skipped (0.0 s)\n  There is none.\n\n1 passed, 0 failed, 1 skipped',
  );
});

test('names flaky tests, which count as passed', () => {
  const server = {
    name: 'server',
    seconds: 3,
    passed: 7,
    failed: 0,
    skipped: 0,
    failures: [],
    flaky: ['a.test.ts › late: is 1'],
  };
  const text = describeRun([lint, server, { ...FAILED, name: 'bundles', seconds: 0 }]);
  expect(text).toMatch(/\n\nflaky: [^\n]+\na\.test\.ts › late: is 1\n\n8 passed, 1 failed$/);
});

test('says what a stage took of the processors, and what was not run', () => {
  const text = describeRun([{ ...lint, processorSeconds: 1.6 }], ['3 files of long faults']);
  expect(text).toBe(
    '✓ lint: 1 passed, 0 failed (1.0 s, 2 s of processor time)\n\nnot run\n3 files of long faults\n\n1 passed, 0 failed',
  );
});
