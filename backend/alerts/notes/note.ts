import { EntitySchema } from 'typeorm';
import type { Note } from '#backend/contract/note.ts';
import {
  idColumn,
  longTextColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
} from '#backend/platform/database/columns.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';

/** A stored note on an alert. It goes with its alert; names are as they were at the time. */
export interface StoredNote {
  id: string;
  alertId: string;
  authorId: string;
  authorName: string;
  text: string;
  /** The people that it mentions, as JSON: `[{id, name}]`. */
  mentions: string;
  /** Ids of everybody who was notified of it, as JSON: an edit notifies nobody twice. */
  notified: string;
  createdAt: number;
  editedAt: number | null;
}

export const NoteEntity = new EntitySchema<StoredNote>({
  name: 'Note',
  tableName: 'alert_notes',
  columns: {
    id: primary(idColumn('id')),
    alertId: idColumn('alert_id'),
    authorId: idColumn('author_id'),
    authorName: textColumn('author_name', 100),
    text: longTextColumn('text'),
    mentions: longTextColumn('mentions'),
    notified: longTextColumn('notified'),
    createdAt: timeColumn('created_at'),
    editedAt: nullable(timeColumn('edited_at')),
  },
});

/** A note is its author's to edit and to delete. */
export const isAuthor = (actor: Actor, note: StoredNote): boolean => note.authorId === actor.id;

/** A note as it leaves the server. */
export const presentNote = ({ id, authorId, authorName, text, mentions, createdAt, editedAt }: StoredNote): Note => ({
  id,
  authorId,
  authorName,
  text,
  mentions: JSON.parse(mentions) as Note['mentions'],
  createdAt: new Date(createdAt).toISOString(),
  ...(editedAt !== null && { editedAt: new Date(editedAt).toISOString() }),
});
