import { expect, it } from 'vitest';
import type { View } from '#backend/contract/view.ts';
import { draftAt } from './draft-at.ts';

const view: View = {
  id: 'v1',
  name: 'Mine',
  isShared: false,
  list: 'mine',
  search: '',
  sort: 'newest',
  version: 1,
  notify: 'settings',
  alerts: null,
};

it.each([
  ['/', '?customer=Acme&sort=oldest', { list: 'inbox', search: 'customer:Acme', sort: 'oldest' }],
  ['/my-alerts', '?severity=high', { list: 'mine', search: 'severity:high', sort: 'newest' }],
  ['/my-alerts', '?status=accepted&q=disk', { list: 'mine', search: 'status:accepted disk', sort: 'newest' }],
  ['/admin/alerts', '?status=accepted&q=disk', { list: 'all', search: 'status:accepted disk', sort: 'newest' }],
  ['/admin/alerts', '?status=nonsense&q=%20', { list: 'all', search: '', sort: 'newest' }],
  ['/view/v1', '?customer=Acme', { list: 'mine', search: 'customer:Acme', sort: 'newest' }],
  ['/view/gone', '?customer=Acme', { list: 'inbox', search: '', sort: 'newest' }],
  ['/settings', '?customer=Acme', { list: 'inbox', search: '', sort: 'newest' }],
])('a view that is saved at %s%s', (pathname, query, draft) => {
  expect(draftAt(pathname, query, [view])).toEqual(draft);
});

it.each([
  ['/', '?customer=Acme', 'severity'],
  ['/', '?sort=oldest', 'oldest'],
  ['/my-alerts', '', 'newest'],
  // It has the order that it was saved with.
  ['/view/v1', '', 'newest'],
])('a view that is saved at %s%s is sorted by %s, as the list is that the member sees', (pathname, query, sort) => {
  expect(draftAt(pathname, query, [view], { inbox: 'severity' })).toMatchObject({ sort });
});
