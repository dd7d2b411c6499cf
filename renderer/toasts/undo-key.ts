import { useEffect } from 'react';
import { isTyping, useSingleKeys } from '#renderer/lib/single-keys.ts';
import { useUndoStack } from './undo-stack.ts';

/**
 * Z undoes the last action, anywhere in the app, unless it is switched off. What is pending until it can no longer be undone is sent when the page goes, as far
 * as the browser lets it: `freeze` is the last that a phone's browser says before it may end the page.
 */
export function useUndoControl(): void {
  const undo = useUndoStack();
  const [isKeyOn] = useSingleKeys();
  useEffect(() => {
    if (!isKeyOn) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, repeat, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (key.toLowerCase() !== 'z' || ctrlKey || metaKey || altKey || shiftKey || repeat || event.defaultPrevented)
        return;
      if (isTyping(event)) return;
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
