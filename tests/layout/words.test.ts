import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';

/** Where the words below are gone. */
const CLEAN = [
  'backend',
  'bench',
  'electron',
  'renderer',
  'scripts',
  'tests',
  'README.md',
  'CONTRIBUTING.md',
  'forge.config.ts',
  'oxlint.config.ts',
  'playwright.config.ts',
  'playwright.desktop.config.ts',
  'vitest.config.ts',
  'webpack.main.config.ts',
  'webpack.renderer.config.ts',
  'webpack.server.config.ts',
  'SECURITY.md',
  'docs',
];

/** Not yet clean, and this file, which has to name the words. */
const LEFT_OUT = ['docs/behaviours.md', 'tests/layout/words.test.ts'];
const isLeftOut = (file: string): boolean => LEFT_OUT.some((name) => file === name || file.startsWith(`${name}/`));

/** Words of the left column of the glossary in CONTRIBUTING.md that mean nothing else. */
const AVOIDED =
  /\b(?:mend(?:s|ed)?|amiss|anew|hopeless|notice board|folder wish|brisk|tell\w*|told\w*|\w+Told(?:To|Of)\w*|nobody's room|isHeld|wants[A-Z]\w*|under way|refusals|stillGood|isUnderWay|\w*[a-z]Needs)\b/i;

/** Every source and page in these files and folders, from the project's folder. */
const filesOf = (...names: string[]): string[] =>
  names.flatMap((name) => {
    if (!statSync(join(PROJECT_DIR, name)).isDirectory()) return [name];
    return readdirSync(join(PROJECT_DIR, name), { recursive: true, encoding: 'utf8' })
      .map((file) => join(name, file))
      .filter((file) => /\.(?:ts|tsx|mjs|cjs|md)$/.test(file));
  });

/** The text without the glossary, which names what to avoid. */
const read = (file: string): string =>
  readFileSync(join(PROJECT_DIR, file), 'utf8').replace(/^### Words\n[^]*?(?=^## )/m, '');

/** `file:line` of each line that has the pattern. */
const linesWith = (pattern: RegExp, file: string): string[] =>
  read(file)
    .split('\n')
    .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : []));

test.each([
  'it starts anew',
  'who is told',
  'it was told',
  'tellTheme: call(',
  'toldOfTray',
  'keyToldTo',
  'a call under way',
  'interface AlertNeeds {',
  'two refusals',
])('"%s" is found', (text) => expect(text).toMatch(AVOIDED));

test('symbols and prose use the terms of the glossary', () => {
  const files = filesOf(...CLEAN).filter((file) => !isLeftOut(file));
  expect(files.flatMap((file) => linesWith(AVOIDED, file))).toEqual([]);
});
