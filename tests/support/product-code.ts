import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';

/** Sources of the product, without tests. */
const filesIn = (...folders: string[]): string[] =>
  folders.flatMap((folder) =>
    readdirSync(join(PROJECT_DIR, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name).replaceAll('\\', '/'))
      .filter((name) => /\.tsx?$/.test(name) && !/\.(?:test|spec)\.tsx?$/.test(name)),
  );

/** The code of a file without comments, which may name what the code avoids. */
const codeOf = (file: string): string =>
  readFileSync(join(PROJECT_DIR, file), 'utf8')
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/(?<![:'"`])\/\/.*$/gm, '');

/** The files in these folders whose code matches. */
export const filesWith = (pattern: RegExp, ...folders: string[]): string[] =>
  filesIn(...folders)
    .filter((file) => pattern.test(codeOf(file)))
    .toSorted();

/** Each text that a pattern's first group has in these folders, once. */
export const allOf = (pattern: RegExp, ...folders: string[]): string[] => [
  ...new Set(filesIn(...folders).flatMap((file) => [...codeOf(file).matchAll(pattern)].map(([, found = '']) => found))),
];
