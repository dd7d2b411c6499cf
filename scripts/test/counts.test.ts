import { expect, test } from 'vitest';
import { addCounts, countPlaywright, countVitest, describeCounts } from './counts.ts';

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((name) => ({ status: name })),
});

test('counts the tests of a vitest report', () => {
  const report = {
    testResults: [file('passed', 'passed', 'passed', 'skipped'), file('failed', 'passed', 'failed', 'todo')],
  };
  expect(countVitest(report)).toEqual({ passed: 3, failed: 1, skipped: 2 });
});

test('counts a test file that did not load as a failure', () => {
  expect(countVitest({ testResults: [file('failed')] })).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test('refuses what is not a report', () => {
  expect(() => countVitest({})).toThrow('testResults');
  expect(() => countPlaywright({ stats: {} })).toThrow('stats');
});

test('counts the tests of a Playwright report, flaky and stray errors as failures', () => {
  const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 2 };
  expect(countPlaywright({ stats, errors: [{}] })).toEqual({ passed: 5, failed: 3, skipped: 2 });
});

test('says the sum in one line, skipped tests only when there are any', () => {
  const stages = [
    { passed: 3, failed: 0, skipped: 0 },
    { passed: 4, failed: 1, skipped: 0 },
  ];
  expect(describeCounts(addCounts(stages))).toBe('7 passed, 1 failed');
  expect(describeCounts(addCounts([...stages, { passed: 0, failed: 0, skipped: 2 }]))).toBe(
    '7 passed, 1 failed, 2 skipped',
  );
});
