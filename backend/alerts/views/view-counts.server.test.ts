import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { uuidv7 } from 'uuidv7';
import type { StoredAlert } from '#backend/alerts/alert/alert.ts';
import { folderSchema } from '#backend/contract/folder.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { noteSchema } from '#backend/contract/note.ts';
import { type NewView, type View, viewListAnswerSchema, viewSchema } from '#backend/contract/view.ts';
import { firstIdAt } from '#backend/platform/database/ids.ts';
import { createEventBus } from '#backend/platform/live/event-bus.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { listenLive } from '#tests/support/live-client.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { walkList } from '#tests/support/walk-list.ts';
import { createViewCounts } from './view-counts.ts';
import { ViewEntity } from './view.ts';
import { randomOf } from '#tests/support/random-of.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const SEED = Number(process.env['VIEWS_SEED'] ?? Date.now() % 1_000_000);
const NOW = Date.now();
const HOUR_MS = 3_600_000;
const CUSTOMERS = ['Nordwind', 'nordwind', 'Harbor & Finch', 'Blue'];
const TYPES = ['disk', 'Disk', 'backup'];
const WORDS = ['full', 'disk', 'timeout', 'Größe'];
const SEVERITIES = ['critical', 'high', 'warning', 'none'];
const LABELS = ['Databases', 'databases', 'On call'];
const PARTS = [
  ...LABELS.map((name) => `label:"${name}"`),
  ...CUSTOMERS.map((name) => `customer:"${name}"`),
  ...TYPES.map((name) => `type:${name}`),
  ...SEVERITIES.map((name) => `severity:${name}`),
  ...WORDS,
  'status:pending',
  'status:accepted',
  'status:completed',
  'owner:me',
  'owner:none',
  'folder:Urgent',
  'from:3h',
  'to:2h',
  'from:yesterday',
];

const random = randomOf(SEED);
const oneOf = <Value>(values: readonly Value[]): Value => values[random(values.length)] as Value;
const listPaths = { inbox: 'inbox', mine: 'mine', all: 'all' } as const;

/** Numbers follow within a second where nothing else is going on. */
const PATIENT = { timeout: 20_000, interval: 100 };

const randomAlert = (): Partial<StoredAlert> => ({
  customer: oneOf([...CUSTOMERS, null]),
  alertType: oneOf([...TYPES, null]),
  severity: oneOf(['critical', 'high', 'warning', null]),
  label: oneOf([...LABELS, null, null]),
  title: `${oneOf(WORDS)} ${oneOf(WORDS)}`,
  payload: JSON.stringify({ text: oneOf(WORDS) }),
});
const randomPlace = (): Partial<StoredAlert> => ({
  status: oneOf(['accepted', 'in-progress', 'completed'] as const),
  ownerId: oneOf([admin.id, anna.id]),
});

let server: TestServer;
let admin: TestClient;
let anna: TestClient;
let key: string;
let folderId: string;

beforeAll(async () => {
  // Short stretches: several of them, and cut again and again while alerts arrive.
  server = await startTestServer({}, { alertsPerStretch: 20 });
  key = await server.addApiKey();
  admin = await server.signedIn({ role: 'admin', displayName: 'Admin' });
  anna = await server.signedIn({ displayName: 'Anna' });
  const folder = await admin.send('POST', '/api/folders', { name: 'Urgent', color: 'red' });
  folderId = folderSchema.parse(await folder.json()).id;
  // What was stored before somebody looked, at moments that no boundary of the searches below is near.
  const ids = Array.from(
    { length: 90 },
    (_, at) => firstIdAt(NOW - (5.5 - at / 18) * HOUR_MS).slice(0, 14) + uuidv7().slice(14),
  );
  await insertAlerts(
    server.database,
    ids.map((id) => Object.assign(randomAlert(), random(3) === 0 ? randomPlace() : {}, { id })),
  );
});
afterAll(async () => {
  await expectTrueCounts(server.database);
  await server.destroy();
});

const viewsOf = async (member: TestClient): Promise<View[]> =>
  viewListAnswerSchema.parse(await (await member.get('/api/views?timeZone=Europe/Berlin')).json());

/** Fails unless every number is what the view's list holds, counted row by row. */
async function expectTrueNumbers(member: TestClient): Promise<void> {
  await waitFor(async () => {
    const views = await viewsOf(member);
    const held = await Promise.all(views.map((view) => listed(member, view)));
    expect(views.map(({ list, search, alerts }) => ({ list, search, alerts }))).toEqual(
      views.map(({ list, search }, at) => ({ list, search, alerts: held[at] })),
    );
  }, PATIENT);
}

