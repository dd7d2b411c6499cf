import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { NoteEntity } from '#backend/alerts/notes/note.ts';
import { alertSchema } from '#backend/contract/alert.ts';
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

test('a command that comes again with its Idempotency-Key is not done again, and its note is written once', async () => {
  const member = await server.signedIn({ displayName: 'Ann Ashby' });
  const endTime = new Date(Date.now() + 60 * 60_000).toISOString();
  const owner = { username: member.session?.email };
  for (const [call, body, takeBack] of [
    ['snooze', { endTime }, 'wake'],
    ['assign', { owner }, 'unaccept'],
  ] as const) {
    const { call: send, id, notes, done } = await opened();
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const again = async () =>
      (await send('POST', `/v2/alerts/disk/${call}${ALIAS}`, { ...body, note: call }, headers)).status;
    expect(await Promise.all([again(), again()])).toEqual([202, 202]);
    await admin.send('POST', `/api/alerts/${id}/${takeBack}`);
    const { version } = alertSchema.parse(await (await admin.get(`/api/alerts/${id}`)).json());
    expect(await again()).toBe(202);
    expect(await notes()).toEqual([call]);
    expect(alertSchema.parse(await (await admin.get(`/api/alerts/${id}`)).json()).version).toBe(version);
    const other = await send('POST', `/v2/alerts/disk/${call}${ALIAS}`, { ...body, note: 'other' }, headers);
    expect(other.status).toBe(409);
    await done('DELETE', `/v2/alerts/disk${ALIAS}`);
  }
});

test('an alert that a source takes back and deletes is so once for each Idempotency-Key', async () => {
  const member = await server.signedIn({ displayName: 'Ann Ashby' });
  const { call, done, id, notes } = await opened();
  await done('POST', `/v2/alerts/disk/acknowledge${ALIAS}`);
  const assign = () => done('POST', `/v2/alerts/disk/assign${ALIAS}`, { owner: { username: member.session?.email } });
  await assign();
  const key = { 'Idempotency-Key': crypto.randomUUID() };
  const takeBack = () => call('POST', `/v2/alerts/disk/unacknowledge${ALIAS}`, { note: 'mine' }, key);
  const stored = async () => alertSchema.parse(await (await admin.get(`/api/alerts/${id}`)).json());
  await takeBack();
  expect(await stored()).toMatchObject({ status: 'pending', state: 'firing' });
  await takeBack();
  await assign();
  await takeBack();
  expect(await stored()).toMatchObject({ status: 'accepted', ownerId: member.id });
  expect(await notes()).toEqual(['mine']);
  await admin.send('POST', `/api/alerts/${id}/unaccept`);
  const end = { 'Idempotency-Key': crypto.randomUUID() };
  const remove = async () => {
    const { requestId } = (await call('DELETE', `/v2/alerts/${id}`, undefined, end)).body;
    return (await call('GET', `/v2/alerts/requests/${String(requestId)}`)).body.data;
  };
  expect(await remove()).toMatchObject({ isSuccess: true, alertId: id });
  expect(await remove()).toMatchObject({ isSuccess: true, alertId: id });
});

test('an alert that was returned, and not reported as firing, is so when the call comes again', async () => {
  const member = await server.signedIn();
  const { call, done, id, notes } = await opened();
  await done('POST', `/v2/alerts/disk/acknowledge${ALIAS}`);
  await done('POST', `/v2/alerts/disk/assign${ALIAS}`, { owner: { username: member.session?.email } });
  const stored = async () => alertSchema.parse(await (await admin.get(`/api/alerts/${id}`)).json());
  const key = { 'Idempotency-Key': crypto.randomUUID() };
  const takeBack = async () =>
    (await call('POST', `/v2/alerts/disk/unacknowledge${ALIAS}`, { note: 'mine' }, key)).status;
  const query = (sql: string) => server.database.transaction((tx) => tx.query(sql));
  const isReported = "OLD.state = 'acknowledged' AND NEW.state = 'firing'";
  await query(
    server.database.dialect.name === 'sqlite'
      ? `CREATE TRIGGER away BEFORE UPDATE ON alerts WHEN ${isReported} BEGIN SELECT RAISE(ABORT, 'away'); END`
      : `CREATE TRIGGER away BEFORE UPDATE ON alerts FOR EACH ROW IF ${isReported} THEN SIGNAL SQLSTATE '45000'; END IF`,
  );
  try {
    expect(await takeBack()).toBeGreaterThanOrEqual(500);
  } finally {
    await query('DROP TRIGGER away');
  }
  expect(await stored()).toMatchObject({ status: 'pending', state: 'acknowledged' });
  expect(await takeBack()).toBe(202);
  expect(await stored()).toMatchObject({ status: 'pending', state: 'firing' });
  expect(await notes()).toEqual(['mine']);
  const { version } = await stored();
  expect(await takeBack()).toBe(202);
  expect((await stored()).version).toBe(version);
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
