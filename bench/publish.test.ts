import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FIGURES } from './figures.ts';
import { type PublishedPart, PERFORMANCE_FILE, commitOf, performancePage } from './publish.ts';
import { judge, readVerdictRow, verdictRow } from './report.ts';

/** The cells of the rows of a page's first table. */
const figuresOf = (page: string): string[][] =>
  (page.split('## Measurements')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    );

const partOf = (part: string, rows: string[][], more: Partial<PublishedPart> = {}): PublishedPart => ({
  part,
  measuredAt: '2026-11-23T10:20:30.000Z',
  version: '1.0.3, commit abcdef0',
  machine: {
    Machine: '2 × a processor',
    Load: '64 connections',
    Rounds: '5',
    'Other work': '1 % of the processors busy',
  },
  databases: { SQLite: '3.53' },
  rows,
  ...more,
});
const CPU = { name: 'CPU per alert against bare Koa', unit: '×', required: 1.4, goal: 1.2, isAtLeast: false } as const;
const read = (name: string, value: number) =>
  verdictRow('MariaDB', judge({ name, unit: 'ms', required: 50, goal: 10, isAtLeast: false }, value));

describe('the page', () => {
  test('has a row for every figure, and invents none', () => {
    const rows = figuresOf(performancePage([]));
    expect(rows.map(([work, on]) => `${work} on ${on}`)).toEqual(FIGURES.map(({ work, on }) => `${work} on ${on}`));
    expect(new Set(rows.map(([work, on]) => `${work} on ${on}`)).size).toBe(FIGURES.length);
    for (const [, , must, goal, measured, reached] of rows) {
      expect([must, goal]).not.toContain('');
      expect(measured).toMatch(/^not measured/);
      expect(reached).toBe('');
    }
  });

  test('has what was measured, on the database that it was measured on', () => {
    const page = performancePage([
      partOf('ingest', [verdictRow('SQLite', judge(CPU, 1.31)), ['SQLite', 'bare Koa', '20000 /s', '', '']]),
      partOf('reads', [read('a page', 3.2), read('a search', 12.5), read('counts', 1)]),
      partOf('alertmanager', [], { skipped: 'prometheus-alertmanager is not installed' }),
    ]);
    const measured = figuresOf(page).flatMap(([work, on, , , value, reached]) =>
      value?.startsWith('not measured by') || value === 'not measured' ? [] : [[work, on, value, reached]],
    );
    expect(measured).toEqual([
      ['Processor time of a committed alert against bare Koa', 'SQLite', '1.31 ×', 'required'],
      [
        'Processor time of a committed alert against Prometheus Alertmanager, which keeps it in memory',
        'SQLite',
        'not measured: prometheus-alertmanager is not installed',
        '',
      ],
      ['Slowest read: pages of lists, counts, searches, views', 'MariaDB', '12.5 ms', 'required'],
    ]);
    expect(page).toContain('| SQLite | bare Koa | 20000 /s |');
    expect(page).toContain('2026-11-23 10:20');
    expect(page).toContain('2 × a processor');
    expect(page).not.toContain('busy with other work');
  });

  test('says when the machine was busy', () => {
    const machine = { 'Other work': '90 % of the processors busy — too much for figures to quote' };
    expect(performancePage([partOf('live', [], { machine })])).toContain(
      'The machine was busy with other work** while live was',
    );
  });

  test('that is in the repository has every figure as the generator writes it', async () => {
    const rows = figuresOf(await readFile(PERFORMANCE_FILE, 'utf8'));
    expect(rows.map((cells) => cells.slice(0, 4))).toEqual(
      FIGURES.map(({ work, on, must, goal }) => [work, on, must, goal]),
    );
    for (const [, , , , measured] of rows) expect(measured).toMatch(/^not measured|\d (×|ms|KB)$/);
  });
});

test('a row of a requirement is read as it was written, and no other', () => {
  expect(readVerdictRow(verdictRow('SQLite', judge(CPU, 1.31)))).toEqual({
    database: 'SQLite',
    name: CPU.name,
    measured: '1.31 ×',
    must: '1.4 ×',
    goal: '1.2 ×',
    reached: 'required',
  });
  expect(readVerdictRow(['SQLite', 'bare Koa', '20000 /s', 'p50 1 ms, p99 2 ms', ''])).toBeUndefined();
});

test('what a run writes is no change of what the next part measures', async () => {
  const clone = await mkdtemp(join(tmpdir(), 'alertdesk-publish-'));
  onTestFinished(() => rm(clone, { recursive: true, force: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: clone });
  const write = async (path: string, text: string) => {
    await mkdir(join(clone, dirname(path)), { recursive: true });
    await writeFile(join(clone, path), text);
  };
  const published = ['docs/performance.md', 'bench/published/ingest.json'];
  for (const path of [...published, 'backend/main.ts']) await write(path, 'before');
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'One');
  for (const path of published) await write(path, 'measured');
  expect(commitOf(clone)).toMatch(/^[\da-f]{7,}$/);
  await write('backend/main.ts', 'changed');
  expect(commitOf(clone)).toMatch(/^[\da-f]{7,} with changes$/);
});
