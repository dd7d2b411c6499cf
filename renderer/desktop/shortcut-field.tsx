import { Button } from '@blueprintjs/core';
import { type KeyboardEvent, useState } from 'react';
import { acceleratorOf } from './accelerator-of.ts';

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
    <div className="ad-desktop-row">
      <span id="ad-shortcut">Global shortcut</span>
      <div className="ad-desktop-keys">
        {accelerator !== null && !isListening && (
          <>
            <kbd className="ad-kbd">{accelerator.replace('Control', 'Ctrl')}</kbd>
            <Button variant="minimal" text="Remove" onClick={() => onChange(null)} />
          </>
        )}
        <Button
          aria-labelledby="ad-shortcut ad-shortcut-set"
          active={isListening}
          onClick={() => setListening(true)}
          onBlur={() => setListening(false)}
          onKeyDown={onKeyDown}
        >
          <span id="ad-shortcut-set">{isListening ? 'Press keys…' : accelerator === null ? 'Off' : 'Change'}</span>
        </Button>
      </div>
    </div>
  );
}
