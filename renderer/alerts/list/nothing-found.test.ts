import { expect, test } from 'vitest';
import { type ListFilter, NO_FILTER } from './list-filter.ts';
import { nothingFoundTitle } from './nothing-found.tsx';

test.each<[Partial<ListFilter>, string]>([
  [{ severity: ['critical'] }, 'No critical alerts.'],
  [{ severity: ['none'] }, 'No alerts without a severity.'],
  [{ severity: ['critical', 'high'] }, 'No alerts of these severities.'],
  [{ source: 'a source' }, 'No alerts from this source.'],
  [{ severity: ['high'], source: 'a source' }, 'No high alerts from this source.'],
  [{ severity: ['low'], customer: 'Nordwind', source: 'a source' }, 'No low alerts for this customer.'],
  [{ alertType: 'order' }, 'No alerts of this type.'],
  [{ status: 'pending' }, 'No alerts with this status.'],
])('a filter that nothing matches, %j, reads "%s"', (filter, title) => {
  expect(nothingFoundTitle({ ...NO_FILTER, sort: 'newest', ...filter })).toBe(title);
});
