import { Drawer } from '@blueprintjs/core';
import { SidebarContent } from './sidebar-content.tsx';
import * as texts from './texts.ts';
import * as styles from './main-layout.module.css';

interface SidebarSheetProps {
  isOpen: boolean;
  onClose: () => void;
}

/** The sidebar of a small screen: a sheet over the page, loaded when it is first opened. */
export function SidebarSheet({ isOpen, onClose }: SidebarSheetProps) {
  return (
    <Drawer
      className={styles.sheet}
      isOpen={isOpen}
      onClose={onClose}
      position="left"
      size=""
      aria-label={texts.sidebar}
    >
      <SidebarContent onClose={onClose} />
    </Drawer>
  );
}
