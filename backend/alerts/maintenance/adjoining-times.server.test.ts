import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { alertListSchema } from '#backend/contract/alert.ts';
import { type MaintenanceWindow, windowListSchema, windowSchema } from '#backend/contract/maintenance.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { listenLive } from '#tests/support/live-client.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { planWindow } from '#tests/support/window-calls.ts';
import { loadQuietWindows } from './quiet-windows.ts';
import { runWindows } from './run-windows.ts';
import { OccurrenceEntity } from './window-entities.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** On from one day to the next, without a pause. */
const ALWAYS = { minutes: 1440, timeZone: 'UTC', rrule: 'FREQ=DAILY' };

let server: TestServer;
let admin: TestClient;
let apiKey: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  apiKey = await server.addApiKey();
});
afterAll(() => server.destroy());

const read = async ({ id }: MaintenanceWindow): Promise<MaintenanceWindow> =>
  windowSchema.parse(await (await admin.get(`/api/maintenance/windows/${id}`)).json());
/** When the next time of a window begins, and by its schedule. */
const planned = ({ id }: MaintenanceWindow) =>
  server.database.reads.getRepository(OccurrenceEntity).findOne({
    select: { startsAt: true, plannedAt: true },
    where: { windowId: id, state: 'planned' },
  });

/** However long a test takes, the server has one moment: what begins or ends later is left to the test. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Begins and ends windows as the server that leads does at a moment. */
const runAt = (moment: number) =>
  runWindows(
    {
      database: server.database,
      search: server.search,
      logger: createLogger('silent'),
      events: { subscribe: () => () => undefined },
      now: () => moment,
    },
    new AbortController().signal,
  );

test('a window whose times adjoin stays on at the seam: nothing of it notifies', async () => {
  stopClock();
  // Times of a rule begin at whole minutes.
  const seam = Math.floor(Date.now() / MINUTE_MS + 1) * MINUTE_MS;
  const startsAt = new Date(seam - DAY_MS).toISOString();
  const window = await planWindow({ admin }, 0, { ...ALWAYS, startsAt, search: 'customer:Seam' });
  const live = await listenLive(admin);
  await admin.postAlert(apiKey, { customer: 'Seam' });
  const states = async () =>
    (await server.database.reads.getRepository(OccurrenceEntity).findBy({ windowId: window.id }))
      .toSorted((one, other) => one.startsAt - other.startsAt)
      .map(({ state }) => state);
  await expect.poll(states).toEqual(['on', 'planned']);
  expect((await read(window)).current?.id).toBe(window.current?.id);
  // Whoever stores alerts knows the next time before it begins.
  const known = await loadQuietWindows(server.database);
  expect(known.map((one) => one.startsAt)).toEqual([seam, seam - DAY_MS]);

  await runAt(seam);
  expect(await states()).toEqual(['ended', 'on', 'planned']);
  const { current } = await read(window);
  expect(current).toMatchObject({ state: 'on', startsAt: new Date(seam).toISOString() });
  const listed = windowListSchema.parse(await (await admin.get('/api/maintenance/windows')).json());
  expect(listed.map((one) => one.current?.id)).toEqual([current?.id]);
  const inbox = await admin.get('/api/alerts/inbox?customer=Seam');
  expect(alertListSchema.parse(await inbox.json()).map(({ quietBy }) => quietBy?.id)).toEqual([current?.id]);
  const updates = () => live.events.filter(({ type }) => type === 'alert_updated');
  await expect.poll(updates).toMatchObject([{ reason: 'repeated' }]);
  const ends = live.events.filter((event) => event.type === 'maintenance_changed' && event.ended !== undefined);
  expect(ends).toEqual([]);
  live.socket.close();
});

