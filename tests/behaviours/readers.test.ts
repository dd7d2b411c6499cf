import { describe, expect, test } from 'vitest';
import { readBehaviours, readList, writePage } from './read-behaviours.ts';
import { readTitles } from './read-titles.ts';

describe('titles', () => {
  test('are those of tests, with the suites around them', () => {
    const source = `
      describe('the list', () => {
        test.each<number>([[(1)], [2]])('of %s', (n: number) => expect(n).toBe(n));
        it.runIf(process.env.CI)("isn't empty", async () => { await test.step('a step', () => undefined); });
      });
      for (const theme of ['light', 'dark']) test(\`page, \${theme}\`, () => undefined);
      test.use({ locale: 'en' });
    `;
    expect([...readTitles(source, 'ts')]).toEqual(['the list › of %s', "the list › isn't empty", 'page, ${theme}']);
  });

  test('may not be read from text that only looks like a test', () => {
    expect(readTitles(`// test('gone', () => {})\nconst text = "test('text')";`, 'ts').size).toBe(0);
  });
});

describe('lists', () => {
  test('are read by behaviour', () => {
    expect(readList('{\n  "list.empty": ["a.test.ts › has none"]\n}')).toEqual({
      'list.empty': ['a.test.ts › has none'],
    });
  });

  test('may not name a behaviour twice', () => {
    const list = '{\n  "list.empty": ["a.test.ts › a"],\n  "list.order": [],\n  "list.empty": []\n}';
    expect(() => readList(list)).toThrow('Twice in one list: list.empty');
  });
});

describe('behaviours', () => {
  const page = [
    '## Lists',
    '- Empty, it says so,',
    '  and how to fill it. `list.empty`',
    '- One without an id',
    '| status | meaning |',
    '| ------ | ------- |',
    '| 200    | fine    |',
    '',
    '| what  | id           |',
    '| ----- | ------------ |',
    '| order | `list.order` |',
    '| size  |              |',
  ].join('\n');

  test('are bullets, and rows of tables with an id column', () => {
    expect(readBehaviours(page).map(({ id }) => id)).toEqual(['list.empty', undefined, 'list.order', undefined]);
  });

  test('are written under their heading with links to their tests', () => {
    const behaviours = readBehaviours('## Lists\n- Empty, it says so. `list.empty`');
    const written = writePage(behaviours, new Map([['list.empty', ['a.test.ts › the list › has <none>']]]));
    expect(written).toMatch(
      /\n## Lists\n\n- `list\.empty`\n {2}- \[a\.test\.ts\]\(\.\.\/a\.test\.ts\) › the list › has \\<none\\>\n$/,
    );
  });
});
