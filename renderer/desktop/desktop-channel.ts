import type { QueryClient } from '@tanstack/react-query';
import type { createStore } from 'jotai';
import type { Alert } from '#backend/contract/alert.ts';
import type { DesktopBridge } from '#electron/contract.ts';
import type { NotificationButton, NotificationState } from '#electron/contract/desktop.ts';
import { inboxQuery } from '#renderer/alerts/data/alert-queries.ts';
import { listedAlerts } from '#renderer/alerts/data/list-cache.ts';
import { notificationsEnabledAtom } from '#renderer/notifications/browser-notifications.ts';
import {
  GROUP_TAG,
  type NotificationTarget,
  STORM_MS,
  createNoticeState,
  isCriticalNotice,
  pathOfNotice,
} from '#renderer/notifications/notice-state.ts';
import type { NotificationChannel } from '#renderer/notifications/notification-channel.ts';
import * as texts from './texts.tsx';

interface DesktopChannelDeps {
  desktop: DesktopBridge;
  client: QueryClient;
  store: ReturnType<typeof createStore>;
}

/** The notifications of the system, through the desktop app around the page. There are no pushes: the app is the device. */
export function desktopChannel({ desktop, client, store }: DesktopChannelDeps): NotificationChannel {
  let present: NotificationState = { status: 'shown', pausedUntil: null };
  const update = (state: NotificationState): void => {
    present = state;
  };
  desktop.on('notificationState', update);
  void desktop.getNotificationState().then(update);
  const shown = createNoticeState(desktopTarget(desktop, (tag) => findAlert(client, tag)));
  return {
    // Blocked notifications are tried all the same, with a toast on failure: they may be allowed again by now.
    state: () => ({
      notificationsOn: present.status !== 'unsupported' && !isPaused(present) && store.get(notificationsEnabledAtom),
      hasPush: false,
    }),
    notify: (notices) => shown.notify(notices),
    show: (notice) => shown.show(notice),
    flash() {
      // A desktop app that is older than the web app decides by itself.
      if ('flash' in desktop) void desktop.flash();
    },
    // There are no pushes that could be late.
    reportAnnounced: async () => undefined,
    filterPushed: async () => [],
    // By their tags, too: the app shows what this page has shown before it was loaded again.
    async close(tags) {
      await shown.close(tags);
      await desktop.closeNotifications([...tags]);
    },
    async clear() {
      await shown.clear();
      await desktop.closeNotifications(null);
    },
  };
}

const isPaused = ({ pausedUntil }: NotificationState): boolean =>
  pausedUntil !== null && (pausedUntil === 'forever' || Date.parse(pausedUntil) > Date.now());

/** The alert that a notification is of, where the inbox has loaded it; undefined for several. */
function findAlert(client: QueryClient, tag: string): Alert | undefined {
  return listedAlerts(client, inboxQuery.queryKey[0])?.find(({ id }) => id.replaceAll('-', '') === tag);
}

/** What can be done with the alert from its notification; nothing with several at once. */
function buttonsOf(alert: Alert | undefined): NotificationButton[] {
  if (!alert) return [];
  return alert.customer === null ? ['accept'] : ['accept', 'mute-customer'];
}

const isOver = (tag: string, at: number): boolean => tag === GROUP_TAG && performance.now() - at > STORM_MS;

/** The app itself can close no more: it keeps as many. */
const MOST_SHOWN = 50;

/**
 * The system's notifications with a browser's interface, so that both are grouped and closed alike. Nobody reports that one was
 * clicked or dismissed, so a storm that comes after a quiet time is counted by itself.
 */
function desktopTarget(desktop: DesktopBridge, alertOf: (tag: string) => Alert | undefined): NotificationTarget {
  const shown = new Map<string, { data: unknown; at: number }>();
  return {
    async showNotification(title, { tag = '', body = '', silent, data } = {}) {
      const notification = {
        tag,
        title,
        body,
        path: pathOfNotice(data),
        silent: silent === true,
        buttons: buttonsOf(alertOf(tag)),
        isCritical: isCriticalNotice(data),
      };
      if (!(await desktop.showNotification(notification))) throw new Error(texts.systemShowsNoNotifications);
      shown.delete(tag);
      shown.set(tag, { data, at: performance.now() });
      const [oldest] = shown.keys();
      if (shown.size > MOST_SHOWN && oldest !== undefined) shown.delete(oldest);
    },
    getNotifications: async ({ tag: wanted } = {}) =>
      [...shown]
        .filter(([tag, { at }]) => wanted === undefined || (tag === wanted && !isOver(tag, at)))
        .map(([tag, { data }]) => ({
          tag,
          data,
          close: () => {
            shown.delete(tag);
            void desktop.closeNotifications([tag]);
          },
        })),
  };
}
