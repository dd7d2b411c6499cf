import { MenuDivider, MenuItem, SegmentedControl } from '@blueprintjs/core';
import {
  CogIcon,
  DataConnectionIcon,
  InfoSignIcon,
  LogOutIcon,
  NotificationsIcon,
  NotificationsSnoozeIcon,
  ShieldIcon,
  UserIcon,
} from '@blueprintjs/icons';
import { type MouseEvent, type ReactElement, type ReactNode, useId } from 'react';
import { matchPath, useHref, useLinkClickHandler, useLocation } from 'react-router-dom';
import { RefusingDot } from '#renderer/features/admin/source-counts.tsx';
import { useThemeChoice } from '#renderer/lib/appearance.ts';
import { ADMIN_ROLES, MANAGER_ROLES, PATHS, SOURCE_PAGES } from '#renderer/lib/paths.ts';
import { isThemeChoice } from '#renderer/lib/theme-storage.ts';
import { AN_HOUR, tomorrowMorning, usePause } from '#renderer/notifications/pause.ts';
import { useSession } from '#renderer/session/session.ts';
import { useSignOut } from '#renderer/session/sign-out.ts';
import { MenuList } from '#renderer/ui/menu/menu-list.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as userMenuTexts from './user-menu-texts.ts';
import * as texts from './texts.ts';
import * as styles from './user-menu.module.css';

const THEMES = [
  { label: userMenuTexts.system, value: 'system' },
  { label: userMenuTexts.light, value: 'light' },
  { label: userMenuTexts.dark, value: 'dark' },
];

const NO_PATHS: readonly string[] = [];
const SOURCE_PATHS: readonly string[] = SOURCE_PAGES.map(({ to }) => to);

/** What the panel is about; About itself opens beside it, because the panel closes. */
export interface UserMenuPanelProps {
  name: string;
  email: string;
  onAbout: () => void;
}

/**
 * Who is signed in, the theme, links to My account, Settings, Admin Panel and About, Logout, and the
 * pause of notifications.
 */
export function UserMenuPanel({ name, email, onAbout }: UserMenuPanelProps) {
  const { role } = useSession();
  const [theme, setTheme] = useThemeChoice();
  const { until: pausedUntil, pause, resume } = usePause();
  const signOut = useSignOut();
  const themeId = useId();
  return (
    <dialog className={styles.panel} aria-label={userMenuTexts.account} open>
      <div className={styles.panelWho}>
        <div className={styles.panelName}>{name}</div>
        <div className={styles.panelEmail}>{email}</div>
      </div>
      <div className={styles.panelTheme}>
        <span id={themeId}>{userMenuTexts.theme}</span>
        <SegmentedControl
          aria-labelledby={themeId}
          fill
          options={THEMES}
          value={theme}
          onValueChange={(value) => isThemeChoice(value) && setTheme(value)}
        />
      </div>
      <MenuList label={userMenuTexts.account} className={styles.panelMenu}>
        <MenuLink icon={<UserIcon />} text={texts.myAccount} to={PATHS.account} />
        <MenuLink icon={<CogIcon />} text={pageTexts.settings} to={PATHS.settings} />
        {ADMIN_ROLES.includes(role) && (
          <MenuLink icon={<ShieldIcon />} text={common.adminPanel} to={PATHS.admin} besides={SOURCE_PATHS} />
        )}
        {MANAGER_ROLES.includes(role) && (
          <MenuLink
            icon={<DataConnectionIcon />}
            text={common.sources}
            to={PATHS.sources}
            also={SOURCE_PATHS}
            end={<RefusingDot />}
          />
        )}
        <MenuItem icon={<InfoSignIcon />} text={userMenuTexts.about} onClick={onAbout} />
        <MenuDivider />
        {pausedUntil === undefined ? (
          <>
            <MenuItem
              icon={<NotificationsSnoozeIcon />}
              text={userMenuTexts.pauseNotificationsFor1Hour}
              onClick={() => pause(AN_HOUR)}
            />
            <MenuItem
              icon={<NotificationsSnoozeIcon />}
              text={pageTexts.pauseUntilTomorrow}
              onClick={() => pause(tomorrowMorning(new Date()))}
            />
          </>
        ) : (
          <MenuItem icon={<NotificationsIcon />} text={userMenuTexts.resumeNotifications} onClick={resume} />
        )}
        <MenuDivider />
        <MenuItem
          icon={<LogOutIcon />}
          text={userMenuTexts.logout}
          disabled={signOut.isPending}
          shouldDismissPopover={false}
          onClick={() => signOut.mutate()}
        />
      </MenuList>
    </dialog>
  );
}

interface MenuLinkProps {
  icon: ReactElement;
  text: string;
  to: string;
  /** Pages elsewhere that the entry stands for, too. */
  also?: readonly string[];
  /** Pages below it that another entry stands for. */
  besides?: readonly string[];
  /** At the end of the entry. */
  end?: ReactNode;
}

function MenuLink({ icon, text, to, also = NO_PATHS, besides = NO_PATHS, end }: MenuLinkProps) {
  const href = useHref(to);
  const open = useLinkClickHandler<HTMLAnchorElement>(to);
  const { pathname } = useLocation();
  const isAt = (path: string): boolean => matchPath({ path, end: false }, pathname) !== null;
  const isCurrent = [to, ...also].some(isAt) && !besides.some(isAt);
  return (
    <MenuItem
      icon={icon}
      text={text}
      labelElement={end}
      href={href}
      active={isCurrent}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={(event) => open(event as MouseEvent<HTMLAnchorElement>)}
    />
  );
}