async function listed(member: TestClient, { list, search }: Pick<View, 'list' | 'search'>): Promise<number> {
  const query = new URLSearchParams({ ...(search !== '' && { search }), timeZone: 'Europe/Berlin', limit: '500' });
  if (list === 'mine' && !search.includes('status:')) query.set('completion', 'open');
  return (await walkList(member, `/api/alerts/${listPaths[list]}?${query}`)).alerts.length;
}

async function save(member: TestClient, view: Partial<NewView>): Promise<View> {
  const response = await member.send('POST', '/api/views', { name: crypto.randomUUID(), list: 'inbox', ...view });
  expect(response.status).toBe(201);
  return viewSchema.parse(await response.json());
}

const clearViews = () => server.database.transaction((tx) => tx.getRepository(ViewEntity).clear());

const post = (member: TestClient): Promise<{ id: string }> =>
  member.postAlert(key, {
    customer: oneOf(CUSTOMERS),
    type: oneOf(TYPES),
    title: oneOf(WORDS),
    text: oneOf(WORDS),
    severity: oneOf(SEVERITIES),
  });

/** Something that a person or a sender does. */
async function act(): Promise<void> {
  const member = oneOf([admin, anna]);
  const inbox = await admin.alerts('/api/alerts/inbox');
  const mine = await admin.alerts('/api/alerts/mine');
  const pending = inbox[random(inbox.length)]?.id ?? '';
  const own = mine[random(mine.length)]?.id ?? '';
  const acts: (() => Promise<unknown>)[] = [
    () => Promise.all([post(admin), post(admin), post(anna)]),
    () => member.send('POST', `/api/alerts/${pending}/accept`),
    () => member.send('POST', `/api/alerts/${pending}/snooze`, { minutes: 60 }),
    () => member.send('DELETE', `/api/webhooks/${pending}`),
    () => admin.send('POST', `/api/alerts/${pending}/notes`, { text: oneOf(WORDS), mentions: [] }),
    () => admin.send('POST', `/api/alerts/${own}/unaccept`),
    () => admin.send('PATCH', `/api/webhooks/${own}/status`, { status: oneOf(['in-progress', 'completed']) }),
    () => admin.send('PATCH', `/api/webhooks/${own}/move`, { folderId }),
    () =>
      admin.send('POST', '/api/alerts/bulk', {
        action: 'accept',
        ids: inbox.slice(0, 5).map(({ id }) => id),
      }),
  ];
  await oneOf(acts)();
}

test(`numbers agree with the lists, whatever happens (VIEWS_SEED=${SEED})`, async () => {
  // An attempt before may have left some.
  await clearViews();
  for (let number = 0; number < 14; number += 1) {
    const parts = Array.from({ length: random(4) }, () => oneOf(PARTS));
    await save(admin, { list: oneOf(['inbox', 'mine', 'all'] as const), search: [...new Set(parts)].join(' ') });
  }
  await expectTrueNumbers(admin);
  for (let round = 0; round < 3; round += 1) {
    for (let step = 0; step < 12; step += 1) await act();
    await Promise.all(Array.from({ length: 6 }, act));
    await expectTrueNumbers(admin);
  }
}, 120_000);

/** The numbers of a view that were published. */
const counted = (events: LiveEvent[], viewId: string): (number | undefined)[] =>
  events.flatMap((event) => (event.type === 'view_counted' && event.viewId === viewId ? [event.alerts] : []));

