import { useEffect, useEffectEvent } from 'react';
import type { Keyed } from '#renderer/alerts/actions/action.ts';
import { isTyping, useSingleKeys } from '#renderer/lib/single-keys.ts';
import * as texts from './key-sheet-texts.ts';

/** A key of one screen. With Ctrl or ⌘ it counts in fields, too. */
interface ScreenKey extends Keyed {
  key: string;
  hasControl?: true;
}

/** What keys do on pages with a list of settings, or with something that is written. */
export const SCREEN_KEYS = {
  add: { key: 'n', label: texts.makeNew },
  save: { key: 'enter', hasControl: true, label: texts.save },
} as const satisfies Record<string, ScreenKey>;

/** What opens over the screen, which has keys of its own. */
const OVER_SCREEN = '[role="dialog"], dialog, [role="menu"], [role="listbox"]';

/** Runs something on a key while the screen is shown; undefined where it cannot be done now. */
export function useScreenKey(name: keyof typeof SCREEN_KEYS, run: (() => void) | undefined): void {
  const [areOn] = useSingleKeys();
  const { key, hasControl }: ScreenKey = SCREEN_KEYS[name];
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { target, ctrlKey, metaKey, altKey, shiftKey, repeat } = event;
    if (!run || event.defaultPrevented || altKey || shiftKey || repeat || event.key.toLowerCase() !== key) return;
    const isOver = target instanceof Element && target.closest(OVER_SCREEN) !== null;
    if ((hasControl ?? false) !== (ctrlKey || metaKey) || isOver || (!hasControl && (!areOn || isTyping(event))))
      return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKeyDown(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
