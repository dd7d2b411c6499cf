import { useAtomValue, useSetAtom } from 'jotai';
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { useInboxCount } from '#renderer/alerts/data/alert-queries.ts';
import { dragShowsSidebarAtom } from '#renderer/alerts/drag/drag.ts';
import { openTitleAtom } from '#renderer/alerts/panel/open-alert.tsx';
import { PanelSlot } from '#renderer/alerts/panel/panel-slot.tsx';
import { usePageKeys } from '#renderer/alerts/keys/use-page-keys.tsx';
import { ErrorBoundary } from '#renderer/app/error-boundary.tsx';
import { desktop } from '#renderer/desktop/bridge.ts';
import { lazyWithRetry, lazyWithoutStyles, partAfterFirstScreen } from '#renderer/lib/lazy-part.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { useSession } from '#renderer/session/session.ts';
import { toastOwnerAtom } from '#renderer/toasts/toast.ts';
import { useIsPageKept } from '#renderer/ui/leave-guard.tsx';
import { Header } from './header.tsx';
import { ReconnectingStrip } from './reconnecting-strip.tsx';
import { SidebarContent } from './sidebar-content.tsx';
import { useCommandPalette } from './use-command-palette.tsx';
import { useSidebar } from './use-sidebar.ts';
import * as texts from './texts.ts';
import * as styles from './main-layout.module.css';

const DesktopSide = lazyWithRetry(async () => (await import('#renderer/desktop/desktop-side.tsx')).DesktopSide, 'omit');

const SidebarSheet = lazyWithRetry(async () => (await import('./sidebar-sheet.tsx')).SidebarSheet, 'report');

// Comes after what it leads to; its place is kept.
const BottomBar = partAfterFirstScreen(
  async () => (await import(/* webpackChunkName: "third" */ './bottom-bar.tsx')).BottomBar,
  'omit',
);

// Maintenance windows that are on, mutes that end while nothing else happens, and what keys say that do nothing.
const LaterParts = partAfterFirstScreen(
  async () => (await import(/* webpackChunkName: "third" */ './later-parts.tsx')).LaterParts,
  'omit',
);

// Seen beside the window, so it comes after what is seen in it.
const OutsideTheWindow = partAfterFirstScreen(
  async () => (await import(/* webpackChunkName: "third" */ '#renderer/notifications/device-sync.ts')).OutsideTheWindow,
  'omit',
);

// Fetched while the first screen is drawn, which shows what was read with the page. What happens meanwhile waits in the
// socket that was opened before (`lib/early-start.ts`).
const LiveSide = lazyWithoutStyles(
  async () => (await import(/* webpackChunkName: "second" */ './live-side.ts')).LiveSide,
  'report',
);

/** Everything around a signed-in screen: sidebar, header, connection, content area. */
export function MainLayout() {
  useOwnToasts();
  const { palette, showFolders } = useCommandPalette();
  const sheet = usePageKeys(showFolders);
  const { mobile, open: isOpen, toggle, closeSheet } = useSidebar();
  // A drag opens the sidebar until the drop.
  const open = useAtomValue(dragShowsSidebarAtom) || isOpen;
  const [wasOpen, setWasOpen] = useState(false);
  if (mobile && open && !wasOpen) setWasOpen(true);
  const { pathname } = useLocation();
  return (
    <div className={styles.layout} data-sidebar={mobile ? 'sheet' : open ? 'open' : 'icons'}>
      <Suspense>
        <LiveSide />
      </Suspense>
      <Suspense>{desktop ? <DesktopSide desktop={desktop} onToggleSidebar={toggle} /> : <OutsideTheWindow />}</Suspense>
      <DocumentTitle />
      {sheet}
      {palette}
      <a className={styles.skip} href="#content">
        {texts.skipToContent}
      </a>
      {mobile ? (
        <Suspense>{wasOpen && <SidebarSheet isOpen={open} onClose={closeSheet} />}</Suspense>
      ) : (
        <aside className={styles.sidebar} aria-label={texts.sidebar} data-drop-target="sidebar">
          <SidebarContent iconsOnly={!open} />
        </aside>
      )}
      <div className={styles.main}>
        <Header mobile={mobile} open={open} onToggle={toggle} />
        <ReconnectingStrip />
        <LaterParts />
        <div className={styles.body}>
          <main className={styles.content} id="content" tabIndex={-1}>
            <ToTop key={`top of ${pathname}`} />
            <Page />
          </main>
          <PanelSlot />
        </div>
        {mobile && (
          <div className={styles.foot}>
            <BottomBar />
          </div>
        )}
      </div>
    </div>
  );
}

/** The page at the address. */
function Page() {
  const { pathname } = useLocation();
  const { timeFormat, timeZone } = useSession();
  const isKept = useIsPageKept();
  // Drawn again when its times are to be read otherwise, but not while something is written there.
  const clock = `${timeFormat} ${timeZone}`;
  const [drawnBy, setDrawnBy] = useState(clock);
  if (drawnBy !== clock && !isKept) setDrawnBy(clock);
  return (
    // The page on which that is chosen follows by itself.
    <ErrorBoundary key={pathname === PATHS.account ? pathname : `${pathname} ${drawnBy}`}>
      <Suspense>
        <Outlet />
      </Suspense>
    </ErrorBoundary>
  );
}

/** Toasts are shown to, and kept for, the member who is signed in. */
function useOwnToasts(): void {
  const me = useSession().id;
  const setOwner = useSetAtom(toastOwnerAtom);
  useEffect(() => setOwner(me), [me, setOwner]);
}

/** Elements that have had a page. */
const used = new WeakSet<Element>();

/** Begins every page at its top. It stands before the page, so that a list can then go to where it was left. */
function ToTop() {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const content = place.current?.parentElement;
    if (!content) return;
    // A new element is at its top: to say so would lay out the first screen once more.
    if (used.has(content)) content.scrollTo(0, 0);
    else used.add(content);
  }, []);
  return <span ref={place} hidden />;
}

/**
 * The document title: the product's name, after the inbox's count when there is one, and the headline of an open alert. A
 * component of its own, so that a count draws nothing else again.
 */
function DocumentTitle() {
  const count = useInboxCount() ?? 0;
  const alert = useAtomValue(openTitleAtom);
  useEffect(() => {
    const name = alert === undefined ? PRODUCT_NAME : `${alert}, ${PRODUCT_NAME}`;
    document.title = count > 0 ? `(${count}) ${name}` : name;
    return () => {
      document.title = PRODUCT_NAME;
    };
  }, [count, alert]);
  return null;
}
