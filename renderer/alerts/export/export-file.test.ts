import Papa from 'papaparse';
import { afterEach, expect, test } from 'vitest';
import { alertSchema } from '#backend/contract/alert.ts';
import type { Session } from '#backend/contract/session.ts';
import { setClock } from '#renderer/lib/clock.ts';
import { parseJson } from '#renderer/lib/parse-json.ts';
import { type ExportedAlert, exportFileName, exportWriter } from './export-file.ts';

const MARA: Session = { id: '1', email: 'mara@example.org', displayName: 'Mara', role: 'user' };
afterEach(async () => {
  await setClock(MARA);
});

const alertWith = (change: object, notes: ExportedAlert['notes'] = []): ExportedAlert => ({
  alert: alertSchema.parse({
    id: '019a0000-0000-7000-8000-000000000001',
    payload: { value: 1 },
    extraData: {},
    customer: 'Harbor & Finch',
    alertType: 'Card',
    timestamp: '2026-11-21T08:02:00.000Z',
    status: 'pending',
    url: '',
    title: 'Card issuer declined',
    severity: 'high',
    state: 'firing',
    occurrences: 14,
    lastSeenAt: '2026-11-21T09:00:00.000Z',
    ...change,
  }),
  notes,
});

const note = (text: string): ExportedAlert['notes'][number] => ({
  id: '1',
  alertId: '019a0000-0000-7000-8000-000000000001',
  authorId: '2',
  authorName: 'Ann Ashby',
  text,
  mentions: [],
  createdAt: '2026-11-21T09:10:00.000Z',
});

const fileOf = (format: 'csv' | 'json', ...pages: ExportedAlert[][]): string => {
  const writer = exportWriter(format);
  return writer.head + pages.map((page) => writer.write(page)).join('') + writer.end;
};
const cellsOf = (file: string) => Papa.parse<string[]>(file.replace('\uFEFF', '').trimEnd()).data;

test('a CSV file has a row for each alert of each page below one head', () => {
  const file = fileOf('csv', [alertWith({}), alertWith({ customer: null })], [alertWith({ title: 'a "b", c\nd' })]);
  const [head = [], ...rows] = cellsOf(file);
  expect(rows.map((row) => row[head.indexOf('Title')])).toEqual([
    'Card issuer declined',
    'Card issuer declined',
    'a "b", c\nd',
  ]);
  expect(rows.map((row) => row[head.indexOf('Customer')])).toEqual(['Harbor & Finch', '', 'Harbor & Finch']);
  expect(rows.every((row) => row.length === head.length)).toBe(true);
});

test('the columns of a CSV file keep their places: the label is the last one', () => {
  const [head = [], row = []] = cellsOf(fileOf('csv', [alertWith({ label: 'Databases' })]));
  expect(head.indexOf('Source')).toBe(head.indexOf('Type') + 1);
  expect([head.at(-1), row.at(-1)]).toEqual(['Label', 'Databases']);
});

test('times of a CSV file are the same moments, with an offset', () => {
  const [head = [], row = []] = cellsOf(fileOf('csv', [alertWith({})]));
  const received = row[head.indexOf('Received')] ?? '';
  expect(received).toMatch(/(Z|[+-]\d\d:\d\d)$/);
  expect(new Date(received).toISOString()).toBe('2026-11-21T08:02:00.000Z');
});

test('times of a CSV file and of its name are those of the time zone that the member chose', async () => {
  await setClock({ ...MARA, timeZone: 'Asia/Kathmandu' });
  const [head = [], row = []] = cellsOf(fileOf('csv', [alertWith({}, [note('first')])]));
  expect(row[head.indexOf('Received')]).toBe('2026-11-21T13:47:00+05:45');
  expect(row[head.indexOf('Notes')]).toBe('2026-11-21T14:55:00+05:45 Ann Ashby: first');
  const now = new Date('2026-11-21T20:02:00Z');
  expect(exportFileName('Audit', 'jsonl', now)).toBe('alertdesk-audit-2026-11-22-0147.jsonl');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '=1\n+2'])(
  'a cell that a spreadsheet would run is text: %j',
  (title) => {
    const [head = [], row = []] = cellsOf(fileOf('csv', [alertWith({ title })]));
    expect(row[head.indexOf('Title')]).toBe(`'${title}`);
  },
);

test('a JSON file is an array of what the API answers, every digit kept, with the notes', () => {
  const payload = parseJson('{"id":820982911946154508123}') as object;
  const file = fileOf('json', [alertWith({ payload }, [note('Called them')])], [], [alertWith({})]);
  expect(file).toContain('820982911946154508123');
  expect(JSON.parse(file)).toMatchObject([
    { title: 'Card issuer declined', notes: [{ authorName: 'Ann Ashby', text: 'Called them' }] },
    { occurrences: 14, notes: [] },
  ]);
  expect(JSON.parse(fileOf('json'))).toEqual([]);
});

test('notes stand in one cell, a line each', () => {
  const [head = [], row = []] = cellsOf(fileOf('csv', [alertWith({}, [note('first'), note('second')])]));
  expect(row[head.indexOf('Notes')]?.split('\n')).toEqual([
    expect.stringMatching(/^2026-.* Ann Ashby: first$/),
    expect.stringMatching(/^2026-.* Ann Ashby: second$/),
  ]);
});

test('a file is named by its list and the local time', () => {
  const now = new Date(2026, 10, 22, 16, 52);
  expect(exportFileName('New Alerts', 'csv', now)).toBe('alertdesk-new-alerts-2026-11-22-1652.csv');
  expect(exportFileName('Größe / 東京', 'json', now)).toBe('alertdesk-größe-東京-2026-11-22-1652.json');
  expect(exportFileName('///', 'csv', now)).toBe('alertdesk-alerts-2026-11-22-1652.csv');
});
