import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Database } from '#backend/platform/database/database.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { DATABASE_NOW } from '#backend/platform/database/lease.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { StartError } from '#backend/platform/logger/start-error.ts';
import { type TestPlace, makeMigratedPlace, openTestDatabase } from '#tests/support/test-place.ts';
import { type Membership, joinServers } from './servers.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const isOnMysql = process.env['TEST_DIALECT'] === 'mysql';

let here: TestPlace;
let database: Database;
beforeAll(async () => {
  here = await makeMigratedPlace();
  database = await openTestDatabase(here);
});
afterAll(async () => {
  await database.close();
  await here.remove();
});

const enter = (isShared: boolean, serverId = newId(), through = database): Promise<Membership> =>
  joinServers({ database: through, logger: createLogger('silent'), serverId, dataDir: here.dataDir, isShared });

/** The row of a server that ended without a word, so long ago. */
async function leaveDead({ age, isShared = false }: { age: number; isShared?: boolean }): Promise<string> {
  const id = newId();
  await database.reads.query(`INSERT INTO servers VALUES (?, 'elsewhere', '1.0.3', ?, 0, 1, ${DATABASE_NOW} - ?)`, [
    id,
    isShared ? 1 : 0,
    age,
  ]);
  return id;
}

test.skipIf(isOnMysql)('the embedded database has one server, and slot', async () => {
  const { slot, leave } = await enter(false);
  expect(slot).toBe(0);
  await leave();
});

describe.runIf(isOnMysql)('on a MySQL database', () => {
  beforeEach(() => database.reads.query('DELETE FROM servers'));

  test('of servers that do not all share only one starts, and another one once it has left', async () => {
    const results = await Promise.allSettled([enter(false), enter(false), enter(true)]);
    const [joined] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
    expect(errors.map((error) => error instanceof StartError)).toEqual([true, true]);
    expect(errors[0]?.message).toMatch(
      /^Another Alertdesk \(on .+, since \d{4}-.+Z\) works on the database at DATABASE_URL; set REDIS_URL for every server/,
    );
    await joined?.leave();
    const next = await enter(true);
    await expect(enter(false)).rejects.toThrow(StartError);
    await next.leave();
    expect(await readdir(here.dataDir)).toEqual([]);
  });

  test('servers that share have a slot each, and one that others took for gone comes back', async () => {
    const id = newId();
    const used: number[] = [];
    const noted = { ...database, useSlot: (slot: number) => void used.push(slot) };
    const members = await Promise.all([enter(true), enter(true, id, noted), enter(true)]);
    expect(members.map(({ slot }) => slot).toSorted()).toEqual([0, 1, 2]);
    const [, second] = members;
    expect(new Set(used)).toEqual(new Set([second?.slot]));
    // Another one has entered meanwhile, and got its slot.
    const newcomer = newId();
    await database.reads.query('UPDATE servers SET id = ? WHERE id = ?', [newcomer, id]);
    const slotNow = async (): Promise<{ slot: number }[]> =>
      database.reads.query('SELECT slot FROM servers WHERE id = ?', [id]);
    await vi.waitUntil(async () => (await slotNow()).length === 1, 20_000);
    await waitFor(async () => expect([used.at(-1)]).toEqual((await slotNow()).map(({ slot }) => slot)));
    expect(used.at(-1)).toBe(3);
    await second?.leave();
    const next = await enter(true);
    expect(next.slot).toBe(3);
    for (const { leave } of [...members, next]) await leave();
    await database.reads.query('DELETE FROM servers WHERE id = ?', [newcomer]);
    expect(await database.reads.query('SELECT id FROM servers')).toEqual([]);
  });

  test('a server that was killed is in nobody’s way: at once in its folder, soon elsewhere', async () => {
    const id = await leaveDead({ age: 0 });
    await writeFile(join(here.dataDir, `server-${id}.lock`), '');
    const startedAt = performance.now();
    const inFolder = await enter(false);
    expect(performance.now() - startedAt).toBeLessThan(5_500);
    expect([...inFolder.foundDead]).toEqual([id]);
    await inFolder.leave();

    await leaveDead({ age: 5_000 });
    const elsewhere = await enter(false);
    // It may be paused, and live.
    expect(elsewhere.foundDead.size).toBe(0);
    await elsewhere.leave();
    // As it is after the database's clock was set back.
    await leaveDead({ age: -3_600_000 });
    await (await enter(false)).leave();
  });
});
