import { afterAll, beforeAll, expect, test } from 'vitest';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { alertListSchema } from '#backend/contract/alert.ts';
import { occurrenceListSchema, windowEndSchema, windowPreviewSchema } from '#backend/contract/maintenance.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { makeRule } from '#tests/support/rule-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { newWindow, planWindow } from '#tests/support/window-calls.ts';
import { keepQuiet } from './mark-alerts.ts';
import { KNOWN_MS, type QuietWindow, loadQuietWindows, openQuietWindows } from './quiet-windows.ts';
import { type WindowWork, runWindows } from './run-windows.ts';
import { OccurrenceEntity, WindowEntity } from './window-entities.ts';

let server: TestServer;
let admin: TestClient;
let apiKey: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  apiKey = await server.addApiKey();
});
afterAll(() => server.destroy());

const stored = async (id = '') => {
  const answer = await admin.get('/api/maintenance/occurrences');
  return occurrenceListSchema.parse(await answer.json()).find((one) => one.id === id);
};

const quietIn = async (customer: string): Promise<(string | undefined)[]> => {
  const answer = await admin.get(`/api/alerts/inbox?customer=${encodeURIComponent(customer)}`);
  return alertListSchema.parse(await answer.json()).map(({ quietBy }) => quietBy?.id);
};

/** What the server that leads does, as if it were this moment. */
const runAt = (now: number, looks: WindowWork['looks'] = new Map(), warn: (fields: object) => void = () => undefined) =>
  runWindows(
    {
      database: server.database,
      search: server.search,
      logger: Object.assign(createLogger('silent'), { warn }),
      events: { subscribe: () => () => undefined },
      now: () => now,
      looks,
    },
    new AbortController().signal,
  );

test('what another server stored before it had read a window, or its new end, is marked a little later', async () => {
  const { current } = await planWindow({ admin }, 0, { search: 'customer:Late' });
  const looks: WindowWork['looks'] = new Map();
  const lookAt = (now: number) => runAt(now, looks);
  const begun = Date.now();
  await lookAt(begun);
  await insertAlerts(server.database, [{ customer: 'Late' }]);
  await lookAt(begun + KNOWN_MS - 1);
  expect(await quietIn('Late')).toEqual([undefined]);
  await lookAt(begun + KNOWN_MS);
  expect(await quietIn('Late')).toEqual([current?.id]);

  const path = `/api/maintenance/occurrences/${current?.id}/extend`;
  expect((await admin.send('POST', path, { minutes: 5 })).status).toBe(200);
  await lookAt(begun + KNOWN_MS + 1);
  await insertAlerts(server.database, [{ customer: 'Late' }]);
  await lookAt(begun + 2 * KNOWN_MS + 1);
  expect(await quietIn('Late')).toEqual([current?.id, current?.id]);
  const where = { id: current?.id ?? '' };
  expect(await server.database.reads.getRepository(OccurrenceEntity).findOneBy(where)).toMatchObject({
    isMarked: true,
  });
});

test('a window that kept alerts quiet while no server led begins and ends at once', async () => {
  const { current } = await planWindow({ admin }, 60_000, { search: 'customer:Unled', minutes: 1 });
  const where = { id: current?.id ?? '' };
  await server.database.transaction((tx) => tx.getRepository(OccurrenceEntity).update(where, { kept: 1 }));
  await runAt(Date.now() + 180_000);
  // The server itself, whose clock is earlier, may do the rest.
  await expect
    .poll(() => server.database.reads.getRepository(OccurrenceEntity).findOneBy(where))
    .toMatchObject({ state: 'ended' });
});

test('what only a note says is not what a window is about, and its preview does not count it', async () => {
  const [noted = '', reported = ''] = await insertAlerts(server.database, [
    { customer: 'Noted', title: 'Replica is behind' },
    { customer: 'Noted', title: 'Kestrel does not answer' },
  ]);
  await admin.send('POST', `/api/alerts/${noted}/notes`, { text: 'Kestrel is replaced today', mentions: [] });
  const search = 'kestrel customer:Noted';
  const { current } = await planWindow({ admin }, 0, { search });
  await expect.poll(() => stored(current?.id)).toMatchObject({ kept: 1 });
  const answer = await admin.get('/api/alerts/inbox?customer=Noted');
  const quiet = alertListSchema.parse(await answer.json()).filter(({ quietBy }) => quietBy !== undefined);
  expect(quiet.map(({ id }) => id)).toEqual([reported]);
  const { name: _, ...body } = newWindow(0, { search });
  const preview = await admin.send('POST', '/api/maintenance/preview', body);
  expect(windowPreviewSchema.parse(await preview.json()).past).toMatchObject({ alerts: 1 });
});

