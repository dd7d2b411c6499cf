import { expect, test } from 'vitest';
import type { View } from '#backend/contract/view.ts';
import { filterIn } from '#renderer/alerts/list/list-filter.ts';
import { addressOf, isAsSaved } from './view-address.ts';

const view = (saved: Partial<View>): View => ({
  id: 'a',
  name: 'Night shift',
  isShared: false,
  list: 'inbox',
  search: '',
  sort: 'newest',
  version: 3,
  notify: 'settings',
  alerts: null,
  ...saved,
});

test.each([
  [{}, 'v=3'],
  [
    { search: 'disk  severity:critical', sort: 'severity' as const },
    'v=3&search=severity%3Acritical+disk&sort=severity',
  ],
])('%j has the address %s, at which nothing is changed', (saved, address) => {
  expect(String(addressOf(view(saved)))).toBe(address);
  expect(isAsSaved(view(saved), filterIn(new URLSearchParams(address)))).toBe(true);
});

test.each(['v=3&search=severity%3Acritical', 'v=3&search=disk&sort=severity', 'v=3&search=disk&customer=Blue', 'v=3'])(
  'at %s it is changed',
  (address) => {
    expect(isAsSaved(view({ search: 'disk' }), filterIn(new URLSearchParams(address)))).toBe(false);
  },
);
