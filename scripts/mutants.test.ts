import { expect, test } from 'vitest';
import { mutantsOf, withMutant } from './mutants.ts';

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
