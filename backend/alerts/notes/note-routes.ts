import type { Database } from '#backend/platform/database/database.ts';
import type { EventBus } from '#backend/platform/live/event-bus.ts';
import { type EntityManager, In } from 'typeorm';
import { AlertEntity, type StoredAlert, canSee } from '#backend/alerts/alert/alert.ts';
import { findAlert } from '#backend/alerts/alert/alert-store.ts';
import { alertIdParamsSchema } from '#backend/contract/alert-query.ts';
import {
  addedNoteSchema,
  newNoteSchema,
  noteListSchema,
  noteParamsSchema,
  noteSchema,
  notesOfAlertsSchema,
  notesQuerySchema,
  peopleQuerySchema,
  peopleSchema,
} from '#backend/contract/note.ts';
import { idPageQuerySchema } from '#backend/contract/pages.ts';
import { readIdPage } from '#backend/platform/database/id-pages.ts';
import { type Actor, type Endpoint, created, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { notFound } from '#backend/platform/endpoint/errors.ts';
import { type MailMentions, addNote, deleteNote, editNote } from './note-commands.ts';
import { NoteEntity, presentNote } from './note.ts';
import { findPeople } from './people.ts';

/** The notes on an alert, and the people who can be mentioned in them. */
export function noteRoutes(context: {
  database: Database;
  events: EventBus;
  /** Mails members that a note mentions them. */
  mailMentions: MailMentions;
}): Endpoint[] {
  const { reads } = context.database;
  return [
    endpoint({
      method: 'GET',
      path: '/api/alerts/:id/notes',
      tag: 'alerts',
      summary: 'Lists the notes on an alert, newest first.',
      access: 'member',
      isList: true,
      params: alertIdParamsSchema,
      query: idPageQuerySchema,
      responses: { 200: noteListSchema },
      responseHeaders: ['Link'],
      handle: async ({ actor, params, query }) => {
        await requireVisible(reads, actor, params.id);
        const path = `/api/alerts/${params.id}/notes`;
        const { rows, headers } = await readIdPage(reads, NoteEntity, { alertId: params.id }, query, path);
        return ok(rows.map(presentNote), { headers });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/notes',
      tag: 'alerts',
      summary: 'Lists the notes on up to 100 alerts, newest first; alerts that the caller may not see are left out.',
      access: 'member',
      isList: true,
      query: notesQuerySchema,
      responses: { 200: notesOfAlertsSchema },
      responseHeaders: ['Link'],
      handle: async ({ actor, query: { alertId, ...page } }) => {
        const select = { id: true, status: true, ownerId: true } as const;
        const alerts = await reads.getRepository(AlertEntity).find({ select, where: { id: In(alertId) } });
        const visible = alerts.filter((alert) => canSee(actor, alert)).map(({ id }) => id);
        const path = `/api/notes?${new URLSearchParams(alertId.map((id) => ['alertId', id]))}`;
        const { rows, headers } = await readIdPage(reads, NoteEntity, { alertId: In(visible) }, page, path);
        return ok(
          rows.map((note) => Object.assign(presentNote(note), { alertId: note.alertId })),
          { headers },
        );
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/alerts/:id/notes',
      tag: 'alerts',
      summary:
        'Writes a note on an alert; whom it mentions is notified once. With the `requestId` of an earlier call it is written once.',
      access: 'member',
      params: alertIdParamsSchema,
      body: addedNoteSchema,
      responses: { 201: noteSchema },
      errors: [409],
      handle: async ({ actor, params, body }) => created(await addNote(context, actor, params.id, body)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/alerts/:id/notes/:noteId',
      tag: 'alerts',
      summary: 'Changes a note of the member’s own.',
      access: 'member',
      params: noteParamsSchema,
      body: newNoteSchema,
      responses: { 200: noteSchema },
      handle: async ({ actor, params, body }) => ok(await editNote(context, actor, params, body)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/alerts/:id/notes/:noteId',
      tag: 'alerts',
      summary: 'Deletes a note of the member’s own.',
      access: 'member',
      params: noteParamsSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, params }) => {
        await deleteNote(context, actor, params);
        return noContent();
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/alerts/:id/people',
      tag: 'alerts',
      summary: 'Names the colleagues who can be mentioned on an alert, or given it.',
      access: 'member',
      params: alertIdParamsSchema,
      query: peopleQuerySchema,
      responses: { 200: peopleSchema },
      handle: async ({ actor, params, query }) =>
        ok(await findPeople(reads, await requireVisible(reads, actor, params.id), query.q)),
    }),
  ];
}

async function requireVisible(reads: EntityManager, actor: Actor, id: string): Promise<StoredAlert> {
  const alert = await findAlert(reads, id);
  if (!alert || !canSee(actor, alert)) throw notFound('This alert no longer exists.');
  return alert;
}
