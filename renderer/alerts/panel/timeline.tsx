import { Button } from '@blueprintjs/core';
import { useQueryClient } from '@tanstack/react-query';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useEffect, useRef } from 'react';
import type { HistoryEntry } from '#backend/contract/history-entry.ts';
import type { AddedNote, Note } from '#backend/contract/note.ts';
import { alertKey } from '#renderer/alerts/data/alert-details.ts';
import { noteAskAtom } from '#renderer/alerts/data/list-state.ts';
import { HistoryItem, useHistory } from '#renderer/alerts/dialogs/history-dialog.tsx';
import { useSession } from '#renderer/session/session.ts';
import { useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { undoableDeletion } from '#renderer/toasts/undoable-deletion.ts';
import { Initials } from '#renderer/ui/initials.tsx';
import { keepFocus } from '#renderer/ui/keep-focus.ts';
import { NoteComposer } from './note-composer.tsx';
import { NO_DRAFT, useNewNoteDraft } from './note-drafts.ts';
import { NoteItem } from './note-item.tsx';
import { markNoteAtom, pendingNotesAtom, removeNote, saveNote, useNotes } from './notes.ts';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.ts';
import * as alertFieldsStyles from './alert-fields.module.css';
import * as alertPanelStyles from './alert-panel.module.css';
import * as styles from './timeline.module.css';

/** The name of the list with how long it is, for a tab. */
export function TimelineTitle({ alertId }: { alertId: string }) {
  const { data: history } = useHistory(alertId);
  const { data: notes } = useNotes(alertId);
  const pending = useAtomValue(pendingNotesAtom);
  const shown = notes?.filter(({ id }) => !pending.has(id));
  return (
    <>
      {texts.notesAndHistory}{' '}
      {shown && history && <span className={alertFieldsStyles.tabCount}>{timelineOf(shown, history).length}</span>}
    </>
  );
}

/** Notes and what happened to the alert in one list, newest first, and a place to write a note. */
export function Timeline({ alertId, canWrite }: { alertId: string; canWrite: boolean }) {
  const me = useSession();
  const history = useHistory(alertId);
  const notes = useNotes(alertId);
  const { save, remove } = useNoteActions(alertId);
  const [draft, setDraft, dropSent, asRequest] = useNewNoteDraft(me.id, alertId);
  const pending = useAtomValue(pendingNotesAtom);
  const field = useRef<HTMLDivElement>(null);
  useNoteAsk(alertId, field);
  const error = history.error ?? notes.error;
  const isThere = history.data !== undefined && notes.data !== undefined;
  const shown = (notes.data ?? []).filter(({ id }) => !pending.has(id));
  return (
    <section
      ref={keepFocus}
      className={`${alertPanelStyles.section} ${alertFieldsStyles.timeline}`}
      aria-label={texts.notesAndHistory}
    >
      <h3 className={alertPanelStyles.subtitle}>{texts.notesAndHistory}</h3>
      {(canWrite || draft.text !== '') && (
        <div ref={field} className={styles.timelineNew}>
          <Initials name={me.displayName} />
          <NoteComposer
            alertId={alertId}
            label={texts.addNote}
            saveLabel={texts.addNoteButton}
            draft={draft}
            onDraft={setDraft}
            onSave={
              canWrite
                ? async (note) => {
                    await save(undefined, asRequest(note));
                    dropSent(note);
                  }
                : undefined
            }
            onCancel={canWrite ? undefined : () => setDraft(NO_DRAFT)}
          />
        </div>
      )}
      {isThere ? (
        <ol className={styles.timelineList}>
          {timelineOf(shown, history.data).map((item) =>
            item.kind === 'note' ? (
              <NoteItem
                key={item.note.id}
                alertId={alertId}
                note={item.note}
                isOwn={canWrite && item.note.authorId === me.id}
                onSave={canWrite ? (note) => save(item.note.id, note) : undefined}
                onDelete={() => remove(item.note)}
              />
            ) : (
              <HistoryItem key={item.entry.id} entry={item.entry} />
            ),
          )}
        </ol>
      ) : error ? (
        <PartFailed
          text={texts.historyNotLoaded(error.message)}
          onRetry={() => {
            void history.refetch();
            void notes.refetch();
          }}
        />
      ) : (
        <output className={alertPanelStyles.empty}>{texts.loadingHistory}</output>
      )}
    </section>
  );
}

/** Gives the field of a new note the focus when that is asked for. */
function useNoteAsk(alertId: string, place: { current: HTMLElement | null }): void {
  const [asked, setAsked] = useAtom(noteAskAtom);
  useEffect(() => {
    if (asked !== alertId) return;
    place.current?.querySelector('textarea')?.focus();
    setAsked(undefined);
  }, [asked, alertId, place, setAsked]);
}

interface PartFailedProps {
  text: string;
  onRetry: () => void;
}

/** A failure of a part, with a way to try again. */
function PartFailed({ text, onRetry }: PartFailedProps) {
  return (
    <div className={alertPanelStyles.failed} role="alert">
      {text}
      <Button text={common.tryAgain} onClick={onRetry} />
    </div>
  );
}

type TimelineItem = { kind: 'note'; time: number; note: Note } | { kind: 'entry'; time: number; entry: HistoryEntry };

/** Entries that a note itself shows. */
const SHOWN_BY_NOTES = new Set<HistoryEntry['action']>(['note_added', 'note_edited']);

/** Notes and entries in one order, newest first. */
export function timelineOf(notes: readonly Note[], history: readonly HistoryEntry[]): TimelineItem[] {
  const items: TimelineItem[] = [
    ...notes.map((note) => ({ kind: 'note', time: Date.parse(note.createdAt), note }) as const),
    ...history
      .filter(({ action }) => !SHOWN_BY_NOTES.has(action))
      .map((entry) => ({ kind: 'entry', time: Date.parse(entry.createdAt), entry }) as const),
  ];
  return items.sort((one, other) => other.time - one.time);
}

function useNoteActions(alertId: string) {
  const client = useQueryClient();
  const undo = useUndoStack();
  const mark = useSetAtom(markNoteAtom);
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: alertKey(alertId) });
  return {
    save: async (noteId: string | undefined, note: AddedNote): Promise<void> => {
      await saveNote(client, alertId, noteId, note);
      // What was sent is no draft any more, however long this takes.
      void refresh();
    },
    remove: (note: Note): void => {
      mark(note, true);
      undo.add({
        kind: texts.noteDeletedInText,
        title: texts.oneNoteDeleted,
        many: (count) => ({ title: texts.notesDeleted(count) }),
        ...undoableDeletion({
          show: () => mark(note, false),
          send: (keepalive) => removeNote(alertId, note.id, keepalive),
          onSent: refresh,
        }),
        commitFailed: texts.couldNotDeleteNote,
      });
    },
  };
}
