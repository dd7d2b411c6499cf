import { Button } from '@blueprintjs/core';
import { type KeyboardEvent, useState } from 'react';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './desktop-panel.module.css';

interface ShortcutFieldProps {
  accelerator: string | null;
  onChange: (accelerator: string | null) => void;
}

/** The keys that bring the window up from anywhere: off, or those that are pressed here. */
export function ShortcutField({ accelerator, onChange }: ShortcutFieldProps) {
  const [isListening, setListening] = useState(false);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isListening || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') setListening(false);
    const pressed = acceleratorOf(event);
    if (pressed === undefined) return;
    setListening(false);
    onChange(pressed);
  };
  return (
    <div className={styles.row}>
      <span id="ad-shortcut">{texts.globalShortcut}</span>
      <div className={styles.keys}>
        {accelerator !== null && !isListening && (
          <>
            <kbd className="ad-kbd">{accelerator.replace('Control', 'Ctrl')}</kbd>
            <Button variant="minimal" text={pageTexts.remove} onClick={() => onChange(null)} />
          </>
        )}
        <Button
          aria-labelledby="ad-shortcut ad-shortcut-set"
          active={isListening}
          onClick={() => setListening(true)}
          onBlur={() => setListening(false)}
          onKeyDown={onKeyDown}
        >
          <span id="ad-shortcut-set">
            {isListening ? texts.pressKeys : accelerator === null ? texts.off : texts.change}
          </span>
        </Button>
      </div>
    </div>
  );
}

/** What of a keyboard event names its keys. */
interface Keys {
  code: string;
  ctrlKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/**
 * The pressed keys as Electron writes a shortcut, e.g. `Control+Alt+A`; undefined while they are none: a letter, digit,
 * function key or the space bar, with Ctrl or Alt, so that typing is never taken for it.
 */
export function acceleratorOf({ code, ctrlKey, altKey, shiftKey }: Keys): string | undefined {
  const key = /^(?:Key([A-Z])|Digit(\d)|(F\d{1,2})|(Space))$/
    .exec(code)
    ?.slice(1)
    .find((part) => part !== undefined);
  if (key === undefined || !(ctrlKey || altKey)) return undefined;
  return [ctrlKey && 'Control', altKey && 'Alt', shiftKey && 'Shift', key].filter((part) => part !== false).join('+');
}
