import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import type { Folder } from '#backend/contract/folder.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { countFiled, foldersQuery } from './folders.ts';

const ME = 'me';

const folder = (id: string, alertCount: number): Folder => ({
  id,
  name: id,
  color: 'red',
  icon: 'folder',
  order: 0,
  alertCount,
});
const filed = (folderId: string, status: Alert['status'] = 'accepted'): Alert =>
  makeAlert('a', { status, ownerId: ME, folderId });
const loose = makeAlert('a', { status: 'accepted', ownerId: ME });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function screen(...folders: Folder[]) {
  const client = new QueryClient();
  client.setQueryData(foldersQuery.queryKey, folders);
  const invalidated = vi.spyOn(client, 'invalidateQueries');
  return {
    count: (before: Alert | null | undefined, after: Alert | undefined) => countFiled(client, ME, [{ before, after }]),
    counts: () => client.getQueryData(foldersQuery.queryKey)?.map(({ alertCount }) => alertCount),
    /** How often the server was asked, once it has become quiet. */
    asked: async () => {
      await vi.advanceTimersByTimeAsync(1000);
      return invalidated.mock.calls.length;
    },
  };
}

describe('countFiled', () => {
  it.each<[string, Alert, Alert | undefined, number[]]>([
    ['into a folder', loose, filed('f'), [3, 5]],
    ['to another', filed('f'), filed('g'), [1, 6]],
    ['out of it', filed('f'), loose, [1, 5]],
    ['completed', filed('f'), filed('f', 'completed'), [1, 5]],
    ['opened again', filed('g', 'completed'), filed('g', 'in-progress'), [2, 6]],
    ['completed already', filed('f', 'completed'), filed('g', 'completed'), [2, 5]],
    ['deleted', filed('g'), undefined, [2, 4]],
    ['returned to the inbox', filed('f'), makeAlert('a'), [1, 5]],
  ])('counts at once what goes %s, and asks the server', async (_what, before, after, counts) => {
    const { count, counts: now, asked } = screen(folder('f', 2), folder('g', 5));
    count(before, after);
    expect(now()).toEqual(counts);
    expect(await asked()).toBe(1);
  });

  it('asks once about many alerts that are not at hand', async () => {
    const { count, counts, asked } = screen(folder('f', 2));
    for (let event = 0; event < 5; event += 1) count(undefined, makeAlert('b'));
    expect(counts()).toEqual([2]);
    expect(await asked()).toBe(1);
  });

  it('does not ask about what concerns no folder of mine', async () => {
    const { count, asked } = screen(folder('f', 2));
    count(null, makeAlert('new'));
    count(makeAlert('a'), loose);
    count(makeAlert('a'), { ...loose, ownerId: 'other', folderId: 'theirs' });
    expect(await asked()).toBe(0);
  });
});
