import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Alert, alertListSchema } from '#backend/contract/alert.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { runWindows } from '#backend/alerts/maintenance/run-windows.ts';
import { NO_ECHOES } from '#backend/intake/write/echoes.ts';
import type { IncomingDelivery } from '#backend/intake/write/incoming-delivery.ts';
import { NOTHING_DECIDES, createBatchWriter } from '#backend/intake/write/write-batch.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { catchChanges } from '#tests/support/catch-changes.ts';
import { decideRule } from '#tests/support/group-calls.ts';
import { DEFAULT_POLICY, plainEvent } from '#tests/support/incoming-events.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { makeRule } from '#tests/support/rule-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { planWindow } from '#tests/support/window-calls.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let server: TestServer;
let admin: TestClient;
let member: TestClient;
let apiKey: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  member = await server.signedIn();
  apiKey = await server.addApiKey();
  await decideRule(admin, 'names', { isOn: true, withinMinutes: 60 });
});
afterAll(() => server.destroy());

/** Each test has a customer, and so a group, of its own. */
let customer: string;
let last = 0;
beforeEach(() => {
  customer = `Customer ${(last += 1)}`;
});

const post = (severity: string) => admin.postAlert(apiKey, { customer, alertType: 'disk.full', severity });
const inbox = async (): Promise<Alert[]> => {
  const answer = await member.get(`/api/alerts/inbox?sort=oldest&customer=${encodeURIComponent(customer)}`);
  return alertListSchema.parse(await answer.json());
};
const accept = (client: TestClient, ids: readonly string[]) =>
  client.send('POST', '/api/alerts/bulk', { action: 'accept', ids });
/** The member accepts what is in the inbox; the ids. */
async function acceptAll(): Promise<string[]> {
  const ids = (await inbox()).map(({ id }) => id);
  await accept(member, ids);
  return ids;
}

/** A server beside another on the same database, with what it announces. */
const watched = () => catchChanges(server.database);
type Watched = ReturnType<typeof watched>;

/** The ids of alerts that were announced for a reason, by any of these servers. */
const announced = (servers: readonly Watched[], reason: string): string[] =>
  servers.flatMap(({ changes }) =>
    changes.flatMap((change) => {
      if (change.type !== 'alert_updated' || change.reason !== reason) return [];
      return 'alertIds' in change ? change.alertIds : [change.alert.id];
    }),
  );

const isEnd = (event: LiveEvent) => event.type === 'maintenance_changed' && event.ended !== undefined;

/** Two servers that end what is due at the same moment, as if it were so much later; the ids announced as back, by any server. */
async function endWindows(laterMs: number): Promise<string[]> {
  const live = await listenLive(admin);
  const servers = [watched(), watched()];
  const runs = servers.map(({ database }) =>
    runWindows(
      {
        database,
        search: server.search,
        logger: createLogger('silent'),
        events: { subscribe: () => () => undefined },
        now: () => Date.now() + laterMs,
      },
      new AbortController().signal,
    ),
  );
  await Promise.all(runs);
  await expect.poll(() => laterMs === 0 || live.events.some(isEnd)).toBe(true);
  live.socket.close();
  return live.events.flatMap((event) =>
    event.type === 'alert_updated' && event.reason === 'quiet_ended' && event.alert.customer?.startsWith(customer)
      ? [event.alert.id]
      : [],
  );
}

/** A window that is on, about this customer. */
const plan = (more = '') => planWindow({ admin }, 0, { search: `customer:"${customer}" ${more}`.trim() });

