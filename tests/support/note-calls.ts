import { noteSchema } from '#backend/contract/note.ts';
import type { TestClient } from './test-client.ts';

/** Who makes the calls, and how an alert that they may see is made. */
interface Callers {
  member: TestClient;
  newAlert: () => Promise<string>;
}

/** Every success that the document promises of notes, with a call that gets it. */
export function noteCalls(callers: () => Callers): Record<string, () => Promise<Response>> {
  const pathOfNotes = async () => `/api/alerts/${await callers().newAlert()}/notes`;
  const write = (path: string) => {
    const { member } = callers();
    return member.send('POST', path, { text: 'Seen', mentions: [member.id] });
  };
  const pathOfNote = async () => {
    const path = await pathOfNotes();
    return `${path}/${noteSchema.parse(await (await write(path)).json()).id}`;
  };
  return {
    'GET /api/alerts/{id}/notes 200': async () => {
      const path = await pathOfNotes();
      await write(path);
      await write(path);
      return callers().member.get(`${path}?limit=1`);
    },
    'POST /api/alerts/{id}/notes 201': async () => write(await pathOfNotes()),
    'PATCH /api/alerts/{id}/notes/{noteId} 200': async () =>
      callers().member.send('PATCH', await pathOfNote(), { text: 'Seen again' }),
    'DELETE /api/alerts/{id}/notes/{noteId} 204': async () => callers().member.send('DELETE', await pathOfNote()),
    'GET /api/alerts/{id}/people 200': async () =>
      callers().member.get(`/api/alerts/${await callers().newAlert()}/people`),
  };
}
