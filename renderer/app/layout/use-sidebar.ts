import { useCallback, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { MOBILE, useMediaQuery } from '#renderer/lib/use-media-query.ts';
import { readSidebarState, sidebarCookie } from './sidebar-cookie.ts';

/** The sidebar's state: a column (open, or icons) on wide screens, a sheet (open or closed) on narrow ones. */
export interface Sidebar {
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
