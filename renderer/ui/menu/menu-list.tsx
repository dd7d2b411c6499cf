import { Menu } from '@blueprintjs/core';
import { type ReactNode, type Ref, useImperativeHandle, useRef } from 'react';
import { useMenuKeys } from './use-menu-keys.ts';

interface MenuListProps {
  /** Names the menu for assistive technology. */
  label: string;
  className?: string;
  ref?: Ref<HTMLUListElement | null>;
  children: ReactNode;
}

/** Blueprint's menu with a menu's keys. */
export function MenuList({ label, className = '', ref, children }: MenuListProps) {
  const list = useRef<HTMLUListElement>(null);
  const onKeyDown = useMenuKeys(list);
  useImperativeHandle<HTMLUListElement | null, HTMLUListElement | null>(ref, () => list.current, []);
  return (
    <Menu ulRef={list} aria-label={label} className={className} onKeyDown={onKeyDown}>
      {children}
    </Menu>
  );
}
