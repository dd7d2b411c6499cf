import { pathOfAlert } from '#backend/contract/alert-news.ts';
import { tagOfAlert } from '#backend/contract/announcement.ts';
import { type PushMessage, pushMessageSchema } from '#backend/contract/push.ts';
import { GROUP_TAG, type NoticeState } from '#renderer/notifications/notice-state.ts';
import type { WorkerMessage } from '#renderer/push/worker-messages.ts';
import { appWindows, isAnnouncedInFront, isAnyLive } from './app-windows.ts';
import * as texts from './texts.ts';

/** The message of a push; undefined when this version cannot read it. */
export function readPush(text: string | undefined): PushMessage | undefined {
  try {
    return pushMessageSchema.parse(JSON.parse(text ?? ''));
  } catch {
    return undefined;
  }
}

/** More than can be in flight at once. */
const MAX_REMEMBERED = 500;

/** A push that arrives later than this after its announcement is about something else, in milliseconds. */
const LATE_MS = 30_000;

/**
 * The alerts and notices that windows have announced lately, whose pushes may be late. A push that is repeated, or grouped
 * with others in a storm, comes later or not at all: then the next one of the same alert, such as when it gets worse, is
 * news. They end with the worker.
 */
export interface AnnouncedAlerts {
  add(ids: readonly string[]): void;
  /** Whether a window has just announced what a push is about, which is then done with. */
  take(id: string): boolean;
}

/** @param now a clock that never goes back, in milliseconds */
export function createAnnouncedAlerts(now: () => number = () => performance.now()): AnnouncedAlerts {
  let announced: readonly { id: string; at: number }[] = [];
  return {
    add(ids) {
      const at = now();
      announced = [...announced, ...ids.map((id) => ({ id, at }))].slice(-MAX_REMEMBERED);
    },
    take(id) {
      const since = now() - LATE_MS;
      announced = announced.filter(({ at }) => at >= since);
      const found = announced.findIndex((one) => one.id === id);
      if (found !== -1) announced = announced.toSpliced(found, 1);
      return found !== -1;
    },
  };
}

/** A push that this version cannot read still says that something came. */
const UNREADABLE = { title: texts.newAlertsReceived, body: texts.openToSeeThem, tag: 'new-alerts', path: '/' };

/**
 * Shows a push. The server has decided that its member is notified; a window in front that has a live connection announces
 * the alert itself, so that nothing is announced twice on one device (`backend/contract/announcement`).
 */
export async function showPush(
  worker: ServiceWorkerGlobalScope,
  notices: NoticeState,
  announced: AnnouncedAlerts,
  message: PushMessage | undefined,
): Promise<void> {
  const windows = await appWindows(worker.clients);
  const isAttended = () => isAnnouncedInFront(windows);
  if (!message) {
    if (!(await isAttended())) await notices.show(UNREADABLE);
    return;
  }
  const { title, body, tag } = message;
  switch (message.type) {
    case 'new_alert':
      if (!announced.take(message.alertId) && !(await isAttended()))
        await notices.notify([{ title, body, tag, path: pathOfAlert(message.alertId) }]);
      break;
    case 'new_alerts':
      if (!(await isAttended())) await notices.notifyMany(message);
      break;
    case 'notice':
      if (!announced.take(message.noticeId) && !(await isAttended()))
        await notices.show({ title, body, tag, path: message.url, untakenAlertId: message.untakenAlertId });
      break;
    case 'alert_withdrawn':
      // A browser that counts pushes without a notification is content with one that goes at once.
      if (!(await isAttended())) await notices.show({ title, body, tag, path: message.url, silent: true });
      await notices.close([tag, ...message.alertIds.map(tagOfAlert)]);
      if (message.several !== undefined) await notices.close([GROUP_TAG], message.several);
      break;
    case 'test':
      await notices.show({ title, body, tag, path: message.url });
      for (const page of windows) page.postMessage({ type: 'test-arrived' } satisfies WorkerMessage, []);
      return;
    default:
      return message satisfies never;
  }
  // Pages with a live connection count by themselves.
  if (!(await isAnyLive(windows))) await countOnBadge(worker.navigator);
}

/** Puts the size of the inbox on the app's badge, where there is one. Without an answer the badge stays as it is. */
export async function countOnBadge(navigator: WorkerNavigator): Promise<void> {
  if (!('setAppBadge' in navigator)) return;
  const response = await fetch('/api/alerts/inbox?limit=1', { credentials: 'include' }).catch(() => undefined);
  const total = Number(response?.ok ? response.headers.get('X-Total-Count') : Number.NaN);
  if (Number.isNaN(total)) return;
  // Refused where the app is not installed.
  await (total > 0 ? navigator.setAppBadge(total) : navigator.clearAppBadge()).catch(() => undefined);
}
