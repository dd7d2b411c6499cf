import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { LONG_FILES } from './long-first.ts';
import { LONG_FAULTS, ON_ONE_DATABASE } from './what-runs-where.ts';

/** `a/{b,c}.ts` as `a/b.ts` and `a/c.ts`. */
const spelledOut = (pattern: string): string[] => {
  const {
    before = '',
    names = '',
    after = '',
  } = /^(?<before>.*)\{(?<names>.*)\}(?<after>.*)$/.exec(pattern)?.groups ?? {};
  return names === '' ? [pattern] : names.split(',').map((name) => before + name + after);
};

test.each([
  ['on one database', ON_ONE_DATABASE, /\.(?:server|fault)\.test\.ts$/],
  ['long faults', LONG_FAULTS, /\.fault\.test\.ts$/],
  ['first, because they take long', LONG_FILES, /\.test\.tsx?$/],
])('every name of the table is a file: %s', (_what, patterns, ending) => {
  const files = globSync(patterns, { cwd: PROJECT_DIR });
  expect(files.toSorted()).toEqual(patterns.flatMap(spelledOut).toSorted());
  expect(files.filter((file) => !ending.test(file))).toEqual([]);
});
