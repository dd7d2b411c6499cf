import { useAtom, useAtomValue } from 'jotai';
import { atomWithStorage, createJSONStorage, unstable_withStorageValidator as withStorageValidator } from 'jotai/utils';
import { useEffect } from 'react';
import { useUndoStack } from './undo-stack.ts';

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** The only key that works anywhere without a modifier. Who speaks to the device, or types by accident, switches it off. */
const undoKeyAtom = atomWithStorage<boolean>(
  'undo-key-enabled',
  true,
  withStorageValidator(isBoolean)(createJSONStorage()),
  { getOnInit: true },
);

/** Whether Z undoes in this browser, and the switch; shared by its tabs. */
export const useUndoKeyChoice = (): [boolean, (isOn: boolean) => void] => useAtom(undoKeyAtom);

/** Whether Z undoes in this browser. */
export const useIsUndoKeyOn = (): boolean => useAtomValue(undoKeyAtom);

/** Where a letter is typed, or chosen in a menu, and undoes nothing. */
const TYPING = 'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="dialog"]';

/**
 * Z undoes the last action, anywhere in the app, unless it is switched off. What is pending until it can no longer be undone is sent when the page goes, as far
 * as the browser lets it: `freeze` is the last that a phone's browser says before it may end the page.
 */
export function useUndoControl(): void {
  const undo = useUndoStack();
  const isKeyOn = useIsUndoKeyOn();
  useEffect(() => {
    if (!isKeyOn) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, target, repeat, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (key.toLowerCase() !== 'z' || ctrlKey || metaKey || altKey || shiftKey || repeat || event.defaultPrevented)
        return;
      if (target instanceof Element && target.closest(TYPING)) return;
      if (undo.undoLast()) event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [undo, isKeyOn]);
  useEffect(() => {
    const over = new AbortController();
    const { signal } = over;
    const leave = (): void => void undo.commitAll(true);
    window.addEventListener('pagehide', leave, { signal });
    document.addEventListener('freeze', leave, { signal });
    return () => over.abort();
  }, [undo]);
}
