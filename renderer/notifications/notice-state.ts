import { type AlertNews, pathOfAlert } from '#backend/contract/alert-news.ts';
import { tagOfAlert } from '#backend/contract/announcement.ts';
import { noticeOfAlert } from '#backend/contract/notices.ts';
import * as texts from './texts.ts';

/** One notification of the browser's: what it says, and where a click leads, a path of the app. */
export interface Notice {
  title: string;
  body: string;
  /** A notice replaces the one of the same tag, silently. */
  tag: string;
  path: string;
  /** Without the system's own sound. */
  silent?: boolean;
  /** Of a critical alert. */
  isCritical?: boolean;
  /** It says that nobody has taken this alert: closed with the alert's own notification. */
  untakenAlertId?: string | undefined;
}

/** Several alerts in one notification. */
export interface GroupNotice {
  count: number;
  /** There may have been more. */
  isMore: boolean;
  /** What to say when nothing is grouped yet. */
  body: string;
  /** One of them is critical. */
  isCritical?: boolean;
}

/** What a notification keeps for when it is clicked, or grows. */
interface NoticeData {
  path: string;
  count?: number;
  /** It is of a critical alert, or one of those that it stands for is. */
  isCritical?: boolean;
  /** The tag with which it is closed beside its own. */
  closedWith?: string;
}

/** The tag of the notice for several alerts; the server uses the same. */
export const GROUP_TAG = 'new-alerts';
const GROUP_PATH = '/';

/** What shows notifications: a service worker's registration, or its equivalent in the desktop app. */
export interface NotificationTarget {
  showNotification(title: string, options?: NotificationOptions): Promise<void>;
  getNotifications(filter?: { tag?: string }): Promise<Pick<Notification, 'tag' | 'data' | 'close'>[]>;
}

/** The app's notifications that are shown, whether the page or the service worker shows them. */
export interface NoticeState {
  /** Shows notices of new alerts one by one, and those that are too many in ten seconds as one. */
  notify(notices: readonly Notice[]): Promise<void>;
  /** Adds to the notification for several alerts. */
  notifyMany(group: GroupNotice): Promise<void>;
  /** Shows a notice by itself, whatever came before. */
  show(notice: Notice): Promise<void>;
  /** Of these tags those of notifications that are shown. */
  filterShown(tags: readonly string[]): Promise<string[]>;
  /** @param most one that counts more alerts stays; default: any goes */
  close(tags: readonly string[], most?: number): Promise<void>;
  /** Closes all that there is. */
  clear(): Promise<void>;
}

/** Shows notifications on `target`, one after the other: the count of a group is read before it is written. */
export function createNoticeState(target: NotificationTarget): NoticeState {
  let arrivals: Arrivals = [];
  let last: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };

  const show = (notice: Notice, data: NoticeData): Promise<void> =>
    target.showNotification(notice.title, {
      body: notice.body,
      tag: notice.tag,
      silent: notice.silent ?? null,
      icon: '/icon-192.png',
      badge: '/badge-96.png',
      data,
    });
  const showAlone = (notice: Notice): Promise<void> => {
    const { path, isCritical, untakenAlertId } = notice;
    return show(notice, {
      path,
      ...(isCritical && { isCritical }),
      ...(untakenAlertId !== undefined && { closedWith: tagOfAlert(untakenAlertId) }),
    });
  };
  const addToGroup = async ({ count, isMore, body, isCritical = false }: GroupNotice): Promise<void> => {
    const [existing] = await target.getNotifications({ tag: GROUP_TAG });
    const before = countOf(existing?.data);
    const sum = before + count;
    const text = before === 0 ? body : texts.newAlertsSum(sum, isMore ? '+' : '');
    const notice = { title: texts.newAlertsReceived, body: text, tag: GROUP_TAG, path: GROUP_PATH };
    const hasCritical = isCritical || isCriticalNotice(existing?.data);
    await show(notice, { path: GROUP_PATH, count: sum, ...(hasCritical && { isCritical: true }) });
  };
  const close = async (isMeant: (tags: readonly string[]) => boolean, most = Infinity): Promise<void> => {
    for (const notification of await target.getNotifications()) {
      const isCounted = countOf(notification.data) <= most;
      if (isCounted && isMeant([notification.tag, ...otherTagOf(notification.data)])) notification.close();
    }
  };

  return {
    notify: (notices) =>
      inTurn(async () => {
        const admitted = admitArrivals(arrivals, notices.length, Date.now());
        arrivals = admitted.arrivals;
        await Promise.all(notices.slice(0, admitted.single).map(showAlone));
        const grouped = notices.slice(admitted.single);
        const count = grouped.length;
        const isCritical = grouped.some((notice) => notice.isCritical);
        if (count > 0) await addToGroup({ count, isMore: false, body: countLabel(count), isCritical });
      }),
    notifyMany: (group) => inTurn(() => addToGroup(group)),
    show: (notice) => inTurn(() => showAlone(notice)),
    async filterShown(tags) {
      const shown = new Set((await target.getNotifications()).map(({ tag }) => tag));
      return tags.filter((tag) => shown.has(tag));
    },
    close: (tags, most) => inTurn(() => close((own) => own.some((tag) => tags.includes(tag)), most)),
    clear: () => inTurn(() => close(() => true)),
  };
}

const countLabel = (count: number): string => `${count} new ${count === 1 ? 'alert' : 'alerts'}`;

const countOf = (data: unknown): number =>
  typeof data === 'object' && data !== null && 'count' in data && typeof data.count === 'number' ? data.count : 0;

/** Whether a notification is of a critical alert. */
export const isCriticalNotice = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'isCritical' in data && data.isCritical === true;

const otherTagOf = (data: unknown): string[] =>
  typeof data === 'object' && data !== null && 'closedWith' in data && typeof data.closedWith === 'string'
    ? [data.closedWith]
    : [];

/** Where a click on a notification leads. */
export const pathOfNotice = (data: unknown): string =>
  typeof data === 'object' && data !== null && 'path' in data && typeof data.path === 'string' ? data.path : GROUP_PATH;

/** So many alerts are notified one by one within so many milliseconds; what follows is grouped. */
const ONE_BY_ONE = 3;
export const STORM_MS = 10_000;

/** When the last alerts came, in milliseconds since the epoch, oldest first: as many as are announced one by one. */
export type Arrivals = readonly number[];

/**
 * How many of `count` alerts that came `now` are announced one by one; the others are grouped. Grouped ones count as well,
 * so a storm lasts until it is calm.
 */
export function admitArrivals(arrivals: Arrivals, count: number, now: number): { single: number; arrivals: Arrivals } {
  // A clock that was set back must not make a storm of the past.
  const recent = arrivals.filter((at) => at <= now && now - at < STORM_MS);
  const single = Math.min(count, Math.max(0, ONE_BY_ONE - recent.length));
  const added = Array.from({ length: Math.min(count, ONE_BY_ONE) }, () => now);
  return { single, arrivals: [...recent, ...added].slice(-ONE_BY_ONE) };
}

/** The notification of a new alert, with the text of its push. `silent` where a sound was chosen for it. */
export const noticeOf = (alert: AlertNews, silent: boolean): Notice => ({
  ...noticeOfAlert(alert, alert.isBack === true),
  tag: tagOfAlert(alert.id),
  path: pathOfAlert(alert.id),
  ...(silent && { silent }),
  ...(alert.severity === 'critical' && { isCritical: true }),
});
