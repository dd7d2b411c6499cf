import { glob, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parse } from 'postcss';
import { expect, test } from 'vitest';
import { classesOf } from '#renderer/styles/style-class-name.ts';

const readAll = async (...patterns: string[]): Promise<Map<string, string>> => {
  const texts = new Map<string, string>();
  for await (const file of glob(patterns)) texts.set(file, await readFile(file, 'utf8'));
  return texts;
};

const modules = await readAll('renderer/**/*.module.css');
const classes = new Map([...modules].map(([file, text]) => [file, classesOf(text)]));
const code = await readAll('renderer/**/*.{ts,tsx}');

/** The file that an import in `from` means. */
const resolve = (from: string, path: string): string =>
  path.startsWith('#') ? path.slice(1) : join(dirname(from), path);

/** Each use of a style module's class: by code, as `styles.title`, or by another style module, with `@value`. */
function* usesOf(): Generator<{ by: string; module: string; name: string; isBegun?: boolean }> {
  for (const [by, text] of code) {
    for (const [, object = '', path = ''] of text.matchAll(/^import \* as (\w+) from '([^']+\.module\.css)';$/gm)) {
      const module = resolve(by, path);
      for (const [, name = ''] of text.matchAll(new RegExp(`\\b${object}\\.(\\w+)`, 'g'))) yield { by, module, name };
      for (const [, name = ''] of text.matchAll(new RegExp(`\\b${object}\\['([^']+)'\\]`, 'g')))
        yield { by, module, name };
      // Such as styles[`status_${status}`].
      for (const [, name = ''] of text.matchAll(new RegExp(`\\b${object}\\[\`(\\w+)\\$\\{`, 'g')))
        yield { by, module, name, isBegun: true };
    }
  }
  for (const [by, text] of modules) {
    for (const [, names = '', path = ''] of text.matchAll(/@value ([^;]+?) from '([^']+)';/g)) {
      for (const name of names.split(',')) {
        yield { by, module: resolve(by, path), name: name.trim().split(/\s+/)[0] ?? '' };
      }
    }
  }
}

const uses = [...usesOf()];

/** The style modules that a style module imports. */
const importsOf = (file: string): string[] =>
  uses.filter(({ by, module }) => by === file && module !== file).map(({ module }) => module);

const base = await readAll('renderer/styles/*.css');

/** What is asked of an element that it may begin or end to be at any time, and of what is in it. */
const PASSING = /:(?:has|hover|active|focus|focus-visible|focus-within)\b/;

/** A selector without what is in the brackets of `:not()` and `:has()`, which name what is not meant. */
function withoutOthers(selector: string): string {
  const shorter = selector.replaceAll(/:(?:not|has)\([^()]*\)/g, '');
  return shorter === selector ? selector : withoutOthers(shorter);
}

/** The steps of a selector from an element to one in it or beside it. */
const stepsOf = (selector: string): string[] =>
  selector
    .replaceAll(/\([^()]*(?:\([^()]*\)[^()]*)*\)/g, (inner) => inner.replaceAll(/[\s>+~]+/g, '_'))
    .split(/[\s>+~]+/)
    .filter((step) => step !== '');

/** Whether the last step of a selector may be any element. */
const meansAny = (selector: string): boolean =>
  !/[.#\w[-]/.test(withoutOthers(selector).replaceAll(/::?(?!is|where)[\w-]+/g, ''));
const globals = new Set([...base.values()].flatMap((text) => text.match(/(?<=\.)ad-[\w-]+/g) ?? []));

test('no two style modules have the same file name, which is in the names of their classes', () => {
  const names = [...modules.keys()].map((file) => basename(file));
  expect(names.length).toBeGreaterThan(90);
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
});

test('every class that code or another style file asks a style module for is there', () => {
  const missing = uses.filter(({ module, name, isBegun }) => {
    const all = [...(classes.get(module) ?? [])];
    return isBegun ? !all.some((one) => one.startsWith(name)) : !all.includes(name);
  });
  expect(uses.length).toBeGreaterThan(1000);
  expect(missing).toEqual([]);
});

test('every class of a style module is used by code', () => {
  const unused = [...classes].flatMap(([file, names]) => {
    const here = uses.filter(({ by, module }) => module === file && code.has(by));
    const isUsed = (name: string): boolean =>
      here.some((use) => (use.isBegun ? name.startsWith(use.name) : name === use.name));
    return [...names].filter((name) => !isUsed(name)).map((name) => `${file}: ${name}`);
  });
  expect(unused).toEqual([]);
});

test('style modules do not import each other in a circle', () => {
  const circles = [...modules.keys()].filter((file) => {
    const reached = new Set(importsOf(file));
    for (const next of reached) for (const module of importsOf(next)) reached.add(module);
    return reached.has(file);
  });
  expect(circles).toEqual([]);
});

test('style modules select by no id, which would be renamed as classes are', () => {
  const selectors = [...modules].flatMap(([file, text]) =>
    (text.replace(/\/\*[^]*?\*\//g, '').match(/[^{};]+(?=\{)/g) ?? []).map((selector) => `${file}: ${selector.trim()}`),
  );
  expect(selectors.filter((selector) => selector.includes('#'))).toEqual([]);
});

test('style modules name classes of their own, of others by @value, and global ones of Blueprint and of renderer/styles', () => {
  const wrong = [...modules].flatMap(([file, text]) =>
    [...text.matchAll(/:global\(([^()]*)\)/g)].flatMap(([, selector = '']) =>
      /^\.bp6-[\w-]+$/.test(selector) || globals.has(selector.slice(1)) ? [] : [`${file}: ${selector}`],
    ),
  );
  expect(wrong).toEqual([]);
});

test('code writes no global class but those of renderer/styles', () => {
  const wrong = [...code].flatMap(([file, text]) =>
    [...text.matchAll(/\bclassName=("[^"]*"|\{(?:[^{}]|\{[^{}]*\})*\})/g)].flatMap(([, value = '']) =>
      (value.match(/\bad-[\w-]+/g) ?? []).filter((name) => !globals.has(name)).map((name) => `${file}: ${name}`),
    ),
  );
  expect(wrong).toEqual([]);
});

test('no class that is still global is defined in two files', () => {
  const definitions = [...base].flatMap(([file, text]) =>
    [...new Set(text.match(/\.ad-[\w-]+/g))].map((name) => ({ file, name })),
  );
  expect(definitions.length).toBeGreaterThan(5);
  const twice = definitions.filter(({ file, name }) =>
    definitions.some((other) => other.name === name && other.file !== file),
  );
  expect(twice).toEqual([]);
});

test('no state of an element that passes, as that it is pointed at, has the styles of all that is in it worked out', () => {
  const found = [...modules, ...base].flatMap(([file, text]) => {
    const selectors: string[] = [];
    parse(text).walkRules(({ selectors: all, parent }) => {
      // The browser collects what rules depend on as far as they apply.
      const isForced =
        parent?.type === 'atrule' && 'params' in parent && String(parent.params).includes('forced-colors');
      if (!isForced) selectors.push(...all);
    });
    return selectors
      .filter((selector) => {
        const steps = stepsOf(selector);
        return (
          steps.length > 1 && steps.slice(0, -1).some((step) => PASSING.test(step)) && meansAny(steps.at(-1) ?? '')
        );
      })
      .map((selector) => `${file}: ${selector}`);
  });
  expect(found).toEqual([]);
});
