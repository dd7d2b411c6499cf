import { describe, expect, it } from 'vitest';
import { type BulkChange, type BulkResult, MAX_BULK_BATCH } from '#backend/contract/bulk.ts';
import { lossLabels, resultLabel } from './bulk-labels.ts';
import { runBulk, undoSteps } from './run-bulk.ts';

const changed = (ids: readonly string[]): BulkResult => ({
  changed: ids.map((id) => ({ id, status: 'pending' })),
  unchanged: 0,
  lost: [],
});
const ids = Array.from({ length: MAX_BULK_BATCH + 5 }, (_, index) => `id-${index}`);

describe('runBulk', () => {
  it('sends ids in batches and reports how far it is', async () => {
    const progress: number[] = [];
    const outcome = await runBulk(
      { action: 'accept' },
      { kind: 'ids', ids },
      { send: async (change) => changed(change.ids ?? []), onProgress: (done) => progress.push(done) },
    );
    expect(outcome.changed).toHaveLength(ids.length);
    expect(progress).toEqual([MAX_BULK_BATCH, ids.length]);
  });

  it('follows a filter to its end, and counts what no longer matched', async () => {
    const sent: BulkChange[] = [];
    const answers = [
      { ...changed(['a', 'b']), next: 'b' },
      { ...changed([]), next: 'c' },
      { ...changed(['d']), lost: [{ id: 'e', reason: 'gone' as const }] },
    ];
    const outcome = await runBulk(
      { action: 'accept' },
      { kind: 'filter', filter: { list: 'inbox' }, count: 7, upTo: 'z' },
      {
        send: async (change) => {
          sent.push(change);
          return answers.shift() ?? changed([]);
        },
      },
    );
    expect(sent.map(({ before }) => before)).toEqual([undefined, 'b', 'c']);
    expect(sent[0]).toMatchObject({ expectedCount: 7, upTo: 'z' });
    expect(outcome).toMatchObject({ missing: 3, isCancelled: false });
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

describe('undoSteps', () => {
  it('makes of each alert what it was', () => {
    const before = [
      { id: 'a', status: 'accepted' as const },
      { id: 'b', status: 'completed' as const, folderId: 'f' },
    ];
    expect(undoSteps({ action: 'unaccept' }, before)).toEqual([
      { action: { action: 'accept' }, ids: ['a', 'b'] },
      { action: { action: 'status', status: 'completed' }, ids: ['b'] },
      { action: { action: 'move', folderId: 'f' }, ids: ['b'] },
    ]);
    expect(undoSteps({ action: 'move', folderId: 'g' }, [...before, { id: 'c', status: 'pending' }])).toEqual([
      { action: { action: 'unaccept' }, ids: ['c'] },
      { action: { action: 'move', folderId: null }, ids: ['a'] },
      { action: { action: 'move', folderId: 'f' }, ids: ['b'] },
    ]);
    const given = before.map((alert) => ({ ...alert, ownerId: 'me' }));
    const cleos = { id: 'd', status: 'accepted' as const, ownerId: 'cleo', folderId: 'h' };
    const assigned = { action: 'assign', to: { id: 'ben', displayName: 'Ben' } } as const;
    expect(undoSteps(assigned, [...given, cleos, { id: 'c', status: 'pending' }], 'me')).toEqual([
      { action: { action: 'unaccept' }, ids: ['c'] },
      { action: { action: 'assign', to: { id: 'me', displayName: '' }, ifOwner: 'ben' }, ids: ['a', 'b'] },
      { action: { action: 'assign', to: { id: 'cleo', displayName: '' }, ifOwner: 'ben' }, ids: ['d'] },
      { action: { action: 'move', folderId: 'f' }, ids: ['b'] },
    ]);
    expect(undoSteps({ action: 'status', status: 'in-progress' }, before)).toEqual([
      { action: { action: 'status', status: 'accepted' }, ids: ['a'] },
      { action: { action: 'status', status: 'completed' }, ids: ['b'] },
    ]);
  });
});

it('gives alerts to somebody, where asked for only of the owner who was seen', async () => {
  const sent: object[] = [];
  const send = async (change: object) => {
    sent.push(change);
    return changed(['a']);
  };
  const assign = { action: 'assign', to: { id: 'ben', displayName: 'Ben' } } as const;
  await runBulk(assign, { kind: 'ids', ids: ['a'] }, { send });
  await runBulk({ ...assign, ifOwner: 'cleo' }, { kind: 'ids', ids: ['a'] }, { send });
  expect(sent).toEqual([
    { action: 'assign', userId: 'ben', ids: ['a'] },
    { action: 'assign', userId: 'ben', ids: ['a'], ifOwner: 'cleo' },
  ]);
});

const taken = (id: string, ownerName: string) => ({ id, reason: 'taken' as const, ownerName });

describe('the result', () => {
  const outcome = { ...changed(['a', 'b']), missing: 0, isCancelled: false };

  it('names who took the others', () => {
    const byAnn = { ...outcome, lost: [taken('c', 'Ann Ashby'), taken('d', 'Ann Ashby')] };
    expect(resultLabel({ action: 'accept' }, byAnn)).toBe('2 accepted, 2 were taken by Ann Ashby');
    expect(lossLabels({ ...byAnn, lost: [taken('c', 'Ann'), taken('d', 'Ben')] })).toEqual(['2 were taken by others']);
  });

  it('says whose the alerts are now', () => {
    const assigned = { action: 'assign', to: { id: 'ben', displayName: 'Ben' } } as const;
    expect(resultLabel(assigned, { ...outcome, lost: [] })).toBe('2 assigned to Ben');
    expect(resultLabel({ ...assigned, isHandOver: true }, { ...outcome, lost: [] })).toBe('2 handed over to Ben');
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
    ).toEqual(['1 was back in the inbox', '1,201 had left the list', '1 was not yours to change']);
  });
});
