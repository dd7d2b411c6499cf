import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { wakeDue } from '#backend/alerts/commands/waking.ts';
import { BACKGROUND_LEASE } from '#backend/server/background-jobs.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { LeaseLostError, leaseOf } from '#backend/platform/database/lease.ts';
import type { Repeating } from '#backend/platform/database/repeat.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { type TestPlace, makeMigratedPlace, openTestDatabase } from '#tests/support/test-place.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { type EndedServers, createEndedServers } from './ended-servers.ts';
import { lead } from './leadership.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { must } from '#tests/support/write-routes.ts';

/** Long enough to be renewed on a busy machine, where it is not to end. */
const LONG_MS = 60_000;

const place = await makeMigratedPlace();
await place.remove();
const logger = createLogger('silent');

let here: TestPlace;
let database: Database;
let leaders: Repeating[];
beforeEach(async () => {
  here = await makeMigratedPlace();
  database = await openTestDatabase(here);
  leaders = [];
});
afterEach(async () => {
  for (const leader of leaders) await leader.stop();
  await database.close();
  await here.remove();
});

/** A server that wants to lead. */
async function server(leaseMs = LONG_MS, ended?: EndedServers) {
  const state = {
    led: undefined as Database | undefined,
    hasStopped: false,
    isAlone: undefined as boolean | undefined,
  };
  const job = {
    async stop() {
      state.hasStopped = true;
    },
  };
  const leader = await lead({ database, logger, serverId: newId(), leaseMs, ended }, 'test', (led, { isAlone }) => {
    Object.assign(state, { led, isAlone });
    return [job];
  });
  leaders.push(leader);
  return { ...leader, state };
}

const lease = (holder: string, leaseMs = LONG_MS) =>
  leaseOf((sql, values) => database.reads.query(sql, values), 'test', holder, leaseMs);
const expire = () => database.reads.query("UPDATE leases SET expires_at = 1 WHERE name = 'test'");

describe.runIf(!place.databaseUrl)('on the embedded database', () => {
  test('jobs begin at once, and end with the server', async () => {
    const { state, stop } = await server();
    expect(state).toEqual({ led: database, hasStopped: false, isAlone: true });
    await stop();
    expect(state.hasStopped).toBe(true);
  });
});

describe.runIf(place.databaseUrl)('a lease', () => {
  test('is one holder’s, and its token only grows', async () => {
    const [one, other] = [lease('one'), lease('other')];
    const tokens = await Promise.all([one.take(), other.take(), lease('third').take()]);
    expect(tokens.filter((token) => token !== undefined)).toEqual([1]);
    expect([await one.take(), await other.take()]).toEqual([undefined, undefined]);
    await expire();
    expect(await other.take()).toBe(2);
    await expect(one.hold(1)).rejects.toThrow(LeaseLostError);
    await one.giveUp(1);
    expect(await one.take()).toBeUndefined();
    await other.giveUp(2);
    expect(await one.take()).toBe(3);
  });

  test('that ended and that nobody took goes on, and one that ends far too late is none', async () => {
    const one = lease('one');
    await one.take();
    await expire();
    await one.hold(1);
    expect(await lease('other').take()).toBeUndefined();
    // As after the database's clock was set back by a day.
    await database.reads.query("UPDATE leases SET expires_at = expires_at + 86400000 WHERE name = 'test'");
    expect(await lease('other').take()).toBe(2);
  });
});