describe('while somebody looks', () => {
  test('new numbers are published to those whom they concern', async () => {
    await clearViews();
    const shared = await save(admin, { isShared: true, search: 'unheard-of' });
    const perPerson = await save(admin, { isShared: true, list: 'mine', search: 'unheard-of' });
    const everything = await save(admin, { isShared: true, list: 'all', search: 'unheard-of' });
    const [annas, admins] = [await listenLive(anna), await listenLive(admin)];
    await viewsOf(admin);
    await viewsOf(anna);
    await waitFor(() => expect(counted(annas.events, perPerson.id)).toEqual([0]), PATIENT);
    const { id } = await admin.postAlert(key, { title: 'Unheard-of trouble' });
    await waitFor(() => {
      expect(counted(annas.events, shared.id).at(-1)).toBe(1);
      expect(counted(admins.events, everything.id).at(-1)).toBe(1);
    }, PATIENT);
    await anna.send('POST', `/api/alerts/${id}/accept`);
    await waitFor(() => {
      expect(counted(annas.events, shared.id).at(-1)).toBe(0);
      expect(counted(annas.events, perPerson.id).at(-1)).toBe(1);
    }, PATIENT);
    expect(counted(admins.events, perPerson.id)).toEqual([0]);
    expect(counted(annas.events, everything.id)).toEqual([]);
    await expectTrueNumbers(anna);
  });

  test('what is completed is counted in no view of My Alerts, unless its search names a status', async () => {
    await clearViews();
    const searches = ['', 'unwatched', 'unwatched status:completed', 'unwatched "status:completed"'];
    for (const search of searches) await save(anna, { list: 'mine', search });
    const before = await listed(anna, { list: 'mine', search: '' });
    const { id } = await admin.postAlert(key, { title: 'Unwatched' });
    await anna.send('POST', `/api/alerts/${id}/accept`);
    const expectNumbers = (...numbers: number[]) =>
      waitFor(async () => expect((await viewsOf(anna)).map(({ alerts }) => alerts)).toEqual(numbers), PATIENT);
    await expectNumbers(before + 1, 1, 0, 0);
    await anna.send('PATCH', `/api/webhooks/${id}/status`, { status: 'completed' });
    await expectNumbers(before, 0, 1, 0);
    await expectTrueNumbers(anna);
  });

  test('a deleted folder, and one that gets the name, are other folders', async () => {
    await clearViews();
    await save(anna, { list: 'mine', search: 'customer:Nordwind customer:Blue' });
    const folder = folderSchema.parse(
      await (await anna.send('POST', '/api/folders', { name: 'Late', color: 'blue' })).json(),
    );
    const { id } = await admin.postAlert(key, { customer: 'Blue' });
    await anna.send('POST', `/api/alerts/${id}/accept`);
    await expectTrueNumbers(anna);
    await anna.send('PATCH', `/api/webhooks/${id}/move`, { folderId: folder.id });
    await expectTrueNumbers(anna);
    await anna.send('DELETE', `/api/folders/${folder.id}`);
    await expectTrueNumbers(anna);
    expect((await viewsOf(anna)).every(({ alerts }) => (alerts ?? 0) > 0)).toBe(true);
  });

  test('a note that has the words, and one that has them no more, change the number', async () => {
    await clearViews();
    await save(anna, { search: 'restarted' });
    await expectTrueNumbers(anna);
    const { id } = await admin.postAlert(key);
    await expectTrueNumbers(anna);
    const noteOn = `/api/alerts/${id}/notes`;
    const written = await anna.send('POST', noteOn, { text: 'The database was restarted.', mentions: [] });
    const note = noteSchema.parse(await written.json());
    await expectTrueNumbers(anna);
    expect((await viewsOf(anna)).map(({ alerts }) => alerts)).toEqual([1]);
    await anna.send('DELETE', `${noteOn}/${note.id}`);
    await expectTrueNumbers(anna);
    expect((await viewsOf(anna)).map(({ alerts }) => alerts)).toEqual([0]);
  });

  test('a changed view has the number of its new search', async () => {
    await clearViews();
    const view = await save(anna, { search: 'severity:critical full' });
    await expectTrueNumbers(anna);
    const response = await anna.send('PATCH', `/api/views/${view.id}`, { version: 1, search: 'severity:high' });
    expect(response.status).toBe(200);
    await expectTrueNumbers(anna);
  });
});

test('the number of a shared view in a time zone is kept while somebody who asked is there, and a minute longer', async () => {
  await clearViews();
  const { id } = await save(admin, { isShared: true, list: 'all', search: 'from:2h' });
  const view = await server.database.reads.getRepository(ViewEntity).findOneByOrFail({ id });
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const online = new Set([anna.id]);
  const { database, search } = server;
  const events = createEventBus(() => undefined);
  const logger = createLogger('silent');
  const counts = createViewCounts({ database, search, events, logger }, () => online);
  onTestFinished(() => counts.stop());
  const countFor = ({ id: memberId }: TestClient) =>
    counts.countOf(view, { id: memberId, displayName: 'Somebody', email: 'somebody@example.com' }, 'Europe/Berlin');
  await waitFor(() => expect(countFor(anna)).not.toBeNull(), PATIENT);
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(countFor(admin)).not.toBeNull();
  online.clear();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(countFor(admin)).not.toBeNull();
  await vi.advanceTimersByTimeAsync(80_000);
  expect(countFor(admin)).toBeNull();
});
