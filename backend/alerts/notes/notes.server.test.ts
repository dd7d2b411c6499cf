import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { UserEntity } from '#backend/identity/users/user.ts';
import { sweep } from '#backend/transfer/retention/retention.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import {
  MAX_MENTIONS,
  MAX_NOTES,
  MAX_NOTE_LENGTH,
  MAX_PEOPLE,
  noteListSchema,
  noteSchema,
  notesOfAlertsSchema,
  peopleSchema,
} from '#backend/contract/note.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { noticesOf } from '#tests/support/notice-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { NoteEntity } from './note.ts';

let server: TestServer;
let anna: TestClient;
let ben: TestClient;
let admin: TestClient;
let id: string;
beforeAll(async () => {
  server = await startTestServer();
  anna = await server.signedIn({ displayName: 'Anna Ashby' });
  ben = await server.signedIn({ displayName: 'Ben Okafor' });
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());
beforeEach(async () => {
  [id = ''] = await insertAlerts(server.database, [{ title: 'Disk full' }]);
});

const write = (member: TestClient, text: string, mentions: string[] = []) =>
  member.send('POST', `/api/alerts/${id}/notes`, { text, mentions });
const written = async (member: TestClient, text: string, mentions: string[] = []) =>
  noteSchema.parse(await (await write(member, text, mentions)).json());
const edit = (member: TestClient, noteId: string, text: string, mentions: string[] = []) =>
  member.send('PATCH', `/api/alerts/${id}/notes/${noteId}`, { text, mentions });
const remove = (member: TestClient, noteId: string) => member.send('DELETE', `/api/alerts/${id}/notes/${noteId}`);
const notesOf = async (member: TestClient) =>
  noteListSchema.parse(await (await member.get(`/api/alerts/${id}/notes`)).json());
const accept = (member: TestClient) => member.send('POST', `/api/alerts/${id}/accept`);
const actions = async () =>
  historySchema.parse(await (await admin.get(`/api/alerts/${id}/history`)).json()).map(({ action }) => action);
const inThreeDays = () => Date.now() + 3 * 24 * 60 * 60 * 1000;
const countNotes = () => server.database.reads.getRepository(NoteEntity).countBy({ alertId: id });

describe('a note', () => {
  test('is written, edited and deleted by its author, with a trace in the history', async () => {
    const note = await written(anna, '  Archive cleared.  ');
    expect(note).toMatchObject({ text: 'Archive cleared.', authorId: anna.id, authorName: 'Anna Ashby', mentions: [] });
    expect(await notesOf(ben)).toEqual([note]);
    expect((await edit(anna, note.id, 'Archive cleared.')).status).toBe(200);
    expect(await notesOf(ben)).toEqual([note]);
    expect(noteSchema.parse(await (await edit(anna, note.id, 'Watching it.')).json())).toMatchObject({
      id: note.id,
      text: 'Watching it.',
      editedAt: expect.any(String),
    });
    expect((await remove(anna, note.id)).status).toBe(204);
    expect(await notesOf(anna)).toEqual([]);
    expect((await remove(anna, note.id)).status).toBe(404);
    expect(await actions()).toEqual(['note_deleted', 'note_edited', 'note_added', 'received']);
  });

  test('that is sent again by the same request is written once, and notifies once', async () => {
    const send = (member: TestClient, requestId: string) =>
      member.send('POST', `/api/alerts/${id}/notes`, { text: 'Rebooting.', mentions: [ben.id], requestId });
    const [one, other] = await Promise.all([send(anna, 'a'), send(anna, 'a')]);
    expect([one.status, other.status]).toEqual([201, 201]);
    const note = noteSchema.parse(await one.json());
    expect(noteSchema.parse(await other.json())).toEqual(note);
    expect(await notesOf(anna)).toEqual([note]);
    expect(await actions()).toEqual(['note_added', 'received']);
    const about = (await noticesOf(ben)).filter((notice) => notice.alert.id === id);
    expect(about).toHaveLength(1);
    await send(anna, 'b');
    await send(admin, 'a');
    expect(await countNotes()).toBe(3);
    expect((await remove(anna, note.id)).status).toBe(204);
    expect(noteSchema.parse(await (await send(anna, 'a')).json()).id).not.toBe(note.id);
  });

  test('is nobody else’s to change, an administrator’s neither', async () => {
    const note = await written(anna, 'Mine');
    for (const member of [ben, admin]) {
      const [edited, removed] = [await edit(member, note.id, 'Theirs'), await remove(member, note.id)];
      expect([edited.status, await edited.text()]).toEqual([403, 'Only its author can edit this note.']);
      expect([removed.status, await removed.text()]).toEqual([403, 'Only its author can delete this note.']);
    }
    expect((await notesOf(ben)).map(({ text }) => text)).toEqual(['Mine']);
  });

  test('is not found with another alert, nor with one that the member may not see', async () => {
    const note = await written(ben, 'Before');
    await accept(anna);
    for (const response of [await edit(ben, note.id, 'After'), await remove(ben, note.id), await write(ben, 'New')]) {
      expect([response.status, await response.text()]).toEqual([404, 'This alert no longer exists.']);
    }
    expect((await ben.get(`/api/alerts/${id}/notes`)).status).toBe(404);
    expect((await notesOf(admin)).map(({ text }) => text)).toEqual(['Before']);
    const [other = ''] = await insertAlerts(server.database, [{}]);
    expect((await ben.send('DELETE', `/api/alerts/${other}/notes/${note.id}`)).status).toBe(404);
  });

  test('has limits that its answer names', async () => {
    for (const text of ['', '   ', 'x'.repeat(MAX_NOTE_LENGTH + 1)]) expect((await write(anna, text)).status).toBe(422);
    expect((await write(anna, 'x'.repeat(MAX_NOTE_LENGTH))).status).toBe(201);
    const many = Array.from({ length: MAX_MENTIONS + 1 }, () => anna.id);
    expect((await write(anna, 'Hello', many)).status).toBe(422);
    const stored = Array.from({ length: MAX_NOTES - 1 }, () => ({
      id: newId(),
      alertId: id,
      authorId: anna.id,
      authorName: 'Anna',
      text: 'One of many',
      mentions: '[]',
      notified: '[]',
      createdAt: Date.now(),
      editedAt: null,
    }));
    await server.database.transaction((tx) => tx.getRepository(NoteEntity).insert(stored));
    const response = await write(anna, 'One too many');
    expect([response.status, await response.text()]).toEqual([
      409,
      'This alert has 200 notes already. Delete one of yours first.',
    ]);
  });
});

describe('a mention', () => {
  test('notifies the colleague once, however often the note is edited; nobody else receives it', async () => {
    const [forAnna, forBen] = [await listenLive(anna), await listenLive(ben)];
    const note = await written(anna, '@Ben Okafor look', [ben.id, ben.id, anna.id]);
    expect(note.mentions).toEqual([
      { id: ben.id, name: 'Ben Okafor' },
      { id: anna.id, name: 'Anna Ashby' },
    ]);
    await edit(anna, note.id, 'No longer');
    await edit(anna, note.id, '@Ben Okafor again', [ben.id]);
    await write(anna, 'The end');
    await expect.poll(() => forBen.events.filter(({ type }) => type === 'notes_changed').length).toBe(4);
    expect(forBen.events.filter(({ type }) => type === 'member_notified')).toEqual([
      {
        type: 'member_notified',
        notice: {
          id: expect.any(String),
          kind: 'mentioned',
          alertId: id,
          alertTitle: 'Disk full',
          byName: 'Anna Ashby',
          text: '@Ben Okafor look',
        },
      },
    ]);
    expect(forAnna.events.filter(({ type }) => type === 'member_notified')).toEqual([]);
    forAnna.socket.close();
    forBen.socket.close();
  });

  test('is offered of who sees the alert before others, however many colleagues there are', async () => {
    await accept(ben);
    const { id: _, ...like } = await server.addUser({ displayName: 'Aaron' });
    const many = Array.from({ length: MAX_PEOPLE }, (_unused, number) => ({
      ...like,
      id: newId(),
      email: `aaron${number}@example.com`,
      emailKey: `aaron${number}@example.com`,
      displayName: `Aaron ${number}`,
    }));
    await server.database.transaction((tx) => tx.getRepository(UserEntity).insert(many));
    const people = peopleSchema.parse(await (await ben.get(`/api/alerts/${id}/people`)).json());
    expect(people).toHaveLength(MAX_PEOPLE);
    expect(people.filter(({ canSee }) => canSee).map((person) => person.id)).toContain(ben.id);
    expect(people[0]?.canSee).toBe(true);
    await server.database.transaction((tx) => tx.getRepository(UserEntity).delete(many.map((user) => user.id)));
  });

  test('is refused of somebody who cannot see the alert, or has no account', async () => {
    await accept(anna);
    const refused = await write(anna, '@Ben Okafor', [ben.id]);
    expect([refused.status, await refused.text()]).toEqual([
      422,
      'Ben Okafor cannot see this alert, so a note on it cannot mention them.',
    ]);
    expect((await write(anna, '@Nobody', [newId()])).status).toBe(422);
    expect((await write(anna, '@Admin', [admin.id])).status).toBe(201);
    const people = peopleSchema.parse(await (await anna.get(`/api/alerts/${id}/people?q=aSHby`)).json());
    expect(people).toEqual([{ id: anna.id, displayName: 'Anna Ashby', openAlerts: 2, canSee: true }]);
    const all = peopleSchema.parse(await (await anna.get(`/api/alerts/${id}/people`)).json());
    expect(all.find((person) => person.id === ben.id)?.canSee).toBe(false);
  });

  test('stays in a note that is edited, also of who does not see the alert any more; a new one is refused', async () => {
    const note = await written(anna, '@Ben Okafor look, pasword', [ben.id]);
    await accept(anna);
    const edited = await edit(anna, note.id, '@Ben Okafor look, password', [ben.id]);
    expect(edited.status).toBe(200);
    expect(noteSchema.parse(await edited.json()).mentions).toEqual([{ id: ben.id, name: 'Ben Okafor' }]);
    expect((await edit(anna, note.id, '@Ben Okafor, @Nobody', [ben.id, newId()])).status).toBe(422);
  });

  test('keeps the name that the note was written with, also when the colleague has another by now', async () => {
    const cleo = await server.signedIn({ displayName: 'Cleo Reyes' });
    const note = await written(anna, '@Cleo Reyes look, pasword', [cleo.id]);
    await server.database.transaction((tx) =>
      tx.getRepository(UserEntity).update({ id: cleo.id }, { displayName: 'Cleo Stone' }),
    );
    const edited = await edit(anna, note.id, '@Cleo Reyes look, password', [cleo.id]);
    expect(noteSchema.parse(await edited.json()).mentions).toEqual([{ id: cleo.id, name: 'Cleo Reyes' }]);
  });
});

test('notes on an accepted alert are reported to those who see it', async () => {
  await accept(anna);
  const [forBen, forAdmin] = [await listenLive(ben), await listenLive(admin)];
  await write(anna, 'Private');
  await expect.poll(() => forAdmin.events.map(({ type }) => type)).toContain('notes_changed');
  expect(forBen.events.map(({ type }) => type)).not.toContain('notes_changed');
  forBen.socket.close();
  forAdmin.socket.close();
});

test('notes go with their alert, deleted by a member or for its age, also while one is being written', async () => {
  await write(anna, 'Going');
  const answers = await Promise.all([
    ...Array.from({ length: 5 }, (_, number) => write(ben, `Late ${number}`)),
    anna.send('DELETE', `/api/webhooks/${id}`),
    ...Array.from({ length: 5 }, (_, number) => write(anna, `Later ${number}`)),
  ]);
  for (const { status } of answers) expect([201, 204, 404]).toContain(status);
  expect(await countNotes()).toBe(0);

  [id = ''] = await insertAlerts(server.database, [{ status: 'completed', ownerId: anna.id }]);
  await write(anna, 'Old');
  await sweep(
    { database: server.database, logger: createLogger('silent'), days: 1, now: inThreeDays },
    new AbortController().signal,
  );
  expect(await countNotes()).toBe(0);
});

const listed = async (member: TestClient, path: string) => {
  const response = await member.get(path);
  const rows = notesOfAlertsSchema.parse(await response.json()).map(({ alertId, text }) => [alertId, text]);
  return { rows, next: /<([^>]*)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1] };
};

