import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { In } from 'typeorm';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { BATCH_ALERTS, type ForgottenDeps, returnOfDisabled, returnUntouched } from './forgotten.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { type Change, createEventBus } from '#backend/platform/live/event-bus.ts';
import { catchChanges } from '#tests/support/catch-changes.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

const HOURS = 72;
const HOUR_MS = 60 * 60 * 1000;

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(async () => {
  await expectTrueCounts(server.database);
  await server.destroy();
});

/** A server's part in it, with what it publishes. */
function createDeps(now = Date.now()): { deps: ForgottenDeps; published: Change[] } {
  const { database, changes: published } = catchChanges(server.database);
  const events = createEventBus((error) => expect.unreachable(String(error)));
  return { deps: { database, events, logger: createLogger('silent'), hours: HOURS, now: () => now }, published };
}

const never = new AbortController().signal;
const historyOf = async (id: string) =>
  historySchema.parse(await (await admin.get(`/api/alerts/${id}/history`)).json()).toReversed();
const statusesOf = async (ids: string[]) => {
  const alerts = await server.database.reads.getRepository(AlertEntity).findBy({ id: In(ids) });
  return ids.map((id) => alerts.find((alert) => alert.id === id)?.status);
};
const returnsIn = (published: Change[]) =>
  published.flatMap((event) => (event.type === 'alerts_returned' ? [event] : []));

describe('of somebody who is disabled', () => {
  test('open alerts return once, also with two servers, and everybody is notified once', async () => {
    const dora = await server.addUser({ displayName: 'Dora', isActive: false });
    const mine = { ownerId: dora.id, status: 'accepted' } as const;
    const ids = await insertAlerts(
      server.database,
      Array.from({ length: BATCH_ALERTS + 20 }, () => mine),
    );
    const [completed = ''] = await insertAlerts(server.database, [{ ...mine, status: 'completed' }]);
    const [one, other] = [createDeps(), createDeps()];
    const returned = await Promise.all([returnOfDisabled(one.deps, never), returnOfDisabled(other.deps, never)]);
    // The server's own job may have found some of them.
    await expect.poll(() => statusesOf(ids).then((all) => new Set(all))).toEqual(new Set(['pending']));
    expect(returned[0] + returned[1]).toBeLessThanOrEqual(ids.length);
    expect(await statusesOf([completed])).toEqual(['completed']);
    for (const id of [ids[0] ?? '', ids.at(-1) ?? '']) {
      expect(await historyOf(id)).toMatchObject([
        { action: 'received' },
        { action: 'returned', userDisplayName: 'Dora', previousStatus: 'accepted' },
      ]);
    }
    for (const { published } of [one, other]) {
      const counted = published.reduce(
        (sum, event) => sum + (event.type === 'alerts_changed' ? event.alertIds.length : 0),
        0,
      );
      const reports = returnsIn(published).map(({ alerts, ownerName, untouchedHours }) => [
        alerts,
        ownerName,
        untouchedHours,
      ]);
      expect(reports).toEqual(counted === 0 ? [] : [[counted, 'Dora', null]]);
    }
  });

  test('a running server returns them soon after the account is disabled', async () => {
    const member = await server.signedIn({ displayName: 'Emil' });
    const ids = await insertAlerts(server.database, [{ ownerId: member.id, status: 'in-progress' }]);
    await admin.send('PATCH', `/api/auth/users/${member.id}/toggle-active`);
    await expect.poll(() => statusesOf(ids)).toEqual(['pending']);
  });
});

describe('that nobody touched', () => {
  test('return after the time, each owner named once; what was touched, completed or is new stays', async () => {
    const member = await server.signedIn({ displayName: 'Finn' });
    const now = Date.now() + 1_000 * HOUR_MS;
    const mine = { ownerId: member.id, status: 'accepted' } as const;
    const old = now - HOURS * HOUR_MS - 1;
    const [forgotten = '', started = '', young = '', completed = '', unknown = ''] = await insertAlerts(
      server.database,
      [
        { ...mine, touchedAt: old },
        { ...mine, status: 'in-progress', touchedAt: old },
        { ...mine, touchedAt: old + 2 },
        { ...mine, status: 'completed', touchedAt: old },
        mine,
      ],
    );
    const { deps, published } = createDeps(now);
    expect(await returnUntouched(deps, never)).toBe(2);
    expect(await returnUntouched(deps, never)).toBe(0);
    expect(await statusesOf([forgotten, started, young, completed, unknown])).toEqual([
      'pending',
      'pending',
      'accepted',
      'completed',
      'accepted',
    ]);
    expect((await historyOf(started)).at(-1)).toMatchObject({
      action: 'returned',
      previousStatus: 'in-progress',
      userDisplayName: 'Finn',
      untouchedHours: HOURS,
    });
    expect(returnsIn(published)).toMatchObject([
      { alerts: 2, alertId: started, ownerId: member.id, ownerName: 'Finn', untouchedHours: HOURS },
    ]);
  });

  test('are reported by the transaction that returns the last of them, and with the next attempt where that fails', async () => {
    const gerd = await server.addUser({ displayName: 'Gerd' });
    const mine = { ownerId: gerd.id, status: 'accepted', touchedAt: 0 } as const;
    const returnMany = async (attempts: readonly number[]) => {
      const ids = await insertAlerts(
        server.database,
        Array.from({ length: BATCH_ALERTS + 20 }, () => mine),
      );
      const { deps, published } = createDeps();
      const shared = { ...deps, unannounced: new Map() };
      for (const most of attempts) {
        // The database is away after so many transactions.
        let left = most;
        const transaction: typeof deps.database.transaction = async (work, options) => {
          if (left === 0) throw new Error('The database is away.');
          left -= 1;
          return deps.database.transaction(work, options);
        };
        await returnUntouched({ ...shared, database: { ...deps.database, transaction } }, never).catch(() => undefined);
      }
      expect(new Set(await statusesOf(ids))).toEqual(new Set(['pending']));
      return returnsIn(published).map(({ alerts, ownerName }) => [alerts, ownerName]);
    };
    expect(await returnMany([2])).toEqual([[BATCH_ALERTS + 20, 'Gerd']]);
    expect(await returnMany([1, 2])).toEqual([[BATCH_ALERTS + 20, 'Gerd']]);
  });

  test('are counted by each of two runs of one server for itself', async () => {
    const hugo = await server.addUser({ displayName: 'Hugo' });
    const mine = { ownerId: hugo.id, status: 'accepted', touchedAt: 0 } as const;
    await insertAlerts(
      server.database,
      Array.from({ length: BATCH_ALERTS + 20 }, () => mine),
    );
    const { deps, published } = createDeps();
    const shared = { ...deps, unannounced: new Map() };
    let batches = 0;
    const transaction: typeof deps.database.transaction = async (work, options) => {
      batches += 1;
      // The other run finds nothing to return while this one is between two batches.
      if (batches === 2) await returnOfDisabled(shared, never);
      return deps.database.transaction(work, options);
    };
    await returnUntouched({ ...shared, database: { ...deps.database, transaction } }, never);
    expect(returnsIn(published).map(({ alerts, ownerName }) => [alerts, ownerName])).toEqual([
      [BATCH_ALERTS + 20, 'Hugo'],
    ]);
  });

  test('are looked for only where it is configured', async () => {
    const { deps } = createDeps(Date.now() + 10_000 * HOUR_MS);
    expect(await returnUntouched({ ...deps, hours: undefined }, never)).toBe(0);
  });
});
