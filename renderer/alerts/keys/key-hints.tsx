import type { ReactElement } from 'react';
import type { Keyed } from '#renderer/alerts/actions/action.ts';
import { keyLabel } from '#renderer/alerts/actions/action-table.ts';
import { useSingleKeys } from '#renderer/lib/single-keys.ts';
import { KeyCap, ariaKey, tipWithKey } from '#renderer/ui/key-cap.tsx';

type Key = Pick<Keyed, 'key' | 'isShifted'>;

/** How buttons and menus show their keys, if they have one, and only while single keys are on. */
interface KeyHints {
  /** The cap of a key, for a button. */
  cap: (of: Key, isOnAccent?: boolean) => ReactElement | undefined;
  /** A key for assistive technology. */
  aria: (of: Key) => { 'aria-keyshortcuts'?: string };
  /** The end of a menu's entry. */
  entry: (of: Key) => { labelElement?: ReactElement; 'aria-keyshortcuts'?: string };
  /** The tooltip of a button that is an icon, and what assistive technology has of it. */
  tip: (of: Key, text: string) => Record<string, string | boolean>;
}

const aria = (of: Key) => (of.key === undefined ? {} : { 'aria-keyshortcuts': ariaKey(keyLabel(of)) });

const SHOWN: KeyHints = {
  cap: (of, isOnAccent) => <KeyCap label={keyLabel(of)} className={isOnAccent === true ? 'ad-kbd--on-accent' : ''} />,
  aria,
  entry: (of) => (of.key === undefined ? {} : { labelElement: <KeyCap label={keyLabel(of)} />, ...aria(of) }),
  tip: (of, text) => ({ ...tipWithKey(text, of.key === undefined ? undefined : keyLabel(of)), ...aria(of) }),
};

const HIDDEN: KeyHints = {
  cap: () => undefined,
  aria: () => ({}),
  entry: () => ({}),
  tip: (_of, text) => tipWithKey(text, undefined),
};

/** How keys are shown now. */
export function useKeyHints(): KeyHints {
  const [areOn] = useSingleKeys();
  return areOn ? SHOWN : HIDDEN;
}
