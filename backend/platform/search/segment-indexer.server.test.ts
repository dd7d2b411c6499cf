import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Connection, createConnection } from 'mysql2/promise';
import { uuidv7 } from 'uuidv7';
import { type Database } from '#backend/platform/database/database.ts';
import { firstIdAt } from '#backend/platform/database/ids.ts';
import { createEventBus } from '#backend/platform/live/event-bus.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { type TestPlace, makeMigratedPlace, openTestDatabase } from '#tests/support/test-place.ts';
import type { SearchIndex } from './search-index.ts';
import { openSegmentIndex } from './segment-index.ts';
import { type SegmentIndexer, createSegmentIndexer } from './segment-indexer.ts';

/** One segment, and some more. */
const MANY = 4_500;

/** Later than every alert. */
const END = 'ffffffff';

const place = await makeMigratedPlace();
await place.remove();

const indexAll = async (indexer: SegmentIndexer) => {
  while (await indexer.indexNext(END));
};

const checkAll = async (indexer: SegmentIndexer) => {
  for await (const _ of indexer.check());
};

describe.runIf(place.databaseUrl)('on MySQL', () => {
  let here: TestPlace;
  let database: Database;
  let index: SearchIndex;
  let connections: Connection[];
  let failures: Error[];

  beforeEach(async () => {
    here = await makeMigratedPlace();
    connections = [];
    failures = [];
    database = await openTestDatabase(here);
    const events = createEventBus((error) => failures.push(error as Error));
    index = openSegmentIndex({ databaseUrl: here.databaseUrl ?? '', reads: database.reads, events }, (error) =>
      failures.push(error),
    );
  });
  afterEach(async () => {
    await index.close();
    for (const connection of connections) await connection.end();
    await database.close();
    await here.remove();
    if (failures.length > 0) throw new AggregateError(failures);
  });

  const openIndexer = async (
    pause: () => Promise<void> = async () => undefined,
    fence?: () => Promise<void>,
  ): Promise<SegmentIndexer> => {
    const connection = await createConnection({ uri: here.databaseUrl ?? '', charset: 'utf8mb4' });
    await connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
    connections.push(connection);
    return createSegmentIndexer(connection, pause, fence);
  };
  const add = (count: number, word = 'nothing', ids: readonly string[] = []) =>
    insertAlerts(
      database,
      Array.from({ length: count }, (_, number) => ({
        ...(ids[number] !== undefined && { id: ids[number] }),
        payload: JSON.stringify({ text: `The ${number === 17 ? word : 'incident'} number no-${number}` }),
      })),
    );
  const find = async (text: string, order: 'ASC' | 'DESC' = 'DESC', cursor?: string, rows = 100) =>
    (await index.candidates({ texts: [[text]], names: [] }, cursor, order, rows)).ids;

  const openThread = () =>
    openSegmentIndex(
      { databaseUrl: here.databaseUrl ?? '', reads: database.reads, events: createEventBus(() => undefined) },
      (error) => failures.push(error),
      0,
    );
  const countOf = async (table: string) => {
    const [row] = await database.reads.query<{ rows: unknown }[]>(`SELECT COUNT(*) AS \`rows\` FROM ${table}`);
    return Number(row?.rows);
  };
  const readHolder = async () => {
    const [lease] = await database.reads.query<{ holder: string }[]>("SELECT holder FROM leases WHERE name = 'search'");
    return lease?.holder;
  };

  test('makes a segment when there is enough for one, and finds in it in both directions', async () => {
    const indexer = await openIndexer();
    const early = await add(100, 'heron');
    await indexAll(indexer);
    expect(await index.indexedTo()).toBeUndefined();
    const ids = [...early, ...(await add(MANY, 'heron'))];
    await indexAll(indexer);
    const [first = '', second = ''] = [ids[17], ids[117]];
    expect(await find('heron')).toEqual([second, first]);
    expect(await find('heron', 'ASC')).toEqual([first, second]);
    expect(await find('heron', 'DESC', second)).toEqual([first]);
    expect(await find('heron', 'ASC', first)).toEqual([second]);
    expect(await index.indexedTo()).toMatch(/^[\da-f-]{36}$/);
    expect(await find('incident', 'DESC', undefined, 3)).toHaveLength(3);
    expect(await find('zebra')).toEqual([]);
  });

  test('two servers make each segment once', async () => {
    await add(2 * MANY, 'heron');
    await Promise.all([await openIndexer(), await openIndexer()].map(indexAll));
    const segments: { alerts: unknown }[] = await database.reads.query(
      'SELECT COUNT(*) AS alerts FROM search_alerts UNION ALL SELECT COUNT(DISTINCT alert_id) FROM search_alerts',
    );
    expect(new Set(segments.map(({ alerts }) => Number(alerts))).size).toBe(1);
    expect(await find('heron')).toHaveLength(1);
  });

  test('the check finds what was stored late, and forgets what is gone', async () => {
    const indexer = await openIndexer();
    const before = Array.from({ length: 200 }, (_, number) => firstIdAt(1_000 + number));
    await add(200, 'heron', before);
    const ids = await add(2 * MANY, 'bittern');
    await indexAll(indexer);
    await add(
      18,
      'ibis',
      Array.from({ length: 18 }, (_, number) => firstIdAt(1_050 + number).replace(/0$/, '1')),
    );
    expect(await find('ibis')).toEqual([]);
    await checkAll(indexer);
    expect(await find('ibis')).toHaveLength(1);
    expect(await find('bittern')).toEqual([ids[17]]);

    await database.transaction(async (tx) => {
      await tx.query('DELETE FROM alerts');
      await tx.query('DELETE FROM alert_counts');
    });
    await checkAll(indexer);
    expect(await find('ibis')).toEqual([]);
    const end = await index.indexedTo();
    expect(end).toMatch(/^[\da-f-]{36}$/);
    const later = await add(
      MANY,
      'ibis',
      Array.from({ length: MANY }, () => uuidv7()),
    );
    await indexAll(indexer);
    expect(await find('ibis')).toEqual([later[17]]);
  });

  test('a segment that would hold too many is made again with those after it', async () => {
    const indexer = await openIndexer();
    await add(
      MANY,
      'heron',
      Array.from({ length: MANY }, (_, number) => firstIdAt(100_000 + 10 * number)),
    );
    await indexAll(indexer);
    await add(
      200,
      'ibis',
      Array.from({ length: 200 }, (_, number) => firstIdAt(100_005 + 10 * number)),
    );
    await checkAll(indexer);
    await indexAll(indexer);
    expect([(await find('heron')).length, (await find('ibis')).length]).toEqual([1, 1]);
  });

  test('the check makes a segment again of which more than half is gone', async () => {
    const indexer = await openIndexer();
    const ids = await add(2 * MANY, 'heron');
    await indexAll(indexer);
    const [positions, postings] = [await countOf('search_alerts'), await countOf('search_postings')];
    const remove = (from: number, to: number) =>
      database.transaction(async (tx) => {
        await tx.query('DELETE FROM alerts WHERE id >= ? AND id < ?', [ids[from], ids[to]]);
      });
    await remove(100, 2_000);
    await checkAll(indexer);
    expect(await countOf('search_alerts')).toBe(positions);
    await remove(2_000, 3_900);
    await checkAll(indexer);
    expect(await countOf('search_alerts')).toBe(positions - 3_800);
    expect(await countOf('search_postings')).toBeLessThan(postings);
    expect(await find('heron')).toEqual([ids[17]]);
    expect(await find('no-3950')).toEqual([ids[3_950]]);
  });

  test('a new title is found, in the present segment and by the check', async () => {
    const indexer = await openIndexer();
    const [id = '', other = ''] = await add(MANY);
    await indexAll(indexer);
    await database.transaction((tx) => tx.query("UPDATE alerts SET title = 'Nightjar' WHERE id = ?", [id]));
    await indexer.retitle([id, firstIdAt(5)]);
    expect(await find('nightjar')).toEqual([id]);
    await database.transaction((tx) =>
      tx.query("UPDATE alerts SET title = 'Ölkrug', last_seen_at = ? WHERE id = ?", [Date.now() + 1_000, other]),
    );
    await checkAll(indexer);
    expect(await find('ölkrug')).toEqual([other]);
  });

  test('who has lost the turn stores nothing, and a title that another server reports meanwhile is found', async () => {
    const other = await openIndexer();
    const ids = await add(MANY);
    let change = '';
    let hasTurn = false;
    const indexer = await openIndexer(
      async () => {
        const title = change;
        change = '';
        if (title === '') return;
        await database.transaction((tx) => tx.query('UPDATE alerts SET title = ? WHERE id = ?', [title, ids[0]]));
        await other.retitle([ids[0] ?? '']);
      },
      async () => {
        if (!hasTurn) throw new Error('Another server has the turn.');
      },
    );
    await expect(indexAll(indexer)).rejects.toThrow('Another server has the turn.');
    expect(await index.indexedTo()).toBeUndefined();
    hasTurn = true;
    change = 'Nightjar';
    await indexAll(indexer);
    expect(await find('nightjar')).toEqual([ids[0]]);
    change = 'Ölkrug';
    await database.transaction((tx) => tx.query('UPDATE alerts SET last_seen_at = ?', [Date.now() + 1_000]));
    await checkAll(indexer);
    expect(await find('ölkrug')).toEqual([ids[0]]);
  });

  test('notes are found, in the present segment and by the check', async () => {
    const indexer = await openIndexer();
    const [id = '', other = ''] = await add(MANY);
    await indexAll(indexer);
    await database.transaction((tx) => tx.query("UPDATE alerts SET note_text = 'Archive cleared' WHERE id = ?", [id]));
    await indexer.retitle([id]);
    expect(await find('archive')).toEqual([id]);
    await database.transaction(async (tx) => {
      await tx.query("UPDATE alerts SET note_text = 'Ölkrug' WHERE id = ?", [other]);
      await tx.query(
        'INSERT INTO alert_notes (id, alert_id, author_id, author_name, text, mentions, notified, created_at) ' +
          "VALUES (?, ?, ?, 'Anna', 'Ölkrug', '[]', '[]', ?)",
        [firstIdAt(6), other, firstIdAt(7), Date.now() + 1_000],
      );
    });
    await checkAll(indexer);
    expect(await find('ölkrug')).toEqual([other]);
  });

  test('large alerts make small segments', async () => {
    const indexer = await openIndexer();
    const filler = 'x'.repeat(1_000_000);
    for (let number = 0; number < 10; number += 1) {
      await insertAlerts(database, [{ payload: JSON.stringify({ filler, text: number === 3 ? 'heron' : '' }) }]);
    }
    await indexAll(indexer);
    expect(await find('heron')).toHaveLength(1);
  });

  test('of the threads of two servers one works by itself, the other once that one has ended', async () => {
    const one = openThread();
    await one.settled();
    const holder = await readHolder();
    // Opened together, either of them may be the first.
    const other = openThread();
    try {
      await other.settled();
      expect([holder, await readHolder()]).toEqual([expect.any(String), holder]);
      await one.close();
      await add(MANY, 'heron');
      await other.settled();
      expect(await find('heron')).toEqual([expect.any(String)]);
      // It looks whether the lease is free now and then.
      await expect.poll(async () => (await readHolder()) === holder, { timeout: 20_000 }).toBe(false);
    } finally {
      await other.close();
    }
  });
});
