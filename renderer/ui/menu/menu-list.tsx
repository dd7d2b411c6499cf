import { Menu } from '@blueprintjs/core';
import { type ReactNode, useRef } from 'react';
import { useMenuKeys } from './use-menu-keys.ts';

interface MenuListProps {
  /** Names the menu for assistive technology. */
  label: string;
  className?: string;
  children: ReactNode;
}

/** Blueprint's menu with a menu's keys. */
export function MenuList({ label, className = '', children }: MenuListProps) {
  const list = useRef<HTMLUListElement>(null);
  const onKeyDown = useMenuKeys(list);
  return (
    <Menu ulRef={list} aria-label={label} className={className} onKeyDown={onKeyDown}>
      {children}
    </Menu>
  );
}
