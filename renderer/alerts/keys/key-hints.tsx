import type { ReactElement } from 'react';
import { useSingleKeys } from '#renderer/lib/single-keys.ts';
import { KeyCap, ariaKey, tipWithKey } from '#renderer/ui/key-cap.tsx';
import { type KeyAction, keyLabel } from './key-table.ts';

/** How buttons and menus show their keys: as the table has them, and only while single keys are on. */
interface KeyHints {
  /** The cap of an action's key, for a button. */
  cap: (action: KeyAction, isOnAccent?: boolean) => ReactElement | undefined;
  /** An action's key for assistive technology. */
  aria: (action: KeyAction) => { 'aria-keyshortcuts'?: string };
  /** The end of a menu's entry. */
  entry: (action: KeyAction) => { labelElement?: ReactElement; 'aria-keyshortcuts'?: string };
  /** The tooltip of a button that is an icon, and what assistive technology has of it. */
  tip: (action: KeyAction, text: string) => Record<string, string | boolean>;
}

const aria = (action: KeyAction) => ({ 'aria-keyshortcuts': ariaKey(keyLabel(action)) });

const SHOWN: KeyHints = {
  cap: (action, isOnAccent) => (
    <KeyCap label={keyLabel(action)} className={isOnAccent === true ? 'ad-kbd--on-accent' : ''} />
  ),
  aria,
  entry: (action) => ({ labelElement: <KeyCap label={keyLabel(action)} />, ...aria(action) }),
  tip: (action, text) => ({ ...tipWithKey(text, keyLabel(action)), ...aria(action) }),
};

const HIDDEN: KeyHints = {
  cap: () => undefined,
  aria: () => ({}),
  entry: () => ({}),
  tip: (_action, text) => tipWithKey(text, undefined),
};

/** How keys are shown now. */
export function useKeyHints(): KeyHints {
  const [areOn] = useSingleKeys();
  return areOn ? SHOWN : HIDDEN;
}
