import { Button, PopoverNext, PopupKind, ProgressBar } from '@blueprintjs/core';
import { type ReactElement, useLayoutEffect, useState } from 'react';
import { countText } from '#backend/contract/count-text.ts';
import type { BulkRun } from '#renderer/alerts/data/list-state.ts';
import { focusRow } from '#renderer/alerts/list/list-scroll.ts';
import { useSingleKeys } from '#renderer/lib/single-keys.ts';
import { ariaKey } from '#renderer/ui/key-cap.tsx';
import { focusMenu } from '#renderer/ui/menu/use-menu-keys.ts';
import * as texts from './bulk-texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './bulk-bar.module.css';

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
      aria-keyshortcuts={areKeysOn && hotkey !== '' ? ariaKey(hotkey) : undefined}
      text={
        <>
          {text}
          {areKeysOn && hotkey !== '' && (
            <kbd className={`ad-kbd ad-kbd--hint ${styles.key}`} aria-hidden>
              {hotkey}
            </kbd>
          )}
        </>
      }
      {...(onClick && { onClick })}
    />
  );
}

/** Every menu of the bar. */
const MENU = { placement: 'top', arrow: false, animation: 'minimal', popupKind: PopupKind.MENU } as const;

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
      {...MENU}
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

/** A menu opens after the pointer rested on its button so long, in milliseconds: as submenus do. */
const OPEN_DELAY_MS = 100;

interface HoverBarMenuProps extends Omit<BarMenuProps, 'content' | 'children'> {
  /** The content; the focus goes into it unless the pointer opened it. */
  renderContent: (takesFocus: boolean) => ReactElement;
  /** The button; a click opens, too, for fingers and the keyboard. */
  children: (open: () => void) => ReactElement;
}

/** A button of the bar whose menu opens as soon as the pointer rests on it: choosing is then one click. */
export function HoverBarMenu({ isOpen, onChange, renderContent, children }: HoverBarMenuProps) {
  const [isByPointer, setByPointer] = useState(false);
  return (
    <PopoverNext
      {...MENU}
      interactionKind="hover"
      hoverOpenDelay={OPEN_DELAY_MS}
      openOnTargetFocus={false}
      autoFocus={false}
      enforceFocus={false}
      shouldReturnFocusOnClose={!isByPointer}
      isOpen={isOpen}
      onInteraction={(open) => {
        setByPointer(open);
        onChange(open);
      }}
      content={renderContent(!isByPointer)}
    >
      {children(() => {
        setByPointer(false);
        onChange(true);
      })}
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
        if (document.activeElement === document.body) focusRow();
      });
    };
  }, [bar, isShown]);
}

/** How far a change of many alerts is, and what ends it. */
export function RunProgress({ run: { done, total, cancel } }: { run: BulkRun }) {
  return (
    <fieldset className={styles.bar} data-selection-bar aria-label={texts.changingAlerts}>
      <strong className={styles.count}>{texts.doneOfTotal(countText(done), countText(total))}</strong>
      <ProgressBar
        aria-label={texts.progress}
        className={styles.progress}
        value={done / total}
        stripes={false}
        intent="primary"
      />
      <Button variant="minimal" text={pageTexts.cancel} onClick={cancel} />
    </fieldset>
  );
}
