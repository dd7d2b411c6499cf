import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { alertListSchema, alertSchema } from '#backend/contract/alert.ts';
import { type Folder, folderListSchema, folderSchema } from '#backend/contract/folder.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let key: string;
let anna: TestClient;
let ben: TestClient;

beforeAll(async () => {
  server = await startTestServer();
  key = await server.addApiKey();
});
afterAll(async () => {
  await expectTrueCounts(server.database);
  await server.destroy();
});
beforeEach(async () => {
  anna = await server.signedIn({ displayName: 'Anna' });
  ben = await server.signedIn();
});

const create = (member: TestClient, folder: unknown) => member.send('POST', '/api/folders', folder);
const made = async (member: TestClient, name: string, parentId?: string): Promise<Folder> =>
  folderSchema.parse(await (await create(member, { name, color: 'blue', ...(parentId && { parentId }) })).json());
const list = async (member: TestClient) => folderListSchema.parse(await (await member.get('/api/folders')).json());
const move = (member: TestClient, id: string, folderId: string | null) =>
  member.send('PATCH', `/api/webhooks/${id}/move`, { folderId });
const inFolder = async (member: TestClient, id: string) =>
  alertListSchema.parse(await (await member.get(`/api/alerts/folder/${id}`)).json()).map((alert) => alert.id);
const mine = async (member: TestClient) => (await member.alerts('/api/alerts/mine')).map(({ id }) => id);
const historyOf = async (member: TestClient, id: string) =>
  historySchema.parse(await (await member.get(`/api/alerts/${id}/history`)).json());

async function accepted(member: TestClient): Promise<string> {
  const { id } = await member.postAlert(key);
  await member.send('POST', `/api/alerts/${id}/accept`);
  return id;
}

describe('creating', () => {
  test('a folder, with what the client sends by default', async () => {
    const response = await create(anna, { name: ' Urgent ', color: 'red', icon: 'folder', order: 0 });
    expect(response.status).toBe(201);
    const folder = folderSchema.parse(await response.json());
    expect(folder).toEqual({ id: folder.id, name: 'Urgent', color: 'red', icon: 'folder', order: 0, alertCount: 0 });
    expect(await list(anna)).toEqual([folder]);
  });

  test('folders in folders, to any depth', async () => {
    let parent: Folder | undefined;
    for (let depth = 0; depth < 30; depth += 1) parent = await made(anna, 'Same name', parent?.id);
    const folders = await list(anna);
    expect(folders).toHaveLength(30);
    expect(folders.filter(({ parentId }) => parentId === undefined)).toHaveLength(1);
  });

  test('siblings’ names differ; others’ do not matter', async () => {
    await made(anna, 'Urgent');
    const response = await create(anna, { name: 'Urgent', color: 'blue' });
    expect(response.status).toBe(409);
    expect(await response.text()).toMatch(/"Urgent"/);
    expect((await create(ben, { name: 'Urgent', color: 'blue' })).status).toBe(201);
  });

  test.each([
    [{ name: '  ', color: 'red' }, 'name'],
    [{ name: 'x'.repeat(101), color: 'red' }, 'name'],
    [{ color: 'red' }, 'name'],
    [{ name: 'A', color: 'teal' }, 'color'],
    [{ name: 'A', color: 'red', parentId: 'None' }, 'parentId'],
  ])('refuses %j', async (folder, field) => {
    const response = await create(anna, folder);
    expect(response.status).toBe(422);
    expect(await response.text()).toContain(field);
    expect(await list(anna)).toEqual([]);
  });

  test('under somebody else’s folder is refused', async () => {
    const { id } = await made(ben, 'Ben’s');
    expect((await create(anna, { name: 'Mine', color: 'red', parentId: id })).status).toBe(404);
  });
});

