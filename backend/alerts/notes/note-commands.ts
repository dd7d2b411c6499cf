import type { Database } from '#backend/platform/database/database.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { In, Like } from 'typeorm';
import { UserEntity } from '#backend/identity/users/user.ts';
import { type StoredAlert, canSee } from '#backend/alerts/alert/alert.ts';
import { type LockedAlert, lockAlert, touchAlert } from '#backend/alerts/alert/alert-store.ts';
import { notifyMembers, rewriteNotices } from '#backend/alerts/notices/notice.ts';
import { addHistories } from '#backend/alerts/alert/write-history.ts';
import { cutText } from '#backend/contract/cut-text.ts';
import { type AddedNote, MAX_NOTES, type NewNote, type Note } from '#backend/contract/note.ts';
import { idOfText, newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { conflict, notAllowed, notFound, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { NoteEntity, type StoredNote, isAuthor, presentNote } from './note.ts';

/** A note that mentions members. */
export interface Mention {
  byName: string;
  alertId: string;
  /** The alert's headline, or its type; null when it has neither. */
  alertTitle: string | null;
  text: string;
  /** Whom it mentions. */
  userIds: readonly string[];
}

/** Mails members that they are mentioned, in the transaction that stores the note. */
export type MailMentions = (tx: Transaction, mention: Mention) => Promise<void>;

interface NoteContext {
  database: Database;

  mailMentions: MailMentions;
}

/**
 * Writes a note on an alert, and notifies whom it mentions. What was written by the same request of the same member already
 * stays as it is.
 *
 * @throws {ProblemError} 404 when the member may not know of the alert, 409 when it has as many notes as it may have, 422
 * when it mentions somebody who cannot see the alert.
 */
export async function addNote(context: NoteContext, actor: Actor, alertId: string, input: AddedNote): Promise<Note> {
  const end = endOfId(actor, alertId, input);
  const note = await onBehalfOf(context.database, actor).transaction(async (tx) => {
    const found = await requireAlert(tx, actor, alertId);
    const written =
      end && (await tx.getRepository(NoteEntity).findOneBy({ alertId, authorId: actor.id, id: Like(`%${end}`) }));
    if (written) return written;
    if ((await tx.getRepository(NoteEntity).countBy({ alertId })) >= MAX_NOTES) {
      throw conflict(`This alert has ${MAX_NOTES} notes already. Delete one of yours first.`);
    }
    const mentions = await peopleIn(tx, found, input);
    const added: StoredNote = {
      id: end ? newId().slice(0, -end.length) + end : newId(),
      alertId,
      authorId: actor.id,
      authorName: actor.displayName,
      text: input.text,
      mentions: JSON.stringify(mentions),
      notified: JSON.stringify(mentions.map(({ id }) => id)),
      createdAt: Date.now(),
      editedAt: null,
    };
    await tx.getRepository(NoteEntity).insert(added);
    await keepNoteText(tx, alertId);
    await addHistories(tx, [{ alertId, action: 'note_added', userDisplayName: actor.displayName }], [found.history]);
    if (found.ownerId === actor.id) await touchAlert(tx, alertId);
    const others = othersIn(mentions, actor);
    await context.mailMentions(tx, mentionOf(actor, found, input.text, others));
    await announceNote(tx, actor, found, added, others);
    return added;
  });
  return presentNote(note);
}

/** How many characters of an id are random, after its time and the digits that say of which kind it is. */
const RANDOM_LENGTH = 16;

/** How the id of a note ends that comes with the id of a request: the same for the same request of a member about an alert. */
const endOfId = (actor: Actor, alertId: string, { requestId }: AddedNote): string | undefined =>
  requestId === undefined ? undefined : idOfText(`note ${actor.id} ${alertId} ${requestId}`).slice(-RANDOM_LENGTH);

/**
 * Changes a note of the member's own; whom it did not mention before is notified. The same text again changes nothing.
 *
 * @throws {ProblemError} 404 when there is no such note for the member, 403 when it is somebody else's, 422 as
 * {@link addNote}.
 */
export async function editNote(
  context: NoteContext,
  actor: Actor,
  { id: alertId, noteId }: { id: string; noteId: string },
  input: NewNote,
): Promise<Note> {
  const note = await onBehalfOf(context.database, actor).transaction(async (tx) => {
    const found = await requireAlert(tx, actor, alertId);
    const before = await requireOwnNote(tx, actor, alertId, noteId, 'edit');
    const mentions = await peopleIn(tx, found, input, JSON.parse(before.mentions) as Note['mentions']);
    const notified = JSON.parse(before.notified) as string[];
    const added = mentions.map(({ id }) => id).filter((id) => !notified.includes(id));
    const isSame = before.text === input.text && before.mentions === JSON.stringify(mentions);
    if (isSame) return before;
    const change = {
      text: input.text,
      mentions: JSON.stringify(mentions),
      notified: JSON.stringify([...notified, ...added]),
      editedAt: Date.now(),
    };
    await tx.getRepository(NoteEntity).update({ id: noteId }, change);
    await keepNoteText(tx, alertId);
    await addHistories(tx, [{ alertId, action: 'note_edited', userDisplayName: actor.displayName }], [found.history]);
    if (found.ownerId === actor.id) await touchAlert(tx, alertId);
    const others = othersIn(mentions, actor).filter((id) => added.includes(id));
    await context.mailMentions(tx, mentionOf(actor, found, input.text, others));
    const changed = { ...before, ...change };
    if (notified.length > 0) await rewriteNotices(tx, noteId, beginningOf(input.text));
    await announceNote(tx, actor, found, changed, others);
    return changed;
  });
  return presentNote(note);
}

/**
 * Deletes a note of the member's own. That it was there stays in the history.
 *
 * @throws {ProblemError} 404 when there is no such note for the member, 403 when it is somebody else's.
 */
export async function deleteNote(
  { database }: Pick<NoteContext, 'database'>,
  actor: Actor,
  { id: alertId, noteId }: { id: string; noteId: string },
): Promise<void> {
  await onBehalfOf(database, actor).transaction(async (tx) => {
    const found = await requireAlert(tx, actor, alertId);
    const { notified } = await requireOwnNote(tx, actor, alertId, noteId, 'delete');
    await tx.getRepository(NoteEntity).delete({ id: noteId });
    if (notified !== '[]') await rewriteNotices(tx, noteId, '');
    await keepNoteText(tx, alertId);
    await addHistories(tx, [{ alertId, action: 'note_deleted', userDisplayName: actor.displayName }], [found.history]);
    announce(tx, { type: 'notes_changed', alertId, ownerId: found.ownerId });
  });
}

/** Keeps the text of an alert's notes beside it, where searches look. Its row is locked. */
export async function keepNoteText(tx: Transaction, alertId: string): Promise<void> {
  const notes = await tx
    .getRepository(NoteEntity)
    .find({ select: { text: true }, where: { alertId }, order: { id: 'ASC' } });
  const text = notes.length === 0 ? null : notes.map((note) => note.text).join('\n');
  await tx.query('UPDATE alerts SET note_text = ? WHERE id = ?', [text, alertId]);
}

/** Its row is locked: nobody deletes the alert, or writes another note on it, meanwhile. */
async function requireAlert(tx: Transaction, actor: Actor, id: string): Promise<LockedAlert> {
  const alert = await lockAlert(tx, id);
  if (!alert || !canSee(actor, alert)) throw notFound('This alert no longer exists.');
  return alert;
}

async function requireOwnNote(
  tx: Transaction,
  actor: Actor,
  alertId: string,
  id: string,
  verb: 'edit' | 'delete',
): Promise<StoredNote> {
  const note = await tx.getRepository(NoteEntity).findOneBy({ id, alertId });
  if (!note) throw notFound('This note no longer exists.');
  if (!isAuthor(actor, note)) throw notAllowed(`Only its author can ${verb} this note.`);
  return note;
}

/**
 * Whom a note mentions, by name, each once.
 *
 * @param known whom it mentions already: they stay by the name that the text has, also without an account or sight of the alert
 */
async function peopleIn(
  tx: Transaction,
  alert: StoredAlert,
  { text, mentions }: NewNote,
  known: Note['mentions'] = [],
): Promise<Note['mentions']> {
  const ids = [...new Set(mentions)];
  if (ids.length === 0) return [];
  const users = await tx.getRepository(UserEntity).findBy({ id: In(ids), isActive: true, isService: false });
  return ids.map((id) => {
    const user = users.find((one) => one.id === id);
    const mentioned = known.find((one) => one.id === id);
    if (mentioned && (!user || !canSee(user, alert) || text.includes(`@${mentioned.name}`))) return mentioned;
    if (!user) throw unacceptable('Somebody whom this note mentions has no account any more.');
    if (!canSee(user, alert)) {
      throw unacceptable(`${user.displayName} cannot see this alert, so a note on it cannot mention them.`);
    }
    return { id, name: user.displayName };
  });
}

/** Nobody is notified of what they wrote themselves. */
const othersIn = (mentions: Note['mentions'], actor: Actor): string[] =>
  mentions.map(({ id }) => id).filter((id) => id !== actor.id);

const mentionOf = (actor: Actor, alert: StoredAlert, text: string, userIds: readonly string[]): Mention => ({
  byName: actor.displayName,
  alertId: alert.id,
  alertTitle: alert.title ?? alert.alertType,
  text,
  userIds,
});

async function announceNote(
  tx: Transaction,
  actor: Actor,
  alert: StoredAlert,
  note: StoredNote,
  mentioned: string[],
): Promise<void> {
  announce(tx, { type: 'notes_changed', alertId: alert.id, ownerId: alert.ownerId });
  await notifyMembers(
    tx,
    mentioned.map((userId) => ({
      userId,
      noteId: note.id,
      notice: {
        id: newId(),
        kind: 'mentioned' as const,
        alertId: alert.id,
        alertTitle: alert.title ?? alert.alertType,
        byName: actor.displayName,
        text: beginningOf(note.text),
      },
    })),
  );
}

/** What of a note a notification shows. */
const beginningOf = (text: string): string => cutText(text, 200);