test('an alert that leaves a window and comes back is counted once', async () => {
  const { current } = await planWindow({ admin }, 0, { search: '"Disk of Once" severity:warning' });
  for (const severity of ['warning', 'critical', 'warning']) {
    await admin.postAlert(apiKey, {
      routing_key: 'any',
      event_action: 'trigger',
      dedup_key: 'once',
      payload: { summary: 'Disk of Once', source: 'db-7', severity },
    });
  }
  const answer = await admin.get('/api/alerts/inbox?q=Once');
  const [alert] = alertListSchema.parse(await answer.json());
  expect(alert?.quietBy?.id).toBe(current?.id);
  expect(await stored(current?.id)).toMatchObject({ kept: 1 });
});

test('what a rule suppresses while a window is on stays quiet at its end, and is not announced', async () => {
  const { current } = await planWindow({ admin }, 0, { search: '"Disk of Ruled"' });
  const report = (severity: string) =>
    admin.postAlert(apiKey, {
      routing_key: 'any',
      event_action: 'trigger',
      dedup_key: 'ruled',
      payload: { summary: 'Disk of Ruled', source: 'db-7', severity },
    });
  await report('warning');
  const rule = await makeRule({ admin }, { search: '"Disk of Ruled" severity:critical', actions: { suppress: true } });
  await report('critical');
  const quietBy = async () =>
    alertListSchema.parse(await (await admin.get('/api/alerts/inbox?q=Ruled')).json()).map((alert) => alert.quietBy);
  expect(await quietBy()).toMatchObject([{ id: rule.id }]);
  const live = await listenLive(admin);
  await runAt(Date.now() + 2 * 3_600_000);
  await expect
    .poll(() => live.events.map((event) => 'ended' in event && windowEndSchema.safeParse(event.ended).data?.id))
    .toContain(current?.id);
  live.socket.close();
  const titles = live.events.flatMap((event) => (event.type === 'alert_updated' ? [event.alert.title] : []));
  expect(titles).not.toContain('Disk of Ruled');
  expect(await stored(current?.id)).toMatchObject({ state: 'ended', kept: 1, stillFiring: 0 });
  expect(await quietBy()).toMatchObject([{ id: rule.id }]);
});

test('an alert without a readable payload is judged by the windows that read no texts', async () => {
  await planWindow({ admin }, 0, { search: 'text', minutes: 90 });
  const { current } = await planWindow({ admin }, 0, { search: 'customer:Bare' });
  const windows: QuietWindow[] = await loadQuietWindows(server.database);
  const [id = ''] = await insertAlerts(server.database, [{ customer: 'Bare' }]);
  const alert = await server.database.reads.getRepository(AlertEntity).findOneByOrFail({ id });
  await server.database.transaction((tx) =>
    keepQuiet(tx, windows, [
      { alert: { ...alert, payload: null }, isNew: false, isChanged: true, reason: 'repeated', isQuiet: false },
    ]),
  );
  expect(await quietIn('Bare')).toEqual([current?.id]);
});

test('a reading that fails is logged, and a search that is not understood once', async () => {
  const { current } = await planWindow({ admin }, 0, { search: 'customer:Broken' });
  const where = { id: current?.id ?? '' };
  await server.database.transaction((tx) =>
    tx.getRepository(OccurrenceEntity).update(where, { search: 'severity:loudest' }),
  );
  const logged: string[] = [];
  const logger = createLogger('silent');
  Object.assign(logger, {
    warn: (_: object, text: string) => logged.push(text),
    error: (_: object, text: string) => logged.push(text),
  });
  let isDown = false;
  const database: Pick<Database, 'reads' | 'dialect'> = {
    dialect: server.database.dialect,
    get reads() {
      if (isDown) throw new Error('The database is down.');
      return server.database.reads;
    },
  };
  const windows = await openQuietWindows({ database, events: { subscribe: () => () => undefined }, logger });
  await windows.refresh();
  expect(logged).toEqual(['a window keeps nothing quiet, because its search is not understood']);
  isDown = true;
  await windows.refresh();
  expect(logged).toHaveLength(2);
  await windows.stop();
});

