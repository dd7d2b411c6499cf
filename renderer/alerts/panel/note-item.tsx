import { Button } from '@blueprintjs/core';
import { EditIcon, TrashIcon } from '@blueprintjs/icons';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
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
  const item = useRef<HTMLLIElement>(null);
  const edit = (): void => {
    // At once: what is typed next is written into the note, and is no key of the alert.
    flushSync(() => setDraft({ text: note.text, people: note.mentions }));
    const field = item.current?.querySelector('textarea');
    field?.focus();
    field?.setSelectionRange(note.text.length, note.text.length);
  };
  /** Ends editing, as far as `drop` does. The focus goes back to where that began, unless it is elsewhere by now. */
  const close = (drop: () => void): void => {
    flushSync(drop);
    if (document.activeElement === document.body)
      item.current?.querySelector<HTMLElement>(`.${styles.tools} button`)?.focus({ preventScroll: true });
  };
  return (
    <li ref={item} className={styles.note}>
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
            <Button variant="minimal" icon={<EditIcon size={14} />} aria-label={texts.editNote} onClick={edit} />
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
          onCancel={() => close(() => setDraft(undefined))}
          onSave={
            onSave &&
            (async (changed) => {
              await onSave(changed);
              close(() => dropSent(changed));
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
