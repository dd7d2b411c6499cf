import { Button, type ButtonProps, Classes, PopoverNext, type PopoverNextProps } from '@blueprintjs/core';
import { type ComponentType, type RefObject, useEffect, useRef } from 'react';

/** A button and its popup. */
export interface PopupButtonProps<P extends object> extends Pick<PopoverNextProps, 'onOpening' | 'onClosed'> {
  placement: NonNullable<PopoverNextProps['placement']>;
  /** Class of the element around the button. */
  className?: string;
  popupKind: NonNullable<PopoverNextProps['popupKind']>;
  button: ButtonProps & { 'data-tip'?: string; 'data-tip-always'?: boolean; 'data-tip-key'?: string };
  buttonRef?: RefObject<HTMLButtonElement | null>;
  /** Fetches what the popup shows, and what is passed to it. */
  load: () => Promise<ComponentType<P>>;
  content: P;
}

/** A button with its popup, which opens at first: it takes the place of the plain button that was used to ask for it. */
export function OpenedPopup<P extends object>(props: PopupButtonProps<P> & { Content: ComponentType<P> }) {
  const { className = '', placement, popupKind, button, buttonRef, content, Content, onOpening, onClosed } = props;
  const ownRef = useRef<HTMLButtonElement>(null);
  const ref = buttonRef ?? ownRef;
  useEffect(() => {
    // The plain button took the focus along.
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
      captureDismiss
      shouldReturnFocusOnClose={false}
      {...(onOpening && { onOpening })}
      onClosed={(popup) => {
        returnFocus(popup, ref.current);
        onClosed?.(popup);
      }}
    >
      <Button {...button} ref={ref} />
    </PopoverNext>
  );
}

/**
 * Back to the button, unless what was chosen in the popup has moved the focus on, as a link to an alert does. The focus may also
 * be at the elements around the popup that keep it inside, or around another popup that the button is in.
 */
function returnFocus(popup: HTMLElement, button: HTMLElement | null): void {
  const { activeElement, body } = document;
  const overlays = [popup.closest(`.${Classes.PORTAL}`) ?? popup, button?.closest(`.${Classes.PORTAL}`)];
  if (activeElement === null || activeElement === body || overlays.some((overlay) => overlay?.contains(activeElement)))
    button?.focus();
}