describe('the notes on several alerts', () => {
  test('are listed with their alerts, page by page, and only where the caller may see them', async () => {
    await written(anna, 'first');
    await written(ben, 'second');
    const [other = ''] = await insertAlerts(server.database, [{ title: 'Accepted by Ben' }]);
    await ben.send('POST', `/api/alerts/${other}/accept`);
    await ben.send('POST', `/api/alerts/${other}/notes`, { text: 'mine', mentions: [] });
    const path = `/api/notes?alertId=${id}&alertId=${other}`;
    expect((await listed(anna, path)).rows).toEqual([
      [id, 'second'],
      [id, 'first'],
    ]);
    expect((await listed(admin, path)).rows).toEqual([
      [other, 'mine'],
      [id, 'second'],
      [id, 'first'],
    ]);
    const { rows, next = '' } = await listed(admin, `${path}&limit=2`);
    expect(rows).toHaveLength(2);
    expect(await listed(admin, next)).toEqual({ rows: [[id, 'first']], next: undefined });
    expect((await listed(anna, `/api/notes?alertId=${newId()}`)).rows).toEqual([]);
  });

  test('are refused without an alert, and of more than a hundred', async () => {
    const many = Array.from({ length: 101 }, newId).map((one) => `alertId=${one}`);
    for (const query of ['', '?alertId=x', `?${many.join('&')}`])
      expect((await anna.get(`/api/notes${query}`)).status).toBe(400);
  });
});
