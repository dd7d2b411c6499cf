import { Button } from '@blueprintjs/core';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { MAX_MENTIONS, MAX_NOTE_LENGTH, type NewNote, type Person } from '#backend/contract/note.ts';
import { ApiError } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { Initials } from '#renderer/ui/initials.tsx';
import { type MentionSearch, mentionAt } from './note-text.ts';
import { usePeople } from './notes.ts';
import * as styles from './timeline.module.css';

/** A note while it is written: its text, and whom it may mention. */
export interface NoteDraft {
  text: string;
  people: readonly { id: string; name: string }[];
}

interface NoteComposerProps {
  alertId: string;
  label: string;
  saveLabel: string;
  draft: NoteDraft;
  onDraft: (draft: NoteDraft) => void;
  /** Sends the note; what it rejects with is shown. */
  onSave: (note: NewNote) => Promise<void>;
  onCancel?: () => void;
}

/** No tag has a list that is worked from the field beside it (WAI-ARIA practices, "Combobox pattern"). */
const LISTBOX = { role: 'listbox' };
const optionProps = (isChosen: boolean) => ({ role: 'option', 'aria-selected': isChosen });

/** Writes a note: Ctrl+Enter saves it, `@` offers colleagues. */
export function NoteComposer(props: NoteComposerProps) {
  const { alertId, label, saveLabel, draft, onDraft, onSave, onCancel } = props;
  const [search, setSearch] = useState<MentionSearch>();
  const [chosen, setChosen] = useState(0);
  const [error, setError] = useState('');
  const [isSaving, setSaving] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const people = usePeople(alertId, search?.search);
  const text = draft.text.trim();

  const save = async (): Promise<void> => {
    if (text === '' || isSaving) return;
    const mentions = draft.people.filter(({ name }) => text.includes(`@${name}`)).map(({ id }) => id);
    if (mentions.length > MAX_MENTIONS) {
      setError(`A note mentions at most ${MAX_MENTIONS} people.`);
      return;
    }
    setSaving(true);
    setError('');
    try {
      await onSave({ text, mentions });
    } catch (failure) {
      setError(failure instanceof ApiError ? failure.body : String((failure as Error).message));
    } finally {
      setSaving(false);
    }
  };

  const mention = (person: Person): void => {
    if (!search) return;
    const before = `${draft.text.slice(0, search.at)}@${person.displayName} `;
    const after = draft.text.slice(field.current?.selectionStart ?? draft.text.length).replace(/^ /, '');
    const known = draft.people.some(({ id }) => id === person.id);
    onDraft({
      text: before + after,
      people: known ? draft.people : [...draft.people, { id: person.id, name: person.displayName }],
    });
    setSearch(undefined);
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(before.length, before.length);
    });
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void save();
      return;
    }
    const isOffering = people.length > 0;
    const keys: Record<string, (() => void) | undefined> = {
      ArrowDown: isOffering ? () => setChosen((at) => (at + 1) % people.length) : undefined,
      ArrowUp: isOffering ? () => setChosen((at) => (at + people.length - 1) % people.length) : undefined,
      Enter: isOffering ? () => people[chosen] && mention(people[chosen]) : undefined,
      Tab: isOffering ? () => people[chosen] && mention(people[chosen]) : undefined,
      Escape: isOffering ? () => setSearch(undefined) : onCancel,
    };
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };

  const look = (value: string, caret: number): void => {
    setSearch(mentionAt(value, caret));
    setChosen(0);
  };

  return (
    <div className={styles.composer}>
      <textarea
        ref={field}
        className={styles.field}
        aria-label={label}
        placeholder={`${label}, @ to mention`}
        maxLength={MAX_NOTE_LENGTH}
        rows={2}
        value={draft.text}
        aria-autocomplete="list"
        aria-controls={people.length > 0 ? listId : undefined}
        aria-activedescendant={people.length > 0 ? `${listId}-${chosen}` : undefined}
        onChange={({ target }) => {
          onDraft({ ...draft, text: target.value });
          look(target.value, target.selectionStart);
        }}
        onBlur={() => setSearch(undefined)}
        onKeyDown={onKeyDown}
      />
      {people.length > 0 && (
        <ul id={listId} {...LISTBOX} aria-label="Colleagues" className={styles.people}>
          {people.map((person, index) => (
            <li
              key={person.id}
              id={`${listId}-${index}`}
              {...optionProps(index === chosen)}
              className={styles.person}
              // Before the field loses the focus, which closes the list.
              onPointerDown={(event) => {
                event.preventDefault();
                mention(person);
              }}
            >
              <Initials name={person.displayName} />
              <bdi className={styles.personName}>{inertLine(person.displayName)}</bdi>
              <span className={styles.personOpen}>{person.openAlerts} open</span>
            </li>
          ))}
        </ul>
      )}
      <div className={styles.foot}>
        {error !== '' && (
          <span className={styles.error} role="alert">
            {error}
          </span>
        )}
        <kbd className="ad-kbd">Ctrl</kbd>
        <kbd className="ad-kbd">Enter</kbd>
        {onCancel && <Button variant="minimal" text="Cancel" onClick={onCancel} />}
        <Button
          className={styles.save}
          text={saveLabel}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          disabled={text === ''}
          loading={isSaving}
          onClick={() => void save()}
        />
      </div>
    </div>
  );
}
