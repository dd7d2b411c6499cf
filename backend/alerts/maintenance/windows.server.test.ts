import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Alert, alertListSchema, alertSchema } from '#backend/contract/alert.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import {
  END_NOW_MS,
  type Occurrence,
  occurrenceListSchema,
  occurrenceSchema,
  windowEndSchema,
  windowPreviewSchema,
  windowSchema,
} from '#backend/contract/maintenance.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { listenLive } from '#tests/support/live-client.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { newWindow, planWindow } from '#tests/support/window-calls.ts';
import { runWindows } from './run-windows.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let server: TestServer;
let admin: TestClient;
let member: TestClient;
let apiKey: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  member = await server.signedIn();
  apiKey = await server.addApiKey();
});
afterAll(async () => {
  await expectTrueCounts(server.database);
  await server.destroy();
});

/** Each test has a customer of its own. */
let customer: string;
let last = 0;
beforeEach(() => {
  customer = `Customer ${(last += 1)}`;
});

const plan = (startsInMs = 0, more: object = {}) =>
  planWindow({ admin }, startsInMs, { search: `customer:"${customer}"`, ...more });
const post = async (more: object = {}): Promise<void> => {
  await admin.postAlert(apiKey, { customer, ...more });
};
/** A problem of a disk, reported once or again. */
const report = (severity: string) =>
  admin.postAlert(apiKey, {
    routing_key: 'any',
    event_action: 'trigger',
    dedup_key: customer,
    payload: { summary: `Disk of ${customer}`, source: 'db-7', severity },
  });
const inbox = async (): Promise<Alert[]> => {
  const answer = await member.get(`/api/alerts/inbox?customer=${encodeURIComponent(customer)}`);
  return alertListSchema.parse(await answer.json());
};
const occurrence = async (id: string | undefined): Promise<Occurrence | undefined> => {
  const answer = await member.get('/api/maintenance/occurrences');
  return occurrenceListSchema.parse(await answer.json()).find((one) => one.id === id);
};
const command = async (id: string | undefined, name: string, body?: object) => {
  const answer = await admin.send('POST', `/api/maintenance/occurrences/${id}/${name}`, body);
  return { status: answer.status, body: answer.ok ? occurrenceSchema.parse(await answer.json()) : undefined };
};

/** What the server that leads does, at a time of its clock. */
const lookAt = (now: () => number): Promise<number | undefined> =>
  runWindows(
    {
      database: server.database,
      search: server.search,
      logger: createLogger('silent'),
      events: { subscribe: () => () => undefined },
      now,
    },
    new AbortController().signal,
  );
/** As if it were so much later. */
const look = (laterMs = 0): Promise<number | undefined> => lookAt(() => Date.now() + laterMs);

/** What a page is sent while `work` is done, until an event that ends it. */
async function during(work: () => Promise<unknown>, isLast: (event: LiveEvent) => boolean): Promise<LiveEvent[]> {
  const live = await listenLive(member);
  await work();
  await expect.poll(() => live.events.some(isLast)).toBe(true);
  live.socket.close();
  return live.events;
}
const isEndOf = (name: string) => (event: LiveEvent) =>
  event.type === 'maintenance_changed' && windowEndSchema.safeParse(event.ended).data?.name === name;

describe('while a window is on', () => {
  test('what arrives is in the inbox, marked, counted, and notifies nobody', async () => {
    const { current, name } = await plan();
    const events = await during(
      () => post({ title: 'Replica is behind' }),
      ({ type }) => type === 'new_alert',
    );
    expect(events.find(({ type }) => type === 'new_alert')).toMatchObject({ quiet: true });
    const [alert] = await inbox();
    expect(alert?.quietBy).toEqual({ id: current?.id, name });
    await expect.poll(() => occurrence(current?.id)).toMatchObject({ state: 'on', kept: 1 });
    // It can be taken as any other.
    expect((await member.send('POST', `/api/alerts/${alert?.id}/accept`)).status).toBe(200);
  });

  test('what was open when it began is marked, and what it is not about is not', async () => {
    await insertAlerts(server.database, [{ customer }, { customer, status: 'completed', ownerId: member.id }]);
    const [other = ''] = await insertAlerts(server.database, [{ customer: 'Another' }]);
    const { current } = await plan();
    await expect.poll(() => occurrence(current?.id)).toMatchObject({ kept: 1 });
    expect((await inbox()).map(({ quietBy }) => quietBy?.id)).toEqual([current?.id]);
    const answer = await member.get(`/api/alerts/${other}`);
    expect(alertSchema.parse(await answer.json()).quietBy).toBeUndefined();
  });

  test('a problem that is reported again stays quiet, until the window is not about it any more', async () => {
    const { current } = await plan(0, { search: `"Disk of ${customer}" severity:warning` });
    const { id } = await report('warning');
    const read = async () => alertSchema.parse(await (await member.get(`/api/alerts/${id}`)).json());
    expect((await read()).quietBy?.id).toBe(current?.id);
    await report('warning');
    expect(await read()).toMatchObject({ occurrences: 2, quietBy: { id: current?.id } });
    const events = await during(
      () => report('critical'),
      ({ type }) => type === 'alert_updated',
    );
    const [updated] = events.flatMap((event) => (event.type === 'alert_updated' ? [event] : []));
    expect(updated).toMatchObject({ reason: 'escalated', alert: { severity: 'critical' } });
    expect((await read()).quietBy).toBeUndefined();
  });

  test('one that gets better, so that the window is not about it any more, notifies as a new one', async () => {
    await plan(0, { search: `"Disk of ${customer}" severity:critical` });
    await report('critical');
    const events = await during(
      () => report('warning'),
      ({ type }) => type === 'alert_updated',
    );
    const [updated] = events.flatMap((event) => (event.type === 'alert_updated' ? [event] : []));
    expect(updated).toMatchObject({ reason: 'notify_again', alert: { severity: 'warning' } });
    expect(updated?.alert.quietBy).toBeUndefined();
  });
});

