import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { readTitles } from '#tests/behaviours/read-titles.ts';

const PAGE = join(PROJECT_DIR, 'docs', 'security.md');
const CODE = ['backend', 'electron', 'renderer', 'scripts', 'tests'];

const testFiles = CODE.flatMap((folder) =>
  readdirSync(join(PROJECT_DIR, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .filter((name) => /\.(?:test|spec)\.tsx?$/.test(name)),
);

/** Files with a name or with the end of a path. */
const filesCalled = (name: string): string[] => testFiles.filter((file) => file === name || file.endsWith(`/${name}`));

const known = new Map<string, readonly string[]>();

/** The tests of a file, with their suites. */
function titlesOf(file: string): readonly string[] {
  const titles = known.get(file) ?? [
    ...readTitles(readFileSync(join(PROJECT_DIR, file), 'utf8'), file.endsWith('x') ? 'tsx' : 'ts'),
  ];
  known.set(file, titles);
  return titles;
}

/** What a page cites: files, each with the titles that follow it in curly quotes, of the same table row. */
export function citationsIn(page: string): { line: number; file: string; titles: string[] }[] {
  return page.split('\n').flatMap((text, index) => {
    const cited: { line: number; file: string; titles: string[] }[] = [];
    for (const { groups = {} } of text.matchAll(/`(?<file>[^`]+\.(?:test|spec)\.tsx?)`|“(?<title>[^”]+)”/g)) {
      if (groups['file']) cited.push({ line: index + 1, file: groups['file'], titles: [] });
      else cited.at(-1)?.titles.push(groups['title'] ?? '');
    }
    return text.startsWith('|') ? cited : [];
  });
}

test('a row cites files, and their tests behind them', () => {
  const rows = '| 1 | as “said” | `a.test.ts`: “one”; “two”; `b.spec.ts`: “three” |\n`c.test.ts` in a text';
  expect(citationsIn(rows)).toEqual([
    { line: 1, file: 'a.test.ts', titles: ['one', 'two'] },
    { line: 1, file: 'b.spec.ts', titles: ['three'] },
  ]);
});

const citations = citationsIn(readFileSync(PAGE, 'utf8'));

test('docs/security.md cites files that are there, one of each name', () => {
  expect(citations.length).toBeGreaterThan(150);
  expect(citations.filter(({ file }) => filesCalled(file).length !== 1)).toEqual([]);
});

test('and of each file tests that are there', () => {
  const missing = citations.flatMap(({ line, file, titles }) => {
    const [path] = filesCalled(file);
    const all = path === undefined ? [] : titlesOf(path);
    const isThere = (title: string) => all.some((one) => one === title || one.endsWith(` › ${title}`));
    const wrong = titles.filter((title) => !isThere(title));
    return [...wrong, ...(titles.length === 0 ? ['no test'] : [])].map((what) => `${line} ${file}: ${what}`);
  });
  expect(missing).toEqual([]);
});
