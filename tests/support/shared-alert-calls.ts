import { noteSchema } from '#backend/contract/note.ts';
import type { TestClient } from './test-client.ts';

/** Who makes the calls, and how an alert that they may see is made. */
interface Callers {
  member: TestClient;
  colleague: TestClient;
  newAlert: () => Promise<string>;
}

/** Every success that the document promises of notes, of giving alerts to colleagues and of changing many, with a call that gets it. */
export function sharedAlertCalls(callers: () => Callers): Record<string, () => Promise<Response>> {
  const pathOfNotes = async () => `/api/alerts/${await callers().newAlert()}/notes`;
  const write = (path: string) => {
    const { member } = callers();
    return member.send('POST', path, { text: 'Seen', mentions: [member.id] });
  };
  const pathOfNote = async () => {
    const path = await pathOfNotes();
    return `${path}/${noteSchema.parse(await (await write(path)).json()).id}`;
  };
  const accept = async () =>
    callers().member.send('POST', '/api/alerts/bulk', { action: 'accept', ids: [await callers().newAlert()] });
  return {
    'POST /api/alerts/bulk 200': accept,
    'GET /api/insight 200': () =>
      callers().member.get('/api/insight?from=2026-10-20&to=2026-11-20&timeZone=Europe/Berlin'),
    'GET /api/changes 200': () => callers().member.get('/api/changes'),
    'GET /api/first-run 200': () => callers().member.get('/api/first-run'),
    'GET /api/notes 200': async () => {
      const path = await pathOfNotes();
      await write(path);
      await write(path);
      return callers().member.get(`/api/notes?alertId=${path.split('/')[3]}&limit=1`);
    },
    'GET /api/people 200': () => callers().member.get('/api/people'),
    'POST /api/alerts/{id}/assign 200': async () => {
      const { member, colleague, newAlert } = callers();
      return member.send('POST', `/api/alerts/${await newAlert()}/assign`, { userId: colleague.id });
    },
    'GET /api/alerts/hand-over 200': async () => {
      await accept();
      return callers().member.get('/api/alerts/hand-over');
    },
    'POST /api/alerts/hand-over 200': async () => {
      await accept();
      const { member, colleague } = callers();
      return member.send('POST', '/api/alerts/hand-over', { userId: colleague.id, note: 'Back on Monday.' });
    },
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

/** A member takes an alert, and their account is disabled: the alert returns to the inbox. */
export async function disableOwner({
  leaver,
  admin,
  newAlert,
}: Pick<Callers, 'newAlert'> & { leaver: TestClient; admin: TestClient }): Promise<void> {
  await leaver.send('POST', '/api/alerts/bulk', { action: 'accept', ids: [await newAlert()] });
  await admin.send('PATCH', `/api/auth/users/${leaver.id}/toggle-active`);
}