test('what still fires when a window goes on with another search is announced, though its times adjoin', async () => {
  stopClock();
  const seam = Math.floor(Date.now() / MINUTE_MS + 1) * MINUTE_MS;
  const startsAt = new Date(seam - DAY_MS).toISOString();
  const window = await planWindow({ admin }, 0, { ...ALWAYS, startsAt, search: 'customer:Changed' });
  const live = await listenLive(admin);
  await admin.postAlert(apiKey, { customer: 'Changed' });
  await expect.poll(() => planned(window)).toEqual({ plannedAt: seam, startsAt: seam });
  // What is on keeps its search.
  const change = { search: 'customer:Other' };
  expect((await admin.send('PATCH', `/api/maintenance/windows/${window.id}`, change)).status).toBe(200);
  await runAt(seam);
  expect((await read(window)).current).toMatchObject({ state: 'on', startsAt: new Date(seam).toISOString() });
  const ends = () => live.events.flatMap((event) => (event.type === 'maintenance_changed' ? (event.ended ?? []) : []));
  await expect.poll(ends).toMatchObject([{ id: window.current?.id, kept: 1, stillFiring: 1 }]);
  live.socket.close();
});

test('the next time begins when one that was extended ends, and is left out where somebody ended that one in it', async () => {
  stopClock();
  const first = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 23 * HOUR_MS;
  const startsAt = new Date(first).toISOString();
  const window = await planWindow({ admin }, 0, { ...ALWAYS, startsAt, search: 'customer:Extended' });
  const { current } = window;
  const command = async (name: string, body?: object) =>
    expect((await admin.send('POST', `/api/maintenance/occurrences/${current?.id}/${name}`, body)).status).toBe(200);
  await expect.poll(() => planned(window)).toEqual({ plannedAt: first + DAY_MS, startsAt: first + DAY_MS });
  await command('extend', { minutes: 180 });
  expect(await planned(window)).toEqual({ plannedAt: first + DAY_MS, startsAt: first + DAY_MS + 3 * HOUR_MS });
  await command('end');
  expect(await planned(window)).toEqual({ plannedAt: first + DAY_MS, startsAt: first + DAY_MS });
  await command('resume');
  expect(await planned(window)).toEqual({ plannedAt: first + DAY_MS, startsAt: first + DAY_MS + 3 * HOUR_MS });
  await command('extend', { minutes: 1440 });
  expect(await planned(window)).toEqual({ plannedAt: first + 2 * DAY_MS, startsAt: first + 2 * DAY_MS + 3 * HOUR_MS });
  expect((await read(window)).current?.id).toBe(current?.id);
});

test('a window that is made longer just after its end is on again, and not where somebody has ended it', async () => {
  const startsAt = new Date(Date.now() - MINUTE_MS + 5_000).toISOString();
  const window = await planWindow({ admin }, 0, { minutes: 1, startsAt, search: 'customer:Longer' });
  const change = (body: object) => admin.send('PATCH', `/api/maintenance/windows/${window.id}`, body);
  await expect.poll(async () => (await read(window)).current).toBeUndefined();
  // Only another schedule is about its times.
  expect((await change({ name: 'Longer work' })).status).toBe(200);
  expect((await read(window)).current).toBeUndefined();

  expect((await change({ minutes: 60 })).status).toBe(200);
  await expect
    .poll(async () => (await read(window)).current)
    .toMatchObject({
      state: 'on',
      endsAt: new Date(Date.parse(startsAt) + HOUR_MS).toISOString(),
    });
  await admin.postAlert(apiKey, { customer: 'Longer' });
  const { current } = await read(window);
  const inbox = await admin.get('/api/alerts/inbox?customer=Longer');
  expect(alertListSchema.parse(await inbox.json()).map(({ quietBy }) => quietBy?.id)).toEqual([current?.id]);

  await admin.send('POST', `/api/maintenance/occurrences/${current?.id}/end`);
  await expect.poll(async () => (await read(window)).current).toBeUndefined();
  const refused = await change({ minutes: 90 });
  expect(refused.status).toBe(422);
  expect(await refused.text()).toBe('Somebody has ended this time. Choose a later beginning.');
  expect(await read(window)).toMatchObject({ minutes: 60 });
});
