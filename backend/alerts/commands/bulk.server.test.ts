import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BulkResult, MAX_BULK_BATCH, bulkResultSchema } from '#backend/contract/bulk.ts';
import { folderSchema } from '#backend/contract/folder.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { type LiveEvent } from '#backend/contract/live-event.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { type LiveClient, listenLive } from '#tests/support/live-client.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { FILTER_BATCH } from './bulk-selection.ts';

let server: TestServer;
let anna: TestClient;
let ben: TestClient;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  anna = await server.signedIn({ displayName: 'Anna' });
  ben = await server.signedIn({ displayName: 'Ben' });
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(async () => {
  await expectTrueCounts(server.database);
  await server.destroy();
});

/** Alerts of a customer of their own, so that a filter finds no others. */
let customer: string;
let last = 0;
beforeEach(() => {
  customer = `Customer ${(last += 1)}`;
});
const pending = (count: number) =>
  insertAlerts(
    server.database,
    Array.from({ length: count }, () => ({ customer })),
  );
const owned = (member: TestClient, count: number) =>
  insertAlerts(
    server.database,
    Array.from({ length: count }, () => ({ customer, status: 'accepted' as const, ownerId: member.id })),
  );
const bulk = (member: TestClient, body: object) => member.send('POST', '/api/alerts/bulk', body);
const done = async (answer: Promise<Response>): Promise<BulkResult> => {
  const response = await answer;
  expect(response.status).toBe(200);
  return bulkResultSchema.parse(await response.json());
};
const newFolder = async (member: TestClient) =>
  folderSchema.parse(
    await (await member.send('POST', '/api/folders', { name: `Folder ${customer}`, color: 'red' })).json(),
  );
const historyOf = async (id: string) =>
  historySchema.parse(await (await admin.get(`/api/alerts/${id}/history`)).json()).toReversed();
const actionsOf = async (id: string) => (await historyOf(id)).map(({ action }) => action);
const placeOf = (id: string) =>
  server.database.reads
    .query('SELECT status, owner_id AS owner, folder_id AS folder FROM alerts WHERE id = ?', [id])
    .then(([row]: { status: string; owner: string | null; folder: string | null }[]) => row);

const seen = ({ events }: LiveClient) => events.filter(({ type }) => type !== 'hello');
const listeners = async () => {
  const clients = { anna: await listenLive(anna), ben: await listenLive(ben), admin: await listenLive(admin) };
  const close = () => Object.values(clients).forEach(({ socket }) => socket.close());
  return { ...clients, close };
};
const event = (change: string, alertIds: string[]): Partial<LiveEvent> =>
  ({ type: 'alerts_changed', change, alertIds }) as Partial<LiveEvent>;

