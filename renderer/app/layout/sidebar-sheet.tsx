import { Classes, Overlay2 } from '@blueprintjs/core';
import { SidebarContent } from './sidebar-content.tsx';
import * as texts from './texts.ts';
import * as styles from './main-layout.module.css';

interface SidebarSheetProps {
  isOpen: boolean;
  onClose: () => void;
}

/** The `dialog` element would bring a look and a place of its own. */
const DIALOG = { role: 'dialog', 'aria-modal': true } as const;

/** Blueprint gives the focus to what stands before the sheet, where keys are the page's. */
const focusFirst = (sheet: HTMLElement): void => sheet.querySelector('button')?.focus({ preventScroll: true });

/**
 * The sidebar of a small screen: a sheet over the page, loaded when it is first opened. Blueprint's Drawer looks like it, but
 * is nothing to screen readers.
 */
export function SidebarSheet({ isOpen, onClose }: SidebarSheetProps) {
  return (
    <Overlay2 isOpen={isOpen} onClose={onClose} onOpening={focusFirst}>
      <div
        className={`${Classes.DRAWER} ${Classes.POSITION_LEFT} ${styles.sheet}`}
        {...DIALOG}
        aria-label={texts.sidebar}
      >
        <SidebarContent onClose={onClose} />
      </div>
    </Overlay2>
  );
}
