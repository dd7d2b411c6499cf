import { execFileSync } from 'node:child_process';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRODUCT_VERSION } from '#backend/contract/product.ts';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { FIGURES, type Figure, SLOWEST } from './figures.ts';
import type { PartResult } from './part.ts';
import { type ReadVerdict, readVerdictRow } from './report.ts';

/** What one part measured, as it is kept until the page is written: parts may be measured one by one. */
export interface PublishedPart {
  part: string;
  /** ISO 8601, UTC. */
  measuredAt: string;
  /** The version and the commit that was measured. */
  version: string;
  machine: Record<string, string>;
  databases: Record<string, string>;
  rows: string[][];
  /** Why it was not measured. */
  skipped?: string | undefined;
}

export const PERFORMANCE_FILE = join(PROJECT_DIR, 'docs', 'performance.md');

/** Kept with the page that is made of them, so that one part can be measured again in any clone. */
const PARTS_DIR = join(import.meta.dirname, 'published');

/** Keeps what a part measured, and writes the page of all parts that are kept. */
export async function publishPart(
  part: string,
  { rows, skipped }: PartResult,
  { machine, databases }: Pick<PublishedPart, 'machine' | 'databases'>,
): Promise<void> {
  const published: PublishedPart = {
    part,
    measuredAt: new Date().toISOString(),
    version: `${PRODUCT_VERSION}, commit ${commitOf(PROJECT_DIR)}`,
    machine: Object.fromEntries(
      Object.entries(machine).map(([name, value]) => [name, value.replace(tmpdir(), 'the folder for temporary files')]),
    ),
    databases,
    rows,
    skipped,
  };
  await mkdir(PARTS_DIR, { recursive: true });
  const file = join(PARTS_DIR, `${part}.json`);
  await writeFile(file, `${JSON.stringify(published, undefined, 2)}\n`);
  await writeFile(PERFORMANCE_FILE, performancePage(await readParts()));
  const format = join(PROJECT_DIR, 'node_modules', 'oxfmt', 'bin', 'oxfmt');
  execFileSync(process.execPath, [format, file, PERFORMANCE_FILE]);
}

/** The commit of a clone, and whether files are changed that a run does not write. */
export function commitOf(cwd: string): string {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();
  const measured = ['.', ':!docs/performance.md', ':!bench/published'];
  try {
    const isChanged = git('status', '--porcelain', '--untracked-files=no', '--', ...measured) !== '';
    return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}`;
  } catch {
    return 'unknown';
  }
}

async function readParts(): Promise<PublishedPart[]> {
  const files = (await readdir(PARTS_DIR)).filter((file) => file.endsWith('.json')).toSorted();
  return Promise.all(
    files.map(async (file) => JSON.parse(await readFile(join(PARTS_DIR, file), 'utf8')) as PublishedPart),
  );
}

/** The page: every figure, what was measured of it, and under which conditions. */
export function performancePage(parts: readonly PublishedPart[]): string {
  const busy = parts.filter(({ machine }) => Object.values(machine).some((value) => value.includes('too much')));
  return [
    '# Performance',
    'Written by `npm run bench -- --publish`; no number is typed by hand. Figures are ratios of two sides that ran in turn ' +
      'on one machine, medians of the rounds: absolute times mean nothing on another machine. What could not be measured says ' +
      'so. `npm run bench -- --publish --only ingest` measures one part again and leaves the others as they are.',
    ...(busy.length > 0
      ? [
          `**The machine was busy with other work** while ${busy.map(({ part }) => part).join(', ')} ` +
            `${busy.length === 1 ? 'was' : 'were'} measured: figures of ${busy.length === 1 ? 'it' : 'them'} are not to be quoted.`,
        ]
      : []),
    '## What the product is held to',
    table(
      ['work', 'on', 'must', 'goal', 'measured', ''],
      FIGURES.map((figure) => figureRow(figure, parts)),
    ),
    '## Measurements',
    'Rates are of webhooks that were answered with 202 after their commit. CPU is user and system time of all threads for each alert.',
    ...parts
      .filter(({ rows }) => rows.length > 0)
      .map(({ part, rows }) => `### ${part}\n\n${table(['on', 'what', 'median', '', ''], rows)}`),
    '## Conditions',
    parts.length === 0 ? 'Nothing was measured yet.' : conditions(parts),
    '',
  ].join('\n\n');
}

function figureRow(figure: Figure, parts: readonly PublishedPart[]): string[] {
  const [measured, reached] = measuredOf(figure, parts);
  return [figure.work, figure.on, figure.must, figure.goal, measured, reached];
}

/** The measured value and what it reaches, or why there is none. */
function measuredOf({ from, on }: Figure, parts: readonly PublishedPart[]): [string, string] {
  if (from === undefined) return ['not measured by `npm run bench`', ''];
  const part = parts.find((one) => one.part === from.part);
  if (!part) return ['not measured', ''];
  if (part.skipped !== undefined) return [`not measured: ${part.skipped}`, ''];
  const verdicts = part.rows.flatMap((row) => readVerdictRow(row) ?? []).filter(({ database }) => isOn(database, on));
  const found = from.name === SLOWEST ? slowest(verdicts) : verdicts.find(({ name }) => name === from.name);
  return found ? [found.measured, found.reached] : ['not measured', ''];
}

/** What the browser part measures on the embedded database has the browser's name. */
const isOn = (database: string, on: string): boolean => database === on || (database === 'browser' && on === 'SQLite');

const slowest = (verdicts: readonly ReadVerdict[]): ReadVerdict | undefined =>
  verdicts
    .filter(({ measured }) => measured.endsWith(' ms'))
    .toSorted((one, other) => Number.parseFloat(other.measured) - Number.parseFloat(one.measured))[0];

function conditions(parts: readonly PublishedPart[]): string {
  const rows = parts.map(({ part, measuredAt, version, machine, skipped }) => [
    part,
    skipped === undefined ? measuredAt.slice(0, 16).replace('T', ' ') : `left out: ${skipped}`,
    version,
    machine['Rounds'] ?? '',
    machine['Load'] ?? '',
    machine['Other work'] ?? '',
  ]);
  const same = new Set(
    parts.flatMap(({ part, machine, databases }) => [
      ...['Machine', 'Node', 'Data', ...(part === 'reads' ? ['Alerts'] : [])].flatMap((name) =>
        machine[name] ? `${name}: ${machine[name]}` : [],
      ),
      ...Object.entries(databases).map(([name, value]) => `${name}: ${value}`),
    ]),
  );
  return [
    [...same].map((line) => `- ${line}`).join('\n'),
    table(['part', 'measured (UTC)', 'version', 'rounds', 'load', 'other work at the start'], rows),
  ].join('\n\n');
}

function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${heading.map((_, column) => (cells[column] ?? '').replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heading), line(heading.map(() => '---')), ...rows.map(line)].join('\n');
}