test('a window whose rule this release does not take is on once more, and keeps no other from beginning and ending', async () => {
  const [unread, other] = [
    await planWindow({ admin }, 60_000, { search: 'customer:Unread', minutes: 1, rrule: 'FREQ=DAILY' }),
    await planWindow({ admin }, 60_000, { search: 'customer:Other', minutes: 2, rrule: 'FREQ=DAILY' }),
  ];
  await server.database.transaction((tx) =>
    tx.getRepository(WindowEntity).update({ id: unread.id }, { rrule: 'FREQ=HOURLY' }),
  );
  const statesOf = async ({ id: windowId }: { id: string }) =>
    (
      await server.database.reads
        .getRepository(OccurrenceEntity)
        .find({ where: { windowId }, order: { startsAt: 'ASC' } })
    ).map(({ state }) => state);
  // The later one of the two: on a busy machine it was planned seconds after the other.
  const startsAt = Date.parse(other.startsAt);
  const warned: object[] = [];
  await runAt(startsAt + 1000, new Map(), (fields) => warned.push(fields));
  // Other tests leave a search that is not understood, which has an error.
  expect(warned.filter((fields) => !('err' in fields))).toEqual([{ window: unread.name }]);
  expect([await statesOf(unread), await statesOf(other)]).toEqual([['on'], ['on', 'planned']]);
  await runAt(startsAt + 180_000);
  // The server itself, whose clock is earlier, may do the rest.
  await expect.poll(() => Promise.all([unread, other].map(statesOf))).toEqual([['ended'], ['ended', 'planned']]);
});

test('the next time of a window whose rule this release does not take stays planned, with what is changed', async () => {
  const { id, current } = await planWindow({ admin }, 0, { search: 'customer:Kept', minutes: 5, rrule: 'FREQ=DAILY' });
  const planned = () =>
    server.database.reads.getRepository(OccurrenceEntity).findOneBy({ windowId: id, state: 'planned' });
  // The server plans the next time as this one begins.
  await expect.poll(async () => ((await planned())?.startsAt ?? 0) > Date.now()).toBe(true);
  await server.database.transaction((tx) =>
    tx.getRepository(WindowEntity).update({ id }, { rrule: 'FREQ=HOURLY', search: 'customer:Kept' }),
  );
  const before = await planned();
  expect((await admin.send('PATCH', `/api/maintenance/windows/${id}`, { search: 'customer:Other' })).status).toBe(200);
  expect(await planned()).toEqual({ ...before, search: 'customer:Other' });
  // It begins when the one that is on ends, at the earliest.
  const path = `/api/maintenance/occurrences/${current?.id}`;
  expect((await admin.send('POST', `${path}/extend`, { minutes: 24 * 60 })).status).toBe(200);
  const extended = Date.parse((await stored(current?.id))?.endsAt ?? '');
  expect((await planned())?.startsAt).toBe(Math.min(extended, before?.endsAt ?? 0));
  expect((await admin.send('POST', `${path}/end`)).status).toBe(200);
  expect(await planned()).toEqual({ ...before, search: 'customer:Other' });
});

test('a window whose rule this release does not take keeps no other from being previewed', async () => {
  const { id } = await planWindow({ admin }, 60_000, { search: 'customer:Unread', rrule: 'FREQ=DAILY' });
  await server.database.transaction((tx) => tx.getRepository(WindowEntity).update({ id }, { rrule: 'FREQ=HOURLY' }));
  const overlapping = await planWindow({ admin }, 60_000, { search: 'customer:Read' });
  const { name: _, ...body } = newWindow(60_000);
  const answer = await admin.send('POST', '/api/maintenance/preview', body);
  expect(answer.status).toBe(200);
  const [next] = windowPreviewSchema.parse(await answer.json()).times;
  expect(next?.overlaps).toContain(overlapping.name);
});
