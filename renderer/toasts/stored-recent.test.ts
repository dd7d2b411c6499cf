import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { putBefore } from './keep-recent.ts';
import { record } from './recent-toasts.ts';
import { readStoredRecent, storeRecent } from './stored-recent.ts';

const text = (title: string, ...subjects: string[]) => ({
  title,
  subjects: subjects.map((subject) => ({ text: subject })),
});

describe('what a tab keeps for a reload', () => {
  let stored: Map<string, string>;
  beforeEach(() => {
    stored = new Map();
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    });
  });
  afterEach(() => void vi.unstubAllGlobals());

  it('is given to the member whose it is, without the toast and the undo that went with the page', () => {
    const recent = record([], 7, 'done', { ...text('Alert deleted', 'A'), undoId: 3 }, 50);
    storeRecent('anna', recent);
    expect(readStoredRecent('anna')).toEqual([
      { id: 1, intent: 'done', title: 'Alert deleted', subjects: [{ text: 'A' }], at: 50, dismissedAt: 50 },
    ]);
    expect(readStoredRecent('ben')).toEqual([]);
  });

  it('stands before what this page showed, each with an id of its own', () => {
    const earlier = record(record([], 8, 'done', text('a'), 0), 9, 'done', text('b'), 0);
    const all = putBefore(earlier, record([], 1, 'done', text('c'), 0));
    expect(all.map(({ id, title }) => [id, title])).toEqual([
      [-2, 'a'],
      [-1, 'b'],
      [1, 'c'],
    ]);
    expect(record(putBefore(earlier, []), 1, 'done', text('c'), 0).at(-1)?.id).toBe(1);
  });

  it('is gone when nobody is signed in, or cannot be read', () => {
    storeRecent('anna', record([], 1, 'done', text('Alert deleted'), 0));
    storeRecent(null, []);
    expect([stored.size, readStoredRecent('anna')]).toEqual([0, []]);
    stored.set('recent-toasts', '{');
    expect(readStoredRecent('anna')).toEqual([]);
  });
});
