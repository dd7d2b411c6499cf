import { Button, PopoverNext } from '@blueprintjs/core';
import { type ComponentType, useEffect, useRef } from 'react';
import type { PopupButtonProps } from './popup-button.tsx';

/** A button with its popup, which opens at first: it takes the place of the plain button that was used to ask for it. */
export function OpenedPopup<P extends object>(props: PopupButtonProps<P> & { Content: ComponentType<P> }) {
  const { className = '', placement, popupKind, button, buttonRef, content, Content, onOpening, onClosed } = props;
  const ownRef = useRef<HTMLButtonElement>(null);
  const ref = buttonRef ?? ownRef;
  useEffect(() => {
    // Closing gives the focus back to where it was, and the plain button took it along.
    ref.current?.focus({ preventScroll: true });
    ref.current?.click();
  }, [ref]);
  return (
    <PopoverNext
      className={className}
      content={<Content {...content} />}
      placement={placement}
      arrow={false}
      animation="minimal"
      popupKind={popupKind}
      shouldReturnFocusOnClose
      {...(onOpening && { onOpening })}
      {...(onClosed && { onClosed })}
    >
      <Button {...button} ref={ref} />
    </PopoverNext>
  );
}
