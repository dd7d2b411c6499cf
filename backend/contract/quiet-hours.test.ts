import { expect, test } from 'vitest';
import { DEFAULT_QUIET_HOURS, type QuietHours, WEEKDAYS, quietHoursSchema } from './notification-settings.ts';
import { isQuietAt } from './quiet-hours.ts';

const hours = (more: Partial<QuietHours>): QuietHours => ({ ...DEFAULT_QUIET_HOURS, isOn: true, ...more });
const at = (time: string) => Date.parse(time);

// 2026-11-16 is a Monday.
test.each<[string, Partial<QuietHours>, string, boolean]>([
  ['before they begin', { from: '12:00', to: '13:30' }, '2026-11-16T11:59:59.999Z', false],
  ['as they begin', { from: '12:00', to: '13:30' }, '2026-11-16T12:00:00.000Z', true],
  ['in their last minute', { from: '12:00', to: '13:30' }, '2026-11-16T13:29:59.999Z', true],
  ['as they end', { from: '12:00', to: '13:30' }, '2026-11-16T13:30:00.000Z', false],
  ['on another day', { from: '12:00', to: '13:30', days: ['tue'] }, '2026-11-16T12:30:00.000Z', false],
  ['over midnight, in the evening of their day', { days: ['mon'] }, '2026-11-16T22:00:00.000Z', true],
  ['over midnight, in the morning after', { days: ['mon'] }, '2026-11-17T06:59:00.000Z', true],
  ['over midnight, as they end', { days: ['mon'] }, '2026-11-17T07:00:00.000Z', false],
  ['over midnight, in the morning of their day', { days: ['mon'] }, '2026-11-16T06:59:00.000Z', false],
  ['over midnight, in the evening after', { days: ['mon'] }, '2026-11-17T22:00:00.000Z', false],
  ['from Sunday to Monday', { days: ['sun'] }, '2026-11-16T03:00:00.000Z', true],
  [
    'round the clock, from the time named',
    { days: ['mon'], from: '08:00', to: '08:00' },
    '2026-11-16T08:00:00.000Z',
    true,
  ],
  ['round the clock, before it', { days: ['mon'], from: '08:00', to: '08:00' }, '2026-11-16T07:59:00.000Z', false],
  [
    'round the clock, to the same time',
    { days: ['mon'], from: '08:00', to: '08:00' },
    '2026-11-17T07:59:00.000Z',
    true,
  ],
  [
    'round the clock, at the same time',
    { days: ['mon'], from: '08:00', to: '08:00' },
    '2026-11-17T08:00:00.000Z',
    false,
  ],
  ['a whole day from midnight', { days: ['sat'], from: '00:00', to: '00:00' }, '2026-11-21T23:59:59.000Z', true],
  [
    'a whole day from midnight, the next',
    { days: ['sat'], from: '00:00', to: '00:00' },
    '2026-11-22T00:00:00.000Z',
    false,
  ],
  ['switched off', { isOn: false, from: '00:00', to: '00:00' }, '2026-11-16T12:00:00.000Z', false],
  ['on no day', { days: [], from: '00:00', to: '00:00' }, '2026-11-16T12:00:00.000Z', false],
  ['by the clock of the member', { days: ['mon'], timeZone: 'Pacific/Auckland' }, '2026-11-16T09:00:00.000Z', true],
  ['on the weekday of the member', { days: ['tue'], timeZone: 'Pacific/Auckland' }, '2026-11-16T09:00:00.000Z', false],
  ['where clocks differ by less than an hour', { timeZone: 'Asia/Kathmandu' }, '2026-11-16T16:15:00.000Z', true],
  ['a quarter before', { timeZone: 'Asia/Kathmandu' }, '2026-11-16T16:14:00.000Z', false],
])('quiet hours, %s', (_when, given, time, isQuiet) => {
  expect(isQuietAt(hours(given), at(time))).toBe(isQuiet);
});

/** How many minutes of a day by the world's clock are quiet. */
const quietMinutes = (given: QuietHours, day: string) =>
  Array.from({ length: 24 * 60 }, (_, minute) => isQuietAt(given, at(day) + minute * 60_000)).filter(Boolean).length;

test('the night in which clocks are put forward is an hour shorter, the one in which they are put back an hour longer', () => {
  const berlin = hours({ timeZone: 'Europe/Berlin', from: '22:00', to: '07:00' });
  // From noon to noon, so that it is one night.
  expect(quietMinutes(berlin, '2026-03-27T12:00:00Z')).toBe(9 * 60);
  expect(quietMinutes(berlin, '2026-03-28T12:00:00Z')).toBe(8 * 60);
  expect(quietMinutes(berlin, '2026-10-24T12:00:00Z')).toBe(10 * 60);
});

test('an end that clocks jump over ends them all the same', () => {
  const berlin = hours({ timeZone: 'Europe/Berlin', from: '23:00', to: '02:30' });
  expect(isQuietAt(berlin, at('2026-03-29T00:59:00Z'))).toBe(true);
  expect(isQuietAt(berlin, at('2026-03-29T01:00:00Z'))).toBe(false);
});

test('a day is named once, in the order of the week', () => {
  const given = { ...DEFAULT_QUIET_HOURS, days: ['sun', 'mon', 'sun', 'wed'] };
  expect(quietHoursSchema.parse(given).days).toEqual(['mon', 'wed', 'sun']);
  expect(quietHoursSchema.parse(DEFAULT_QUIET_HOURS).days).toEqual(WEEKDAYS);
});

test.each(['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])('%s is a time zone', (timeZone) => {
  expect(quietHoursSchema.safeParse(hours({ timeZone })).success).toBe(true);
});

test.each(['', 'Europe/Nowhere', '+02:00', 'x'.repeat(65), 'Europe/Berlin\u0000'])('%j is no time zone', (timeZone) => {
  expect(quietHoursSchema.safeParse(hours({ timeZone })).success).toBe(false);
});

test.each(['24:00', '7:00', '12:60', '12:00:00', ''])('%j is no time of day', (from) => {
  expect(quietHoursSchema.safeParse(hours({ from })).success).toBe(false);
});
