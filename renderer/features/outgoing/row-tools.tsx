import { MenuDivider, MenuItem, PopupKind } from '@blueprintjs/core';
import { MoreIcon } from '@blueprintjs/icons';
import type { ReactElement, ReactNode } from 'react';
import { focusMenu } from '#renderer/ui/menu/use-menu-keys.ts';
import { MenuList } from '#renderer/ui/menu/menu-list.tsx';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';
import * as texts from './texts.ts';
import * as styles from './outgoing.module.css';

/** Something that can be done with what a row shows. */
export interface RowAction {
  icon: ReactElement;
  text: string;
  run: () => void;
}

interface RowMenuProps {
  label: string;
  actions: readonly RowAction[];
  deletion: RowAction;
}

interface RowToolsProps {
  /** What the row shows, by name. */
  name: string;
  actions: readonly RowAction[];
  /** Deletes it, after a question. */
  deletion: RowAction;
  /** What stands left of the menu. */
  children?: ReactNode;
}

/** The end of a row: what can be done with it, as a menu. */
export function RowTools({ name, actions, deletion, children }: RowToolsProps) {
  const label = texts.actionsFor(name);
  return (
    <>
      {children}
      <PopupButton
        placement="bottom-end"
        popupKind={PopupKind.MENU}
        onOpening={focusMenu}
        load={loadMenu}
        content={{ label, actions, deletion }}
        button={{ className: styles.tool, variant: 'minimal', icon: <MoreIcon />, 'aria-label': label }}
      />
    </>
  );
}

const loadMenu = async () => RowMenu;

const RowMenu = ({ label, actions, deletion }: RowMenuProps) => (
  <MenuList label={label}>
    {actions.map(({ icon, text, run }) => (
      <MenuItem key={text} icon={icon} text={text} onClick={run} />
    ))}
    <MenuDivider />
    <MenuItem icon={deletion.icon} intent="danger" text={deletion.text} onClick={deletion.run} />
  </MenuList>
);
