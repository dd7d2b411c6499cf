import { useCallback, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { MOBILE, useMediaQuery } from '#renderer/lib/use-media-query.ts';

/** The sidebar's state: a column (open, or icons) on wide screens, a sheet (open or closed) on narrow ones. */
interface Sidebar {
  /** Whether the sidebar is a sheet over the page. */
  mobile: boolean;
  /** Whether the column shows words beside its icons, or the sheet is there. */
  open: boolean;
  toggle: () => void;
  closeSheet: () => void;
}

/** Keeps the sidebar's state, its cookie and its shortcut Ctrl/Cmd+B. */
export function useSidebar(): Sidebar {
  const mobile = useMediaQuery(MOBILE);
  const [columnOpen, setColumnOpen] = useState(() => readSidebarState(document.cookie));
  // The sheet belongs to the page it was opened on: going elsewhere closes it, and coming back does not open it again.
  const { key: page } = useLocation();
  const [sheetPage, setSheetPage] = useState<string | null>(null);
  if (sheetPage !== null && sheetPage !== page) setSheetPage(null);
  const sheetOpen = mobile && sheetPage === page;

  const closeSheet = useCallback(() => setSheetPage(null), []);
  const toggle = useCallback(() => {
    if (mobile) {
      setSheetPage(sheetOpen ? null : page);
      return;
    }
    document.cookie = sidebarCookie(!columnOpen);
    setColumnOpen(!columnOpen);
  }, [mobile, sheetOpen, page, columnOpen]);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'b' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      toggle();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [toggle]);

  return { mobile, open: mobile ? sheetOpen : columnOpen, toggle, closeSheet };
}

/** The cookie that remembers whether the sidebar is open, and its lifetime of 7 days in seconds. */
const SIDEBAR_COOKIE = 'sidebar_state';
const SIDEBAR_COOKIE_SECONDS = 604_800;

/** Whether the sidebar was left open, read from all of a document's cookies; open when nothing says otherwise. */
export function readSidebarState(cookies: string): boolean {
  return !cookies.split('; ').includes(`${SIDEBAR_COOKIE}=false`);
}

/** The cookie to set so that the state is remembered. */
export function sidebarCookie(open: boolean): string {
  return `${SIDEBAR_COOKIE}=${open}; path=/; max-age=${SIDEBAR_COOKIE_SECONDS}; SameSite=Lax`;
}
