import { z } from 'zod';

/** A behaviour of docs/product.md: a bullet, or a row of a table whose last column is `id`. */
export interface Behaviour {
  /** The heading that it stands under. */
  heading: string;
  /** Its id, such as `inbox.empty`; undefined where the line has none. */
  id: string | undefined;
  line: string;
}

const ID = /`(?<id>[a-z-]+\.[a-z0-9-]+)`$/;

/** Reads the behaviours of docs/product.md, in their order. A bullet goes on over indented lines. */
export function readBehaviours(page: string): Behaviour[] {
  const behaviours: Behaviour[] = [];
  let [heading, isTableOfBehaviours, wasInTable] = ['', false, false];
  for (const line of page.replaceAll(/\n +/g, ' ').split('\n')) {
    const isInTable = line.startsWith('|');
    const isTableHead = isInTable && !wasInTable;
    wasInTable = isInTable;
    if (line.startsWith('#')) heading = line.replace(/^#+ /, '');
    if (isTableHead) isTableOfBehaviours = contentOf(line).endsWith('| id');
    const isRow = isInTable && !isTableHead && !/^\|[\s:-]+\|/.test(line);
    if (!/^[-*] /.test(line) && !(isRow && isTableOfBehaviours)) continue;
    behaviours.push({ heading, id: ID.exec(contentOf(line))?.groups?.['id'], line });
  }
  return behaviours;
}

/** A line without its end of a table's row. */
const contentOf = (line: string): string => line.replace(/\s*\|?\s*$/, '');

/** Reads a list of tests by behaviour, each on a line of its own. @throws {Error} where one is named twice */
export function readList(text: string): Record<string, string[]> {
  // `JSON.parse` keeps the last of two, and the tests of the first would be on no page.
  const keys = [...text.matchAll(/^ *"(?<key>[^"]+)":/gm)].map(({ groups }) => groups?.['key']);
  const twice = keys.filter((key, index) => keys.indexOf(key) !== index);
  if (twice.length > 0) throw new Error(`Twice in one list: ${twice.join(', ')}`);
  return z.record(z.string(), z.array(z.string())).parse(JSON.parse(text));
}

/** Writes docs/behaviours.md: each behaviour with its tests, under the headings of docs/product.md. */
export function writePage(behaviours: readonly Behaviour[], testsOf: ReadonlyMap<string, readonly string[]>): string {
  const lines = [
    '# Behaviours and their tests',
    '',
    'For each behaviour of [product.md](product.md), the tests that show it. The lists are in `tests/behaviours`; this page is made from them by',
    '`npx vitest run --project unit tests/behaviours -u`, and the same test fails when it is out of date.',
  ];
  let heading = '';
  for (const behaviour of behaviours) {
    if (behaviour.heading !== heading) lines.push('', `## ${behaviour.heading}`, '');
    ({ heading } = behaviour);
    lines.push(
      `- \`${behaviour.id}\``,
      ...(testsOf.get(behaviour.id ?? '') ?? []).map((test) => `  - ${linkTo(test)}`),
    );
  }
  return `${lines.join('\n')}\n`;
}

function linkTo(test: string): string {
  const [file = '', ...titles] = test.split(' › ');
  return `[${file}](../${file}) › ${titles.join(' › ').replaceAll(/[<>*_`]/g, '\\$&')}`;
}
