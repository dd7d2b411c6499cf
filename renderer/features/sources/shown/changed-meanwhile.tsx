import { Button, Callout } from '@blueprintjs/core';
import './changed-meanwhile.css';

interface ChangedMeanwhileProps {
  /** What somebody else has done. */
  text: string;
  onShowTheirs: () => void;
  onKeepEditing: () => void;
}

/** Says that somebody else has saved what is being edited here, before it is saved over theirs. */
export function ChangedMeanwhile({ text, onShowTheirs, onKeepEditing }: ChangedMeanwhileProps) {
  return (
    <Callout className="ad-changed-meanwhile" intent="warning" icon={null} role="alert">
      <span className="ad-changed-meanwhile-text">{text}</span>
      <Button text="Show theirs" onClick={onShowTheirs} />
      <Button text="Keep editing" onClick={onKeepEditing} />
    </Callout>
  );
}
