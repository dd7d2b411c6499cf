import { describe, expect, it } from 'vitest';
import { makeAlert } from '#tests/support/make-alert.ts';
import { type AlertListView, isInView, pathOf, viewOf } from './alert-view.ts';

const ME = 'me';

describe('pathOf and viewOf', () => {
  it.each<[AlertListView, string]>([
    [{ list: 'inbox' }, '/api/alerts/inbox'],
    [{ list: 'mine', sort: 'newest' }, '/api/alerts/mine'],
    [
      { list: 'mine', sort: 'oldest', customer: 'Öl & Söhne' },
      '/api/alerts/mine?customer=%C3%96l+%26+S%C3%B6hne&sort=oldest',
    ],
    [{ list: 'folder', folderId: 'a/b?c', alertType: 'x' }, '/api/alerts/folder/a%2Fb%3Fc?alertType=x'],
    [{ list: 'all', q: 'a=b', status: 'completed' }, '/api/alerts/all?status=completed&q=a%3Db'],
  ])('%j is %s and back', (view, path) => {
    expect(pathOf(view)).toBe(path);
    expect(pathOf(viewOf(path) ?? { list: 'inbox' })).toBe(path);
  });

  it.each(['/api/alerts/facets', '/api/alerts/facets?list=inbox', '/api/alerts/stats', '/api/folders', undefined, 17])(
    '%s is no list',
    (path) => expect(viewOf(path)).toBeUndefined(),
  );
});

describe('isInView', () => {
  const mine = makeAlert('a', { status: 'accepted', ownerId: ME, customer: 'Nordwind', alertType: 'order' });

  it.each<[AlertListView, boolean | undefined]>([
    [{ list: 'inbox' }, false],
    [{ list: 'mine' }, true],
    [{ list: 'mine', customer: 'Nordwind', alertType: 'order' }, true],
    [{ list: 'mine', customer: 'nordwind' }, false],
    [{ list: 'mine', alertType: 'disk' }, false],
    [{ list: 'folder', folderId: 'f' }, false],
    [{ list: 'all', status: 'accepted' }, true],
    [{ list: 'all', status: 'pending' }, false],
    [{ list: 'all', q: 'anything' }, undefined],
    [{ list: 'all', q: 'anything', customer: 'Atlas' }, false],
  ])('my alert in %j: %s', (view, expected) => expect(isInView(view, ME, mine)).toBe(expected));

  it('files by owner and folder', () => {
    const filed = { ...mine, folderId: 'f' };
    expect(isInView({ list: 'folder', folderId: 'f' }, ME, filed)).toBe(true);
    expect(isInView({ list: 'folder', folderId: 'f' }, 'other', filed)).toBe(false);
    expect(isInView({ list: 'mine' }, ME, filed)).toBe(false);
    expect(isInView({ list: 'inbox' }, ME, makeAlert('b'))).toBe(true);
  });
});
