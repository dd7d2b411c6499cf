import { useEffect } from 'react';
import { useInboxCount } from '#renderer/lib/alerts/get-inbox.ts';

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
