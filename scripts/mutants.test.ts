import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bodiesOf, mutantsOf, withMutant, withNotes } from './mutants.ts';

interface Functions {
  isOne(a: number): boolean;
  pair(a: number): object;
  later(a: number): (b: number) => boolean;
}

const folder = await mkdtemp(join(tmpdir(), 'alertdesk-mutants-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const changed = (source: string): string[] => mutantsOf('some.ts', source).map((mutant) => withMutant(source, mutant));

test('a condition is turned round, and a comparison is off by one', () => {
  expect(changed('if (a < 1) b = c ? 1 : 2;')).toEqual([
    'if (!(a < 1)) b = c ? 1 : 2;',
    'if (a <= 1) b = c ? 1 : 2;',
    'if (a < 1) b = !(c) ? 1 : 2;',
  ]);
});

test('and stands for or, the other truth for one, and the other sign', () => {
  expect(changed('x = a && b;')).toEqual(['x = a || b;']);
  expect(changed('x = true;')).toEqual(['x = false;']);
  expect(changed('x = (a as number) - /* - */ b;')).toEqual(['x = (a as number) + /* - */ b;']);
});

test('a promise is not waited for, and a call or a refusal is left out', () => {
  expect(changed('async function f() { await g(); throw new Error(); }')).toEqual([
    'async function f() { ; throw new Error(); }',
    'async function f() { void g(); throw new Error(); }',
    'async function f() { await g(); ; }',
  ]);
});

test('types, imports and texts are left alone', () => {
  expect(changed("import type { A } from './a.ts';\ntype B = A extends true ? 1 : 2;\nx = 'a && b';")).toEqual([]);
});

test('each says its line, and a file that cannot be read its name', () => {
  expect(mutantsOf('some.ts', 'let a;\n\na = b === c;')).toMatchObject([{ line: 3, kind: 'comparison', after: '!==' }]);
  expect(() => mutantsOf('some.ts', 'if (')).toThrow('some.ts: ');
});

test('functions note that they were called, also those that are an expression', async () => {
  const source = `export const isOne = (a) => a === 1;
export const pair = (a) => ({ isTwo: a === 2 });
export const later = (a) => (b) => a === b;
export function never(a) { return a === 1; }
export const outside = 1 === Number('1');
`;
  const bodies = bodiesOf(mutantsOf('some.js', source));
  expect(bodies.map(({ start, end }) => source.slice(start, end))).toEqual([
    'a === 1',
    '({ isTwo: a === 2 })',
    'a === b',
    '{ return a === 1; }',
  ]);
  const notes = join(folder, 'notes.txt');
  const text = encodeURIComponent(withNotes(source, bodies, notes));
  const { isOne, pair, later } = (await import(/* @vite-ignore */ `data:text/javascript,${text}`)) as Functions;
  expect([isOne(1), isOne(1), pair(2), later(2)(2)]).toEqual([true, true, { isTwo: true }, true]);
  expect(await readFile(notes, 'utf8')).toBe([0, 1, 2].map((index) => `${index}\t${import.meta.filename}\n`).join(''));
});
