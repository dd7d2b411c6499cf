import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { readBullets } from './read-bullets.ts';
import { readRows } from './read-rows.ts';

/** The specification lies beside the repository where it is worked on and in CI, not in every clone. */
const SPECIFICATION = join(PROJECT_DIR, '..', 'shared', 'spec.md');

/** So many bullets there are, for clones that have no specification to count them in. */
const BULLETS = 223;

const rows = readRows(readFileSync(join(PROJECT_DIR, 'docs', 'specification.md'), 'utf8'));

test('every bullet of the specification has its row, and every row its bullet', () => {
  expect(rows).toHaveLength(BULLETS);
  const bullets = existsSync(SPECIFICATION) ? readBullets(readFileSync(SPECIFICATION, 'utf8')) : rows;
  expect(rows.map(({ place, text }) => `${place}: ${text}`)).toEqual(
    bullets.map(({ place, text }) => `${place}: ${text}`),
  );
});

test('every row names a test, and nothing else', () => {
  expect(rows.filter(({ tests }) => tests.length === 0)).toEqual([]);
  expect(rows.flatMap(({ unread }) => unread)).toEqual([]);
});

test('every named test is there', () => {
  const named = rows.flatMap(({ tests }) => tests);
  expect(named.filter(({ file, title }) => !titlesIn(file).has(title))).toEqual([]);
});

const known = new Map<string, ReadonlySet<string>>();

/** The titles of the tests in a file, as they are written there. */
function titlesIn(file: string): ReadonlySet<string> {
  const titles = known.get(file) ?? readTitles(join(PROJECT_DIR, file));
  known.set(file, titles);
  return titles;
}

function readTitles(path: string): ReadonlySet<string> {
  if (!existsSync(path)) return new Set();
  const source = readFileSync(path, 'utf8');
  const calls = source.matchAll(
    /(?:\b(?:test|it)|\b(?:test|it)\.each\([^)]*\))\(\s*(?<quote>['"`])(?<title>.*?)(?<!\\)\k<quote>/gs,
  );
  return new Set([...calls].map(({ groups }) => groups?.['title'] ?? ''));
}