describe.runIf(place.databaseUrl)('of several servers', () => {
  test('one leads, and another one as soon as it has stopped', async () => {
    // The first keeps its lease on a busy machine, too; the other looks often.
    const [one, other] = [await server(), await server(1_000)];
    expect([one.state.led !== undefined, other.state.led]).toEqual([true, undefined]);
    await one.stop();
    expect(one.state.hasStopped).toBe(true);
    await waitFor(() => expect(other.state.led).toBeDefined());
  });

  test('one takes over at once from a leader that has ended, and not from one that has not', async () => {
    const one = await server();
    let hasEnded = false;
    const ended: EndedServers = { hasEnded: async () => hasEnded, wasFoundDead: () => false };
    const [other, third] = [await server(LONG_MS, ended), await server(LONG_MS, ended)];
    expect([other.state.led, third.state.led]).toEqual([undefined, undefined]);
    hasEnded = true;
    // Whoever reads next who leads asks about that one.
    await waitFor(() => expect([other.state.isAlone, third.state.isAlone]).toContain(true));
    hasEnded = false;
    await expect(one.state.led?.transaction(async () => undefined)).rejects.toThrow(LeaseLostError);
  });

  test('one that starts takes over at once from a leader that it found dead, and from no other', async () => {
    const one = await server();
    expect(one.state.isAlone).toBe(false);
    const [leader]: { holder: string }[] = await database.reads.query("SELECT holder FROM leases WHERE name = 'test'");
    const holder = leader?.holder ?? '';
    // It is not among the servers of the database, as after a pause: that says nothing.
    const third = await server(LONG_MS, createEndedServers(undefined));
    expect(third.state.led).toBeUndefined();
    const other = await server(LONG_MS, createEndedServers(undefined, new Set([holder])));
    expect(other.state.isAlone).toBe(true);
  });

  test('the one that leads no longer stores nothing, although it does not know yet', async () => {
    const one = await server();
    const { led } = one.state;
    if (!led) throw new Error('Nobody leads.');
    await led.transaction((tx) => tx.query("INSERT INTO secrets VALUES ('early', 'x')"));
    await expire();
    const other = await server();
    expect(other.state.led).toBeDefined();
    const late = vi.fn<() => Promise<void>>();
    await expect(led.transaction(late)).rejects.toThrow(LeaseLostError);
    expect(late).not.toHaveBeenCalled();
    expect(one.state.hasStopped).toBe(false);
  });

  test('the one that leads no longer stops its jobs at its next look', async () => {
    const one = await server(1_000);
    await database.reads.query("UPDATE leases SET token = token + 1, holder = 'other' WHERE name = 'test'");
    await waitFor(() => expect(one.state.hasStopped).toBe(true));
  });

  test('nobody takes over in the middle of a transaction', async () => {
    const { led } = (await server()).state;
    const steps: string[] = [];
    const isInside = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const inside = led?.transaction(async () => {
      isInside.resolve();
      await goOn.promise;
      steps.push('stored');
    });
    await isInside.promise;
    const taken = database.transaction(async (tx) => {
      // Its own time is over, as for a server that was paused here for long.
      const other = leaseOf(
        (sql, values) => tx.query(sql.replaceAll('expires_at <=', '0 <='), values),
        'test',
        'other',
      );
      await other.take();
      steps.push('taken');
    });
    goOn.resolve();
    await Promise.all([inside, taken]);
    expect(steps).toEqual(['stored', 'taken']);
    await expect(led?.transaction(async () => undefined)).rejects.toThrow(LeaseLostError);
  });

  test('MariaDB ends the transaction of a server that is paused inside', async () => {
    const [about]: { version: string }[] = await database.reads.query('SELECT VERSION() AS version');
    if (!about?.version.includes('MariaDB')) return;
    const rows: { seconds: unknown }[] = await database.reads.query('SELECT @@idle_transaction_timeout AS seconds');
    expect(rows.map(({ seconds }) => Number(seconds))).toEqual([10]);
  });

  test('an alert is woken once, by the one that leads', async () => {
    const first = await startTestServer({}, { isOneOfSeveral: true });
    const second = await first.startSecond();
    const [anna, ben] = [await first.signedIn(), await second.signedIn()];
    const lives = await Promise.all([listenLive(anna), listenLive(ben)]);
    try {
      const leases: { holder: string; token: unknown }[] = await first.database.reads.query(
        'SELECT holder, token FROM leases WHERE name = ?',
        [BACKGROUND_LEASE],
      );
      expect(leases.map(({ token }) => Number(token))).toEqual([1]);
      const [id = ''] = await insertAlerts(first.database, [{ customer: 'Nordwind' }]);
      const until = new Date(Date.now() + 3_000).toISOString();
      await must(anna.send('POST', `/api/alerts/${id}/snooze`, { until }));
      const woken = () =>
        lives.flatMap(({ events }) =>
          events.filter((event) => event.type === 'alert_updated' && event.reason === 'woken'),
        );
      await waitFor(() => expect(woken()).toHaveLength(1));
      await Promise.all(
        [first, second].map(({ database: own }) =>
          wakeDue(
            { database: own, logger, events: { publish: () => undefined, subscribe: () => () => undefined } },
            AbortSignal.timeout(1_000),
          ),
        ),
      );
      const history = historySchema.parse(await (await anna.get(`/api/alerts/${id}/history`)).json());
      expect(history.filter(({ action }) => action === 'woken')).toHaveLength(1);
      expect(woken()).toHaveLength(1);
    } finally {
      for (const { socket } of lives) socket.close();
      await second.stop();
      await first.destroy();
    }
  });
});
