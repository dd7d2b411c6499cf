import Papa from 'papaparse';
import { expect, test } from 'vitest';
import type { Insight, InsightProblem } from '#backend/contract/insight.ts';
import { csvHead, csvLines } from '#renderer/alerts/export/export-file.ts';
import { rowsOf } from './export-insight.ts';
import {
  arrivalChange,
  dayLabels,
  durationText,
  headlineOf,
  rangeText,
  shareText,
  timeChange,
} from './figure-labels.ts';
import { hrefOfDay, hrefOfName, hrefOfProblem, hrefOfQuieting, hrefOfRule } from './insight-links.ts';
import { insightPath, todayIn, viewIn } from './insight-range.ts';

const TODAY = '2026-11-21';
const viewOf = (query: string) => viewIn(new URLSearchParams(query), TODAY);
const search = (href = '') => new URLSearchParams(href.split('?')[1]).get('search');
const none = { alerts: 0, median: null, ninetieth: null };
const PROBLEM: InsightProblem = {
  alertId: '7',
  title: 'Disk full on db-7',
  severity: 'high',
  customer: 'Harbor & Finch',
  alertType: null,
  sourceId: '1',
  source: 'Zabbix',
  arrived: 2,
  deliveries: 42,
  flapped: 2,
  suppressed: 1,
  accept: none,
  complete: none,
};
const times = (median: number) => ({ alerts: 2, median, ninetieth: median * 2 });

test('a rule leads to its page among those of its kind', () => {
  expect(hrefOfRule({ id: '7' })).toBe('/admin/outgoing/rules/7');
  expect(hrefOfRule({ id: '7', isOnArrival: true })).toBe('/admin/rules/7');
});

test.each([
  [0, '0 s'],
  [140, '0.1 s'],
  [9_940, '9.9 s'],
  [9_960, '10 s'],
  [108_000, '1 min 48 s'],
  [59_900, '1 min'],
  [11 * 60_000 + 40_000, '12 min'],
  [3_600_000, '1 h'],
  [7_500_000, '2 h 5 min'],
  [26 * 3_600_000, '1 d 2 h'],
])('%d ms read %s', (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
});

test.each([
  ['2026-11-08', '2026-11-21', 'Nov 8 – 21, 2026'],
  ['2026-10-24', '2026-11-22', 'Oct 24 – Nov 22, 2026'],
  ['2025-12-31', '2026-01-01', 'Dec 31, 2025 – Jan 1, 2026'],
  ['2026-11-21', '2026-11-21', 'Nov 21, 2026'],
])('%s to %s reads %s', (from, to, text) => {
  expect(rangeText(from, to)).toBe(text);
});

test('figures are compared with those before', () => {
  expect(arrivalChange(112, 100, 14)).toBe('12 % more than the 14 days before');
  expect(arrivalChange(90, 100, 1)).toBe('10 % fewer than the day before');
  expect(arrivalChange(5, 0, 7)).toBe('None in the 7 days before');
  expect(arrivalChange(100, 100, 7)).toBe('Same as the 7 days before');
  expect(timeChange(times(60_000), times(82_000))).toBe('22 s faster');
  expect(timeChange(times(240_000), times(60_000))).toBe('3 min slower');
  expect(timeChange(times(60_000), times(60_400))).toBe('Unchanged');
  expect(timeChange({ ...times(60_000), alerts: 1 }, none)).toBe('Of 1 alert');
  expect(timeChange(none, none)).toBe('No alerts yet');
});

test('days have labels where there is room, with the month where it changes', () => {
  const days = ['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02'];
  expect(dayLabels(days, 10)).toEqual(['Oct 30', '31', 'Nov 1', '2']);
  expect(dayLabels(days, 2)).toEqual(['Oct 30', undefined, 'Nov 1', undefined]);
});

test('an address says what is shown, and what the server would refuse is left out', () => {
  expect(viewOf('')).toMatchObject({ from: '2026-10-23', to: TODAY, preset: 30 });
  expect(viewOf('days=7')).toMatchObject({ from: '2026-11-15', preset: 7 });
  expect(viewOf('from=2026-01-01&to=2026-01-02')).toMatchObject({ from: '2026-01-01', preset: undefined });
  expect(viewOf('from=2026-01-02&to=2026-01-01&days=8&source=x')).toMatchObject({ preset: 30, source: undefined });
  expect(insightPath(viewOf('days=7&customer=A%26B'), 'Europe/Berlin')).toBe(
    '/api/insight?from=2026-11-15&to=2026-11-21&timeZone=Europe%2FBerlin&customer=A%26B',
  );
  expect(todayIn('Pacific/Kiritimati', new Date('2026-11-21T11:00:00Z'))).toBe('2026-11-22');
});

