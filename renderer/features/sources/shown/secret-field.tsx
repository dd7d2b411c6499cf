import { Button } from '@blueprintjs/core';
import { CrossIcon, DuplicateIcon, TickIcon } from '@blueprintjs/icons';
import { useRef } from 'react';
import { type CopyState, useCopy } from './use-copy.ts';
import classNames from 'classnames';
import * as common from '#renderer/lib/texts.ts';
import * as uiTexts from '#renderer/ui/texts.tsx';
import * as texts from './texts.ts';
import * as styles from './secret-field.module.css';

interface SecretFieldProps {
  /** Names the button: "Copy API key". */
  copyLabel: string;
  /** In full; it is text on the page alone, never part of an attribute. */
  text: string;
  /** What is shown instead while the text is masked; a click on it unmasks it. */
  masked?: string | undefined;
  onUnmask?: () => void;
  onCopied?: () => void;
}

/** A value to take along, on one line, with its button in the same box. */
export function SecretField({ copyLabel, text, masked, onUnmask, onCopied }: SecretFieldProps) {
  const shown = useRef<HTMLElement>(null);
  const { state, copy } = useCopy(shown);
  const take = async (): Promise<void> => {
    if (await copy(text)) onCopied?.();
  };
  return (
    <div className={styles.secret} onCopy={() => onCopied?.()}>
      {masked === undefined ? (
        <code ref={shown} className={styles.text} dir="ltr">
          {text}
        </code>
      ) : (
        <button
          type="button"
          className={`${styles.text} ${styles.masked}`}
          aria-label={uiTexts.showItAgain}
          onClick={onUnmask}
        >
          {masked}
        </button>
      )}
      <CopiedButton state={state} label={copyLabel} onClick={() => void take()} />
    </div>
  );
}

/** The copy button of a field, which gives way to what became of it. */
function CopiedButton({ state, label, onClick }: { state: CopyState; label: string; onClick: () => void }) {
  return (
    <Button
      className={classNames(styles.copy, styles[`copy_${state}`])}
      variant="minimal"
      aria-label={state === 'rest' ? label : undefined}
      icon={
        state === 'copied' ? <TickIcon size={14} /> : state === 'failed' ? <CrossIcon size={14} /> : <DuplicateIcon />
      }
      {...(state !== 'rest' && { text: state === 'copied' ? texts.copied : common.failedToCopy })}
      onClick={onClick}
    />
  );
}
