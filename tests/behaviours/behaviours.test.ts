import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { readBehaviours, readList, writePage } from './read-behaviours.ts';
import { readTitles } from './read-titles.ts';

const docs = join(PROJECT_DIR, 'docs');
const behaviours = readBehaviours(readFileSync(join(docs, 'product.md'), 'utf8'));
const ids = behaviours.map(({ id }) => id);

/** Tests by behaviour, as `tests/e2e/inbox.spec.ts › an empty inbox says so`, of every list in this folder. */
const listed = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => Object.entries(readList(readFileSync(join(import.meta.dirname, name), 'utf8'))));
const testsOf = new Map(listed);

describe('docs/product.md', () => {
  test('every bullet ends with an id of its own', () => {
    expect(behaviours.filter(({ id }) => id === undefined).map(({ line }) => line)).toEqual([]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test('every id has a test, and every list names behaviours of the page only, each once', () => {
    expect(ids.filter((id) => !testsOf.get(id ?? '')?.length)).toEqual([]);
    expect(listed.map(([id]) => id).filter((id) => !ids.includes(id))).toEqual([]);
    expect(listed).toHaveLength(testsOf.size);
  });

  test('every test that is named exists', () => {
    expect([...testsOf.values()].flat().filter((named) => !exists(named))).toEqual([]);
  });

  test('docs/behaviours.md is made from it', async () => {
    await expect(writePage(behaviours, testsOf)).toMatchFileSnapshot(join(docs, 'behaviours.md'));
  });
});

const known = new Map<string, ReadonlySet<string>>();

function exists(named: string): boolean {
  const [file = '', ...titles] = named.split(' › ');
  const path = join(PROJECT_DIR, file);
  if (!known.has(file) && existsSync(path)) {
    known.set(file, readTitles(readFileSync(path, 'utf8'), file.endsWith('x') ? 'tsx' : 'ts'));
  }
  return known.get(file)?.has(titles.join(' › ')) ?? false;
}