test('a day and a name lead to the list with that search, in the time zone that is shown', () => {
  const here = { seesAll: true, timeZone: 'UTC', ownZone: 'UTC' };
  const filters = { customer: 'Harbor & Finch', alertType: undefined };
  const day = hrefOfDay(TODAY, filters, here);
  expect(day).toMatch(/^\/admin\/alerts\?/);
  expect(search(day)).toBe('customer:"Harbor & Finch" from:2026-11-21 to:2026-11-21');
  const elsewhere = { ...here, seesAll: false, timeZone: 'Asia/Kolkata' };
  expect(hrefOfDay(TODAY, { ...filters, customer: undefined }, elsewhere)).toMatch(/^\/\?/);
  expect(search(hrefOfDay(TODAY, { ...filters, customer: undefined }, elsewhere))).toBe(
    'from:2026-11-20T18:30:00.000Z to:2026-11-21T18:30:00.000Z',
  );
  const row = {
    id: '1',
    name: 'Ann "A" Ashby',
    arrived: 1,
    repeats: 0,
    flapped: 0,
    suppressed: 0,
    accept: none,
    complete: none,
  };
  const range = { from: TODAY, to: TODAY };
  const nothing = { customer: undefined, alertType: undefined };
  expect(search(hrefOfName('person', row, range, nothing, here))).toContain(String.raw`owner:"Ann \"A\" Ashby"`);
  expect(hrefOfName('person', row, range, nothing, { ...here, seesAll: false })).toMatch(/^\/my-alerts\?/);
  expect(hrefOfName('customer', { ...row, name: null }, range, nothing, here)).toBeUndefined();
});

test('what is filtered by a person whose name is not known leads nowhere: it would be everybody', () => {
  const here = { seesAll: true, timeZone: 'UTC', ownZone: 'UTC' };
  const filters = { customer: undefined, alertType: undefined, ownerName: null };
  expect(hrefOfDay(TODAY, filters, here)).toBeUndefined();
  expect(hrefOfProblem(PROBLEM, { from: TODAY, to: TODAY }, filters, here)).toBeUndefined();
});

test('what came from a source that was deleted leads nowhere: no name finds it', () => {
  const here = { seesAll: true, timeZone: 'UTC', ownZone: 'UTC' };
  const filters = { customer: undefined, alertType: undefined, sourceName: null };
  expect(hrefOfDay(TODAY, filters, here)).toBeUndefined();
  const { id, title: name } = { id: '1', title: 'Harbor & Finch' };
  const counts = { arrived: 1, repeats: 0, flapped: 0, suppressed: 0, accept: none, complete: none };
  const row = { id, name, ...counts };
  expect(hrefOfName('customer', row, { from: TODAY, to: TODAY }, filters, here)).toBeUndefined();
});

test('a problem leads to its alerts, and to a new maintenance window about it', () => {
  const here = { seesAll: true, timeZone: 'UTC', ownZone: 'UTC' };
  const parts = 'customer:"Harbor & Finch" source:Zabbix "Disk full on db-7"';
  expect(search(hrefOfProblem(PROBLEM, { from: TODAY, to: TODAY }, {}, here))).toBe(
    `${parts} from:${TODAY} to:${TODAY}`,
  );
  expect(hrefOfQuieting(PROBLEM)).toMatch(/^\/maintenance\/new\?/);
  expect(search(hrefOfQuieting(PROBLEM))).toBe(parts);
  expect(search(hrefOfQuieting({ ...PROBLEM, title: 'type:disk' }))).toContain(' "type:disk"');
  const long = `Disk full ${'x'.repeat(109)}🔥 again`;
  expect(search(hrefOfQuieting({ ...PROBLEM, title: long }))).toContain(` "Disk full ${'x'.repeat(109)}"`);
  expect(hrefOfProblem({ ...PROBLEM, title: null }, { from: TODAY, to: TODAY }, {}, here)).toBeUndefined();
  const orphan = { ...PROBLEM, isSourceDeleted: true };
  expect(search(hrefOfQuieting(orphan))).toBe('customer:"Harbor & Finch" "Disk full on db-7"');
  expect([shareText(1, 3), shareText(0, 0)]).toEqual(['33 %', '–']);
});