describe('moving an alert', () => {
  test('into a folder, to another and out again, each with its history', async () => {
    const [urgent, later] = [await made(anna, 'Urgent'), await made(anna, 'Later')];
    const id = await accepted(anna);
    expect(alertSchema.parse(await (await move(anna, id, urgent.id)).json()).folderId).toBe(urgent.id);
    expect(await mine(anna)).not.toContain(id);
    expect(await inFolder(anna, urgent.id)).toEqual([id]);
    await move(anna, id, later.id);
    await move(anna, id, null);
    expect(await mine(anna)).toContain(id);
    expect((await historyOf(anna, id)).slice(0, 3)).toMatchObject([
      { action: 'move_folder', previousFolderName: 'Later' },
      { action: 'move_folder', previousFolderName: 'Urgent', newFolderName: 'Later' },
      { action: 'move_folder', newFolderName: 'Urgent' },
    ]);
  });

  test('where it is already leaves no trace', async () => {
    const folder = await made(anna, 'Urgent');
    const id = await accepted(anna);
    await move(anna, id, folder.id);
    expect((await move(anna, id, folder.id)).status).toBe(200);
    expect(await historyOf(anna, id)).toHaveLength(3);
  });

  test('is the owner’s, into their own folders, once accepted', async () => {
    const [hers, his] = [await made(anna, 'Hers'), await made(ben, 'His')];
    const id = await accepted(anna);
    const admin = await server.signedIn({ role: 'admin' });
    expect((await move(ben, id, his.id)).status).toBe(404);
    expect((await move(anna, id, his.id)).status).toBe(404);
    expect((await move(admin, id, null)).status).toBe(403);
    const { id: pending } = await anna.postAlert(key);
    expect((await move(anna, pending, hers.id)).status).toBe(409);
    expect((await anna.send('PATCH', `/api/webhooks/${id}/move`, {})).status).toBe(422);
    expect(await mine(anna)).toEqual([id]);
  });

  test('is counted until it is completed, and published to the owner’s other screens', async () => {
    const folder = await made(anna, 'Urgent');
    const live = await listenLive(anna);
    const [one, two] = [await accepted(anna), await accepted(anna)];
    await move(anna, one, folder.id);
    await move(anna, two, folder.id);
    expect((await list(anna))[0]?.alertCount).toBe(2);
    await anna.send('PATCH', `/api/webhooks/${one}/status`, { status: 'completed' });
    expect((await list(anna))[0]?.alertCount).toBe(1);
    const filed = () =>
      live.events.filter((event) => event.type === 'alert_updated' && event.alert.folderId === folder.id);
    await expect.poll(() => filed().length).toBe(3);
  });

  test('back to the inbox takes it out of its folder', async () => {
    const folder = await made(anna, 'Urgent');
    const id = await accepted(anna);
    await move(anna, id, folder.id);
    await anna.send('POST', `/api/alerts/${id}/unaccept`);
    expect((await historyOf(anna, id))[0]).toMatchObject({ action: 'unaccepted', previousFolderName: 'Urgent' });
    await ben.send('POST', `/api/alerts/${id}/accept`);
    expect(await mine(ben)).toContain(id);
    expect(await inFolder(anna, folder.id)).toEqual([]);
  });

  test('all filed alerts are listed with folder and status', async () => {
    const folder = await made(anna, 'Urgent');
    const id = await accepted(anna);
    await accepted(anna);
    await move(anna, id, folder.id);
    const filed = alertListSchema.parse(await (await anna.get('/api/alerts/all-folders')).json());
    expect(filed.map((alert) => [alert.id, alert.folderId, alert.status])).toEqual([[id, folder.id, 'accepted']]);
  });
});

test('names of folders are for their owner alone, in the history and in live events', async () => {
  const admin = await server.signedIn({ role: 'admin' });
  const [hers, gone, his] = [await made(anna, 'Hers'), await made(anna, 'Gone'), await made(ben, 'His')];
  const live = await Promise.all([listenLive(ben), listenLive(admin)]);
  const id = await accepted(anna);
  await move(anna, id, gone.id);
  await anna.send('DELETE', `/api/folders/${gone.id}`);
  await move(anna, id, hers.id);
  await admin.send('POST', `/api/alerts/${id}/unaccept`);
  const namesFor = async (member: TestClient) =>
    (await historyOf(member, id)).map((entry) => [entry.action, entry.previousFolderName, entry.newFolderName]);
  const hidden = [
    ['unaccepted', undefined, undefined],
    ['move_folder', undefined, undefined],
    ['move_folder', undefined, undefined],
    ['move_folder', undefined, undefined],
    ['accepted', undefined, undefined],
    ['received', undefined, undefined],
  ];
  const own = [
    ['unaccepted', 'Hers', undefined],
    ['move_folder', undefined, 'Hers'],
    ['move_folder', 'Gone', undefined],
    ['move_folder', undefined, 'Gone'],
  ];
  expect(await namesFor(ben)).toEqual(hidden);
  expect(await namesFor(admin)).toEqual(hidden);
  expect((await namesFor(anna)).slice(0, 4)).toEqual(own);

  await ben.send('POST', `/api/alerts/${id}/accept`);
  await move(ben, id, his.id);
  expect((await namesFor(ben)).slice(0, 3)).toEqual([
    ['move_folder', undefined, 'His'],
    ['accepted', undefined, undefined],
    ['unaccepted', undefined, undefined],
  ]);
  await ben.send('POST', `/api/alerts/${id}/unaccept`);
  expect((await namesFor(anna)).slice(0, 4)).toEqual([
    ['unaccepted', undefined, undefined],
    ['move_folder', undefined, undefined],
    ['accepted', undefined, undefined],
    ['unaccepted', 'Hers', undefined],
  ]);
  const last = await accepted(anna);
  await expect.poll(() => live.every(({ events }) => JSON.stringify(events).includes(last))).toBe(true);
  for (const { events } of live) expect(JSON.stringify(events)).not.toMatch(/Hers|Gone/);
});

