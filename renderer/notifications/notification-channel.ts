import type { createStore } from 'jotai';
import type { DeviceState } from '#backend/contract/announcement.ts';
import { pushStateAtom } from '#renderer/push/push-state.ts';
import { activeWorker } from '#renderer/push/service-worker.ts';
import type { AnnouncedMessage } from '#renderer/push/worker-messages.ts';
import { notificationState, notificationsEnabledAtom } from './browser-notifications.ts';
import { type Notice, type NoticeState, createNoticeState } from './notice-state.ts';

/**
 * The notifications of the system, as the page reaches them: the browser's ({@link browserChannel}), or those of the
 * desktop app around it. What is announced, and whether, is decided before.
 */
export interface NotificationChannel {
  /** Whether notifications and pushes are on at present. */
  state(): Pick<DeviceState, 'notificationsOn' | 'hasPush'>;
  /** Shows notices of new alerts, grouped in a storm. Throws when they cannot be shown; a toast then replaces them. */
  notify(notices: readonly Notice[]): Promise<void>;
  /** Shows a notice by itself, whatever came before. Throws when it cannot be shown. */
  show(notice: Notice): Promise<void>;
  /** Something was announced while no window is in front: the taskbar button of the desktop app flashes. Browsers have none. */
  flash(): void;
  /** A window in front has announced these alerts or notices: a push that arrives after the person turned away is ignored. */
  reportAnnounced(ids: readonly string[]): Promise<void>;
  /** Of these tags those of notifications that pushes have shown and that nobody has closed. */
  filterPushed(tags: readonly string[]): Promise<readonly string[]>;
  /**
   * Closes the notifications with these tags: somebody has accepted or deleted their alerts.
   *
   * @param most one that counts more alerts stays; default: any goes
   */
  close(tags: readonly string[], most?: number): Promise<void>;
  /** Closes all of them: nobody is signed in any more. */
  clear(): Promise<void>;
}

/** The browser's notifications, those of the service worker's registration: pages and pushes share them. */
export function browserChannel(store: ReturnType<typeof createStore>): NotificationChannel {
  let notices: NoticeState | undefined;
  const find = async (): Promise<NoticeState | undefined> => {
    if (notificationState() !== 'granted') return undefined;
    const registration = await activeWorker();
    return registration && (notices ??= createNoticeState(registration));
  };
  const require = async (): Promise<NoticeState> => {
    const found = await find();
    if (!found) throw new Error('There is no service worker to show notifications.');
    return found;
  };
  return {
    state: () => ({
      notificationsOn: notificationState() === 'granted' && store.get(notificationsEnabledAtom),
      hasPush: store.get(pushStateAtom).status === 'active',
    }),
    notify: async (added) => (await require()).notify(added),
    show: async (notice) => (await require()).show(notice),
    flash: () => undefined,
    async reportAnnounced(ids) {
      (await activeWorker())?.active?.postMessage({ type: 'announced', ids } satisfies AnnouncedMessage);
    },
    filterPushed: async (tags) => (await (await find())?.filterShown(tags)) ?? [],
    close: async (tags, most) => (await find())?.close(tags, most),
    clear: async () => (await find())?.clear(),
  };
}