describe('with ids', () => {
  test('accepts what is in the inbox, and names who took the others', async () => {
    const ids = await pending(3);
    const [first = '', second = '', third = ''] = ids;
    await ben.send('POST', `/api/alerts/${second}/accept`);
    await anna.send('POST', `/api/alerts/${third}/accept`);
    const gone = '01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80';
    expect(await done(bulk(anna, { action: 'accept', ids: [...ids, gone] }))).toEqual({
      changed: [{ id: first, version: 2, status: 'pending' }],
      unchanged: 1,
      lost: [
        { id: second, reason: 'taken', ownerName: 'Ben' },
        { id: gone, reason: 'gone' },
      ],
    });
    expect(await placeOf(first)).toMatchObject({ status: 'accepted', owner: anna.id });
    expect(await actionsOf(first)).toEqual(['received', 'accepted']);
    expect(await actionsOf(second)).toEqual(['received', 'accepted']);
  });

  test('sets the status, and says what each had before', async () => {
    const [first = '', second = ''] = await owned(anna, 2);
    await anna.send('PATCH', `/api/webhooks/${second}/status`, { status: 'completed' });
    const [theirs = ''] = await owned(ben, 1);
    const [inInbox = ''] = await pending(1);
    const ids = [first, second, theirs, inInbox];
    expect(await done(bulk(anna, { action: 'status', status: 'completed', ids }))).toEqual({
      changed: [{ id: first, version: 2, status: 'accepted' }],
      unchanged: 1,
      lost: [
        { id: theirs, reason: 'taken', ownerName: 'Ben' },
        { id: inInbox, reason: 'returned' },
      ],
    });
    expect((await historyOf(first)).at(-1)).toMatchObject({
      action: 'status_change',
      previousStatus: 'accepted',
      newStatus: 'completed',
    });
    const byAdmin = await done(bulk(admin, { action: 'status', status: 'accepted', ids: [theirs] }));
    expect(byAdmin.lost).toEqual([{ id: theirs, reason: 'not_allowed' }]);
  });

  test('files what is mine, and accepts and files what is in the inbox', async () => {
    const folder = await newFolder(anna);
    const [mine = ''] = await owned(anna, 1);
    const [inInbox = ''] = await pending(1);
    const { changed } = await done(bulk(anna, { action: 'move', folderId: folder.id, ids: [mine, inInbox] }));
    expect(changed).toHaveLength(2);
    expect(await placeOf(inInbox)).toEqual({ status: 'accepted', owner: anna.id, folder: folder.id });
    expect(await actionsOf(inInbox)).toEqual(['received', 'accepted', 'move_folder']);
    expect(await actionsOf(mine)).toEqual(['received', 'move_folder']);
    const out = await done(bulk(anna, { action: 'move', folderId: null, ids: [mine, inInbox] }));
    expect(out.changed.map(({ folderId }) => folderId)).toEqual([folder.id, folder.id]);
    const own = historySchema.parse(await (await anna.get(`/api/alerts/${mine}/history`)).json());
    expect(own[0]).toMatchObject({ previousFolderName: folder.name });
  });

  test('another member’s folder is as good as none', async () => {
    const folder = await newFolder(ben);
    const ids = await pending(1);
    expect((await bulk(anna, { action: 'move', folderId: folder.id, ids })).status).toBe(404);
    expect((await placeOf(ids[0] ?? ''))?.status).toBe('pending');
  });

  test('returns to the inbox what the member may return', async () => {
    const folder = await newFolder(anna);
    const [mine = ''] = await owned(anna, 1);
    const [theirs = ''] = await owned(ben, 1);
    await anna.send('PATCH', `/api/webhooks/${mine}/move`, { folderId: folder.id });
    expect(await done(bulk(anna, { action: 'unaccept', ids: [mine, theirs] }))).toEqual({
      changed: [{ id: mine, version: 3, status: 'accepted', folderId: folder.id }],
      unchanged: 0,
      lost: [{ id: theirs, reason: 'taken', ownerName: 'Ben' }],
    });
    expect(await placeOf(mine)).toEqual({ status: 'pending', owner: null, folder: null });
    const late = await done(bulk(admin, { action: 'unaccept', ifOwner: anna.id, ids: [theirs] }));
    expect(late.lost).toEqual([{ id: theirs, reason: 'taken', ownerName: 'Ben' }]);
    expect((await done(bulk(admin, { action: 'unaccept', ids: [theirs] }))).changed).toHaveLength(1);
  });

  test('deletes what the member may delete, and what nobody took since', async () => {
    const [inInbox = '', taken = ''] = await pending(2);
    const [mine = ''] = await owned(anna, 1);
    await ben.send('POST', `/api/alerts/${taken}/accept`);
    const byAnna = await done(bulk(anna, { action: 'delete', ids: [inInbox, taken, mine] }));
    expect(byAnna.changed.map(({ id }) => id)).toEqual([inInbox]);
    expect(byAnna.lost).toEqual([
      { id: taken, reason: 'taken', ownerName: 'Ben' },
      { id: mine, reason: 'not_allowed' },
    ]);
    const late = await done(bulk(admin, { action: 'delete', ifOwner: 'none', ids: [taken] }));
    expect(late.lost).toEqual([{ id: taken, reason: 'taken', ownerName: 'Ben' }]);
    expect((await done(bulk(admin, { action: 'delete', ids: [taken] }))).changed).toHaveLength(1);
    expect(await actionsOf(taken)).toEqual(['received', 'accepted', 'deleted']);
  });

  test('the same request twice changes nothing more', async () => {
    const ids = await pending(2);
    await done(bulk(anna, { action: 'accept', ids }));
    expect(await done(bulk(anna, { action: 'accept', ids }))).toEqual({ changed: [], unchanged: 2, lost: [] });
    expect(await actionsOf(ids[0] ?? '')).toEqual(['received', 'accepted']);
  });
});

