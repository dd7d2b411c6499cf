import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '#backend/platform/database/database.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { type FeedSide, changeFolders, changed, nameOf, noAlerts, openFeedSide } from '#tests/support/feed-sides.ts';
import { type TestPlace, makeMigratedPlace, openTestDatabase } from '#tests/support/test-place.ts';
import type { LoadPublished } from './feed-facts.ts';
import { insertRow, readRows, readRowsByTime } from './feed-rows.ts';
import { createFeedConsumers } from './feed-consumers.ts';
import { pruneFeed } from './prune-feed.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

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

async function openSide(serverId: string, load?: LoadPublished): Promise<FeedSide> {
  const side = await openFeedSide(database, serverId, load);
  sides.push(side);
  return side;
}

const change = (side: FeedSide, userId: string, lost?: 'commit' | 'answer') =>
  changeFolders(database, side, userId, lost);

/** What the transactions of one server through the database itself are written to. */
const follow = ({ log }: FeedSide) => database.follow(log);

describe('what a transaction announces', () => {
  test('is published on its server at once after the commit, and read by another one, once', async () => {
    const [one, other] = [await openSide('one'), await openSide('other')];
    follow(one);
    await database.transaction(async (tx) => {
      announce(tx, changed('anna'), changed('ben'));
      expect(one.published).toEqual([]);
    });
    expect(one.published).toEqual(['here folders_changed anna', 'here folders_changed ben']);
    await other.feed.read();
    await other.feed.read();
    expect(other.published).toEqual(['elsewhere folders_changed anna', 'elsewhere folders_changed ben']);
  });

  test('of a transaction that fails is published nowhere, and holds nobody up', async () => {
    const [one, other] = [await openSide('one'), await openSide('other')];
    follow(one);
    const failing = database.transaction(async (tx) => {
      announce(tx, changed('nobody'));
      await tx.query('SELECT * FROM there_is_no_such_table');
    });
    await expect(failing).rejects.toThrow(/./u);
    await database.transaction(async (tx) => announce(tx, changed('anna')));
    await other.feed.read();
    expect([one.published, other.published]).toEqual([
      ['here folders_changed anna'],
      ['elsewhere folders_changed anna'],
    ]);
    expect(other.feed.place()).toMatch(new RegExp(String.raw`\.${one.feed.writer}-[12]\b`, 'u'));
  });

  test('that came through Redis is not read again', async () => {
    const [one, other] = [await openSide('one'), await openSide('other')];
    await change(one, 'anna');
    await change(one, 'ben');
    other.feed.take({ writer: one.feed.writer, number: 2 }, [changed('ben')]);
    other.feed.take({ writer: one.feed.writer, number: 2 }, [changed('ben')]);
    await other.feed.read();
    expect(other.published).toEqual(['elsewhere folders_changed ben', 'elsewhere folders_changed anna']);
  });
});

test('rows that were missed are read with the alerts of many at once, and not those that come another way meanwhile', async () => {
  const one = await openSide('one');
  const asked: string[][] = [];
  const other = await openSide('other', async (ids) => {
    asked.push([...ids]);
    if (asked.length === 1)
      for (let number = 50; number <= 100; number += 1) other.feed.take({ writer: one.feed.writer, number }, []);
    return new Map();
  });
  for (let number = 1; number <= 100; number += 1) {
    const facts = JSON.stringify([{ type: 'new_alert', alertIds: [`${number}`] }]);
    await database.transaction((tx) =>
      insertRow(tx, { writer: one.feed.writer, number, settled: number - 1, facts }, Date.now()),
    );
  }
  await other.feed.read();
  expect(asked.length).toBeLessThan(5);
  expect(asked.flat()).toEqual(Array.from({ length: 49 }, (_, at) => `${at + 1}`));
});

