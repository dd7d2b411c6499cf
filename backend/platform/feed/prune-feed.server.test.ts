import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '#backend/platform/database/database.ts';
import { DATABASE_NOW } from '#backend/platform/database/lease.ts';
import { type FeedSide, changeFolders, changed, openFeedSide } from '#tests/support/feed-sides.ts';
import { type TestPlace, makeMigratedPlace, openTestDatabase } from '#tests/support/test-place.ts';
import { KEPT_MS } from './feed.ts';
import { pruneFeed } from './prune-feed.ts';

let home: TestPlace;
let database: Database;
let sides: FeedSide[] = [];
beforeEach(async () => {
  home = await makeMigratedPlace();
  database = await openTestDatabase(home);
});
afterEach(async () => {
  await Promise.all(sides.map(({ feed }) => feed.stop()));
  sides = [];
  await database.close();
  await home.remove();
});

async function openSide(serverId: string, through = database): Promise<FeedSide> {
  const side = await openFeedSide(through, serverId);
  sides.push(side);
  return side;
}

const change = (side: FeedSide, userId: string) => changeFolders(database, side, userId);

/** Deletes what is old two days from now. */
const prune = ({ feed }: FeedSide): Promise<void> =>
  pruneFeed(database, feed.writer, new AbortController().signal, Date.now() + 2 * KEPT_MS);

/** Forgets who has nothing left by then, too. */
const pruneAll = async (side: FeedSide): Promise<void> => {
  await prune(side);
  await prune(side);
};

test('a server that was away until what it had not read was deleted has everything read again', async () => {
  const [one, other] = [await openSide('one'), await openSide('other')];
  await change(one, 'anna');
  await prune(one);
  await change(one, 'ben');
  await other.feed.read();
  expect(other.published).toEqual(['elsewhere resync']);
  await change(one, 'carl');
  await other.feed.read();
  expect(other.published).toEqual(['elsewhere resync', 'elsewhere folders_changed carl']);
});

describe('a server that was away for longer than changes are kept', () => {
  test('enters again: what it writes is read, and can be asked for', async () => {
    const [one, away] = [await openSide('one'), await openSide('away')];
    await change(away, 'before');
    await one.feed.read();
    await pruneAll(one);
    await one.feed.read();
    // Before it notices.
    await change(away, 'back');
    await away.feed.read();
    expect(away.published).toEqual(['here folders_changed before', 'here folders_changed back', 'elsewhere resync']);
    await one.feed.read();
    const place = one.feed.place();
    await change(away, 'anna');
    await one.feed.read();
    await away.feed.read();
    expect(one.published).toEqual([
      'elsewhere folders_changed before',
      'elsewhere resync',
      'elsewhere folders_changed anna',
    ]);
    expect(away.published.filter((event) => event.includes('resync'))).toHaveLength(1);
    expect((await one.feed.since(place))?.facts).toEqual([changed('anna')]);
    expect((await away.feed.since(away.feed.place()))?.facts).toEqual([]);
    const rows = await database.reads.query('SELECT pruned_to FROM change_writers WHERE id = ?', [away.feed.writer]);
    expect(Number(rows[0]?.pruned_to)).toBe(1);
  });

  test('reads everything again also where the answer was lost that it has entered', async () => {
    let isLost = false;
    const losing: Database = {
      ...database,
      async transaction(work, options) {
        const result = await database.transaction(work, options);
        if (isLost) throw new Error('The connection was lost.');
        return result;
      },
    };
    const [one, away, gone] = [await openSide('one'), await openSide('away', losing), await openSide('gone')];
    await change(gone, 'missed');
    await pruneAll(one);
    isLost = true;
    await expect(away.feed.read()).rejects.toThrow('lost');
    isLost = false;
    await away.feed.read();
    await away.feed.read();
    expect(away.published).toEqual(['elsewhere resync']);
  });

  test.runIf(process.env['TEST_DIALECT'] === 'mysql')(
    'reads everything again where who changed something meanwhile is forgotten, and one that is among the servers does not',
    async () => {
      const [one, away, gone, quiet] = await Promise.all(['one', 'away', 'gone', 'quiet'].map((id) => openSide(id)));
      if (!one || !away || !gone || !quiet) throw new Error('A server is missing.');
      for (const [id, silentMs] of Object.entries({ one: 0, away: 2 * KEPT_MS, quiet: 60_000 })) {
        const values = `(?, 'elsewhere', '1.0.3', 1, 0, 1, ${DATABASE_NOW} - ?)`;
        await database.transaction((tx) => tx.query(`INSERT INTO servers VALUES ${values}`, [id, silentMs]));
      }
      await change(gone, 'missed');
      await quiet.feed.read();
      await pruneAll(one);
      await quiet.feed.read();
      await away.feed.read();
      expect(quiet.published).toEqual(['elsewhere folders_changed missed']);
      expect(away.published).toEqual(['elsewhere resync']);
    },
  );
});
