import { afterEach, beforeEach, expect, test } from 'vitest';
import { NoticeEntity, notifyMembers } from '#backend/alerts/notices/notice.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { type TestPlace, makeMigratedPlace, openTestDatabase } from '#tests/support/test-place.ts';
import { type Called, GATHER_MS, gatherCalls } from './gather-calls.ts';
import { GatheredEntity, LadderCallEntity } from './ladder-entities.ts';

/** A row of a notice for each is more than a statement of SQLite has values. */
const PEOPLE = 4_000;

let home: TestPlace;
let database: Database;
beforeEach(async () => {
  home = await makeMigratedPlace();
  database = await openTestDatabase(home);
});
afterEach(async () => {
  await database.close();
  await home.remove();
});

test('one change notifies thousands of members, each once', async () => {
  const alertId = newId();
  const notified = Array.from({ length: PEOPLE }, () => ({
    userId: newId(),
    notice: { id: newId(), kind: 'called' as const, alertId, alertTitle: 'Disk full', byName: 'Critical', text: '' },
  }));
  await database.transaction((tx) => notifyMembers(tx, notified));
  await database.transaction((tx) => notifyMembers(tx, notified));
  expect(await database.reads.getRepository(NoticeEntity).count()).toBe(PEOPLE);
});

test('a step of a ladder notifies thousands of people at once, and gathers the next alert for each of them', async () => {
  const called = Array.from({ length: PEOPLE }, (): Called => ({ id: newId(), kind: 'member' }));
  const ruleId = newId();
  const now = Date.now();
  const callOf = (alertId: string) =>
    database.transaction((tx) => {
      const run = { id: newId(), ruleId, alertId };
      return gatherCalls(tx, { run, position: 0, now, isUrgent: false, isEnd: false }, called, GATHER_MS);
    });
  expect((await callOf(newId())).size).toBe(0);
  expect(await database.reads.getRepository(LadderCallEntity).count()).toBe(PEOPLE);
  expect((await callOf(newId())).size).toBe(PEOPLE);
  expect(await database.reads.getRepository(GatheredEntity).countBy({ state: 'waiting' })).toBe(PEOPLE);
  // What waits is found for all of them, too, once their quiet time is over.
  await database.transaction((tx) => tx.getRepository(LadderCallEntity).update({ ruleId }, { quietUntil: 0 }));
  expect((await callOf(newId())).size).toBe(PEOPLE);
});
