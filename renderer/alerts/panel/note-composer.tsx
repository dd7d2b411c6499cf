import { Button } from '@blueprintjs/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { MAX_MENTIONS, MAX_NOTE_LENGTH, type NewNote, type Person } from '#backend/contract/note.ts';
import { ApiError } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { Combobox, ComboboxField, ComboboxOption, ComboboxOptions } from '#renderer/ui/combobox/combobox.tsx';
import { copyText } from '#renderer/ui/copy-text.ts';
import { Initials } from '#renderer/ui/initials.tsx';
import { KeyCap } from '#renderer/ui/key-cap.tsx';
import { type MentionSearch, mentionAt, mentionedIn } from './note-text.ts';
import { usePeople } from './notes.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
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
  /** Sends the note; what it rejects with is shown. Undefined where none can be written any more: what is written stays to be copied. */
  onSave: ((note: NewNote) => Promise<void>) | undefined;
  onCancel?: (() => void) | undefined;
}

/** A field of many lines is a text box to assistive technology, whatever it offers (ARIA in HTML). */
const TEXT_BOX = { role: undefined, 'aria-expanded': undefined };

/** Writes a note: Ctrl+Enter saves it, `@` offers colleagues. What was written stays when the alert is gone. */
export function NoteComposer(props: NoteComposerProps) {
  const { alertId, label, saveLabel, draft, onDraft, onSave, onCancel } = props;
  const [search, setSearch] = useState<MentionSearch>();
  const [error, setError] = useState('');
  const [isSaving, setSaving] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const people = usePeople(alertId, search?.search);
  const toasts = useToasts();
  const text = draft.text.trim();

  const save = async (): Promise<void> => {
    if (text === '' || isSaving || !onSave) return;
    const mentions = mentionedIn(text, draft.people);
    if (mentions.length > MAX_MENTIONS) {
      setError(texts.mentionsAtMost(MAX_MENTIONS));
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
    // Who was renamed since the note was written is known by the old name alone.
    const known = draft.people.some(({ id, name }) => id === person.id && name === person.displayName);
    // At once: what is typed next comes after the name.
    flushSync(() => {
      onDraft({
        text: before + after,
        people: known ? draft.people : [...draft.people, { id: person.id, name: person.displayName }],
      });
      setSearch(undefined);
    });
    field.current?.focus();
    field.current?.setSelectionRange(before.length, before.length);
  };

  const onKey = (event: KeyboardEvent, option: HTMLElement | null): void => {
    const isSaved = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    const choose = option ? () => option.click() : undefined;
    const keys: Record<string, (() => void) | undefined> = {
      Enter: isSaved ? () => void save() : choose,
      Tab: choose,
      Escape: people.length > 0 ? () => setSearch(undefined) : onSave && onCancel,
    };
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };

  return (
    <div className={styles.composer}>
      <Combobox text={search?.search ?? ''} isOpen={people.length > 0}>
        <ComboboxField
          ref={field}
          className={styles.field}
          aria-label={label}
          placeholder={texts.toMention(label)}
          maxLength={MAX_NOTE_LENGTH}
          value={draft.text}
          render={(box) => <textarea {...box} {...TEXT_BOX} rows={2} readOnly={!onSave} />}
          onChange={({ currentTarget: { value, selectionStart } }) => {
            onDraft({ ...draft, text: value });
            setSearch(mentionAt(value, selectionStart ?? value.length));
          }}
          onBlur={() => setSearch(undefined)}
          onKey={onKey}
        />
        {people.length > 0 && (
          <ComboboxOptions aria-label={texts.colleagues} className={styles.people}>
            {people.map((person) => (
              <ComboboxOption key={person.id} className={styles.person} onClick={() => mention(person)}>
                <Initials name={person.displayName} />
                <bdi className={styles.personName}>{inertLine(person.displayName)}</bdi>
                <span className={styles.personOpen}>{texts.openAlerts(person.openAlerts)}</span>
              </ComboboxOption>
            ))}
          </ComboboxOptions>
        )}
      </Combobox>
      <div className={styles.foot}>
        {error !== '' && (
          <span className={styles.error} role="alert">
            {error}
          </span>
        )}
        {onSave ? (
          <>
            <KeyCap label="Ctrl" />
            <KeyCap label="Enter" />
            {onCancel && <Button variant="minimal" text={pageTexts.cancel} onClick={onCancel} />}
            <Button
              className={styles.save}
              text={saveLabel}
              aria-keyshortcuts="Control+Enter Meta+Enter"
              disabled={text === ''}
              loading={isSaving}
              onClick={() => void save()}
            />
          </>
        ) : (
          <>
            <output className={styles.notSaved}>{texts.notSavedAnyMore}</output>
            <Button variant="minimal" text={texts.discardNote} onClick={() => onCancel?.()} />
            <Button className={styles.save} text={texts.copyNote} onClick={() => void copyText(draft.text, toasts)} />
          </>
        )}
      </div>
    </div>
  );
}
