import { Button, type ButtonProps, Classes, type PopoverNextProps } from '@blueprintjs/core';
import { type ComponentType, type RefObject, useState } from 'react';
import { loadWithRetry } from '#renderer/lib/lazy-part.ts';
import type { OpenedPopup } from './opened-popup.tsx';

/** A button and its popup. */
export interface PopupButtonProps<P extends object> extends Pick<PopoverNextProps, 'onOpening' | 'onClosed'> {
  placement: NonNullable<PopoverNextProps['placement']>;
  /** Class of the element around the button. */
  className?: string;
  popupKind: NonNullable<PopoverNextProps['popupKind']>;
  button: ButtonProps;
  buttonRef?: RefObject<HTMLButtonElement | null>;
  /** Fetches what the popup shows, and what is passed to it. */
  load: () => Promise<ComponentType<P>>;
  content: P;
}

/**
 * A button that opens a popup. Until it is first used it is a plain button: the popup, and all that places it, is neither
 * fetched nor set up for who never opens it.
 */
export function PopupButton<P extends object>(props: PopupButtonProps<P>) {
  const { className = '', popupKind, button, buttonRef, load } = props;
  const [parts, setParts] = useState<{ Popup: typeof OpenedPopup; Content: ComponentType<P> }>();
  if (parts) return <parts.Popup {...props} Content={parts.Content} />;

  const open = async (): Promise<void> => {
    const [Popup, Content] = await Promise.all([
      loadWithRetry(async () => (await import('./opened-popup.tsx')).OpenedPopup as ComponentType<object>, 'report'),
      loadWithRetry(load, 'report'),
    ]);
    if (Popup && Content) setParts({ Popup: Popup as typeof OpenedPopup, Content });
  };
  return (
    <span className={`${Classes.POPOVER_TARGET} ${className}`}>
      <Button {...button} ref={buttonRef} aria-haspopup={popupKind} aria-expanded={false} onClick={() => void open()} />
    </span>
  );
}
