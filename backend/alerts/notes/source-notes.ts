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
}

/** Writes notes in the name of their sources. An alert that has as many as it may have gets no more. */
export async function addNotesOfSources(tx: Transaction, notes: readonly NoteOfSource[]): Promise<void> {
  const ids = [...new Set(notes.map(({ alert }) => alert.id))];
  const stored = await tx.getRepository(NoteEntity).find({ select: { alertId: true }, where: { alertId: In(ids) } });
  const counts = Map.groupBy(stored, ({ alertId }) => alertId);
  const room = new Map(ids.map((id) => [id, MAX_NOTES - (counts.get(id)?.length ?? 0)]));
  for (const { alert, text, source } of notes) {
    const left = room.get(alert.id) ?? 0;
    if (left <= 0) continue;
    room.set(alert.id, left - 1);
    await tx.getRepository(NoteEntity).insert({
      id: newId(),
      alertId: alert.id,
      authorId: source.id,
      authorName: source.name,
      text: cutText(text.trim().toWellFormed(), MAX_NOTE_LENGTH),
      mentions: '[]',
      notified: '[]',
      createdAt: Date.now(),
      editedAt: null,
    });
    await keepNoteText(tx, alert.id);
    await addHistories(tx, [{ alertId: alert.id, action: 'note_added', userDisplayName: source.name }]);
    announce(tx, { type: 'notes_changed', alertId: alert.id, ownerId: alert.ownerId });
  }
}