describe('with a filter', () => {
  test('works through all that match in batches, and leaves what arrived since', async () => {
    const count = FILTER_BATCH + 15;
    const ids = await pending(count);
    const [late = ''] = await pending(1);
    const request = { action: 'accept', filter: { list: 'inbox', customer }, expectedCount: count, upTo: ids.at(-1) };
    const first = await done(bulk(anna, request));
    expect(first.changed.map(({ id }) => id).toSorted()).toEqual(ids.slice(15));
    const second = await done(bulk(anna, { ...request, before: first.next }));
    expect(second.changed).toHaveLength(15);
    expect(second.next).toBeUndefined();
    expect((await placeOf(late))?.status).toBe('pending');
  });

  test('changes nothing when more match than is expected', async () => {
    const ids = await pending(3);
    const response = await bulk(anna, { action: 'accept', filter: { list: 'inbox', customer }, expectedCount: 2 });
    expect([response.status, await response.text()]).toEqual([
      409,
      'More than 2 alerts match by now. Select them again.',
    ]);
    for (const id of ids) expect((await placeOf(id))?.status).toBe('pending');
    const found = await bulk(anna, { action: 'accept', filter: { list: 'inbox', q: customer }, expectedCount: 2 });
    expect(found.status).toBe(409);
  });

  test('finds what a search finds', async () => {
    await pending(3);
    const { changed } = await done(
      bulk(anna, { action: 'accept', filter: { list: 'inbox', q: `${customer}` }, expectedCount: 3 }),
    );
    expect(changed).toHaveLength(3);
  });

  test('ends also where alerts stay in the list', async () => {
    await owned(anna, 3);
    const request = { action: 'status', status: 'completed', filter: { list: 'mine', customer }, expectedCount: 3 };
    expect((await done(bulk(anna, request))).changed).toHaveLength(3);
    expect(await done(bulk(anna, request))).toEqual({ changed: [], unchanged: 3, lost: [] });
  });

  test('every alert is for administrators, a folder for its owner', async () => {
    const all = { action: 'unaccept', filter: { list: 'all', customer }, expectedCount: 5 };
    expect((await bulk(anna, all)).status).toBe(403);
    await owned(ben, 2);
    expect((await done(bulk(admin, all))).changed).toHaveLength(2);
    const { id: folderId } = await newFolder(ben);
    const theirs = { action: 'accept', filter: { list: 'folder', folderId }, expectedCount: 5 };
    expect((await bulk(anna, theirs)).status).toBe(404);
  });

  test.each([
    ['neither', { action: 'accept' }],
    ['both', { action: 'accept', ids: ['01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80'], filter: { list: 'inbox' } }],
    ['a filter without a number', { action: 'accept', filter: { list: 'inbox' } }],
    ['too many ids', { action: 'accept', ids: Array(MAX_BULK_BATCH + 1).fill('01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80') }],
  ])('%s is not a selection', async (_what, body) => {
    expect((await bulk(anna, body)).status).toBe(422);
  });
});

describe('live', () => {
  test('one event for each batch: to all of the inbox, to owner and administrators of the rest', async () => {
    const ids = (await pending(3)).toSorted();
    const clients = await listeners();
    const folder = await newFolder(anna);
    await done(bulk(anna, { action: 'accept', ids }));
    await done(bulk(anna, { action: 'status', status: 'in-progress', ids }));
    await done(bulk(anna, { action: 'move', folderId: folder.id, ids }));
    await done(bulk(anna, { action: 'unaccept', ids }));
    await done(bulk(anna, { action: 'unaccept', ids }));
    await done(bulk(anna, { action: 'accept', status: 'completed', ids }));
    await done(bulk(admin, { action: 'delete', ids }));
    const byAnna = { ownerId: anna.id, ownerName: 'Anna' };
    const all = [
      { ...event('accepted', ids), ...byAnna },
      { ...event('updated', ids), ...byAnna, status: 'in-progress' },
      { ...event('updated', ids), ...byAnna, folderId: folder.id },
      { ...event('unaccepted', ids), ownerId: null },
      { ...event('accepted', ids), ...byAnna, status: 'completed' },
      { ...event('deleted', ids), ownerId: null },
    ];
    const own = () => seen(clients.anna).filter(({ type }) => type !== 'folders_changed');
    await expect.poll(() => own().length).toBe(all.length);
    expect(own()).toMatchObject(all);
    await expect.poll(() => seen(clients.admin).length).toBe(all.length);
    expect(seen(clients.admin)).toMatchObject(all);
    await expect.poll(() => seen(clients.ben).length).toBe(4);
    expect(seen(clients.ben)).toMatchObject([all[0], all[3], all[4], all[5]]);
    clients.close();
  });
});