test('a problem without a headline has its type, or says why it has none', () => {
  const { alertId, ...unseen } = { ...PROBLEM, title: null };
  expect([
    headlineOf(PROBLEM),
    headlineOf({ ...unseen, alertType: 'Disk' }),
    headlineOf({ ...unseen, alertId }),
    headlineOf({ ...unseen, isDeleted: true }),
    headlineOf(unseen),
  ]).toEqual(['Disk full on db-7', 'Disk', 'Alert without a title', 'Deleted', 'With a colleague']);
});

test('a CSV file has every figure in a row as wide as its head, and no formula', () => {
  const day = { date: TODAY, critical: 1, high: 2, warning: 3, others: 4, accept: times(1_500), complete: none };
  const counts = { arrived: 10, repeats: 4, flapped: 5, suppressed: 3 };
  const name = { id: '=1+1', name: '=1+1', ...counts, accept: times(1_500), complete: none };
  const rules = [{ ...name, isOnArrival: true }, { ...name, id: null, name: null }, name];
  const insight: Insight = {
    from: TODAY,
    to: TODAY,
    timeZone: 'UTC',
    isComplete: true,
    totals: { ...counts, resolvedFirst: 1, accept: times(1_500), complete: none },
    before: { arrived: 0, repeats: 0, flapped: 0, suppressed: 0, resolvedFirst: 0, accept: none, complete: none },
    days: [day],
    week: { arrived: Array.from({ length: 168 }, () => 0), hours: Array.from({ length: 168 }, () => 1) },
    groups: { customer: [name], alertType: [], source: [], person: [], window: [], rule: rules },
    problems: [PROBLEM],
  };
  const rows = rowsOf(insight);
  expect(new Set(rows.map((row) => row.length))).toEqual(new Set([19]));
  const cells = Papa.parse<string[]>(csvLines(rows).trimEnd()).data;
  expect(cells[0]?.slice(0, 5)).toEqual(['all', '', '2026-11-21 to 2026-11-21, UTC', '10', '']);
  expect(cells[1]).toEqual([
    'day',
    TODAY,
    TODAY,
    '10',
    '1',
    '2',
    '3',
    '4',
    '',
    '',
    '2',
    '1.5',
    '3',
    '0',
    '',
    '',
    '',
    '',
    '',
  ]);
  expect(cells.at(-5)?.slice(0, 3)).toEqual(['customer', "'=1+1", "'=1+1"]);
  expect(cells.slice(-4, -1).map(([kind]) => kind)).toEqual(['rule on arrival', 'rule', 'outgoing rule']);
  expect(cells.at(-2)?.slice(-3)).toEqual(['4', '3', '5']);
  expect(cells.at(-1)).toEqual([
    'problem',
    '7',
    'Disk full on db-7',
    '2',
    '',
    '',
    '',
    '',
    '',
    '',
    '0',
    '',
    '',
    '0',
    '',
    '',
    '40',
    '1',
    '2',
  ]);
  expect(csvHead(['a', 'b'])).toBe('\uFEFFa,b\r\n');
});

test('figures of one person lead to alerts of that person, and a member’s own to My Alerts', () => {
  const here = { seesAll: true, timeZone: 'UTC', ownZone: 'UTC' };
  const filters = { customer: undefined, alertType: undefined, ownerName: 'Ann Ashby' };
  const range = { from: TODAY, to: TODAY };
  const days = `from:${TODAY} to:${TODAY}`;
  expect(search(hrefOfDay(TODAY, filters, here))).toBe(`owner:"Ann Ashby" ${days}`);
  expect(search(hrefOfProblem(PROBLEM, range, filters, here))).toContain('owner:"Ann Ashby"');
  const own = hrefOfDay(TODAY, filters, { ...here, seesAll: false });
  expect(own).toMatch(/^\/my-alerts\?/);
  expect(search(own)).toBe(days);
});
