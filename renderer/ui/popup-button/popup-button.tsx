import { Button, Classes } from '@blueprintjs/core';
import { type ComponentType, useState } from 'react';
import { loadWithRetry } from '#renderer/lib/lazy-part.ts';
import { isTyping } from '#renderer/lib/single-keys.ts';
import type { OpenedPopup, PopupButtonProps } from './opened-popup.tsx';

/**
 * A button that opens a popup. Until it is first used it is a plain button: the popup, and all that places it, is neither
 * fetched nor set up for who never opens it.
 */
export function PopupButton<P extends object>(props: PopupButtonProps<P>) {
  const { className = '', popupKind, button, buttonRef, load } = props;
  const [parts, setParts] = useState<{ Popup: typeof OpenedPopup; Content: ComponentType<P> }>();
  if (parts) return <parts.Popup {...props} Content={parts.Content} />;

  const open = async (): Promise<void> => {
    const focused = document.activeElement;
    const [Popup, Content] = await Promise.all([
      loadWithRetry(async () => (await import('./opened-popup.tsx')).OpenedPopup as ComponentType<object>, 'report'),
      loadWithRetry(load, 'report'),
    ]);
    // On a slow line: who has begun to type elsewhere meanwhile goes on with that.
    if (document.activeElement !== focused && isTyping({ target: document.activeElement })) return;
    if (Popup && Content) setParts({ Popup: Popup as typeof OpenedPopup, Content });
  };
  return (
    <span className={`${Classes.POPOVER_TARGET} ${className}`}>
      <Button {...button} ref={buttonRef} aria-haspopup={popupKind} aria-expanded={false} onClick={() => void open()} />
    </span>
  );
}
