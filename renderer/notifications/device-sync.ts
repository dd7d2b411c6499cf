import { useEffect } from 'react';
import { useInboxCount } from '#renderer/alerts/data/alert-queries.ts';
import { usePushSync } from '#renderer/push/push-state.ts';

/** What the signed-in app does beyond its window: its badge, its icon, and the pushes to this browser. */
export function OutsideTheWindow() {
  useAttention();
  usePushSync();
  return null;
}

const QUIET_ICON = '/icon.svg';
const NEWS_ICON = '/icon-news.svg';

/** The inbox's size on the app's badge, where the app is installed, and a dot on the tab's icon while it is not empty. */
export function useAttention(): void {
  const count = useInboxCount() ?? 0;
  useEffect(() => {
    setBadge(count);
    setIcon(count > 0 ? NEWS_ICON : QUIET_ICON);
    return () => {
      setBadge(0);
      setIcon(QUIET_ICON);
    };
  }, [count]);
}

function setBadge(count: number): void {
  if (!('setAppBadge' in navigator)) return;
  // Refused where the app is not installed.
  (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined);
}

function setIcon(href: string): void {
  document.querySelector('link[rel="icon"][type="image/svg+xml"]')?.setAttribute('href', href);
}
