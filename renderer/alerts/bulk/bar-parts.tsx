import { Button, PopoverNext, PopupKind } from '@blueprintjs/core';
import { type ReactElement, useLayoutEffect } from 'react';
import { useSingleKeys } from '#renderer/lib/single-keys.ts';
import { focusMenu } from '#renderer/ui/menu/use-menu-keys.ts';

interface BarButtonProps {
  text: string;
  hotkey: string;
  isPrimary?: boolean;
  isDanger?: boolean;
  hasMenu?: boolean;
  onClick?: () => void;
}

/** A button of the bar with its key, as long as keys are on. */
export function BarButton({ text, hotkey, isPrimary, isDanger, hasMenu, onClick, ...popup }: BarButtonProps) {
  const [areKeysOn] = useSingleKeys();
  return (
    <Button
      {...popup}
      variant={isPrimary ? 'solid' : 'minimal'}
      intent={isPrimary ? 'primary' : isDanger ? 'danger' : 'none'}
      aria-haspopup={hasMenu ? 'menu' : undefined}
      aria-keyshortcuts={areKeysOn ? hotkey : undefined}
      text={
        <>
          {text}
          {areKeysOn && (
            <kbd className="ad-kbd ad-bulk-key" aria-hidden>
              {hotkey}
            </kbd>
          )}
        </>
      }
      {...(onClick && { onClick })}
    />
  );
}

interface BarMenuProps {
  isOpen: boolean;
  onChange: (isOpen: boolean) => void;
  content: ReactElement;
  children: ReactElement;
}

/** A button of the bar that opens a menu. */
export function BarMenu({ isOpen, onChange, content, children }: BarMenuProps) {
  return (
    <PopoverNext
      placement="top"
      arrow={false}
      animation="minimal"
      popupKind={PopupKind.MENU}
      shouldReturnFocusOnClose
      isOpen={isOpen}
      onInteraction={onChange}
      onOpening={focusMenu}
      content={content}
    >
      {children}
    </PopoverNext>
  );
}

/** When the bar goes with the focus in it, the card in the tab order takes the focus. */
export function useFocusBack(bar: { current: HTMLElement | null }, isShown: boolean): void {
  useLayoutEffect(() => {
    const element = bar.current;
    if (!isShown || !element) return undefined;
    let hadFocus = false;
    const onFocusIn = () => (hadFocus = true);
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget) hadFocus = false;
    };
    element.addEventListener('focusin', onFocusIn);
    element.addEventListener('focusout', onFocusOut);
    return () => {
      element.removeEventListener('focusin', onFocusIn);
      element.removeEventListener('focusout', onFocusOut);
      if (!hadFocus) return;
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) {
          document.querySelector<HTMLElement>('[data-alert-id][tabindex="0"]')?.focus({ preventScroll: true });
        }
      });
    };
  }, [bar, isShown]);
}
