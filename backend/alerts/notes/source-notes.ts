import { In } from 'typeorm';
import type { StoredAlert } from '#backend/alerts/alert/alert.ts';
import { addHistories } from '#backend/alerts/alert/write-history.ts';
import { cutText } from '#backend/contract/cut-text.ts';
import { MAX_NOTES, MAX_NOTE_LENGTH } from '#backend/contract/note.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { keepNoteText } from './note-commands.ts';
import { NoteEntity } from './note.ts';

/** What a source notes on an alert that came from it. The alert's row is locked. */
export interface NoteOfSource {
  alert: Pick<StoredAlert, 'id' | 'ownerId'>;
  text: string;
  source: { id: string; name: string };
  /** Not where the source has noted the same on it before: who closes again and again what is over says no more by that. */
  isOnce?: boolean;
}

/**
 * Writes notes in the name of their sources. An alert that has as many as it may have gets no more.
 *
 * @returns those that were not stored
 */
export async function addNotesOfSources<Note extends NoteOfSource>(
  tx: Transaction,
  notes: readonly Note[],
): Promise<Note[]> {
  const ids = [...new Set(notes.map(({ alert }) => alert.id))];
  const stored = await tx.getRepository(NoteEntity).find({ select: { alertId: true }, where: { alertId: In(ids) } });
  const counts = Map.groupBy(stored, ({ alertId }) => alertId);
  const room = new Map(ids.map((id) => [id, MAX_NOTES - (counts.get(id)?.length ?? 0)]));
  const lost: Note[] = [];
  for (const note of notes) {
    const { alert, source } = note;
    const text = cutText(note.text.trim().toWellFormed(), MAX_NOTE_LENGTH);
    if (note.isOnce && (await hasNoted(tx, alert, source, text))) continue;
    const left = room.get(alert.id) ?? 0;
    if (left <= 0) {
      lost.push(note);
      continue;
    }
    room.set(alert.id, left - 1);
    await tx.getRepository(NoteEntity).insert({
      id: newId(),
      alertId: alert.id,
      authorId: source.id,
      authorName: source.name,
      text,
      mentions: '[]',
      notified: '[]',
      createdAt: Date.now(),
      editedAt: null,
    });
    await keepNoteText(tx, alert.id);
    await addHistories(tx, [{ alertId: alert.id, action: 'note_added', userDisplayName: source.name }]);
    announce(tx, { type: 'notes_changed', alertId: alert.id, ownerId: alert.ownerId });
  }
  return lost;
}

async function hasNoted(
  tx: Transaction,
  { id: alertId }: NoteOfSource['alert'],
  { id: authorId }: NoteOfSource['source'],
  text: string,
): Promise<boolean> {
  const own = await tx.getRepository(NoteEntity).find({ select: { text: true }, where: { alertId, authorId } });
  return own.some((one) => one.text === text);
}