describe('deleting', () => {
  test('loses nothing: alerts return to My Alerts, subfolders move up and keep apart', async () => {
    const top = await made(anna, 'Top');
    await made(anna, 'Twin');
    const inner = await made(anna, 'Twin', top.id);
    const deep = await made(anna, 'Deep', inner.id);
    const [inTop, inDeep] = [await accepted(anna), await accepted(anna)];
    await move(anna, inTop, top.id);
    await move(anna, inDeep, deep.id);

    expect((await anna.send('DELETE', `/api/folders/${top.id}`)).status).toBe(204);
    expect(await mine(anna)).toEqual([inTop]);
    expect(await inFolder(anna, deep.id)).toEqual([inDeep]);
    const folders = new Map((await list(anna)).map((folder) => [folder.id, folder]));
    expect(folders.has(top.id)).toBe(false);
    expect(folders.get(inner.id)).toMatchObject({ name: 'Twin (2)' });
    expect(folders.get(inner.id)).not.toHaveProperty('parentId');
    expect(folders.get(deep.id)).toMatchObject({ parentId: inner.id });
    expect((await historyOf(anna, inTop))[0]).toMatchObject({ action: 'move_folder', previousFolderName: 'Top' });
    expect((await anna.get(`/api/alerts/folder/${top.id}`)).status).toBe(404);
  });

  test('moves up subfolders of one long name, whose number takes the place of whole characters', async () => {
    const name = `${'x'.repeat(89)}🔥🔥`;
    await made(anna, name);
    const tops = [await made(anna, 'First'), await made(anna, 'Second')];
    for (const { id } of tops) await made(anna, name, id);
    for (const { id } of tops) expect((await anna.send('DELETE', `/api/folders/${id}`)).status).toBe(204);
    const names = (await list(anna)).map((folder) => folder.name).filter((one) => one.startsWith('xxx'));
    expect(names.toSorted()).toEqual([`${'x'.repeat(89)} (2)`, `${'x'.repeat(89)} (3)`, name]);
  });

  test('is the owner’s alone', async () => {
    const { id } = await made(anna, 'Hers');
    expect((await ben.send('DELETE', `/api/folders/${id}`)).status).toBe(404);
    expect((await ben.get(`/api/alerts/folder/${id}`)).status).toBe(404);
    expect(await list(ben)).toEqual([]);
    expect(await list(anna)).toHaveLength(1);
  });
});

test('creating and deleting is published to the member’s own windows alone', async () => {
  const [atAnna, atBen] = [await listenLive(anna), await listenLive(ben)];
  const folderEvents = ({ events }: typeof atAnna) => events.filter(({ type }) => type === 'folders_changed');
  const { id } = await made(anna, 'Urgent');
  await expect.poll(() => folderEvents(atAnna)).toEqual([{ type: 'folders_changed' }]);
  await anna.send('DELETE', `/api/folders/${id}`);
  await expect.poll(() => folderEvents(atAnna)).toHaveLength(2);
  // Everybody receives a new alert, so Ben would have received the folder event before.
  const { id: alertId } = await anna.postAlert(key);
  await expect.poll(() => atBen.events.some((event) => 'alert' in event && event.alert.id === alertId)).toBe(true);
  expect(folderEvents(atBen)).toEqual([]);
});
