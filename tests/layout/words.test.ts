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

/** Texts that nobody who writes English for a living would have written, and that were replaced. */
const REPLACED = [
  'By which outside systems',
  'who may come in',
  'Why this became that',
  ': nothing there',
  'What is usual is known',
  'Nothing is called that',
  'Not at all: unmute',
  'a sender that reports nothing twice',
  'What you have could not be loaded',
  'Wake now',
  "'for later'",
];

/** British spellings, as words of their own: `recognise` and `recognisedAs` are names in code. */
const BRITISH =
  /\b(?:(?:colour|favour|behaviour)(?:s|ed|ing)?|cancelled|cancelling|organis(?:e|es|ed|ing|ations?)|recognis(?:es|ed|ing)|cent(?:re|res|red)|grey(?:s|ed)?)\b/i;

/** A source whose comments are gone. */
const withoutComments = (source: string): string =>
  source
    .replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ''))
    .replaceAll(/(?<=^|\s)\/\/.*$/gm, '');

/** Sources whose texts people read: pages, the desktop app, and answers of the server. */
// What senders write is read in either spelling.
const TEXTS = filesOf('renderer', 'electron', 'backend').filter(
  (file) => !/\.test\.tsx?$|\/migrations\/|^backend\/intake\/understanding\//.test(file),
);

test('texts that were replaced do not come back', () => {
  const pages = filesOf('docs', 'README.md').filter((file) => !/^docs\/(?:decisions\/|behaviours)/.test(file));
  const found = [...TEXTS, ...pages].flatMap((file) =>
    REPLACED.filter((text) => read(file).replaceAll(/\s+/g, ' ').includes(text)).map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

test.each(['The six colours', 'Recognised automatically', 'You cancelled', 'in the centre of', 'a grey dot'])(
  '"%s" is British',
  (text) => expect(text).toMatch(BRITISH),
);

test('texts are spelled as in America', () => {
  const found = TEXTS.flatMap((file) =>
    withoutComments(read(file))
      .split('\n')
      .flatMap((line) => (BRITISH.test(line) ? [`${file}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
