import { Button, Callout } from '@blueprintjs/core';
import * as texts from './texts.ts';
import * as styles from './changed-meanwhile.module.css';

interface ChangedMeanwhileProps {
  /** What somebody else has done. */
  text: string;
  onShowTheirs: () => void;
  onKeepEditing: () => void;
}

/** Says that somebody else has saved what is being edited here, before it is saved over theirs. */
export function ChangedMeanwhile({ text, onShowTheirs, onKeepEditing }: ChangedMeanwhileProps) {
  return (
    <Callout className={styles.notice} intent="warning" icon={null} role="alert">
      <span className={styles.text}>{text}</span>
      <span className={styles.actions}>
        <Button text={texts.showTheirs} onClick={onShowTheirs} />
        <Button text={texts.keepEditing} onClick={onKeepEditing} />
      </span>
    </Callout>
  );
}
