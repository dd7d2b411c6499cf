import { expect, it } from 'vitest';
import { NO_FILTER } from '#renderer/alerts/list/list-filter.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { countsIn } from './search-completions.ts';

const filter = { ...NO_FILTER, sort: 'newest' } as const;

it('counts the values of a key in the result, and only where choosing one narrows it', () => {
  const alerts = [
    makeAlert('1', { customer: 'Harbor', alertType: 'disk', severity: 'high', sourceName: 'Grafana' }),
    makeAlert('2', { customer: 'Harbor', alertType: null, severity: 'high' }),
    makeAlert('3', { customer: 'Nordwind', alertType: 'disk', severity: 'none', sourceName: 'Grafana' }),
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
  expect(counts('source')).toEqual(new Map([['Grafana', 2]]));
  expect(counts('severity')?.get('high')).toBe(2);
  expect(counts('status')).toEqual(new Map([['pending', 3]]));

  // A second value of a key widens the result, and times and people are not counted.
  expect(counts('customer', { search: 'customer:Harbor disk' })).toBeUndefined();
  expect(counts('customer', { customer: 'Harbor' })).toBeUndefined();
  expect(counts('from')).toBeUndefined();
  expect(counts('owner')).toBeUndefined();
  expect(countsIn(undefined, 'customer', filter)).toBeUndefined();
});
