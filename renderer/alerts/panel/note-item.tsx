import { Button } from '@blueprintjs/core';
import { EditIcon, TrashIcon } from '@blueprintjs/icons';
import type { NewNote, Note } from '#backend/contract/note.ts';
import { inertLine, inertText } from '#renderer/lib/inert-text.ts';
import { formatExactTime, formatHistoryTime } from '#renderer/lib/times.ts';
import { useSession } from '#renderer/session/session.ts';
import { Initials } from '#renderer/ui/initials.tsx';
import { NoteComposer } from './note-composer.tsx';
import { useNoteEdit } from './note-drafts.ts';
import { notePartsOf } from './note-text.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './timeline.module.css';

interface NoteItemProps {
  alertId: string;
  note: Note;
  /** It is the reader's own. */
  isOwn: boolean;
  /** Undefined where nothing can be written any more. */
  onSave: ((note: NewNote) => Promise<void>) | undefined;
  onDelete: () => void;
}

/** A note in the list of what happened. */
export function NoteItem({ alertId, note, isOwn, onSave, onDelete }: NoteItemProps) {
  const me = useSession();
  const [draft, setDraft, dropSent] = useNoteEdit(me.id, alertId, note.id);
  const time = new Date(note.createdAt);
  return (
    <li className={styles.note}>
      <Initials name={note.authorName} />
      <div className={styles.head}>
        <bdi className={styles.author}>{inertLine(note.authorName)}</bdi>
        {note.editedAt !== undefined && (
          <span className={styles.edited} title={formatExactTime(new Date(note.editedAt))}>
            {texts.edited}
          </span>
        )}
        {isOwn && draft === undefined && (
          <span className={styles.tools}>
            <Button
              variant="minimal"
              icon={<EditIcon size={14} />}
              aria-label={texts.editNote}
              onClick={() => setDraft({ text: note.text, people: note.mentions })}
            />
            <Button variant="minimal" icon={<TrashIcon size={14} />} aria-label={texts.deleteNote} onClick={onDelete} />
          </span>
        )}
        <time className={styles.time} dateTime={note.createdAt} title={formatExactTime(time)}>
          {formatHistoryTime(time)}
        </time>
      </div>
      {draft ? (
        <NoteComposer
          alertId={alertId}
          label={texts.editNote}
          saveLabel={pageTexts.save}
          draft={draft}
          onDraft={setDraft}
          onCancel={() => setDraft(undefined)}
          onSave={
            onSave &&
            (async (changed) => {
              await onSave(changed);
              dropSent(changed);
            })
          }
        />
      ) : (
        <p className={styles.text} dir="auto">
          <NoteText note={note} />
        </p>
      )}
    </li>
  );
}

function NoteText({ note: { text, mentions } }: { note: Note }) {
  const names = mentions.map(({ name }) => name);
  return notePartsOf(text, names).map((part) => {
    switch (part.kind) {
      case 'link':
        return (
          <a key={part.at} className="ad-link" href={part.text} target="_blank" rel="noopener noreferrer">
            {inertText(part.text)}
          </a>
        );
      case 'mention':
        return (
          <strong key={part.at} className={styles.mention}>
            {inertLine(part.text)}
          </strong>
        );
      default:
        return inertText(part.text);
    }
  });
}
