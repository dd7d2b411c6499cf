import { describe, expect, it } from 'vitest';
import { ApiError } from '#renderer/lib/api-client.ts';
import { undoableDeletion } from './undoable-deletion.ts';

/** A deletion, and what it did in order. `answer` is the server's; `listed` when lists were fetched again. */
function deletion(answer: () => Promise<unknown> = async () => undefined, listed: Promise<void> = Promise.resolve()) {
  const done: string[] = [];
  const parts = undoableDeletion({
    show: () => done.push('shown'),
    send: (keepalive) => {
      done.push(keepalive ? 'sent while the page goes' : 'sent');
      return answer();
    },
    onUndone: () => done.push('undone'),
    onSent: async () => {
      done.push('lists asked');
      await listed;
      done.push('lists fetched');
    },
    onFailed: () => done.push('failed'),
  });
  return { done, ...parts };
}

describe('a deletion that can be undone', () => {
  it('stays hidden until the lists were fetched without it', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { done, commit } = deletion(undefined, promise);
    const committed = commit?.(false);
    await expect.poll(() => done).toEqual(['sent', 'lists asked']);
    resolve();
    await committed;
    expect(done).toEqual(['sent', 'lists asked', 'lists fetched', 'shown']);
  });

  it('is sent so that the call outlives the page', async () => {
    const { done, commit } = deletion();
    await commit?.(true);
    expect(done[0]).toBe('sent while the page goes');
  });

  it.each([404, 409])('counts as sent when it was settled elsewhere: %i', async (status) => {
    const { done, commit } = deletion(() => Promise.reject(new ApiError(status, 'Gone.', '')));
    await commit?.(false);
    expect(done).toEqual(['sent', 'lists asked', 'lists fetched', 'shown']);
  });

  it.each([new ApiError(403, 'No.', ''), new ApiError(500, '', 'Error'), new Error('Away.')])(
    'says when it failed, and fetches nothing: %s',
    async (failure) => {
      const { done, commit } = deletion(() => Promise.reject(failure));
      await expect(commit?.(false)).rejects.toBe(failure);
      expect(done).toEqual(['sent', 'failed']);
    },
  );

  it('is shown again by Undo, and never sent', () => {
    const { done, undo } = deletion();
    void undo();
    expect(done).toEqual(['shown', 'undone']);
  });
});
