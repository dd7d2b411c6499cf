import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkInput, readInput } from './read-input.ts';
import { type ImportRecord, type System, timeOf } from './records.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'alertdesk-read-csv-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function put(content: string | Buffer, name = 'in.csv'): Promise<string> {
  const file = join(dir, name);
  await writeFile(file, content);
  return file;
}

async function recordsOf(system: System, file: string): Promise<ImportRecord[]> {
  const records: ImportRecord[] = [];
  for await (const record of readInput(system, file)) records.push(record);
  return records;
}

const HEAD = 'title,created_at,customer';
const row = (title: string, customer = 'Acme') => `${title},2026-11-01T10:00:00Z,${customer}`;

describe('a CSV file is refused as a whole', () => {
  test.each([
    ['with a quote that nothing closes', [row('First'), row('Second', '"Nord'), row('Third'), row('Fourth')], 3],
    ['with a quote inside quotes that is not doubled', [row('"The "root" disk"'), row('Second')], 2],
  ])('%s', async (_, rows, at) => {
    const file = await put([HEAD, ...rows, ''].join('\n'));
    await expect(checkInput('csv', file)).rejects.toThrow(`in.csv, row ${at}: a quote is not closed`);
  });

  test('that has bytes of an old code page, and so is JSON', async () => {
    const file = await put(Buffer.from(`${HEAD}\n${row('Café')}\n`, 'latin1'));
    await expect(checkInput('csv', file)).rejects.toThrow('in.csv is not UTF-8: save it as such');
    const json = await put(Buffer.from('[{"message":"Café"}]', 'latin1'), 'alerts.json');
    await expect(checkInput('opsgenie', json)).rejects.toThrow('alerts.json is not UTF-8: save it as such');
  });
});

test.each([
  ['an empty file', ''],
  ['column names alone', `${HEAD}\n`],
  ['empty lines alone', `\uFEFF${HEAD}\n\n ,,\n`],
])('%s has nothing to import, and so has an empty list', async (_, text) => {
  await expect(checkInput('csv', await put(text))).rejects.toThrow('in.csv has no rows below a first line');
  const json = await put('{"data":[]}', 'users.json');
  await expect(checkInput('opsgenie', json)).rejects.toThrow('users.json has no records: there is nothing to import');
});

test('quotes that are closed and doubled, line breaks in them and the mark of UTF-8 are read', async () => {
  const file = await put(`\uFEFF${HEAD}\n${row('"The ""root"" disk\nis full"', '"Nord, Süd"')}\n`);
  await checkInput('csv', file);
  expect((await recordsOf('csv', file)).map((record) => record.kind === 'alert' && record.alert)).toEqual([
    expect.objectContaining({ title: 'The "root" disk\nis full', customer: 'Nord, Süd' }),
  ]);
  const json = await put('\uFEFF[{"id":"1","username":"a@example.com"}]', 'users.json');
  expect(await recordsOf('opsgenie', json)).toMatchObject([{ kind: 'user', email: 'a@example.com' }]);
});

test('a row with more cells than columns is left out, unless they are empty', async () => {
  const file = await put([HEAD, row('First', 'Nord, Inc.'), row('Second', 'Acme,,'), ''].join('\n'));
  await checkInput('csv', file);
  expect(await recordsOf('csv', file)).toMatchObject([
    { kind: 'none', what: 'alert', name: 'First', reason: expect.stringContaining('more cells') },
    { kind: 'alert', alert: { title: 'Second', customer: 'Acme' } },
  ]);
});

test.each([
  ['2026-11-01T10:00:00.5Z', '2026-11-01T10:00:00.500Z'],
  ['2026-11-01T10:00:00+02:00', '2026-11-01T08:00:00.000Z'],
  ['2026-11-01 10:00:00 -0330', '2026-11-01T13:30:00.000Z'],
  ['2026-11-01 10:00:00+02', '2026-11-01T08:00:00.000Z'],
  ['2026-11-01 10:00 UTC', '2026-11-01T10:00:00.000Z'],
  ['2026-11-01 10:00', '2026-11-01T10:00:00.000Z'],
  ['2026-11-01', '2026-11-01T00:00:00.000Z'],
  ['1793527200', '2026-11-01T10:00:00.000Z'],
  ['1793527200123', '2026-11-01T10:00:00.123Z'],
  ['01.11.2026 10:00', undefined],
  ['11/01/2026 10:00', undefined],
  ['2026-13-01', undefined],
  ['0', undefined],
  ['', undefined],
])('the time %s is %s', (text, time) => {
  expect(timeOf(text)).toBe(time);
});