describe('numbers', () => {
  test('that are committed out of order are all read, each once', async () => {
    const [one, other] = [await openSide('one'), await openSide('other')];
    const slow = one.log.begin();
    await change(one, 'second');
    await other.feed.read();
    expect(other.published).toEqual(['elsewhere folders_changed second']);
    const place = other.feed.place();
    await database.transaction((tx) => one.log.write(tx, slow, [changed('first')]));
    one.log.end(slow, 'committed', [changed('first')]);
    await change(one, 'third');
    await other.feed.read();
    expect(other.published.slice(1)).toEqual(['elsewhere folders_changed first', 'elsewhere folders_changed third']);
    // Whoever comes back with the place from between has missed the first, and gets it.
    const missed = await other.feed.since(place);
    expect(missed?.facts.map((fact) => ('userId' in fact ? fact.userId : ''))).toEqual(['first', 'second', 'third']);
  });

  test('of commits whose answers were lost are decided by the database', async () => {
    const [one, other] = [await openSide('one'), await openSide('other')];
    await change(one, 'stored', 'answer');
    await change(one, 'not stored', 'commit');
    await change(one, 'later');
    await expect.poll(() => one.published.length).toBe(2);
    expect(one.published.toSorted()).toEqual(['here folders_changed later', 'here folders_changed stored']);
    await other.feed.read();
    expect(other.published.toSorted()).toEqual(['elsewhere folders_changed later', 'elsewhere folders_changed stored']);
    await expect.poll(() => one.feed.ownPosition()).toBe(3);
  });
});

describe('a place', () => {
  test('is followed by what changed since, of every server, and by nothing when nothing did', async () => {
    const [one, other] = [await openSide('one'), await openSide('other')];
    await change(one, 'before');
    await other.feed.read();
    const place = other.feed.place();
    expect((await other.feed.since(place))?.facts).toEqual([]);
    await change(one, 'anna');
    await change(other, 'ben');
    const missed = await other.feed.since(place);
    expect(missed?.facts).toEqual([changed('anna'), changed('ben')]);
    expect((await other.feed.since(missed?.place ?? ''))?.facts).toEqual([]);
  });

  test('is not known when it is no place, is too old, or what follows it was deleted', async () => {
    const one = await openSide('one');
    const place = one.feed.place();
    await change(one, 'anna');
    const old = place.replace(/^\d+/u, String(Date.now() - 25 * 60 * 60 * 1000));
    for (const unknown of ['', 'x', '1.2', `${place}.999-1`, old]) {
      expect([unknown, await one.feed.since(unknown)]).toEqual([unknown, undefined]);
    }
    await change(one, 'x'.repeat(600 * 1024));
    expect(await one.feed.since(place)).toBeUndefined();
    await pruneFeed(database, one.feed.writer, new AbortController().signal, Date.now() + 2 * DAY_MS);
    expect(await one.feed.since(place)).toBeUndefined();
    expect((await one.feed.since(one.feed.place()))?.facts).toEqual([]);
  });

  test('is not known where a backup was restored that has less', async () => {
    const gone = await openSide('gone');
    await change(gone, 'in the backup');
    const inBackup = gone.feed.place();
    await change(gone, 'lost');
    const lost = gone.feed.place();
    await database.transaction((tx) =>
      tx.query('DELETE FROM changes WHERE writer = ? AND number > 1', [gone.feed.writer]),
    );
    const next = await openSide('next');
    await change(next, 'anna');
    expect(await next.feed.since(lost)).toBeUndefined();
    expect((await next.feed.since(inBackup))?.facts).toEqual([changed('anna')]);
  });

  test('is not known where a restored database gave the number of a lost start to another one', async () => {
    const [one, next] = [await openSide('one'), await openSide('next')];
    await change(next, 'anna');
    await change(next, 'ben');
    const [row] = await readRows(database.reads, new Map([[next.feed.writer, 1]]), 1);
    // On SQLite one server has one clock; others differ.
    const apart = database.dialect.name === 'sqlite' ? 0 : 60_000;
    // As a page has it that knew a start with this number up to its second change.
    const knownAt = (at: number) => `${at}.${next.feed.writer}-2`;
    const ofItself = (row?.at ?? 0) - apart;
    expect((await next.feed.since(knownAt(ofItself)))?.facts).toEqual([]);
    const lost = knownAt(ofItself - 1);
    expect(await next.feed.since(lost)).toBeUndefined();
    expect(await one.feed.since(lost)).toBeUndefined();
  });

  test('stays known where the last transaction of its server was rolled back', async () => {
    const one = await openSide('one');
    one.log.end(one.log.begin(), 'rolled back', []);
    expect((await one.feed.since(one.feed.place()))?.facts).toEqual([]);
  });
});

