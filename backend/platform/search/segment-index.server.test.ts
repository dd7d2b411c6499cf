import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Database } from '#backend/platform/database/database.ts';
import { firstIdAt } from '#backend/platform/database/ids.ts';
import { createEventBus } from '#backend/platform/live/event-bus.ts';
import { type TestPlace, makeMigratedPlace, openTestDatabase } from '#tests/support/test-place.ts';
import type { SearchIndex } from './search-index.ts';
import { SEGMENT_ALERTS, createSegmentBuilder, firstPositionOf } from './segment.ts';
import { openSegmentIndex } from './segment-index.ts';

/** More segments than are asked at first. The later half is full of one word, which only one alert of each earlier one has. */
const SEGMENTS = 20;
const FULL_FROM = 10;

/** Alerts of a segment that can be found by a text that not all of them have. */
const NAMED = 100;

const place = await makeMigratedPlace();
await place.remove();

const idOf = (segment: number, position: number): string => firstIdAt(100_000 * segment + position + 1);

const textOf = (segment: number, position: number): string => {
  const isHeron = segment >= FULL_FROM ? position === 5 : position < NAMED;
  const isIncident = segment >= FULL_FROM || position === 7;
  return `${isHeron ? 'heron ' : ''}${isIncident ? 'incident ' : ''}number`;
};

describe.runIf(place.databaseUrl)('on MySQL', () => {
  let here: TestPlace;
  let database: Database;
  let index: SearchIndex;
  const failures: Error[] = [];

  beforeAll(async () => {
    here = await makeMigratedPlace();
    database = await openTestDatabase(here);
    index = openSegmentIndex(
      { databaseUrl: here.databaseUrl ?? '', reads: database.reads, events: createEventBus(() => undefined) },
      (error) => failures.push(error),
    );
    const builder = createSegmentBuilder();
    for (let segment = 0; segment < SEGMENTS; segment += 1) {
      for (let position = 0; position < SEGMENT_ALERTS; position += 1) {
        builder.add(position, textOf(segment, position), []);
      }
      const postings = builder.take().map(([code, positions]) => [segment, code, positions]);
      const alerts = Array.from({ length: NAMED }, (_, at) => [firstPositionOf(segment) + at, idOf(segment, at)]);
      await database.transaction(async (tx) => {
        const [after, last] = [firstIdAt(100_000 * segment), idOf(segment, SEGMENT_ALERTS - 1)];
        await tx.query('INSERT INTO search_segments (number, after_id, last_id, built_at) VALUES (?, ?, ?, 0)', [
          segment,
          after,
          last,
        ]);
        await tx.query('INSERT INTO search_postings (segment, gram, positions) VALUES ?', [postings]);
        await tx.query('INSERT INTO search_alerts (position, alert_id) VALUES ?', [alerts]);
      });
    }
  });
  afterAll(async () => {
    await index.close();
    await database.close();
    await here.remove();
    if (failures.length > 0) throw new AggregateError(failures);
  });

  const HERON_INCIDENT = { texts: [['incident'], ['heron']], names: [] };
  const found = Array.from({ length: SEGMENTS }, (_, segment) => idOf(segment, segment >= FULL_FROM ? 5 : 7));

  test('finds the same where a word is rare that is common in the segments asked first', async () => {
    expect(await index.candidates(HERON_INCIDENT, undefined, 'DESC', 100)).toEqual({
      ids: found.toReversed(),
      next: undefined,
    });
    expect((await index.candidates(HERON_INCIDENT, undefined, 'ASC', 100)).ids).toEqual(found);
  });

  test('goes on beyond the cursor, wherever in a segment it stands', async () => {
    const first = await index.candidates(HERON_INCIDENT, undefined, 'DESC', 3);
    expect(first).toEqual({ ids: found.slice(-3).toReversed(), next: found.at(-3) });
    expect((await index.candidates(HERON_INCIDENT, first.next, 'DESC', 100)).ids).toEqual(
      found.slice(0, -3).toReversed(),
    );
    const heron = { texts: [['heron']], names: [] };
    expect((await index.candidates(heron, idOf(2, 50), 'DESC', 51)).ids).toEqual([
      ...Array.from({ length: 50 }, (_, at) => idOf(2, 49 - at)),
      idOf(1, 99),
    ]);
    expect((await index.candidates(heron, idOf(2, 97), 'ASC', 3)).ids).toEqual([idOf(2, 98), idOf(2, 99), idOf(3, 0)]);
    expect((await index.candidates(heron, idOf(19, 5), 'ASC', 3)).ids).toEqual([]);
  });

  test('knows whether there may be as many, without reading their ids', async () => {
    const query = vi.spyOn(database.reads, 'query');
    expect(await index.hasAtLeast(HERON_INCIDENT, undefined, 'DESC', 20)).toBe(true);
    expect(await index.hasAtLeast(HERON_INCIDENT, undefined, 'DESC', 21)).toBe(false);
    expect(await index.hasAtLeast(HERON_INCIDENT, found[10], 'DESC', 11)).toBe(false);
    expect(query.mock.calls.some(([sql]) => String(sql).includes('alert_id AS id'))).toBe(false);
    query.mockRestore();
  });

  test('asks further segments for what is rare alone, and for all of it where that is too much', async () => {
    const query = vi.spyOn(database.reads, 'query');
    await index.candidates(HERON_INCIDENT, undefined, 'DESC', 9);
    const asked = query.mock.calls.flatMap(
      ([sql]) => /gram IN \((.*)\)/.exec(String(sql))?.[1]?.split(',').length ?? [],
    );
    query.mockRestore();
    // Six trigrams of "incident" and three of "heron"; the second eight segments begin where "incident" is rare.
    expect(asked).toEqual([9, 3, 9]);
  });
});
