import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '#backend/contract/session.ts';
import { setClock } from '#renderer/lib/clock.ts';
import { NO_FILTER } from '#renderer/alerts/list/list-filter.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { countsIn, timesLike } from './search-completions.ts';

const SESSION: Session = { id: '1', email: 'anna@example.org', displayName: 'Anna', role: 'user' };
const filter = { ...NO_FILTER, sort: 'newest' } as const;

it('counts the values of a key in the result, and only where choosing one narrows it', () => {
  const alerts = [
    makeAlert('1', { customer: 'Harbor', alertType: 'disk', severity: 'high', sourceId: 's1', sourceName: 'Grafana' }),
    makeAlert('2', { customer: 'Harbor', alertType: null, severity: 'high' }),
    makeAlert('3', {
      customer: 'Nordwind',
      alertType: 'disk',
      severity: 'none',
      sourceId: 's1',
      sourceName: 'Grafana EU',
    }),
  ];
  const counts = (key: Parameters<typeof countsIn>[1], more: object = {}) =>
    countsIn(alerts, key, { ...filter, search: 'disk', ...more });
  expect(counts('customer')).toEqual(
    new Map([
      ['Harbor', 2],
      ['Nordwind', 1],
    ]),
  );
  expect(counts('type')).toEqual(new Map([['disk', 2]]));
  expect(counts('source')).toEqual(new Map([['s1', 2]]));
  expect(counts('severity')?.get('high')).toBe(2);
  expect(counts('status')).toEqual(new Map([['pending', 3]]));

  // A second value of a key widens the result, and times and people are not counted.
  expect(counts('customer', { search: 'customer:Harbor disk' })).toBeUndefined();
  expect(counts('customer', { customer: 'Harbor' })).toBeUndefined();
  expect(counts('from')).toBeUndefined();
  expect(counts('owner')).toBeUndefined();
  expect(countsIn(undefined, 'customer', filter)).toBeUndefined();
});

it('counts an alert for each trait that it has', () => {
  const flapping = { since: '2026-11-21T09:42:00.000Z', withinMinutes: 60, isOpen: true, turns: [] };
  const alerts = [
    makeAlert('1', { isTest: true, quietBy: { id: 'w1', name: 'Upgrade' } }),
    makeAlert('2', { flapping, quietBy: { id: 'w1', name: 'Upgrade' } }),
    makeAlert('3'),
  ];
  expect(countsIn(alerts, 'is', { ...filter, search: 'disk' })).toEqual(
    new Map([
      ['test', 1],
      ['quiet', 2],
      ['flapping', 1],
    ]),
  );
});

describe('times', () => {
  // A Sunday, in the afternoon where the test's clocks are.
  const now = new Date('2026-11-22T15:30:00Z');
  const values = (typed: string, key: 'from' | 'to' = 'from') =>
    timesLike(typed, key, now).map(({ value, meaning }) => `${value}: ${meaning}`);
  beforeEach(async () => {
    await setClock({ ...SESSION, timeZone: 'Europe/Berlin' });
  });
  afterEach(async () => {
    await setClock(SESSION);
  });

  it('are words with the day that each means, from its first or to its last', () => {
    expect(values('')).toEqual([
      'today: Sun, Nov 22',
      'yesterday: Sat, Nov 21',
      'thisweek: Mon, Nov 16',
      'lastweek: Mon, Nov 9',
      'thismonth: Sun, Nov 1',
      'lastmonth: Thu, Oct 1',
      '1h: Sun, Nov 22, 3:30 PM',
      '24h: Sat, Nov 21, 4:30 PM',
    ]);
    expect(values('last', 'to')).toEqual(['lastweek: Sun, Nov 15', 'lastmonth: Sat, Oct 31']);
    expect(values('last w')).toEqual(['lastweek: Mon, Nov 9']);
  });

  it('are weekdays once something is typed, what a number may become, and a date', () => {
    expect(values('mon')[0]).toBe('monday: Mon, Nov 16');
    expect(values('tu')).toEqual(['tuesday: Tue, Nov 17', 'saturday: Sat, Nov 21']);
    expect(values('3')).toEqual([
      '3m: Sun, Nov 22, 4:27 PM',
      '3h: Sun, Nov 22, 1:30 PM',
      '3d: Thu, Nov 19, 4:30 PM',
      '3w: Sun, Nov 1, 4:30 PM',
    ]);
    expect(values('3d')).toEqual(['3d: Thu, Nov 19, 4:30 PM']);
    expect(values('2025-12-24')).toEqual(['2025-12-24: Wed, Dec 24, 2025']);
    expect(values('banana')).toEqual([]);
  });

  it('mean the days of the member’s time zone', async () => {
    await setClock({ ...SESSION, timeZone: 'Pacific/Kiritimati' });
    expect(values('today')).toEqual(['today: Mon, Nov 23']);
    expect(values('thisweek')).toEqual(['thisweek: Mon, Nov 23']);
    await setClock({ ...SESSION, timeZone: 'America/New_York' });
    expect(values('thisweek')).toEqual(['thisweek: Mon, Nov 16']);
  });
});
