import * as z from 'zod/mini';
import { idPageQuerySchema } from './pages.ts';

/** Longest note, in characters after trimming. */
export const MAX_NOTE_LENGTH = 4_000;

/** Most people that one note mentions. */
export const MAX_MENTIONS = 5;

/** Most notes on one alert. */
export const MAX_NOTES = 200;

/** A person as colleagues choose them: to mention, or to give an alert to. `openAlerts` are theirs and not completed. */
export const personSchema = z.object({
  id: z.string(),
  displayName: z.string(),
  openAlerts: z.int().check(z.nonnegative()),
  /** Whether they may see the alert that was asked about: who may not cannot be mentioned on it. */
  canSee: z.boolean(),
});
export type Person = z.infer<typeof personSchema>;

/** Answer of `GET /api/alerts/{id}/people`: who may see the alert first, each part sorted by name. */
export const peopleSchema = z.array(personSchema);

/** Most people that one answer names. */
export const MAX_PEOPLE = 50;

/** Query of `GET /api/alerts/{id}/people`: names that contain `q`, whatever its case. */
export const peopleQuerySchema = z.object({ q: z.optional(z.string().check(z.trim(), z.maxLength(100))) });

/**
 * A note on an alert: plain text. `mentions` are the people that it names with `@` and their name, as they were called
 * then.
 */
export const noteSchema = z.object({
  id: z.string(),
  authorId: z.string(),
  authorName: z.string(),
  text: z.string(),
  mentions: z.array(z.object({ id: z.string(), name: z.string() })),
  createdAt: z.iso.datetime(),
  /** When its author changed it last; absent while it is as it was written. */
  editedAt: z.optional(z.iso.datetime()),
});
export type Note = z.infer<typeof noteSchema>;

/** Answer of `GET /api/alerts/{id}/notes`, newest first. */
export const noteListSchema = z.array(noteSchema);

/** Most alerts whose notes one call lists. */
export const MAX_NOTED_ALERTS = 100;

const alertIdsSchema = z.array(z.uuid()).check(z.maxLength(MAX_NOTED_ALERTS));

/** Query of `GET /api/notes`: `alertId` up to {@link MAX_NOTED_ALERTS} times, and the page. */
export const notesQuerySchema = z.extend(idPageQuerySchema, {
  alertId: z.union([
    alertIdsSchema,
    z.pipe(
      z.uuid(),
      z.transform((id) => [id]),
    ),
  ]),
});

/** A note with the alert that it is on. */
export const noteOfAlertSchema = z.extend(noteSchema, { alertId: z.string() });
export type NoteOfAlert = z.infer<typeof noteOfAlertSchema>;

/** Answer of `GET /api/notes`, newest first. */
export const notesOfAlertsSchema = z.array(noteOfAlertSchema);

/**
 * What a note is to say, and body of the `PATCH` of a note: 1–4,000 characters after trimming. A lone surrogate, which no
 * database can hold, becomes the replacement character. Each person in `mentions` is notified once of a note, however
 * often it is edited.
 */
export const newNoteSchema = z.object({
  text: z.string().check(
    z.trim(),
    z.minLength(1),
    z.maxLength(MAX_NOTE_LENGTH),
    z.overwrite((text) => text.toWellFormed()),
  ),
  mentions: z._default(z.array(z.uuid()).check(z.maxLength(MAX_MENTIONS)), []),
});
export type NewNote = z.infer<typeof newNoteSchema>;

/**
 * Body of `POST /api/alerts/{id}/notes`. `requestId` is made by the caller, and the same when the note is sent again because
 * no answer came: it is written once.
 */
export const addedNoteSchema = z.extend(newNoteSchema, {
  requestId: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
});
export type AddedNote = z.infer<typeof addedNoteSchema>;

/** Path parameters of the calls on one note. */
export const noteParamsSchema = z.object({ id: z.uuid(), noteId: z.uuid() });
