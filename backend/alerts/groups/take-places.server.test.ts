import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { MAX_GROUP_ALERTS } from '#backend/contract/alert-group.ts';
import { problemSchema } from '#backend/contract/problem.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { untilQueued } from '#tests/support/until-queued.ts';
import { AlertGroupEntity } from './group-entities.ts';
import { lockGroups } from './join-groups.ts';

let server: TestServer;
let anna: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  anna = await server.signedIn({ displayName: 'Anna' });
});
afterAll(async () => {
  await expectTrueCounts(server.database);
  await server.destroy();
});

let groupId: string;
beforeEach(async () => {
  groupId = newId();
  const at = Date.now();
  const shared = { kind: 'names', withinMinutes: 60, shared: '', openKey: null } as const;
  const announced = { announcedId: null, criticalId: null, beganAt: at, lastAt: at };
  await server.database.transaction((tx) =>
    tx.getRepository(AlertGroupEntity).insert({ id: groupId, ...shared, ...announced, alerts: 0 }),
  );
});

const insert = (count: number, more: { groupId?: string } = {}): Promise<string[]> =>
  insertAlerts(
    server.database,
    Array.from({ length: count }, () => more),
  );
const bulk = (body: object) => anna.send('POST', '/api/alerts/bulk', body, { Accept: 'application/json' });
const regroup = (...ids: string[]) => bulk({ action: 'regroup', groupId, ids });
/** How many alerts are in the group, and how many it knows to have had. */
async function sizes(): Promise<[inside: number, known: number | undefined]> {
  const inside = await server.database.reads.getRepository(AlertEntity).countBy({ groupId });
  const group = await server.database.reads.getRepository(AlertGroupEntity).findOneBy({ id: groupId });
  return [inside, group?.alerts];
}

test('alerts are put into a group by their ids, and not by a filter', async () => {
  await insert(3);
  const answer = await bulk({ action: 'regroup', groupId, filter: { list: 'inbox' }, expectedCount: 100_000 });
  expect(answer.status).toBe(422);
  expect(problemSchema.parse(await answer.json()).errors).toMatchObject([{ path: 'ids' }]);
  expect(await sizes()).toEqual([0, 0]);
});

test('a group that is full takes no more, and nothing of the request is done', async () => {
  const [out = ''] = await insert(MAX_GROUP_ALERTS - 1, { groupId });
  const [first = '', second = ''] = await insert(2);
  const answer = await regroup(first, second);
  expect(answer.status).toBe(409);
  expect(problemSchema.parse(await answer.json()).detail).toBe('A group has at most 1,000 alerts. This one has 999.');
  expect((await regroup(first)).status).toBe(200);
  // What joins it by itself finds it full, too.
  expect(await sizes()).toEqual([MAX_GROUP_ALERTS, MAX_GROUP_ALERTS]);
  expect((await regroup(second)).status).toBe(409);
  // What is in it already takes no place, and what was taken out comes back.
  expect(await (await regroup(first)).json()).toMatchObject({ changed: [], unchanged: 1 });
  await bulk({ action: 'ungroup', ids: [out] });
  expect((await regroup(out)).status).toBe(200);
  expect(await sizes()).toEqual([MAX_GROUP_ALERTS, MAX_GROUP_ALERTS]);
});

test('of two who put the last alert into a group at once, one does', async () => {
  await insert(MAX_GROUP_ALERTS - 1, { groupId });
  const ids = await insert(4);
  const answers = await Promise.all(ids.map((id) => regroup(id)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  expect((await sizes())[0]).toBe(MAX_GROUP_ALERTS);
});

test('alerts are locked before the group that they are put into, as by a batch', async () => {
  const [id = ''] = await insert(1);
  const begun = Promise.withResolvers<void>();
  const answer = begun.promise.then(() => regroup(id));
  let runs = 0;
  await server.database.transaction(async (tx) => {
    runs += 1;
    await tx.lockRows(AlertEntity, { id }, ['id']);
    begun.resolve();
    if (runs === 1) await untilQueued(server.database, '%FROM `alerts`%FOR UPDATE');
    await lockGroups(tx, [groupId]);
  });
  expect((await answer).status).toBe(200);
  expect([runs, await sizes()]).toEqual([1, [1, 1]]);
});