describe('the end of a maintenance window', () => {
  test('notifies once of a group, by its first critical alert, and of what comes then nobody', async () => {
    await plan();
    for (const severity of ['low', 'warning', 'critical', 'critical', 'low']) await post(severity);
    const [, , critical] = await inbox();
    expect(await endWindows(HOUR_MS + 1000)).toEqual([critical?.id]);
    expect((await inbox()).every(({ quietBy }) => quietBy === undefined)).toBe(true);

    const { database, changes } = watched();
    const write = createBatchWriter(database, NO_ECHOES, {
      ...NOTHING_DECIDES,
      grouping: { active: () => [{ kind: 'names', withinMinutes: 60 }] },
    });
    await write([delivery(Date.now(), [{ dedupKey: null, severity: 'critical' }])]);
    expect(changes).toMatchObject([{ type: 'new_alert', quiet: true }]);
  });

  test('notifies of a card that had notified before the window, and not of one that stood there all the time', async () => {
    await post('warning');
    await plan();
    await endWindows(0);
    await post('warning');
    expect((await inbox()).map(({ quietBy }) => quietBy !== undefined)).toEqual([true, true]);
    const [first] = await inbox();
    expect(await endWindows(HOUR_MS + 1000)).toEqual([first?.id]);

    // The window is about one alert of a card that stands in the inbox and has notified.
    await plan('severity:low');
    await post('low');
    expect((await inbox()).map(({ quietBy }) => quietBy !== undefined)).toEqual([false, false, true]);
    expect(await endWindows(HOUR_MS + 1000)).toEqual([]);
  });

  test('notifies once of each owner’s part of a group', async () => {
    await plan();
    for (let n = 0; n < 6; n += 1) await post('warning');
    const ids = (await inbox()).map(({ id }) => id);
    await accept(member, ids.slice(0, 2));
    await accept(admin, ids.slice(2, 4));
    expect((await endWindows(HOUR_MS + 1000)).toSorted()).toEqual([ids[0], ids[2], ids[4]].toSorted());
  });

  test('notifies an owner of one alert of a card whose others are snoozed', async () => {
    await plan();
    for (const severity of ['critical', 'warning']) await post(severity);
    const [snoozed, awake] = await acceptAll();
    await member.send('POST', `/api/alerts/${snoozed}/snooze`, { minutes: 300 });
    expect(await endWindows(HOUR_MS + 1000)).toContain(awake);
  });

  test('notifies an owner of the first critical alert of a card that has others', async () => {
    await post('low');
    await acceptAll();
    for (const [host, isFirst] of [
      ['db-first', true],
      ['db-second', false],
    ] as const) {
      await plan(host);
      await admin.postAlert(apiKey, { customer, alertType: 'disk.full', severity: 'critical', host });
      const critical = await acceptAll();
      expect(critical).toHaveLength(1);
      expect(await endWindows(HOUR_MS + 1000)).toEqual(isFirst ? critical : []);
    }
  });

  test('notifies of every alert that is in no group', async () => {
    for (const alertType of ['one', 'two', 'three'])
      await admin.postAlert(apiKey, { customer: `${customer} alone`, alertType });
    await planWindow({ admin }, 0, { search: `customer:"${customer} alone"` });
    await endWindows(0);
    expect(await endWindows(HOUR_MS + 1000)).toHaveLength(3);
  });
});

/** What a sender reports of a problem of this customer, as a server stores it. */
const delivery = (
  receivedAt: number,
  reports: readonly { dedupKey: string | null; severity?: 'critical' | 'warning' }[],
  notifyAgainAfterMs: number | null = null,
): IncomingDelivery => ({
  source: { id: 'built-in', name: 'Servers', secretId: null },
  policy: { ...DEFAULT_POLICY, notifyAgainAfterMs },
  isOwn: true,
  receivedAt,
  events: reports.map(({ dedupKey, severity = 'warning' }) => ({
    ...plainEvent({
      payload: jsonText('{}'),
      extraData: jsonText('{}'),
      customer,
      alertType: 'disk.full',
      url: '/webhook',
    }),
    severity,
    state: 'firing',
    dedupKey: dedupKey === null ? null : `${customer} ${dedupKey}`,
  })),
});

test('what a rule suppresses no longer notifies once of a group', async () => {
  const { id } = await makeRule({ admin }, { search: `customer:"${customer}"`, actions: { suppress: true } });
  const trigger = (dedupKey: number) =>
    admin.postAlert(apiKey, {
      routing_key: 'any',
      event_action: 'trigger',
      dedup_key: `${customer} ${dedupKey}`,
      payload: { summary: 'Disk is full', source: 'db-7', severity: 'warning', class: 'disk.full' },
      customer,
    });
  for (const key of [1, 2, 3]) await trigger(key);
  const alerts = await inbox();
  expect(alerts.map(({ quietBy }) => quietBy?.id)).toEqual([id, id, id]);
  expect(new Set(alerts.map(({ groupId }) => groupId)).size).toBe(1);
  await admin.send('DELETE', `/api/rules/${id}`);
  const live = await listenLive(member);
  for (const key of [3, 2, 1]) await trigger(key);
  const reasons = () =>
    live.events.flatMap((event) =>
      event.type === 'alert_updated' && event.alert.customer === customer ? [event.reason] : [],
    );
  await expect.poll(reasons).toHaveLength(3);
  expect(reasons()).toEqual(['notify_again', 'repeated', 'repeated']);
  live.socket.close();
});