describe('when a window ends', () => {
  test('what still fires comes back with one notification, and what is completed stays counted', async () => {
    const { current, name } = await plan();
    for (const title of ['One', 'Two', 'Three']) await post({ title });
    await look();
    const [done, own] = await inbox();
    for (const one of [own, done]) await member.send('POST', `/api/alerts/${one?.id}/accept`);
    await member.send('PATCH', `/api/webhooks/${done?.id}/status`, { status: 'completed' });
    // The server that runs beside ends what has begun to end, and its clock has not come there: it ends it at the planned moment.
    const endedAt = current?.endsAt ?? '';
    const events = await during(async () => {
      // Two servers that look at the same moment.
      await Promise.all([lookAt(() => Date.parse(endedAt)), lookAt(() => Date.parse(endedAt))]);
    }, isEndOf(name));
    const ended = { id: current?.id, name, kept: 3, stillFiring: 2, severity: 'none', endedAt, ownerIds: [member.id] };
    expect(events.filter(isEndOf(name))).toEqual([{ type: 'maintenance_changed', ended }]);
    const reasons = events.flatMap((event) =>
      event.type === 'alert_updated' && event.alert.customer === customer ? [event.reason] : [],
    );
    expect(reasons.filter((reason) => reason === 'quiet_ended')).toHaveLength(2);
    const alerts = await inbox();
    expect(alerts.map(({ quietBy }) => quietBy)).toEqual([undefined]);
    const history = await member.get(`/api/alerts/${alerts[0]?.id}/history`);
    expect(historySchema.parse(await history.json())[0]).toMatchObject({ action: 'kept_quiet', userDisplayName: name });
    expect(await occurrence(current?.id)).toMatchObject({ state: 'ended', kept: 3, stillFiring: 2 });
    await look(2 * HOUR_MS);
    expect(await occurrence(current?.id)).toMatchObject({ kept: 3, stillFiring: 2 });
  });

  test('what arrives at that moment is either marked and released, or not marked: never lost', async () => {
    const { current } = await plan();
    await look();
    const posting = Array.from({ length: 30 }, async (_, number) => {
      await wait(number * 4);
      await post({ title: `Alert ${number}` });
    });
    await Promise.all([...posting, wait(60).then(() => look(HOUR_MS + 1000))]);
    const alerts = await inbox();
    expect(alerts).toHaveLength(30);
    expect(alerts.filter(({ quietBy }) => quietBy !== undefined)).toEqual([]);
    const stored = await occurrence(current?.id);
    expect(stored?.stillFiring).toBe(stored?.kept);
  });

  test('what another window is about stays quiet by that one', async () => {
    const short = await plan(0, { minutes: 10 });
    await post();
    const long = await plan(0, { search: '', minutes: 600 });
    const events = await during(() => look(11 * 60_000), isEndOf(short.name));
    expect(events.find(isEndOf(short.name))).toMatchObject({ ended: { kept: 1, stillFiring: 0, movedOn: 1 } });
    expect(await occurrence(short.current?.id)).toMatchObject({ state: 'ended', kept: 1, stillFiring: 0 });
    expect((await inbox())[0]?.quietBy?.id).toBe(long.current?.id);
    await command(long.current?.id, 'end');
    await look(END_NOW_MS + 1000);
    expect((await inbox())[0]?.quietBy).toBeUndefined();
  });

  test('it ends early five seconds later, which can be undone, and later when it is extended', async () => {
    const { current } = await plan();
    // The server itself would end it while the test is slow.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const extended = await command(current?.id, 'extend', { minutes: 30 });
    expect(Date.parse(extended.body?.endsAt ?? '')).toBe(Date.parse(current?.endsAt ?? '') + 30 * 60_000);
    const { body } = await command(current?.id, 'end');
    expect(Date.parse(body?.endsAt ?? '') - Date.now()).toBeLessThanOrEqual(END_NOW_MS);
    expect(body?.endedBy).toBeDefined();
    expect((await command(current?.id, 'extend', { minutes: 30 })).status).toBe(409);
    const resumed = await command(current?.id, 'resume');
    expect(resumed.body).toMatchObject({ endsAt: extended.body?.endsAt, extendedMinutes: 30 });
    expect(resumed.body?.endedBy).toBeUndefined();
    await command(current?.id, 'end');
    await look(END_NOW_MS + 1000);
    expect(await occurrence(current?.id)).toMatchObject({ state: 'ended', kept: 0 });
    for (const name of ['end', 'resume']) expect((await command(current?.id, name)).status).toBe(409);
  });

  test('one that repeats is planned again, once, and not the one that was ended early', async () => {
    const window = await plan(0, { rrule: 'FREQ=DAILY' });
    await command(window.current?.id, 'end');
    await Promise.all([look(END_NOW_MS + 1000), look(END_NOW_MS + 1000)]);
    const answer = await member.get(`/api/maintenance/windows/${window.id}`);
    const { current } = windowSchema.parse(await answer.json());
    expect(current?.state).toBe('planned');
    const days = (Date.parse(current?.startsAt ?? '') - Date.parse(window.startsAt)) / DAY_MS;
    // A day with a change of clocks has an hour more or less.
    expect(Math.abs(days - 1)).toBeLessThan(0.06);
  });

  test('one that was ended early is not on again, although its beginning was changed meanwhile', async () => {
    const { id, startsAt, current } = await plan();
    const earlier = new Date(Date.parse(startsAt) - 30_000).toISOString();
    const path = `/api/maintenance/windows/${id}`;
    expect((await admin.send('PATCH', path, { startsAt: earlier })).status).toBe(200);
    await command(current?.id, 'end');
    await look(END_NOW_MS + 1000);
    expect(windowSchema.parse(await (await member.get(path)).json()).current).toBeUndefined();
  });
});

