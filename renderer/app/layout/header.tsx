import { Button, PopupKind } from '@blueprintjs/core';
import { MenuClosedIcon, MenuIcon, MenuOpenIcon, NotificationsIcon } from '@blueprintjs/icons';
import { useAtomValue } from 'jotai';
import { type ComponentProps, Suspense, useEffect, useMemo } from 'react';
import { matchPath, useLocation } from 'react-router-dom';
import { BELL_ID } from '#renderer/alerts/keys/destinations.ts';
import { resyncAtom, useConnection } from '#renderer/lib/connection.ts';
import classNames from 'classnames';
import { lazyWithRetry, partAfterFirstScreen } from '#renderer/lib/lazy-part.ts';
import { ADMIN_ROLES, PATHS } from '#renderer/lib/paths.ts';
import { noteSearchFieldComing } from '#renderer/lib/search-target.ts';
import { useSingleKeys } from '#renderer/lib/single-keys.ts';
import { useSession } from '#renderer/session/session.ts';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { tipWithKey } from '#renderer/ui/key-cap.tsx';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';
import * as texts from './texts.ts';
import * as styles from './header.module.css';

interface HeaderProps {
  mobile: boolean;
  /** Whether the sidebar is open. */
  open: boolean;
  onToggle: () => void;
}

const shortcut = /Mac|iP(?:hone|ad)/.test(navigator.userAgent) ? '⌘B' : 'Ctrl+B';

/** The bar over every signed-in screen: sidebar trigger, title, connection, the bell. */
export function Header({ mobile, open, onToggle }: HeaderProps) {
  const icon = open ? <MenuClosedIcon /> : <MenuOpenIcon />;
  return (
    <header className={styles.header}>
      <HoverTip>
        <Button
          variant="minimal"
          className={styles.trigger}
          icon={mobile ? <MenuIcon /> : icon}
          aria-label={texts.toggleSidebar}
          aria-expanded={open}
          aria-keyshortcuts="Control+B Meta+B"
          data-tip={mobile ? undefined : texts.toggleSidebarWith(shortcut)}
          data-tip-always
          data-tip-side="bottom-start"
          onClick={onToggle}
        />
      </HoverTip>
      <div className={styles.title}>{texts.alertManagement}</div>
      <HeaderSearch />
      <ConnectionState />
      <Bell />
    </header>
  );
}

// Comes after the first screen; its place is kept.
const SearchField = partAfterFirstScreen(
  async () => (await import(/* webpackChunkName: "third" */ '#renderer/alerts/search/search-field.tsx')).SearchField,
  'omit',
);

// Comes with the view that it searches.
const ViewSearch = lazyWithRetry(async () => (await import('#renderer/views/view-search.tsx')).ViewSearch, 'omit');

type Searched = ComponentProps<typeof SearchField>;

/** The list on screen, where there is one. Insight has none: a search leads to the list that has most of what it counts. */
function searchedAt(pathname: string, seesAll: boolean): Searched | undefined {
  const folderId = matchPath(PATHS.folder, pathname)?.params.id;
  if (folderId !== undefined) return { list: { list: 'folder', folderId } };
  if (pathname !== PATHS.insight) return LISTS.find(({ path }) => path === pathname);
  const { path, list } = seesAll ? ALL : INBOX;
  return { list, leadsTo: path };
}

const INBOX = { path: PATHS.inbox, list: { list: 'inbox' } } as const;
const ALL = { path: PATHS.allAlerts, list: { list: 'all' } } as const;
const LISTS = [
  INBOX,
  { path: PATHS.myAlerts, list: { list: 'mine' } },
  { path: PATHS.allFolders, list: { list: 'all-folders' } },
  { path: PATHS.snoozed, list: { list: 'snoozed' } },
  ALL,
] as const;

/** Searches the list on screen. */
function HeaderSearch() {
  const { pathname } = useLocation();
  const seesAll = ADMIN_ROLES.includes(useSession().role);
  const searched = useMemo(() => searchedAt(pathname, seesAll), [pathname, seesAll]);
  const viewId = matchPath(PATHS.view, pathname)?.params.id;
  if (!searched && viewId === undefined) return null;
  return (
    <Suspense fallback={<ComingField />}>
      {searched ? (
        <SearchField key={pathname} list={searched.list} leadsTo={searched.leadsTo} place={<ComingField />} />
      ) : (
        <ViewSearch key={pathname} id={viewId ?? ''} place={<span className={styles.search} />} />
      )}
    </Suspense>
  );
}

/** Keeps the place of the search field, and what is typed for it meanwhile. */
function ComingField() {
  // Its end comes after the field is there.
  useEffect(() => {
    noteSearchFieldComing(true);
    return () => noteSearchFieldComing(false);
  }, []);
  return <span className={styles.search} />;
}

const CONNECTION_LABELS = { connected: texts.connected, connecting: texts.connecting, checking: texts.checking };

/** The state of the live connection. When it is lost, or alerts may be missing, the strip below the header says so instead. */
function ConnectionState() {
  const connection = useConnection();
  const { isBehind } = useAtomValue(resyncAtom);
  if (connection === 'disconnected' || isBehind) return null;
  return (
    <div className={classNames(styles.connection, connection === 'connected' && styles.connectionConnected)}>
      {CONNECTION_LABELS[connection]}
    </div>
  );
}

const loadBell = async () => (await import('#renderer/features/bell/bell-panel.tsx')).BellPanel;

// The bell is there at once, its number after the first screen.
const BellBadge = partAfterFirstScreen(
  async () => (await import(/* webpackChunkName: "third" */ '#renderer/features/bell/bell-badge.tsx')).BellBadge,
  'omit',
  BellName,
);

/** What the bell is called while its number is not known. */
function BellName() {
  return <span className="ad-hidden">{texts.forYou}</span>;
}

/** Behind it is what colleagues did for me. `G N` presses it. */
function Bell() {
  const [areKeysOn] = useSingleKeys();
  return (
    <HoverTip>
      <PopupButton
        placement="bottom-end"
        popupKind={PopupKind.DIALOG}
        load={loadBell}
        content={{}}
        button={{
          className: styles.bell,
          variant: 'minimal',
          icon: <NotificationsIcon />,
          id: BELL_ID,
          ...tipWithKey(texts.forYou, areKeysOn ? 'G N' : undefined),
          children: <BellBadge place={<BellName />} />,
        }}
      />
    </HoverTip>
  );
}