describe('a source that notifies again of what repeats', () => {
  const KEYS = Array.from({ length: 12 }, (_, n) => `disk ${n}`);
  const grouping = { active: () => [{ kind: 'names', withinMinutes: 60 }] as const };

  /** Each problem reported by itself, by two servers in turn; the ids of what notified again, or for another reason. */
  async function reportAll(at: number, reason = 'notify_again'): Promise<string[]> {
    const servers = [watched(), watched()];
    const writers = servers.map(({ database }) =>
      createBatchWriter(database, NO_ECHOES, { ...NOTHING_DECIDES, grouping }),
    );
    const writes = KEYS.map((dedupKey, n) => writers[n % 2]?.([delivery(at, [{ dedupKey }], HOUR_MS)]));
    await Promise.all(writes);
    return announced(servers, reason);
  }

  test('notifies once of a group after silence, whichever server stores which repeat', async () => {
    const start = Date.now();
    expect(await reportAll(start)).toEqual([]);
    const alerts = await inbox();
    expect(new Set(alerts.map(({ groupId }) => groupId)).size).toBe(1);
    expect(await reportAll(start + 10 * MINUTE_MS)).toEqual([]);
    expect(await reportAll(start + 80 * MINUTE_MS)).toHaveLength(1);
    expect(await reportAll(start + 90 * MINUTE_MS)).toEqual([]);
    expect(await reportAll(start + 160 * MINUTE_MS)).toHaveLength(1);
    expect((await inbox()).map(({ occurrences }) => occurrences)).toEqual(KEYS.map(() => 5));
  });

  test('wakes with one notification what was snoozed until it fires again, by whichever servers', async () => {
    const start = Date.now();
    await reportAll(start);
    const ids = (await inbox()).map(({ id }) => id);
    await member.send('POST', '/api/alerts/bulk', { action: 'snooze', until: 'next-firing', ids });
    expect(await inbox()).toEqual([]);
    expect(await reportAll(start + 10 * MINUTE_MS, 'woken')).toHaveLength(1);
    expect(await inbox()).toHaveLength(KEYS.length);
    await member.send('POST', '/api/alerts/bulk', { action: 'snooze', until: 'next-firing', ids });
    expect(await reportAll(start + 80 * MINUTE_MS, 'woken')).toHaveLength(1);
  });

  test('notifies each owner once, and the inbox once', async () => {
    const start = Date.now();
    await reportAll(start);
    const ids = (await inbox()).map(({ id }) => id);
    const mine = ids.slice(0, 5);
    await accept(member, mine);
    await accept(admin, ids.slice(5, 8));
    const again = await reportAll(start + 2 * HOUR_MS);
    expect(again).toHaveLength(3);
    expect(again.filter((id) => mine.includes(id))).toHaveLength(1);
    expect(again.filter((id) => ids.slice(8).includes(id))).toHaveLength(1);
  });

  test('notifies nobody of one that was silent beside others that were not', async () => {
    const { database, changes } = watched();
    const write = createBatchWriter(database, NO_ECHOES, { ...NOTHING_DECIDES, grouping });
    const start = Date.now();
    await write([delivery(start, [{ dedupKey: 'one' }, { dedupKey: 'two' }], HOUR_MS)]);
    await write([delivery(start + 50 * MINUTE_MS, [{ dedupKey: 'one' }], HOUR_MS)]);
    await write([delivery(start + 70 * MINUTE_MS, [{ dedupKey: 'two' }], HOUR_MS)]);
    expect(changes.map((change) => ('reason' in change ? change.reason : change.type))).toEqual([
      'new_alert',
      'new_alert',
      'repeated',
      'repeated',
    ]);
  });
});
