import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';

/** The linter's table. */
const { areas } = (await import(join(PROJECT_DIR, 'oxlint.config.ts'))) as {
  areas: [area: string, folders: string[]][];
};

/** Folders of the backend in their order, as modules are named here. What an area has beside its folders is `area/*.ts`. */
const ORDER = areas.flatMap(([area, folders]) =>
  (folders.length === 0 ? ['*.ts'] : folders).map((folder) => `${area}/${folder}`),
);

/** The processes, which are in no area and import any. */
const PROCESSES = /^backend\/[^/]+\.ts$/;

const moduleOf = (file: string): string => {
  const [, area = '', folder = ''] = file.split('/');
  return `${area}/${folder.endsWith('.ts') ? '*.ts' : folder}`;
};
const areaOf = (name: string): string => name.split('/')[0] ?? '';

/** Each arrow between modules, `[who imports, what]`, once. Tests may use whatever they like. */
async function readArrows(): Promise<[string, string][]> {
  const arrows = new Map<string, [string, string]>();
  for await (const file of glob('backend/**/*.ts')) {
    if (file.endsWith('.test.ts') || PROCESSES.test(file)) continue;
    const text = await readFile(file, 'utf8');
    for (const [, path = ''] of text.matchAll(/(?:from|import\() ?'#(backend\/[^']+)'/g)) {
      const arrow: [string, string] = [moduleOf(file), moduleOf(path)];
      if (!PROCESSES.test(path) && arrow[0] !== arrow[1]) arrows.set(arrow.join(' '), arrow);
    }
  }
  return [...arrows.values()];
}

const arrows = await readArrows();
const page = await readFile('docs/architecture.md', 'utf8');

test('every folder of the backend has a place in the order of the linter', () => {
  const unplaced = new Set(arrows.flat().filter((name) => !ORDER.includes(name)));
  expect(arrows.length).toBeGreaterThan(500);
  expect([...unplaced]).toEqual([]);
  expect(ORDER.filter((name) => !arrows.flat().includes(name))).toEqual([]);
});

test('no arrow between folders of the backend leads back, so they make no circle', () => {
  const back = arrows.filter(([from, to]) => ORDER.indexOf(to) > ORDER.indexOf(from));
  expect(back).toEqual([]);
});

test('the drawing of the areas has the arrows that there are', () => {
  const between = arrows.map((arrow) => arrow.map(areaOf)).filter(([from, to]) => from !== to);
  const drawn = [...page.matchAll(/^ {2}(\w+) --> (\w[\w &]*)$/gm)].flatMap(([, from, to = '']) =>
    to.split(' & ').map((one) => `${from} ${one}`),
  );
  expect(drawn.toSorted()).toEqual([...new Set(between.map((pair) => pair.join(' ')))].toSorted());
});

test('the numbers of folders and arrows are those that there are', () => {
  const counted = areas.map(([area]) => {
    const numbers = new RegExp(`^\\| \`${area}\` +((?:\\| +\\d+ +)+)\\|`, 'm').exec(page)?.[1] ?? '';
    return [area, ...(numbers.match(/\d+/g) ?? []).map(Number)];
  });
  const between = arrows.map((arrow) => arrow.map(areaOf));
  const expected = areas.map(([area]) => {
    const own = between.filter(([from]) => from === area);
    const inside = own.filter(([, to]) => to === area).length;
    return [area, ORDER.filter((name) => areaOf(name) === area).length, own.length - inside, inside];
  });
  expect(counted).toEqual(expected);
  expect(page.replaceAll(/\s+/g, ' ')).toContain(`There are ${ORDER.length} folders and ${arrows.length} arrows,`);
});
