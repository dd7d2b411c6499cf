import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { excerptOf, findNoteHits } from '#backend/alerts/lists/note-hits.ts';
import { alertListSchema } from '#backend/contract/alert.ts';
import { noteSchema } from '#backend/contract/note.ts';
import { firstIdAt } from '#backend/platform/database/ids.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let anna: TestClient;
let ben: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  anna = await server.signedIn({ displayName: 'Anna' });
  ben = await server.signedIn({ displayName: 'Ben' });
});
afterAll(() => server.destroy());

/** Ids of what is found, newest first, with what is shown of a note. */
async function find(member: TestClient, search: string, list = 'inbox'): Promise<[string, string | undefined][]> {
  const answer = await member.get(`/api/alerts/${list}?search=${encodeURIComponent(search)}`);
  const found = alertListSchema.parse(await answer.json());
  expect(Number(answer.headers.get('X-Total-Count'))).toBe(found.length);
  return found.map(({ id, noteHit }) => [id, noteHit]);
}
const write = async (id: string, text: string) =>
  noteSchema.parse(await (await anna.send('POST', `/api/alerts/${id}/notes`, { text, mentions: [] })).json()).id;

test('words of notes find their alert, with the note that has them, from the moment they are written until they are not', async () => {
  const [noted = '', other = ''] = await insertAlerts(server.database, [
    { title: 'Disk full', payload: '{"host":"db-7"}' },
    { title: 'Archive job', payload: '{}' },
  ]);
  const first = await write(noted, 'The Archive is “stuck” in Zürich.');
  await write(noted, 'Called Ines.');
  expect(await find(ben, 'ZÜRICH')).toEqual([[noted, 'The Archive is “stuck” in Zürich.']]);
  expect(await find(ben, '"archive"')).toEqual([
    [other, undefined],
    [noted, 'The Archive is “stuck” in Zürich.'],
  ]);
  // Each word anywhere: one in the payload, one in a note.
  expect(await find(ben, 'db-7 ines')).toEqual([[noted, 'Called Ines.']]);
  expect(await find(ben, 'ines archive nowhere')).toEqual([]);

  await anna.send('PATCH', `/api/alerts/${noted}/notes/${first}`, { text: 'Solved in Basel', mentions: [] });
  expect([await find(ben, 'zürich'), await find(ben, 'basel')]).toEqual([[], [[noted, 'Solved in Basel']]]);
  await anna.send('DELETE', `/api/alerts/${noted}/notes/${first}`);
  expect(await find(ben, 'basel')).toEqual([]);
  expect(await find(ben, 'ines')).toEqual([[noted, 'Called Ines.']]);

  // Who cannot see the alert finds nothing of its notes.
  await anna.send('POST', `/api/alerts/${noted}/accept`);
  expect([await find(ben, 'ines'), await find(anna, 'ines', 'mine')]).toEqual([[], [[noted, 'Called Ines.']]]);
});

test('a long list is asked of the index, which knows notes too', async () => {
  const large = await startTestServer();
  try {
    const member = await large.signedIn();
    // So old that they are in the index of either database.
    const hourAgo = Date.now() - 3_600_000;
    const [old = ''] = await insertAlerts(
      large.database,
      Array.from({ length: 10_400 }, (_, number) => ({ id: firstIdAt(hourAgo + number), payload: `{"at":${number}}` })),
    );
    await large.search.settled();
    await member.send('POST', `/api/alerts/${old}/notes`, { text: 'Nightjar in the rack', mentions: [] });
    await large.search.settled();
    expect(await find(member, 'nightjar')).toEqual([[old, 'Nightjar in the rack']]);
  } finally {
    await large.destroy();
  }
});

test('of many alerts and notes the newest note of each that has the word is read, and no other', async () => {
  const ids = await insertAlerts(
    server.database,
    Array.from({ length: 300 }, () => ({})),
  );
  for (const id of [ids[0] ?? '', ids[299] ?? '']) {
    for (const text of ['Heron one', 'Heron two', 'Stork']) await write(id, text);
  }
  const query = vi.spyOn(server.database.reads, 'query');
  onTestFinished(() => query.mockRestore());
  const hits = await findNoteHits(server.database, ids, ['heron']);
  expect([...hits]).toEqual([
    [ids[0], 'Heron two'],
    [ids[299], 'Heron two'],
  ]);
  // The running server asks by the same manager.
  const ofNotes = query.mock.results.filter((_result, call) => query.mock.calls[call]?.[0].includes('alert_notes'));
  const answers: unknown[][] = await Promise.all(ofNotes.map(({ value }) => value));
  expect(answers.map((rows) => rows.length)).toEqual([1, 0, 1]);
});

test('notes from before they were searched are found after an upgrade', async () => {
  const before = await startTestServer();
  const member = await before.signedIn();
  const [id = ''] = await insertAlerts(before.database, [{}]);
  for (const text of ['Nightjar', 'in the rack']) {
    await member.send('POST', `/api/alerts/${id}/notes`, { text, mentions: [] });
  }
  await before.database.transaction(async (tx) => {
    await tx.query('ALTER TABLE alerts DROP COLUMN note_text');
    await tx.query("DELETE FROM migrations WHERE name = 'SearchNotes1764901300000'");
  });
  const upgraded = await before.restart();
  try {
    const [row] = await upgraded.database.reads.query('SELECT note_text AS text FROM alerts WHERE id = ?', [id]);
    expect(row).toEqual({ text: 'Nightjar\nin the rack' });
  } finally {
    await upgraded.destroy();
  }
});

test('an excerpt begins before what was looked for, and is one line', () => {
  const text = `${'before '.repeat(20)}the\nneedle ${'after '.repeat(40)}`;
  expect(excerptOf(text, ['missing', 'THE needle'])).toMatch(/^….{40}the needle after .*…$/);
  expect(excerptOf('short  text', ['nothing'])).toBe('short text');
});
