import { useEffect, useMemo, useState } from 'react';
import type { AddedNote, NewNote } from '#backend/contract/note.ts';
import type { NoteDraft } from './note-composer.tsx';

/** Nothing is written yet. */
export const NO_DRAFT: NoteDraft = { text: '', people: [] };

/** Called when a draft changes, wherever it is shown. */
const draftListeners = new Set<() => void>();

function watchDrafts(listener: () => void): () => void {
  draftListeners.add(listener);
  return () => void draftListeners.delete(listener);
}

function storeDraft(name: string, draft: NoteDraft | undefined): void {
  if (draft === undefined) sessionStorage.removeItem(name);
  else sessionStorage.setItem(name, JSON.stringify(draft));
  for (const listener of draftListeners) listener();
}

function readDraft(stored: string | null): NoteDraft | undefined {
  try {
    return stored === null ? undefined : (JSON.parse(stored) as NoteDraft);
  } catch {
    return undefined;
  }
}

/** A draft that is kept in this tab under a name; undefined where there is none. Storage has the only copy. */
function useStoredDraft(name: string): NoteDraft | undefined {
  const [stored, setStored] = useState(() => sessionStorage.getItem(name));
  useEffect(() => {
    const read = (): void => setStored(sessionStorage.getItem(name));
    // It may have changed since it was drawn.
    read();
    return watchDrafts(read);
  }, [name]);
  return useMemo(() => readDraft(stored), [stored]);
}

/** A draft, what changes it, and what takes away of it what was sent: it is called when the answer is there. */
type DraftState<Draft> = [draft: Draft, change: (draft: Draft) => void, dropSent: (sent: NewNote) => void];

/**
 * What somebody has begun to write on an alert, kept in this tab until it is sent. What they write while that is on its way
 * begins the next note. The alert may be left and opened again before the answer comes.
 */
export function useNewNoteDraft(
  me: string,
  alertId: string,
): [...DraftState<NoteDraft>, asRequest: (note: NewNote) => AddedNote] {
  const name = `note-draft ${me} ${alertId}`;
  const requestName = `${name} request`;
  const draft = useStoredDraft(name) ?? NO_DRAFT;
  const change = (changed: NoteDraft): void => storeDraft(name, changed.text === '' ? undefined : changed);
  const dropSent = ({ text }: NewNote): void => {
    // The same text once more is another note.
    sessionStorage.removeItem(requestName);
    change(withoutSent(readDraft(sessionStorage.getItem(name)) ?? NO_DRAFT, text));
  };
  return [draft, change, dropSent, (note) => asRequest(requestName, note)];
}

/** The note as it is sent: by the same request as before while it is the same note, whose answer may have been lost. */
function asRequest(name: string, { text, mentions }: NewNote): AddedNote {
  const note = JSON.stringify({ text, mentions });
  const [sent, requestId] = JSON.parse(sessionStorage.getItem(name) ?? '[]') as [sent?: string, requestId?: string];
  if (sent === note && requestId !== undefined) return { text, mentions, requestId };
  const id = crypto.getRandomValues(new Uint32Array(4)).join('-');
  sessionStorage.setItem(name, JSON.stringify([note, id]));
  return { text, mentions, requestId: id };
}

/**
 * What somebody makes of a note of theirs, kept in this tab until it is saved or given up, also while it is empty; undefined
 * while they do not edit it. What they write while it is being saved is not saved yet: the note is still edited.
 */
export function useNoteEdit(me: string, alertId: string, noteId: string): DraftState<NoteDraft | undefined> {
  const name = `note-draft ${me} ${alertId} ${noteId}`;
  const draft = useStoredDraft(name);
  const change = (changed: NoteDraft | undefined): void => storeDraft(name, changed);
  const dropSent = ({ text }: NewNote): void => {
    if (readDraft(sessionStorage.getItem(name))?.text.trim() === text) change(undefined);
  };
  return [draft, change, dropSent];
}

/** What of a draft was not sent yet; all of it where what was sent has been changed, also where its last word goes on. */
function withoutSent(draft: NoteDraft, sent: string): NoteDraft {
  const text = draft.text.trimStart();
  if (!text.startsWith(sent)) return draft;
  const after = text.slice(sent.length);
  const rest = after.trimStart();
  if (rest !== '' && rest === after) return draft;
  return rest === '' ? NO_DRAFT : { ...draft, text: rest };
}
