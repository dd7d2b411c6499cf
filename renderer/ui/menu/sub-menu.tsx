import { Classes, PopoverNext, PopupKind, Text } from '@blueprintjs/core';
import { CaretRightIcon } from '@blueprintjs/icons';
import { type KeyboardEvent, type ReactElement, type ReactNode, useRef, useState } from 'react';
import { focusMenu } from './use-menu-keys.ts';
import classNames from 'classnames';
import * as styles from './menu.module.css';

/** A submenu opens after the pointer rested on it so long, in milliseconds. */
const OPEN_DELAY_MS = 100;

interface SubMenuProps {
  icon: ReactElement;
  text: string;
  /** Stands before the caret. */
  labelElement?: ReactElement;
  'aria-keyshortcuts'?: string;
  /** What opens beside the item. */
  children: ReactNode;
}

/** An item of a menu that opens another one: by hover, click, arrow to the right, Enter or space. */
export function SubMenu({ icon, text, labelElement, children, ...aria }: SubMenuProps) {
  // The content is mounted again at each opening, also when the last one still fades out.
  const [{ isOpen, opening }, setState] = useState({ isOpen: false, opening: 0 });
  const setOpen = (open: boolean): void =>
    setState((now) => (now.isOpen === open ? now : { isOpen: open, opening: now.opening + Number(open) }));
  const target = useRef<HTMLElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  /** Whether the keyboard opened it, so that the focus goes inside once it is there. */
  const entersWhenOpen = useRef(false);

  const enter = (): void => void (popup.current && focusMenu(popup.current));
  const onTargetKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key !== 'ArrowRight' && event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    event.stopPropagation();
    entersWhenOpen.current = true;
    if (isOpen) enter();
    else setOpen(true);
  };
  const onPopupKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const isInField = event.target instanceof HTMLInputElement && event.target.value !== '';
    if (event.key !== 'Escape' && (event.key !== 'ArrowLeft' || isInField)) return;
    event.preventDefault();
    event.stopPropagation();
    setOpen(false);
    target.current?.focus();
  };

  return (
    <li role="none" className={Classes.MENU_SUBMENU}>
      <PopoverNext
        isOpen={isOpen}
        onInteraction={setOpen}
        interactionKind="hover"
        hoverOpenDelay={OPEN_DELAY_MS}
        openOnTargetFocus={false}
        popupKind={PopupKind.MENU}
        placement="right-start"
        middleware={{
          flip: { padding: 8, rootBoundary: 'viewport' },
          offset: { crossAxis: -5 },
          shift: { padding: 8, rootBoundary: 'viewport', crossAxis: true },
        }}
        autoFocus={false}
        enforceFocus={false}
        captureDismiss={false}
        shouldReturnFocusOnClose={false}
        arrow={false}
        animation="minimal"
        onOpening={() => {
          if (entersWhenOpen.current) enter();
          entersWhenOpen.current = false;
        }}
        content={
          <div key={opening} ref={popup} role="presentation" onKeyDown={onPopupKeyDown}>
            {children}
          </div>
        }
        renderTarget={({ ref, className, onMouseEnter, onMouseLeave }) => (
          <span
            ref={(element) => {
              target.current = element;
              if (typeof ref === 'function') ref(element);
            }}
            role="menuitem"
            tabIndex={0}
            aria-haspopup="menu"
            {...aria}
            aria-expanded={isOpen}
            className={classNames(className, Classes.MENU_ITEM, styles.submenuTarget)}
            onMouseEnter={(event) => onMouseEnter?.(event as never)}
            onMouseLeave={(event) => onMouseLeave?.(event as never)}
            onClick={() => setOpen(true)}
            onKeyDown={onTargetKeyDown}
          >
            <span className={Classes.MENU_ITEM_ICON} aria-hidden>
              {icon}
            </span>
            <Text className={Classes.FILL} ellipsize>
              {text}
            </Text>
            {labelElement && <span className={Classes.MENU_ITEM_LABEL}>{labelElement}</span>}
            <CaretRightIcon className={Classes.MENU_SUBMENU_ICON} aria-hidden />
          </span>
        )}
      />
    </li>
  );
}
