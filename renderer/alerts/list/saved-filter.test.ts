import { expect, test } from 'vitest';
import { sameSearch, searchOfFilter, searchProblem } from './saved-filter.ts';

const SOURCE = '0199f000-0000-7000-8000-000000000001';

test.each([
  [{}, ''],
  [{ search: 'disk  full' }, 'disk full'],
  [{ customer: 'Harbor & Finch', search: 'disk' }, 'customer:"Harbor & Finch" disk'],
  [{ severity: ['critical', 'high'] as const, alertType: 'a:b' }, 'type:a:b severity:critical severity:high'],
  [{ customer: 'Blue', search: 'customer:Blue customer:Red disk' }, 'customer:Blue disk'],
  [{ status: 'pending' as const, q: 'disk full' }, 'status:pending "disk full"'],
  [{ q: 'type:disk' }, '"type:disk"'],
  [{ source: SOURCE }, `source:${SOURCE}`],
])('%j is %s', (filter, search) => {
  expect(searchOfFilter(filter)).toBe(search);
});

test('a source has its name', () => {
  expect(searchOfFilter({ source: SOURCE }, 'Prod EU')).toBe('source:"Prod EU"');
});

test('the order of keys and words does not matter', () => {
  expect(sameSearch('disk  severity:high')).toBe(sameSearch('severity:high disk'));
});

test('says what is not understood', () => {
  expect(searchProblem('severity:awful')).toMatch(/^severity: takes critical/);
  expect(searchProblem('severity:high from:2h disk')).toBeUndefined();
});
