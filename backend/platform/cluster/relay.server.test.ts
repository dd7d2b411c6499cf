import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '#backend/platform/database/database.ts';
import { type TestPlace, makeMigratedPlace, openTestDatabase } from '#tests/support/test-place.ts';
import { readDatabaseClock } from './database-clock.ts';
import { createRelay } from './relay.ts';

let place: TestPlace;
let database: Database;
beforeEach(async () => {
  place = await makeMigratedPlace();
  database = await openTestDatabase(place);
});
afterEach(async () => {
  await database.close();
  await place.remove();
});

test('messages whose commit was not answered are read once, and the next ones follow at once', async () => {
  let isLost = true;
  const transaction: Database['transaction'] = async (work) => {
    const result = await database.transaction(work);
    if (isLost) throw new Error('The answer was lost.');
    return result;
  };
  const writer = createRelay({ reads: database.reads, transaction }, 'writer', Date.now);
  const reader = createRelay(database, 'reader', Date.now);
  writer.add('first');
  await expect(writer.write()).rejects.toThrow('The answer was lost.');
  expect(await reader.read()).toEqual(['first']);
  isLost = false;
  writer.add('second');
  await writer.write();
  expect(await reader.read()).toEqual(['second']);
});

test('a message that is queued while others are written goes with the next ones', async () => {
  const transaction: Database['transaction'] = async (work) => {
    const result = await database.transaction(work);
    if (!isQueued) writer.add('meanwhile');
    isQueued = true;
    return result;
  };
  let isQueued = false;
  const writer = createRelay({ reads: database.reads, transaction }, 'writer', Date.now);
  const reader = createRelay(database, 'reader', Date.now);
  writer.add('first');
  await writer.write();
  await writer.write();
  expect(await reader.read()).toEqual(['first', 'meanwhile']);
});

test.runIf(process.env['TEST_DIALECT'] === 'mysql')(
  'a server whose clock is 15 minutes ahead reads what others write, and they read what it writes',
  async ({ onTestFinished }) => {
    const joinAt = async (name: string, aheadMs: number) => {
      const ahead = vi
        .spyOn(Date, 'now')
        .mockImplementation(() => performance.timeOrigin + performance.now() + aheadMs);
      onTestFinished(() => ahead.mockRestore());
      return createRelay(database, name, (await readDatabaseClock(database)).now);
    };
    const right = await joinAt('right', 0);
    right.add('first');
    await right.write();
    const ahead = await joinAt('ahead', 15 * 60_000);
    expect(await ahead.read()).toEqual(['first']);
    ahead.add('second');
    await ahead.write();
    expect(await right.read()).toEqual(['second']);
    expect(await (await joinAt('third', 0)).read()).toEqual(['second', 'first']);
  },
);
