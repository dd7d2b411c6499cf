import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#backend/platform/database/database.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { type TestPlace, makeMigratedPlace, openTestDatabase } from '#tests/support/test-place.ts';
import { type Range, branchesOf } from './alert-branches.ts';
import { lookAt, lookAtRange } from './look-at-alerts.ts';
import type { Search } from './prepare-search.ts';

let place: TestPlace;
let database: Database;
/** Oldest first: a small one with the word and one without, then both so large that two fill a statement. */
let ids: string[];
/** Bytes of two large alerts, and of none more, that one statement looks at. */
const SLICE_BYTES = 20_000;

beforeAll(async () => {
  place = await makeMigratedPlace();
  database = await openTestDatabase(place);
  const large = 'x'.repeat(9_000);
  const texts = ['a heron', 'a stork', `${large} heron`, `${large} stork`, `heron ${large}`];
  ids = await insertAlerts(
    database,
    texts.map((text) => ({ payload: JSON.stringify({ text }) })),
  );
});
afterAll(async () => {
  await database.close();
  await place.remove();
});

const inbox = () => branchesOf({ list: 'inbox' }, {}, 'newest');

/** A search for "heron"; without `isForText` for names alone. */
const searchOf = (isForText = true, bytesLeft = 1_000_000): Search => {
  const { reads, dialect } = database;
  return {
    database: { reads, dialect: { ...dialect, slice: { ...dialect.slice, bytes: SLICE_BYTES } } },
    condition: isForText ? dialect.contains(['payload'], ['heron']) : undefined,
    index: undefined,
    size: { alerts: ids.length, entries: ids.length },
    range: {},
    bytesLeft,
    looked: 0,
    found: 0,
    looksWithFinds: 1_000,
  };
};
const at = (...positions: number[]): string[] => positions.map((position) => ids[position] ?? '');
const idsOf = (places: readonly { id: string }[] | undefined) => places?.map(({ id }) => id);

test('small and large alerts are looked at, in the order in which they are asked for, and what it took is noted', async () => {
  const search = searchOf();
  const { places, stoppedAt } = await lookAt(search, inbox(), ids.toReversed(), 10);
  expect(idsOf(places)).toEqual(at(4, 2, 0));
  expect(stoppedAt).toBeUndefined();
  expect(search).toMatchObject({ looked: 5, found: 3 });
  expect(1_000_000 - search.bytesLeft).toBeGreaterThan(27_000);
});

test('no more are returned than are wanted, and none that is in no branch', async () => {
  expect(idsOf((await lookAt(searchOf(), inbox(), ids, 2)).places)).toEqual(at(0, 2));
  expect((await lookAt(searchOf(), [], [], 2)).places).toEqual([]);
  const mine = branchesOf({ list: 'mine', ownerId: 'somebody' }, {}, 'newest');
  expect((await lookAt(searchOf(), mine, ids, 2)).places).toEqual([]);
});

test('a search without bytes left stops, and says where', async () => {
  const { places, stoppedAt } = await lookAt(searchOf(true, 10_000), inbox(), ids, 10);
  expect(idsOf(places)).toEqual(at(0, 2));
  expect(stoppedAt).toBe(ids[3]);
});

test('notes are as much to look at as payloads are', async () => {
  const noted = await insertAlerts(
    database,
    Array.from({ length: 3 }, () => ({ status: 'completed' as const })),
  );
  const notes = `heron ${'x'.repeat(15_000)}`;
  await database.transaction((tx) => tx.query("UPDATE alerts SET note_text = ? WHERE status = 'completed'", [notes]));
  const all = branchesOf({ list: 'all' }, { status: 'completed' }, 'newest');
  const { slice, places } = await lookAtRange(searchOf(), all, { bounds: [], order: 'DESC', rows: 3 }, 10);
  expect([slice.rows, slice.bytes > 45_000, places]).toEqual([3, true, undefined]);
  const search = searchOf();
  await lookAt(search, all, noted, 10);
  expect(1_000_000 - search.bytesLeft).toBeGreaterThan(45_000);
});

test('where no text is searched for, no alert is looked at', async () => {
  const search = searchOf(false, 0);
  expect(idsOf((await lookAt(search, inbox(), ids, 10)).places)).toEqual(ids);
});

test('a range is measured and looked at, but for one with too many bytes', async () => {
  const range: Range = { bounds: [{ operator: '<=', id: ids[3] ?? '' }], order: 'DESC', rows: 2 };
  const fits = await lookAtRange(searchOf(), inbox(), range, 10);
  expect(fits.slice).toMatchObject({ rows: 2, end: ids[2] });
  expect(idsOf(fits.places)).toEqual(at(2));
  const tooMuch = await lookAtRange(searchOf(), inbox(), { ...range, bounds: [], rows: 3 }, 10);
  expect(tooMuch.slice.rows).toBe(3);
  expect(tooMuch.places).toBeUndefined();
});
