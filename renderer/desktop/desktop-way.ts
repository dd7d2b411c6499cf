import type { QueryClient } from '@tanstack/react-query';
import type { createStore } from 'jotai';
import type { DesktopBridge } from '#electron/contract.ts';
import type { NotificationButton, NotificationState } from '#electron/contract/desktop.ts';
import { type AlertPages, alertsOf } from '#renderer/lib/alerts/alert-pages.ts';
import { inboxQuery } from '#renderer/lib/alerts/get-inbox.ts';
import { type Board, createNoticeBoard, pathOfNotice } from '#renderer/lib/notifications/notice-board.ts';
import { notificationsEnabledAtom } from '#renderer/lib/notifications/notifications-enabled.ts';
import type { NotificationWay } from '#renderer/notifications/notification-way.ts';

interface DesktopWayNeeds {
  desktop: DesktopBridge;
  client: QueryClient;
  store: ReturnType<typeof createStore>;
}

/** The system's own notifications, by way of the desktop app around the page. There are no pushes: the app is the device. */
export function desktopWay({ desktop, client, store }: DesktopWayNeeds): NotificationWay {
  let present: NotificationState = { status: 'shown', pausedUntil: null };
  const hear = (state: NotificationState): void => {
    present = state;
  };
  desktop.on('notificationState', hear);
  void desktop.getNotificationState().then(hear);
  const board = createNoticeBoard(desktopBoard(desktop, (tag) => buttonsOf(client, tag)));
  return {
    // One that is blocked is tried all the same, and told in a toast when it fails: it may be allowed again by now.
    state: () => ({
      notificationsOn: present.status !== 'unsupported' && !isPaused(present) && store.get(notificationsEnabledAtom),
      hasPush: false,
    }),
    tell: (notices) => board.tell(notices),
    // No push comes late: none comes at all.
    told: async () => undefined,
    close: (tags) => board.close(tags),
    clear: () => board.clear(),
  };
}

const isPaused = ({ pausedUntil }: NotificationState): boolean =>
  pausedUntil !== null && (pausedUntil === 'forever' || Date.parse(pausedUntil) > Date.now());

/** What can be done with the alert from its notification; nothing with several at once. */
function buttonsOf(client: QueryClient, tag: string): NotificationButton[] {
  const inbox = client.getQueryData<AlertPages>(inboxQuery.queryKey);
  const alert = inbox && alertsOf(inbox).find(({ id }) => id.replaceAll('-', '') === tag);
  if (!alert) return [];
  return alert.customer === null ? ['accept'] : ['accept', 'mute-customer'];
}

/** The system's notifications as a browser's, so that both are grouped and closed alike. */
function desktopBoard(desktop: DesktopBridge, buttonsFor: (tag: string) => NotificationButton[]): Board {
  const standing = new Map<string, unknown>();
  return {
    async showNotification(title, { tag = '', body = '', silent, data } = {}) {
      const buttons = buttonsFor(tag);
      const notification = { tag, title, body, path: pathOfNotice(data), silent: silent === true, buttons };
      if (!(await desktop.showNotification(notification))) throw new Error('The system shows no notifications.');
      standing.set(tag, data);
    },
    getNotifications: async ({ tag: wanted } = {}) =>
      [...standing]
        .filter(([tag]) => wanted === undefined || tag === wanted)
        .map(([tag, data]) => ({
          tag,
          data,
          close: () => {
            standing.delete(tag);
            void desktop.closeNotifications([tag]);
          },
        })),
  };
}