const consumersOf = ({ feed }: FeedSide) =>
  createFeedConsumers({ database, feed, logger: createLogger('silent'), load: noAlerts });

describe('a consumer', () => {
  test('deals with what a server left that is gone, from where it had come, once', async () => {
    const gone = await openSide('gone');
    const before = consumersOf(gone);
    before.add('push', (events) => (events.some((event) => nameOf(event).endsWith('late')) ? wait(1e6) : undefined));
    await change(gone, 'done');
    await change(gone, 'late');
    await change(gone, 'after');
    await before.stop();
    const next = await openSide('next');
    const consumers = consumersOf(next);
    const dealtWith: string[] = [];
    consumers.add('push', (events) => void dealtWith.push(...events.map(nameOf)));
    const leading = consumers.takeOver(database);
    await expect.poll(() => dealtWith).toEqual(['folders_changed late', 'folders_changed after']);
    await leading.stop();
    const again = consumers.takeOver(database);
    await wait(100);
    await again.stop();
    await consumers.stop();
    expect(dealtWith).toHaveLength(2);
  });

  test('leaves what it could not do to the next server', async () => {
    const gone = await openSide('gone');
    const before = consumersOf(gone);
    before.add('notices', async () => {
      throw new Error('The database is away.');
    });
    await change(gone, 'anna');
    await before.stop();
    const next = await openSide('next');
    const consumers = consumersOf(next);
    const dealtWith: string[] = [];
    consumers.add('notices', (events) => void dealtWith.push(...events.map(nameOf)));
    const leading = consumers.takeOver(database);
    await expect.poll(() => dealtWith).toEqual(['folders_changed anna']);
    await leading.stop();
    await consumers.stop();
  });

  test('asks for what is left of all servers that are gone at once, however many there were', async () => {
    for (let number = 0; number < 20; number += 1) await change(await openSide(`gone ${number}`), `of ${number}`);
    const next = await openSide('next');
    const consumers = consumersOf(next);
    const dealtWith: string[] = [];
    consumers.add('push', (events) => void dealtWith.push(...events.map(nameOf)));
    const leading = consumers.takeOver(database);
    await expect.poll(() => dealtWith).toHaveLength(20);
    await leading.stop();
    let queries = 0;
    const query: typeof database.reads.query = (...asked) => {
      queries += 1;
      return database.reads.query(...asked);
    };
    const reads = Object.assign(Object.create(database.reads) as typeof database.reads, { query });
    const again = consumers.takeOver({ ...database, reads });
    await expect.poll(() => queries).toBe(2);
    await again.stop();
    await consumers.stop();
    expect([dealtWith.length, queries]).toEqual([20, 2]);
  });

  test('of a server that is gone leaves no number that others would wait for', async () => {
    const gone = await openSide('gone');
    gone.log.begin();
    await change(gone, 'anna');
    const next = await openSide('next');
    const consumers = consumersOf(next);
    const leading = consumers.takeOver(database);
    await expect.poll(async () => (await next.feed.read(), next.feed.place())).toContain(`.${gone.feed.writer}-2`);
    await leading.stop();
    await consumers.stop();
  });
});

test('rows of several servers are read by their times, each server’s in its own order, also where many are left', async () => {
  // The clock of the second was set back.
  const times = { 101: [1_000, 4_000, 5_000], 102: [2_000, 1_500, 6_000], 103: [7_000] };
  for (const [writer, some] of Object.entries(times)) {
    for (const [index, at] of some.entries()) {
      const row = { writer: Number(writer), number: index + 1, settled: index, facts: '[]' };
      await database.transaction((tx) => insertRow(tx, row, at));
    }
  }
  const after = new Map([
    [101, 0],
    [102, 0],
    [103, 0],
  ]);
  const read = async (limit: number) =>
    (await readRowsByTime(database.reads, after, limit)).map(({ writer, number }) => `${writer}-${number}`);
  const all = ['101-1', '102-1', '102-2', '101-2', '101-3', '102-3', '103-1'];
  for (const limit of [1, 2, 3, 4, 5, 6, 7, 8]) expect(await read(limit)).toEqual(all.slice(0, limit));
});
