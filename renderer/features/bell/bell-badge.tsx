import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useEffect, useEffectEvent, useRef } from 'react';
import { matchPath, useLocation } from 'react-router-dom';
import { useOpenAlertId } from '#renderer/alerts/panel/open-alert.tsx';
import { badgeText } from '#renderer/lib/badge-text.ts';
import { catchingUpAtom, useConnection } from '#renderer/lib/connection.ts';
import { isPageShown, watchPageShown } from '#renderer/lib/page-shown.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { markNoticesOf, unreadNoticesQuery } from '#renderer/notifications/notices.ts';
import * as texts from './texts.ts';
import * as styles from './bell-badge.module.css';

/** How many notices are unread, on the bell and in its name. What is about an alert that is open is read by that. */
export function BellBadge() {
  const { data, isStale } = useQuery(unreadNoticesQuery);
  const unread = data?.total ?? 0;
  useReadOfOpenAlert(data?.total, isStale);
  const text = badgeText(unread);
  return (
    <>
      <span className="ad-hidden">{text === undefined ? texts.forYou : texts.forYouUnread(unread)}</span>
      {text !== undefined && (
        <span className={styles.badge} aria-hidden>
          {text}
        </span>
      )}
    </>
  );
}

/**
 * Marks once what was unread about an alert when it was opened. What comes while it is open stays unread: the person may have
 * left the desk. A page that was away, or was just notified, takes none for unread only once that is counted again.
 *
 * @param isStale whether they are to be counted again
 */
function useReadOfOpenAlert(unread: number | undefined, isStale: boolean): void {
  const client = useQueryClient();
  const isCatchingUp = useAtomValue(catchingUpAtom);
  const isConnected = useConnection() === 'connected';
  const { pathname } = useLocation();
  const beside = useOpenAlertId();
  const openId = beside ?? matchPath(PATHS.alert, pathname)?.params.id;
  const done = useRef<string>(undefined);
  const isCurrent = !isStale && isConnected && !isCatchingUp;
  const isKnown = unread !== undefined && (unread > 0 || isCurrent);
  const read = useEffectEvent((alertId: string) => {
    if (unread === 0) return;
    // What could not be marked stays unread, and is in the list.
    void markNoticesOf(client, alertId).catch(() => undefined);
  });
  useEffect(() => {
    if (!isKnown || done.current === openId) return undefined;
    const readWhenShown = (): void => {
      if (!isPageShown()) return;
      stop();
      done.current = openId;
      if (openId !== undefined) read(openId);
    };
    // One that was opened in a tab in the background is read once that is shown.
    const stop = watchPageShown(readWhenShown);
    readWhenShown();
    return stop;
  }, [isKnown, openId]);
}
