import { type Arrivals, admitArrivals } from './storm.ts';

/** One notification of the browser's: what it says, and where a click leads, a path of the app. */
export interface Notice {
  title: string;
  body: string;
  /** What is told again under the same tag replaces what stands, silently. */
  tag: string;
  path: string;
  /** Without the system's own sound. */
  silent?: boolean;
}

/** Several alerts in one notification. */
export interface GroupNotice {
  count: number;
  /** There may have been more. */
  isMore: boolean;
  /** What to say when nothing is grouped yet. */
  body: string;
}

/** What a notification keeps for when it is clicked, or grows. */
interface NoticeData {
  path: string;
  count?: number;
}

/** The tag under which several alerts stand as one; the server names it the same. */
const GROUP_TAG = 'new-alerts';
const GROUP_PATH = '/';

/** Where notifications stand: a service worker's registration, or what the desktop app puts in its place. */
export interface Board {
  showNotification(title: string, options?: NotificationOptions): Promise<void>;
  getNotifications(filter?: { tag?: string }): Promise<Pick<Notification, 'tag' | 'data' | 'close'>[]>;
}

/** The browser's notifications of the app, whether the page or the service worker puts them there. */
export interface NoticeBoard {
  /** Shows notices of new alerts one by one, and those that are too many in ten seconds as one. */
  tell(notices: readonly Notice[]): Promise<void>;
  /** Adds to the notification that stands for many. */
  tellMany(group: GroupNotice): Promise<void>;
  /** Shows a notice by itself, whatever came before. */
  show(notice: Notice): Promise<void>;
  close(tags: readonly string[]): Promise<void>;
  /** Closes all that there is. */
  clear(): Promise<void>;
}

/** Puts notifications on the board that `registration` is, one after the other: what grows must not be read half-way. */
export function createNoticeBoard(registration: Board): NoticeBoard {
  let arrivals: Arrivals = [];
  let last: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };

  const show = (notice: Notice, data: NoticeData): Promise<void> =>
    registration.showNotification(notice.title, {
      body: notice.body,
      tag: notice.tag,
      silent: notice.silent ?? null,
      icon: '/icon-192.png',
      badge: '/badge-96.png',
      data,
    });
  const showAlone = (notice: Notice): Promise<void> => show(notice, { path: notice.path });
  const addToGroup = async ({ count, isMore, body }: GroupNotice): Promise<void> => {
    const [standing] = await registration.getNotifications({ tag: GROUP_TAG });
    const before = countOf(standing?.data);
    const sum = before + count;
    const text = before === 0 ? body : `${sum}${isMore ? '+' : ''} new alerts`;
    const notice = { title: 'New alerts received', body: text, tag: GROUP_TAG, path: GROUP_PATH };
    await show(notice, { path: GROUP_PATH, count: sum });
  };
  const close = async (isMeant: (tag: string) => boolean): Promise<void> => {
    for (const notification of await registration.getNotifications()) {
      if (isMeant(notification.tag)) notification.close();
    }
  };

  return {
    tell: (notices) =>
      inTurn(async () => {
        const admitted = admitArrivals(arrivals, notices.length, Date.now());
        arrivals = admitted.arrivals;
        await Promise.all(notices.slice(0, admitted.single).map(showAlone));
        const count = notices.length - admitted.single;
        if (count > 0) await addToGroup({ count, isMore: false, body: words(count) });
      }),
    tellMany: (group) => inTurn(() => addToGroup(group)),
    show: (notice) => inTurn(() => showAlone(notice)),
    close: (tags) => inTurn(() => close((tag) => tags.includes(tag))),
    clear: () => inTurn(() => close(() => true)),
  };
}

const words = (count: number): string => `${count} new ${count === 1 ? 'alert' : 'alerts'}`;

const countOf = (data: unknown): number =>
  typeof data === 'object' && data !== null && 'count' in data && typeof data.count === 'number' ? data.count : 0;

/** Where a click on a notification leads. */
export const pathOfNotice = (data: unknown): string =>
  typeof data === 'object' && data !== null && 'path' in data && typeof data.path === 'string' ? data.path : GROUP_PATH;
