import { useAtomValue } from 'jotai';
import type { ReactNode } from 'react';
import { NavLink } from 'react-router-dom';
import { badgeText } from '#renderer/lib/badge-text.ts';
import { type DropTargetId, dragOverAtom } from '#renderer/lib/drag.ts';
import { railTip } from '#renderer/ui/hover-tip/use-hover-tip.ts';
import { useWayTo } from '#renderer/lib/screen-memory.ts';

interface NavItemProps {
  to: string;
  icon: ReactNode;
  label: string;
  count: number | undefined;
  /** The one count that is a filled pill, and that stays on the icon when only icons are shown. */
  prominent?: boolean;
  /** What an alert that is dragged here is dropped on. */
  dropTarget?: DropTargetId;
  iconsOnly: boolean;
}

/** A row of the sidebar. With icons only, its name and count are in a tooltip that opens at once. */
export function NavItem({ to, icon, label, count, prominent = false, dropTarget, iconsOnly }: NavItemProps) {
  const isOver = useAtomValue(dragOverAtom) === dropTarget && dropTarget !== undefined;
  const wayTo = useWayTo();
  const badge = badgeText(count);
  return (
    <li>
      <NavLink
        className={`ad-nav-item${isOver ? ' ad-drop-over' : ''}`}
        to={wayTo(to)}
        end
        data-drop-target={dropTarget}
        {...(iconsOnly && railTip(label, count))}
      >
        {icon}
        <span className="ad-nav-label">{label}</span>
        {badge && <span className={prominent ? 'ad-nav-count ad-nav-count-prominent' : 'ad-nav-count'}>{badge}</span>}
      </NavLink>
    </li>
  );
}
