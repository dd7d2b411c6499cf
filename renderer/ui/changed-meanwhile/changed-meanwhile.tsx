import { Button, Callout } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import { passFocus } from '#renderer/ui/pass-focus.ts';
import * as texts from './texts.ts';
import * as styles from './changed-meanwhile.module.css';

interface ChangedMeanwhileProps {
  /** What somebody else has done; else that they have saved the same settings. */
  text?: string;
  onShowTheirs: () => void;
  onKeepEditing: () => void;
}

/** What was asked about is decided: the focus goes on to the fields. */
const leaveFocus = passFocus((part) =>
  part
    .closest('section, form, [role="dialog"]')
    ?.querySelector<HTMLElement>('input:enabled, select:enabled, textarea:enabled'),
);

/** Says that somebody else has saved what is being edited here, before it is saved over theirs. */
export function ChangedMeanwhile({
  text = texts.changedMeanwhile,
  onShowTheirs,
  onKeepEditing,
}: ChangedMeanwhileProps) {
  return (
    <Notice text={text}>
      <Button text={texts.showTheirs} onClick={onShowTheirs} />
      <Button text={texts.keepEditing} onClick={onKeepEditing} />
    </Notice>
  );
}

interface DeletedMeanwhileProps {
  /** What it was called. */
  name: string;
  /** Why what is written cannot be saved. */
  missing: string | undefined;
  canSave: boolean;
  onSave: () => void;
  onDiscard: () => void;
}

/** Says that somebody else has deleted what is being edited here, and offers to keep what is written. */
export function DeletedMeanwhile({ name, missing, canSave, onSave, onDiscard }: DeletedMeanwhileProps) {
  return (
    <Notice text={texts.deletedMeanwhile(name)}>
      <Button text={texts.saveAsNew} disabled={!canSave} title={missing} onClick={onSave} />
      <Button text={texts.discard} onClick={onDiscard} />
    </Notice>
  );
}

function Notice({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Callout className={styles.notice} intent="warning" icon={null} role="alert">
      <span className={styles.text}>{text}</span>
      <span ref={leaveFocus} className={styles.actions}>
        {children}
      </span>
    </Callout>
  );
}
