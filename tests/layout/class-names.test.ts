import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const textOf = async (pattern: string): Promise<string> => {
  const files: string[] = [];
  for await (const file of glob(pattern)) files.push(file);
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
};

test('every class that a style sheet selects is written by a component', async () => {
  const sheets = (await textOf('renderer/**/*.css')).replace(/\/\*[^]*?\*\//g, '');
  const code = await textOf('renderer/**/*.{ts,tsx,html}');
  const written = new Set(code.match(/\bad-[\w-]+/g));
  // Such as `ad-mark--${kind}`.
  const begun = [...code.matchAll(/\b(ad-[\w-]+)\$\{/g)].map(([, begin = '']) => begin);
  const selected = new Set([...sheets.matchAll(/\.(ad-[\w-]+)/g)].map(([, name = '']) => name));
  const unused = [...selected].filter((name) => !written.has(name) && !begun.some((begin) => name.startsWith(begin)));
  expect(selected.size).toBeGreaterThan(100);
  expect(unused).toEqual([]);
});
