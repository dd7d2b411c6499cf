import { describe, expect, it } from 'vitest';
import {
  type BulkChange,
  type BulkResult,
  type BulkSelection,
  MAX_BULK_ALERTS,
  MAX_BULK_BATCH,
  bulkChangeSchema,
} from '#backend/contract/bulk.ts';
import { settleWork } from '#renderer/lib/long-work.ts';
import { lossLabels, resultLabel } from './bulk-labels.ts';
import { runBulk } from './run-bulk.ts';

const changed = (ids: readonly string[]): BulkResult => ({
  changed: ids.map((id) => ({ id, status: 'pending' })),
  unchanged: 0,
  lost: [],
});
const ids = Array.from({ length: MAX_BULK_BATCH + 5 }, (_, index) => `id-${index}`);

describe('runBulk', () => {
  it('sends ids in batches and reports how far it is', async () => {
    const progress: number[][] = [];
    const outcome = await runBulk(
      { action: 'accept' },
      { kind: 'ids', ids },
      {
        send: async (change) => changed(change.ids ?? []),
        onResult: ({ changed: { length } }, batch, done) => progress.push([batch, length, done]),
      },
    );
    expect(outcome.changed).toHaveLength(ids.length);
    expect(progress).toEqual([
      [0, MAX_BULK_BATCH, MAX_BULK_BATCH],
      [1, 5, ids.length],
    ]);
  });

  it('sends those of one owner together, with whose they are', async () => {
    const sent: unknown[] = [];
    const owners: Record<string, string> = { a: 'none', b: 'ben', c: 'none' };
    await runBulk(
      { action: 'delete' },
      { kind: 'ids', ids: ['a', 'b', 'c', 'd'], ownerOf: (id) => owners[id] },
      {
        send: async (change) => {
          sent.push(change);
          return changed(change.ids ?? []);
        },
      },
    );
    expect(sent).toEqual([
      { action: 'delete', ifOwner: 'none', ids: ['a', 'c'] },
      { action: 'delete', ifOwner: 'ben', ids: ['b'] },
      { action: 'delete', ids: ['d'] },
    ]);
  });

  it('follows a filter to its end, and counts what no longer matched', async () => {
    const sent: BulkSelection[] = [];
    const answers = [
      { ...changed(['a', 'b']), next: 'b' },
      { ...changed([]), next: 'c' },
      { ...changed(['d']), lost: [{ id: 'e', reason: 'gone' as const }] },
    ];
    const outcome = await runBulk(
      { action: 'accept' },
      { kind: 'filter', filter: { list: 'inbox' }, count: 7, isAtLeast: true, upTo: 'z' },
      {
        send: async (change) => {
          sent.push(change);
          return answers.shift() ?? changed([]);
        },
      },
    );
    expect(sent.map(({ before }) => before)).toEqual([undefined, 'b', 'c']);
    expect(sent[0]).toMatchObject({ expectedCount: 7, expectsMore: true, upTo: 'z' });
    expect(outcome).toMatchObject({ missing: 3, isCancelled: false });
  });

  it('asks for all that match a filter where these are more than a request can name', async () => {
    const sent: BulkSelection[] = [];
    const outcome = await runBulk(
      { action: 'accept' },
      { kind: 'filter', filter: { list: 'inbox' }, count: MAX_BULK_ALERTS + 1, upTo: 'z' },
      {
        send: async (change) => {
          sent.push(bulkChangeSchema.parse({ ...change, upTo: undefined }));
          return changed([]);
        },
      },
    );
    expect(sent).toMatchObject([{ expectedCount: MAX_BULK_ALERTS, expectsMore: true }]);
    expect(outcome.error).toBeUndefined();
  });

  it('ends after the batch in flight when it is cancelled', async () => {
    const cancel = new AbortController();
    const outcome = await runBulk(
      { action: 'accept' },
      { kind: 'ids', ids },
      {
        send: async (change) => {
          cancel.abort();
          return changed(change.ids ?? []);
        },
        signal: cancel.signal,
      },
    );
    expect(outcome).toMatchObject({ isCancelled: true, missing: 0 });
    expect(outcome.changed).toHaveLength(MAX_BULK_BATCH);
  });

  it.each([
    ['nothing', true, []],
    ['the batch in flight', false, [MAX_BULK_BATCH]],
  ])('leaves of what is canceled %s that could not be saved', async (_what, isAnswered, lost) => {
    const cancel = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    const send = async (change: BulkChange) => {
      await promise;
      return changed(change.ids ?? []);
    };
    const run = runBulk({ action: 'accept' }, { kind: 'ids', ids }, { send, signal: cancel.signal });
    cancel.abort();
    if (isAnswered) resolve();
    const settled = await settleWork(isAnswered ? run : Promise.resolve());
    expect(settled.map(({ left }) => left)).toEqual(lost);
    resolve();
    await run;
  });

  it('keeps what was done before a failure', async () => {
    let batch = 0;
    const outcome = await runBulk(
      { action: 'accept' },
      { kind: 'ids', ids },
      {
        send: async (change) => {
          batch += 1;
          if (batch > 1) throw new Error('The database is away.');
          return changed(change.ids ?? []);
        },
      },
    );
    expect(outcome.changed).toHaveLength(MAX_BULK_BATCH);
    expect(outcome.error?.message).toBe('The database is away.');
  });
});

const taken = (id: string, ownerName: string) => ({ id, reason: 'taken' as const, ownerName });

describe('the result', () => {
  const outcome = { ...changed(['a', 'b']), missing: 0, isCancelled: false };

  it('names who took the others', () => {
    const byAnn = { ...outcome, lost: [taken('c', 'Ann Ashby'), taken('d', 'Ann Ashby')] };
    expect(resultLabel('accepted', byAnn)).toBe('2 accepted, 2 were taken by Ann Ashby');
    expect(lossLabels({ ...byAnn, lost: [taken('c', 'Ann'), taken('d', 'Ben')] })).toEqual(['2 were taken by others']);
  });

  it('says why the rest was left', () => {
    expect(
      lossLabels({
        lost: [
          { id: 'a', reason: 'returned' },
          { id: 'b', reason: 'gone' },
          { id: 'c', reason: 'not_allowed' },
        ],
        missing: 1_200,
      }),
    ).toEqual(['1 was back in the inbox', '1,201 were no longer in the list', '1 was not yours to change']);
  });
});
