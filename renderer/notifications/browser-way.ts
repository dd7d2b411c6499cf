import type { createStore } from 'jotai';
import { type NoticeBoard, createNoticeBoard } from '#renderer/lib/notifications/notice-board.ts';
import { notificationsEnabledAtom } from '#renderer/lib/notifications/notifications-enabled.ts';
import { notificationState } from '#renderer/lib/notifications/permission.ts';
import { pushStateAtom } from '#renderer/lib/notifications/push-state.ts';
import { activeWorker } from '#renderer/lib/notifications/service-worker.ts';
import type { ToldMessage } from '#renderer/lib/notifications/worker-messages.ts';
import type { NotificationWay } from './notification-way.ts';

/** The browser's notifications, on the board of the service worker's registration: pages and pushes share one. */
export function browserWay(store: ReturnType<typeof createStore>): NotificationWay {
  let board: NoticeBoard | undefined;
  const find = async (): Promise<NoticeBoard | undefined> => {
    if (notificationState() !== 'granted') return undefined;
    const registration = await activeWorker();
    return registration && (board ??= createNoticeBoard(registration));
  };
  return {
    state: () => ({
      notificationsOn: notificationState() === 'granted' && store.get(notificationsEnabledAtom),
      hasPush: store.get(pushStateAtom).status === 'active',
    }),
    async tell(notices) {
      const found = await find();
      if (!found) throw new Error('There is no service worker to show notifications.');
      await found.tell(notices);
    },
    async told(alertIds) {
      (await activeWorker())?.active?.postMessage({ type: 'told', alertIds } satisfies ToldMessage);
    },
    close: async (tags) => (await find())?.close(tags),
    clear: async () => (await find())?.clear(),
  };
}
