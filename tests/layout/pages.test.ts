import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';

const CODE = ['backend', 'bench', 'electron', 'renderer', 'scripts', 'tests'];

/** Files and folders below a folder, as paths from the project's. */
const below = (folder: string): string[] => [
  folder,
  ...readdirSync(join(PROJECT_DIR, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
];

const pages = [...CODE, 'docs']
  .flatMap(below)
  .concat('README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md')
  .filter((name) => name.endsWith('.md'));

const read = (page: string): string => readFileSync(join(PROJECT_DIR, page), 'utf8');

/** Not ours: Electron's own sources; generated; and what a release had, which may be gone. */
const isAboutOthers = (page: string): boolean =>
  /^(?:tests\/desktop\/double\/README|docs\/behaviours|CHANGELOG)\.md$/.test(page);

/** Named without being there: the examples of CONTRIBUTING.md, and places in the installed app. */
const ELSEWHERE = new Set([
  'backend/alerts/files',
  'backend/contract/file.ts',
  'file.ts',
  'file-commands.ts',
  'file-routes.ts',
  'backend/alerts/templates',
  'backend/contract/template.ts',
  'renderer/files',
  'renderer/templates',
  'server/backend/embedded.mjs',
  'server/dist/web',
]);

const named = new Set([...CODE, 'docs'].flatMap(below));
const folders = new Set([...named].flatMap((name) => name.split('/').slice(0, -1)));

/** All that a page may call a file or folder: `backend/platform/live/event-bus.ts`, `platform/live/event-bus`, `event-bus.ts`. */
const known = new Set(
  [...named].flatMap((name) => {
    const parts = name.split('/');
    const ends = parts.map((_, start) => parts.slice(start).join('/'));
    return ends.flatMap((end) => [end, end.replace(/\.(?:tsx?|mjs|css)$/, '')]);
  }),
);

/** What a page says between back quotes that looks like a path into our folders or a file; in its chains also a module. */
function pathsIn(page: string): string[] {
  const quoted = [...read(page).matchAll(/(?<!`)`(?<text>[\w./-]+?)\/?`(?!`)/g)];
  const isFile = page === 'docs/architecture.md' ? /^(?:[a-z]+(?:-[a-z]+)+|[\w-]+\.tsx?)$/ : /^[\w-]+\.(?:tsx?|mjs)$/;
  return quoted
    .map(({ groups }) => groups?.['text'] ?? '')
    .filter((text) => (text.includes('/') ? folders.has(text.split('/', 1)[0] ?? '') : isFile.test(text)));
}

test('pages link to files of this repository only', () => {
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!\w+:|#)(?<target>[^)#\s]+)/g)].flatMap(({ groups }) => {
      const target = join(dirname(page), groups?.['target'] ?? '');
      return target.startsWith('..') || !existsSync(join(PROJECT_DIR, target)) ? [`${page}: ${target}`] : [];
    }),
  );
  expect(broken).toEqual([]);
});

test('files and folders that pages name are there', () => {
  const missing = pages
    .filter((page) => !isAboutOthers(page))
    .flatMap((page) =>
      pathsIn(page)
        .filter((path) => !known.has(path) && !ELSEWHERE.has(path) && !existsSync(join(PROJECT_DIR, path)))
        .map((path) => `${page}: ${path}`),
    );
  expect(missing).toEqual([]);
});

test('no cell of a table in architecture.md is longer than a line', () => {
  const cells = read('docs/architecture.md')
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^[|\s-]+$/.test(line))
    .flatMap((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
  expect(cells.length).toBeGreaterThan(50);
  expect(cells.filter((cell) => cell.length > 120)).toEqual([]);
});
