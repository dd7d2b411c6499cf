import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alertListSchema, alertSchema } from '#backend/contract/alert.ts';
import { queueProgressSchema } from '#backend/contract/alert-totals.ts';
import { folderSchema } from '#backend/contract/folder.ts';
import { severityCountsSchema } from '#backend/contract/severity-counts.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { listenLive } from '#tests/support/live-client.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { walkList } from '#tests/support/walk-list.ts';

const NOW = Date.now();
const MINUTE_MS = 60_000;
const COMPLETED = 'completion=completed&sort=completed';

let server: TestServer;
let member: TestClient;
let folderId: string;

beforeAll(async () => {
  server = await startTestServer();
  member = await server.signedIn({ role: 'user' });
  const folder = await member.send('POST', '/api/folders', { name: 'Filed', color: 'blue' });
  folderId = folderSchema.parse(await folder.json()).id;
  const own = { ownerId: member.id };
  const completed = (title: string, minutesAgo: number | null, more: object = {}) => ({
    ...own,
    status: 'completed' as const,
    title,
    completedAt: minutesAgo === null ? null : NOW - minutesAgo * MINUTE_MS,
    ...more,
  });
  await insertAlerts(server.database, [
    completed('first of an older version', null),
    completed('disk long ago', 3_000, { customer: 'Atlas', severity: 'critical' }),
    { ...own, status: 'accepted', title: 'disk open', customer: 'Atlas', severity: 'critical' },
    completed('just now', 1, { customer: 'Nordwind' }),
    completed('disk with another', 10, { customer: 'Atlas' }),
    { ...own, status: 'in-progress', title: 'started', severity: 'low' },
    completed('and another', 10),
    completed('last of an older version', null),
    completed('disk filed', 5, { folderId }),
    { ...own, status: 'accepted', title: 'open filed', folderId },
    { status: 'pending', title: 'waits' },
    // What is snoozed has a status of its own in the column.
    { ...own, status: 'snoozed-accepted' as never, title: 'asleep', snoozedUntil: NOW + 60 * MINUTE_MS },
  ]);
});
afterAll(() => server.destroy());

const titles = async (path: string): Promise<(string | null)[]> =>
  (await walkList(member, path)).alerts.map(({ title }) => title);

const statusOf = async (path: string): Promise<number> => (await member.get(path)).status;

const ALL_COMPLETED = [
  'just now',
  'and another',
  'disk with another',
  'disk long ago',
  'last of an older version',
  'first of an older version',
];

describe('open and completed alerts', () => {
  test('are read apart, the last completion first, those without a time last', async () => {
    expect(await titles('/api/alerts/mine?completion=open')).toEqual(['started', 'disk open']);
    expect(await titles(`/api/alerts/mine?${COMPLETED}`)).toEqual(ALL_COMPLETED);
    expect(await titles(`/api/alerts/folder/${folderId}?completion=open`)).toEqual(['open filed']);
    expect(await titles(`/api/alerts/folder/${folderId}?${COMPLETED}`)).toEqual(['disk filed']);
  });

  test.each([1, 2, 3, 5])('come in pages of %s, each once, with the number of all', async (limit) => {
    const { alerts, totals } = await walkList(member, `/api/alerts/mine?${COMPLETED}&limit=${limit}`);
    expect(alerts.map(({ title }) => title)).toEqual(ALL_COMPLETED);
    expect([...totals]).toEqual(['6']);
  });

  test('are together where neither is asked for, as ever', async () => {
    const both = await titles('/api/alerts/mine');
    expect(both).toHaveLength(8);
    expect(both[0]).toBe('last of an older version');
  });

  test('say when they were completed', async () => {
    const [last] = alertListSchema.parse(await (await member.get(`/api/alerts/mine?${COMPLETED}&limit=1`)).json());
    expect(last?.completedAt).toBe(new Date(NOW - MINUTE_MS).toISOString());
    const { alerts } = await walkList(member, '/api/alerts/mine?completion=open');
    for (const alert of alerts) expect(alert).not.toHaveProperty('completedAt');
  });

  test('are narrowed, counted and searched in the same order', async () => {
    expect(await titles(`/api/alerts/mine?${COMPLETED}&customer=Atlas`)).toEqual([
      'disk with another',
      'disk long ago',
    ]);
    for (const limit of [1, 500]) {
      const found = await walkList(member, `/api/alerts/mine?${COMPLETED}&q=disk&limit=${limit}`);
      expect(found.alerts.map(({ title }) => title)).toEqual(['disk with another', 'disk long ago']);
    }
    expect(await titles(`/api/alerts/mine?${COMPLETED}&search=disk+severity:critical`)).toEqual(['disk long ago']);
    expect(await titles('/api/alerts/mine?completion=open&search=disk')).toEqual(['disk open']);
    expect(await titles('/api/alerts/mine?completion=open&search=status:completed')).toEqual([]);
    expect(await titles('/api/alerts/mine?completion=completed&status=accepted')).toEqual([]);
    const severities = await member.get('/api/alerts/severities?list=mine&completion=open');
    expect(severityCountsSchema.parse(await severities.json())).toEqual([
      { severity: 'critical', alerts: 1 },
      { severity: 'low', alerts: 1 },
    ]);
  });

  test('have this order in queues and folders alone, and a cursor of it belongs to it', async () => {
    expect(await statusOf(`/api/alerts/inbox?${COMPLETED}`)).toBe(400);
    expect(await statusOf(`/api/alerts/all-folders?${COMPLETED}`)).toBe(400);
    expect(await statusOf('/api/alerts/mine?sort=completed')).toBe(400);
    expect(await statusOf('/api/alerts/mine?completion=done')).toBe(400);
    const id = '01890a5d-ac96-774b-bcce-b302099a8057';
    expect(await statusOf(`/api/alerts/mine?${COMPLETED}&before=${id}`)).toBe(400);
    expect(await statusOf(`/api/alerts/mine?${COMPLETED}&before=accepted~${id}`)).toBe(400);
    expect(await statusOf(`/api/alerts/mine?${COMPLETED}&before=12~${id}`)).toBe(200);
  });
});

