import { CopyButton } from '#renderer/ui/copy-button.tsx';
import './copy-field.css';

interface CopyFieldProps {
  /** Names the button. */
  copyLabel: string;
  text: string;
  onCopied?: (() => void) | undefined;
}

/** Text to take along: in full, and with a button that copies it. */
export function CopyField({ copyLabel, text, onCopied }: CopyFieldProps) {
  return (
    <div className="ad-copy-field">
      <code className="ad-copy-field-text" dir="ltr">
        {text}
      </code>
      <CopyButton text={text} label={copyLabel} onCopied={onCopied} />
    </div>
  );
}
