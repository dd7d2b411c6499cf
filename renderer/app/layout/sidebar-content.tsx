import { Button } from '@blueprintjs/core';
import { CrossIcon, TimelineBarChartIcon } from '@blueprintjs/icons';
import { useAtomValue } from 'jotai';
import { type ReactNode, Suspense, useId } from 'react';
import { NavLink } from 'react-router-dom';
import { PRODUCT_NAME, PRODUCT_SUBTITLE } from '#backend/contract/product.ts';
import { type DropTargetId, dragOverAtom } from '#renderer/alerts/drag/drag.ts';
import { badgeText } from '#renderer/lib/badge-text.ts';
import { lazyWithoutStyles, partAfterFirstScreen } from '#renderer/lib/lazy-part.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { useRememberedPath } from '#renderer/lib/screen-memory.ts';
import { BrandMark } from '#renderer/ui/brand-mark.tsx';
import { HoverTip, railTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { useAlertLists } from './alert-lists.ts';
import { UserMenu } from './user-menu.tsx';
import classNames from 'classnames';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.ts';
import * as foldersGroupStyles from '#renderer/folders/tree/folders-group.module.css';
import * as styles from '#renderer/ui/nav/nav.module.css';
import * as sidebarStyles from './sidebar.module.css';

// Comes after the first screen; the place of its head is kept.
const ViewsGroup = partAfterFirstScreen(
  async () => (await import(/* webpackChunkName: "third" */ '#renderer/views/views-group.tsx')).ViewsGroup,
  'omit',
);

// Folders are asked for after the greeting of the live connection, which is in the same file.
const FoldersGroup = lazyWithoutStyles(
  async () => (await import(/* webpackChunkName: "second" */ '#renderer/folders/tree/folders-group.tsx')).FoldersGroup,
  'report',
);

const ViewsWait = () => <div className={`${styles.group} ${styles.groupWait}`} />;

interface SidebarContentProps {
  /** Shows icons without words, with tooltips. */
  iconsOnly?: boolean;
  /** Closes the sheet that holds the sidebar, if one does. */
  onClose?: () => void;
}

/** The content of the sidebar, the same in its column and in its sheet. */
export function SidebarContent({ iconsOnly = false, onClose }: SidebarContentProps) {
  return (
    <>
      <div className={sidebarStyles.brand}>
        <BrandMark />
        <div className={sidebarStyles.words}>
          <div className={sidebarStyles.name}>{PRODUCT_NAME}</div>
          <div className={sidebarStyles.subtitle}>{PRODUCT_SUBTITLE}</div>
        </div>
        {onClose && <Button variant="minimal" icon={<CrossIcon />} aria-label={texts.closeSidebar} onClick={onClose} />}
      </div>
      <nav className={styles.nav} aria-label={texts.main}>
        <HoverTip className={styles.tips}>
          <AlertLists iconsOnly={iconsOnly} />
          <ViewsGroup iconsOnly={iconsOnly} place={<ViewsWait />} />
          <Suspense>
            <FoldersGroup iconsOnly={iconsOnly} />
          </Suspense>
        </HoverTip>
      </nav>
      <div className={sidebarStyles.sidebarFoot}>
        <UserMenu iconsOnly={iconsOnly} />
      </div>
    </>
  );
}

/** The lists that everybody has, and how many alerts each has. Only this is drawn again when a count changes. */
function AlertLists({ iconsOnly }: { iconsOnly: boolean }) {
  return (
    <NavGroup label={texts.alerts}>
      {useAlertLists().map(({ Icon, shortLabel: _short, ...list }) => (
        <NavItem key={list.to} {...list} icon={<Icon />} iconsOnly={iconsOnly} />
      ))}
      <NavItem to={PATHS.insight} icon={<TimelineBarChartIcon />} label={common.insight} iconsOnly={iconsOnly} />
    </NavGroup>
  );
}

interface NavGroupProps {
  label: string;
  children: ReactNode;
}

/** A labelled group of rows in the sidebar. */
function NavGroup({ label, children }: NavGroupProps) {
  const id = useId();
  return (
    <section className={styles.group}>
      <div className={styles.groupHead}>
        <h2 id={id} className={styles.groupLabel}>
          {label}
        </h2>
      </div>
      <ul aria-labelledby={id}>{children}</ul>
    </section>
  );
}

interface NavItemProps {
  to: string;
  icon: ReactNode;
  label: string;
  count?: number | undefined;
  /** What it counts, for the name of the row. */
  counted?: string;
  /** The one count that is a filled pill, and that stays on the icon when only icons are shown. */
  prominent?: boolean;
  /** What an alert that is dragged here is dropped on. */
  dropTarget?: DropTargetId;
  iconsOnly: boolean;
}

/** A row of the sidebar. With icons only, its name and count are in a tooltip that opens at once. */
function NavItem({ to, icon, label, count, counted, prominent = false, dropTarget, iconsOnly }: NavItemProps) {
  const isOver = useAtomValue(dragOverAtom) === dropTarget && dropTarget !== undefined;
  const rememberedPath = useRememberedPath();
  const badge = badgeText(count);
  return (
    <li>
      <NavLink
        className={classNames(styles.item, isOver && foldersGroupStyles.dropOver)}
        to={rememberedPath(to)}
        end
        data-drop-target={dropTarget}
        {...(counted !== undefined && badge && { 'aria-label': `${label}, ${badge} ${counted}` })}
        {...(iconsOnly && railTip(label, count))}
      >
        {icon}
        <span className={styles.label}>{label}</span>{' '}
        {badge && (
          <span className={prominent ? `${styles.count} ${styles.countProminent}` : styles.count}>{badge}</span>
        )}
      </NavLink>
    </li>
  );
}