const progressOf = async (query: string, since: number) => {
  const address = `/api/alerts/progress?${query}&since=${new Date(since).toISOString()}`;
  return queueProgressSchema.parse(await (await member.get(address)).json());
};

test('a queue says how far it is, and what was completed since a moment, here and in all', async () => {
  expect(await progressOf('list=mine', NOW - 60 * MINUTE_MS)).toEqual({
    accepted: 1,
    'in-progress': 1,
    completed: 6,
    completedSince: 3,
    ownCompletedSince: 4,
    oldestCompletedAt: new Date(NOW - 3_000 * MINUTE_MS).toISOString(),
  });
  expect(await progressOf(`list=folder&folderId=${folderId}`, NOW)).toMatchObject({
    accepted: 1,
    completed: 1,
    completedSince: 0,
    ownCompletedSince: 0,
  });
  const other = await server.signedIn({ role: 'user' });
  const theirs = await other.get(`/api/alerts/progress?list=mine&since=${new Date(0).toISOString()}`);
  expect(await theirs.json()).toEqual({
    accepted: 0,
    'in-progress': 0,
    completed: 0,
    completedSince: 0,
    ownCompletedSince: 0,
  });
});

describe('while somebody works', () => {
  test('a page that follows has neither what is completed meanwhile nor what is opened again', async () => {
    const worker = await server.signedIn({ role: 'user' });
    const own = { status: 'completed' as const, ownerId: worker.id };
    const ids = await insertAlerts(
      server.database,
      [4, 3, 2, 1].map((minutes) => Object.assign({ completedAt: NOW - minutes * MINUTE_MS }, own)),
    );
    const [open = ''] = await insertAlerts(server.database, [{ ...own, status: 'accepted' }]);
    const first = await worker.get(`/api/alerts/mine?${COMPLETED}&limit=2`);
    const next = /<(.*)>; rel="next"/.exec(first.headers.get('Link') ?? '')?.[1] ?? '';
    const set = (id: string | undefined, status: string) =>
      worker.send('PATCH', `/api/webhooks/${id}/status`, { status });
    await Promise.all([set(open, 'completed'), set(ids[3], 'accepted')]);
    const second = await worker.get(next);
    expect(alertListSchema.parse(await second.json()).map(({ id }) => id)).toEqual([ids[1], ids[0]]);
    expect(second.headers.get('X-Total-Count')).toBe('4');
    const { alerts } = await walkList(worker, `/api/alerts/mine?${COMPLETED}`);
    expect(alerts.map(({ id }) => id)).toEqual([open, ids[2], ids[1], ids[0]]);
    await expectTrueCounts(server.database);
  });

  test('events and answers say when alerts were completed, one or many', async () => {
    const worker = await server.signedIn({ role: 'user' });
    const own = { status: 'accepted' as const, ownerId: worker.id };
    const [one, ...many] = await insertAlerts(server.database, [own, own, own]);
    const live = await listenLive(worker);
    const answer = await worker.send('PATCH', `/api/webhooks/${one}/status`, { status: 'completed' });
    const completed = alertSchema.parse(await answer.json());
    expect(Date.parse(completed.completedAt ?? '')).toBeGreaterThanOrEqual(NOW);
    await worker.send('POST', '/api/alerts/bulk', { action: 'status', status: 'completed', ids: many });
    const ofMany = () => live.events.find((event) => event.type === 'alerts_changed');
    await waitFor(() => expect(ofMany()).toBeDefined());
    const event = ofMany();
    expect(event?.alertIds.toSorted()).toEqual(many.toSorted());
    const { alerts } = await walkList(worker, `/api/alerts/mine?${COMPLETED}`);
    expect(alerts.find(({ id }) => id === many[0])?.completedAt).toBe(event?.completedAt ?? 'said');
    const again = await worker.send('PATCH', `/api/webhooks/${one}/status`, { status: 'in-progress' });
    expect(alertSchema.parse(await again.json())).not.toHaveProperty('completedAt');
    live.socket.close();
  });

  test('undo of a reopening gives each alert the time back at which it was completed, of one or many', async () => {
    const worker = await server.signedIn({ role: 'user' });
    const own = (minutesAgo: number) => ({
      status: 'completed' as const,
      ownerId: worker.id,
      completedAt: NOW - minutesAgo * MINUTE_MS,
    });
    const ids = await insertAlerts(server.database, [own(30), own(20), own(10)]);
    const [one = '', ...many] = ids;
    const again = { status: 'completed', restoresCompletion: true };
    const bulk = (change: object) => worker.send('POST', '/api/alerts/bulk', { ...change, ids: many });
    const completions = async () => {
      const { alerts } = await walkList(worker, `/api/alerts/mine?${COMPLETED}`);
      return alerts.map(({ id, completedAt }) => [id, completedAt && (NOW - Date.parse(completedAt)) / MINUTE_MS]);
    };
    const before = await completions();
    expect(before).toEqual([10, 20, 30].map((minutes, at) => [ids.at(-1 - at), minutes]));

    // Once more, too: the first undo leaves what it restored.
    for (const status of ['in-progress', 'accepted']) {
      await worker.send('PATCH', `/api/webhooks/${one}/status`, { status });
      await bulk({ action: 'status', status });
      expect(await completions()).toEqual([]);
      for (const id of ids) {
        expect(await (await worker.get(`/api/alerts/${id}`)).json()).not.toHaveProperty('completedAt');
      }
      const answer = alertSchema.parse(await (await worker.send('PATCH', `/api/webhooks/${one}/status`, again)).json());
      expect(answer.completedAt).toBe(new Date(NOW - 30 * MINUTE_MS).toISOString());
      await bulk({ action: 'status', ...again });
      expect(await completions()).toEqual(before);
    }
    // What was in the inbox meanwhile is completed once more, which those who know that somebody accepted it are notified of.
    await worker.send('POST', `/api/alerts/${one}/unaccept`);
    await worker.send('POST', `/api/alerts/${one}/accept`);
    const returned = alertSchema.parse(await (await worker.send('PATCH', `/api/webhooks/${one}/status`, again)).json());
    expect(Date.parse(returned.completedAt ?? '')).toBeGreaterThanOrEqual(NOW);
    await expectTrueCounts(server.database);
  });

  test('no caller chooses when an alert was completed', async () => {
    const worker = await server.signedIn({ role: 'user' });
    const own = { status: 'accepted' as const, ownerId: worker.id };
    const [never, reopened] = await insertAlerts(server.database, [own, { ...own, completedAt: NOW - MINUTE_MS }]);
    const set = async (id: string | undefined, body: object) =>
      alertSchema.parse(await (await worker.send('PATCH', `/api/webhooks/${id}/status`, body)).json()).completedAt;
    const invented = new Date(NOW - 5 * MINUTE_MS).toISOString();
    const again = { status: 'completed', restoresCompletion: true, completedAt: invented };
    expect(Date.parse((await set(never, again)) ?? '')).toBeGreaterThanOrEqual(NOW);
    expect(Date.parse((await set(reopened, { status: 'completed' })) ?? '')).toBeGreaterThanOrEqual(NOW);
  });

  test('a change of all that is open leaves what is completed', async () => {
    const worker = await server.signedIn({ role: 'user' });
    const own = { ownerId: worker.id };
    await insertAlerts(server.database, [
      { ...own, status: 'completed', completedAt: NOW },
      { ...own, status: 'accepted' },
      { ...own, status: 'in-progress' },
    ]);
    const filter = { list: 'mine', completion: 'open' };
    const change = { action: 'status', status: 'in-progress', filter, expectedCount: 2 };
    expect(await (await worker.send('POST', '/api/alerts/bulk', change)).json()).toMatchObject({
      changed: [{ status: 'accepted' }],
      unchanged: 1,
    });
    const { alerts } = await walkList(worker, `/api/alerts/mine?${COMPLETED}`);
    expect(alerts).toHaveLength(1);
  });
});