describe('windows are planned', () => {
  test('by administrators, with a name of their own, and not while they overlap themselves', async () => {
    const body = newWindow(HOUR_MS);
    expect((await member.send('POST', '/api/maintenance/windows', body)).status).toBe(403);
    expect((await admin.send('POST', '/api/maintenance/windows', body)).status).toBe(201);
    const again = { ...newWindow(HOUR_MS), name: body.name.toUpperCase() };
    expect((await admin.send('POST', '/api/maintenance/windows', again)).status).toBe(409);
    const wrong = [
      { minutes: 1500, rrule: 'FREQ=DAILY' },
      { rrule: 'FREQ=HOURLY' },
      { search: 'owner:me' },
      { search: 'from:today' },
      { startsAt: new Date(Date.now() - 2 * HOUR_MS).toISOString() },
    ];
    for (const more of wrong) {
      expect((await admin.send('POST', '/api/maintenance/windows', newWindow(HOUR_MS, more))).status).toBe(422);
    }
  });

  test('a change plans the next time again; a window that is on is ended before it is deleted', async () => {
    const window = await plan(HOUR_MS);
    const path = `/api/maintenance/windows/${window.id}`;
    const changed = await admin.send('PATCH', `${path}?ifVersion=1`, { minutes: 90, search: 'disk' });
    expect(windowSchema.parse(await changed.json())).toMatchObject({ version: 2, current: { search: 'disk' } });
    expect((await admin.send('PATCH', `${path}?ifVersion=1`, { minutes: 5 })).status).toBe(409);
    expect((await admin.send('DELETE', path)).status).toBe(204);
    const on = await plan();
    expect((await admin.send('DELETE', `/api/maintenance/windows/${on.id}`)).status).toBe(409);
  });

  test('with their next times, what they overlap, and what they would have kept quiet', async () => {
    const freeze = await planWindow({ admin }, 6 * DAY_MS, { minutes: 3 * 24 * 60, search: 'nothing' });
    await insertAlerts(server.database, [{ customer, title: 'Backup skipped', severity: 'warning' }]);
    const { name: _, ...body } = newWindow(HOUR_MS, { search: `customer:"${customer}"`, rrule: 'FREQ=WEEKLY' });
    const preview = async (more: object = {}) => {
      const answer = await admin.send('POST', '/api/maintenance/preview', { ...body, ...more });
      return windowPreviewSchema.parse(await answer.json());
    };
    const { times, afterChange } = await preview();
    expect(times).toHaveLength(4);
    expect(times.map(({ overlaps }) => overlaps.includes(freeze.name))).toEqual([false, true, false, false]);
    expect(afterChange).toBeDefined();
    const { past } = await preview({ rrule: null });
    expect(past).toMatchObject({ alerts: 1, notifications: 0, stillFiring: 1, newest: [{ title: 'Backup skipped' }] });
  });
});
