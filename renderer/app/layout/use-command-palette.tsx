import { type ReactNode, Suspense, useEffect, useEffectEvent } from 'react';
import { type ListSubject, subjectOfList } from '#renderer/alerts/keys/list-commands.ts';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import { useDialog } from '#renderer/ui/use-dialog.ts';

const CommandPalette = lazyWithRetry(async () => (await import('./command-palette.tsx')).CommandPalette, 'report');

/** What the palette is opened for: everything, with what the list offers, or the folders alone. */
type PaletteScope = ListSubject | undefined | 'folders';

/**
 * Opens the command palette on Ctrl+K (⌘K), from fields too, but over no other dialog. Returns the palette, and what opens it
 * for folders.
 */
export function useCommandPalette(): { palette: ReactNode; showFolders: () => void } {
  const palette = useDialog<PaletteScope>();
  const { shown } = palette;
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, repeat, target } = event;
    const isInDialog = target instanceof Element && target.closest('[role="dialog"], dialog') !== null;
    if (shown?.presence.isOpen && !isInDialog) {
      // It is on its way to the screen: what is typed is meant for it, not for the card that still has the focus.
      event.preventDefault();
      event.stopPropagation();
      if (key === 'Escape') shown.presence.onClose();
      return;
    }
    if (key.toLowerCase() !== 'k' || ctrlKey === metaKey || altKey || shiftKey) return;
    event.preventDefault();
    if (repeat || isInDialog) return;
    // Asked before the palette has the focus: what it offers is about what has it now.
    palette.open(subjectOfList());
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKeyDown(event);
    window.addEventListener('keydown', listen, { capture: true });
    return () => window.removeEventListener('keydown', listen, { capture: true });
  }, []);
  return {
    palette: (
      <Suspense>{shown && <CommandPalette key={shown.key} presence={shown.presence} scope={shown.subject} />}</Suspense>
    ),
    showFolders: () => palette.open('folders'),
  };
}
