import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AlertGroupEntity } from '#backend/alerts/groups/group-entities.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { catchChanges } from '#tests/support/catch-changes.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { wakeDue } from './waking.ts';

const MINUTE_MS = 60_000;

let server: TestServer;
let anna: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  anna = await server.signedIn();
});
afterAll(() => server.destroy());

let groupId: string;
beforeEach(async () => {
  groupId = newId();
  const group = {
    kind: 'names',
    withinMinutes: 60,
    shared: '',
    openKey: null,
    announcedId: null,
    criticalId: null,
  } as const;
  await server.database.transaction((tx) =>
    tx
      .getRepository(AlertGroupEntity)
      .insert({ ...group, id: groupId, alerts: 0, beganAt: Date.now(), lastAt: Date.now() }),
  );
});

const member = (more = {}) => ({ groupId, severity: 'warning' as const, state: 'firing' as const, ...more });
const insert = (alerts: Parameters<typeof insertAlerts>[1]) => insertAlerts(server.database, alerts);

/** Snoozes for so many minutes from now. */
async function snooze(ids: readonly string[], minutes: number): Promise<void> {
  const until = new Date(Date.now() + minutes * MINUTE_MS).toISOString();
  for (let at = 0; at < ids.length; at += 100) {
    const some = ids.slice(at, at + 100);
    const answer = await anna.send('POST', '/api/alerts/bulk', { action: 'snooze', until, ids: some });
    expect(await answer.json()).toMatchObject({ changed: some.map((id) => ({ id })), unchanged: 0 });
  }
}

/** Three servers that wake what is due in so many minutes; the ids that notify, and those that only come back. */
async function wakeAt(minutes: number): Promise<{ notifying: string[]; silent: string[] }> {
  const servers = Array.from({ length: 3 }, () => catchChanges(server.database));
  const deps = {
    now: () => Date.now() + minutes * MINUTE_MS,
    logger: createLogger('silent'),
    events: { subscribe: () => () => undefined, publish: () => undefined },
  };
  const never = new AbortController().signal;
  await Promise.all(servers.map(({ database }) => wakeDue({ ...deps, database }, never)));
  const woken = servers.flatMap(({ changes }) =>
    changes.flatMap((change) => (change.type === 'alert_updated' && 'alertIds' in change ? [change] : [])),
  );
  return {
    notifying: woken.flatMap(({ reason, alertIds }) => (reason === 'woken' ? alertIds : [])),
    silent: woken.flatMap(({ reason, alertIds }) => (reason === undefined ? alertIds : [])),
  };
}

test('a group that was snoozed comes back with one notification, in however many transactions', async () => {
  const ids = await insert(Array.from({ length: 230 }, () => member()));
  await snooze(ids, 60);
  const { notifying, silent } = await wakeAt(61);
  expect(notifying).toHaveLength(1);
  expect([...notifying, ...silent].toSorted()).toEqual(ids.toSorted());
  const history = await anna.get(`/api/alerts/${silent[0]}/history`);
  expect(await history.json()).toMatchObject([{ action: 'woken' }, { action: 'snoozed' }, { action: 'received' }]);

  // Whoever snoozes one alert of it for longer is notified of that one, although others stand in the inbox.
  const [later = ''] = ids;
  await snooze([later], 120);
  expect(await wakeAt(121)).toEqual({ notifying: [later], silent: [] });
});

test('it is announced by what fires and is critical, and once for each owner', async () => {
  const mine = { status: 'accepted', ownerId: anna.id } as const;
  const ids = await insert([
    member({ state: 'resolved', severity: 'critical' }),
    member(),
    member({ severity: 'critical' }),
    member(mine),
    member(mine),
    { severity: 'warning' },
    { severity: 'warning' },
  ]);
  await snooze(ids, 60);
  const { notifying } = await wakeAt(61);
  expect(notifying.toSorted()).toEqual([ids[2], ids[3], ids[5], ids[6]].toSorted());
});

test('a critical alert that is due after the others notifies once more', async () => {
  const [first = '', second = '', critical = '', last = ''] = await insert([
    member(),
    member(),
    member({ severity: 'critical' }),
    member({ severity: 'critical' }),
  ]);
  await snooze([first, second, critical, last], 60);
  // Another server has brought back what is not critical.
  await server.database.transaction((tx) =>
    tx.query('UPDATE alerts SET snoozed_until = NULL, woken_at = ? WHERE id IN (?, ?)', [
      Date.now() + 61 * MINUTE_MS,
      first,
      second,
    ]),
  );
  const { notifying, silent } = await wakeAt(62);
  expect(notifying).toEqual([critical]);
  expect(silent).toEqual([last]);
});

test('what joins the group later is on a card that has notified, whichever alert did before the snooze', async () => {
  const [gone = '', back = ''] = await insert([member(), member()]);
  await server.database.transaction((tx) =>
    tx.query('UPDATE alert_groups SET announced_id = ? WHERE id = ?', [gone, groupId]),
  );
  await snooze([gone, back], 60);
  await server.database.transaction((tx) => tx.query("UPDATE alerts SET state = 'resolved' WHERE id = ?", [gone]));
  expect((await wakeAt(61)).notifying).toEqual([back]);
  const [group] = await server.database.reads.getRepository(AlertGroupEntity).findBy({ id: groupId });
  expect(group?.announcedId).toBe(back);
});
