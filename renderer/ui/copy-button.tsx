import { Button } from '@blueprintjs/core';
import { DuplicateIcon, TickIcon } from '@blueprintjs/icons';
import classNames from 'classnames';
import { useEffect, useState } from 'react';
import { useToasts } from '#renderer/toasts/toast.ts';
import { copyText } from './copy-text.ts';
import * as texts from './texts.tsx';
import * as styles from './copy-button.module.css';

/** How long a button shows that it has copied, in milliseconds. */
const COPIED_MS = 2000;

interface CopyButtonProps {
  text: string;
  /** Its accessible name, or with `isLabelled` what it shows. */
  label: string;
  isLabelled?: boolean;
  /** Where an icon alone does not say what is copied. */
  hasTip?: boolean;
  onCopied?: (() => void) | undefined;
}

/** Copies `text` to the clipboard and says so, on itself and in a toast. */
export function CopyButton({ text, label, isLabelled = false, hasTip = false, onCopied }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const toasts = useToasts();

  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async (): Promise<void> => {
    if (!(await copyText(text, toasts))) return;
    setCopied(true);
    onCopied?.();
  };

  return (
    <Button
      className={styles.button}
      variant="minimal"
      icon={copied ? <TickIcon size={14} /> : <DuplicateIcon size={14} />}
      {...(isLabelled ? { text: label } : { 'aria-label': label })}
      {...(hasTip && { 'data-tip': label, 'data-tip-always': true })}
      onClick={() => void copy()}
    />
  );
}

interface CopyFieldProps {
  /** Names the button. */
  copyLabel: string;
  text: string;
  /** What is shown instead while the text is masked; a click on it unmasks it. */
  masked?: string | undefined;
  onUnmask?: () => void;
  onCopied?: (() => void) | undefined;
}

/** Text to take along: in full, and with a button that copies it. */
export function CopyField({ copyLabel, text, masked, onUnmask, onCopied }: CopyFieldProps) {
  return (
    <div className={styles.field}>
      {masked === undefined ? (
        <code className={styles.fieldText} dir="ltr">
          {text}
        </code>
      ) : (
        <button
          type="button"
          className={classNames(styles.fieldText, styles.masked)}
          aria-label={texts.showItAgain}
          onClick={onUnmask}
        >
          {masked}
        </button>
      )}
      <CopyButton text={text} label={copyLabel} onCopied={onCopied} />
    </div>
  );
}
