import { expect, test } from 'vitest';
import { changedParams, filterIn, filtersIn } from './list-filter.ts';

const SOURCE = '01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80';
const read = (search: string) => filterIn(new URLSearchParams(search));

test('severities are read from the address, each once, highest first', () => {
  expect(read('severity=info&severity=critical&severity=info').severity).toEqual(['critical', 'info']);
});

test.each([
  'severity=urgent',
  'severity=',
  `${['critical', 'high', 'warning', 'low', 'info', 'none'].map((one) => `severity=${one}`).join('&')}`,
])('%s filters nothing', (search) => expect(read(search).severity).toBeUndefined());

test('a source is an id, and an order one that there is', () => {
  expect(read(`source=${SOURCE}&sort=severity`)).toMatchObject({ source: SOURCE, sort: 'severity' });
  expect(read('source=Grafana&sort=best')).toMatchObject({ source: undefined, sort: 'newest' });
});

test('a change leaves the rest of the address alone, and writes nothing that is usual', () => {
  const params = new URLSearchParams(`alert=a1&severity=high&source=${SOURCE}`);
  const changed = changedParams(params, { severity: ['critical', 'high'], source: undefined, sort: 'newest' });
  expect(changed.toString()).toBe('alert=a1&severity=critical&severity=high');
  expect(filtersIn(filterIn(changed))).toBe(1);
});

test('the usual order is not written down, what is called like it is', () => {
  const changed = changedParams(new URLSearchParams(), { customer: 'newest', search: 'newest', sort: 'newest' });
  expect(changed.toString()).toBe('customer=newest&search=newest');
});
