import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { NoteEntity } from '#backend/alerts/notes/note.ts';
import { MAX_NOTES } from '#backend/contract/note.ts';
import { newOpsgenieClient } from '#tests/support/opsgenie-client.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

const ALIAS = '?identifierType=alias';

const opened = async (settings: object = {}) => {
  const client = await newOpsgenieClient(admin, [server.url], settings);
  const { alertId } = await client.done('POST', '/v2/alerts', { message: 'Disk', alias: 'disk' });
  const id = String(alertId);
  const notes = async () =>
    (await server.database.reads.getRepository(NoteEntity).findBy({ alertId: id })).map(({ text }) => text);
  return { ...client, id, notes };
};

test('a note on an alert that has as many as it may have is answered as not stored', async () => {
  const { done, id, notes } = await opened();
  const rows = Array.from({ length: MAX_NOTES - 1 }, (_, number) => ({
    id: uuidv7(),
    alertId: id,
    authorId: id,
    authorName: 'Ann',
    text: `Note ${number}`,
    mentions: '[]',
    notified: '[]',
    createdAt: Date.now(),
    editedAt: null,
  }));
  await server.database.transaction((tx) => tx.getRepository(NoteEntity).insert(rows));
  const add = (note: string) => done('POST', `/v2/alerts/disk/notes${ALIAS}`, { note });
  expect(await add('the last')).toMatchObject({ isSuccess: true, status: 'Done' });
  expect(await add('one more')).toMatchObject({
    isSuccess: false,
    status: 'The alert has 200 notes already: the note was not stored',
  });
  // The rest of a call is done.
  const unnoted = { isSuccess: true, status: 'Done, but the note was not stored: the alert has 200 notes already' };
  const endTime = new Date(Date.now() + 60_000).toISOString();
  const note = 'also too many';
  expect(await done('POST', `/v2/alerts/disk/snooze${ALIAS}`, { endTime, note })).toMatchObject(unnoted);
  expect(await done('POST', `/v2/alerts/disk/close${ALIAS}`, { note })).toMatchObject(unnoted);
  expect(await notes()).toHaveLength(MAX_NOTES);
});

test('a close of what a member has completed keeps its note', async () => {
  const { done, id, notes } = await opened();
  for (const action of [{ action: 'accept' }, { action: 'status', status: 'completed' }])
    expect((await admin.send('POST', '/api/alerts/bulk', { ...action, ids: [id] })).status).toBe(200);
  expect(await done('POST', `/v2/alerts/disk/close${ALIAS}`, { note: 'root cause: a log' })).toMatchObject({
    isSuccess: true,
    status: 'The alert was like this already',
  });
  expect(await notes()).toEqual(['root cause: a log']);
});

test('a job that closes after each run what is closed already leaves its note once', async () => {
  const { done, notes } = await opened();
  const close = (note: string) => done('POST', `/v2/alerts/disk/close${ALIAS}`, { note });
  expect(await close('Backup succeeded')).toMatchObject({ status: 'Done' });
  for (const note of ['Backup succeeded', 'Backup succeeded', 'Backup moved', 'Backup moved']) {
    expect(await close(note)).toMatchObject({ isSuccess: true, status: 'The alert was like this already' });
  }
  expect(await notes()).toEqual(['Backup succeeded', 'Backup moved']);
});

test('a note on an alert whose alias a newer one has is answered as not stored', async () => {
  const { done, id, notes } = await opened({ reopenWithinMinutes: 0 });
  await done('POST', `/v2/alerts/disk/close${ALIAS}`);
  expect(await done('POST', '/v2/alerts', { message: 'Disk', alias: 'disk' })).toMatchObject({
    status: 'Created alert',
  });
  expect(await done('POST', `/v2/alerts/${id}/notes`, { note: 'late' })).toMatchObject({ isSuccess: false });
  expect(await notes()).toEqual([]);
});
