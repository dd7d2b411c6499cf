import type { AlertSeverity } from '#backend/contract/alert.ts';
import { type AlertNews, newsTitle } from '#backend/contract/alert-news.ts';
import { subjectOf } from '#renderer/alerts/data/alert-labels.ts';
import { type RecentText, closeRecent, record } from './recent-toasts.ts';
import type { RecentToast, ToastSubject } from './stored-recent.ts';
import * as texts from './texts.ts';

/** How long a toast stays when nobody hovers over or focuses it, in milliseconds. */
export const TOAST_DURATION_MS = 5000;

/** At most so many toasts with an action are kept under the visible one. */
const MAX_COVERED = 4;

/** Most alerts that what is kept of news names. */
const MAX_SUBJECTS = 3;

/** What a person can do about a toast. */
export interface ToastAction {
  label: string;
  onSelect: () => void;
  /** The key that does the same anywhere in the app. */
  hotkey?: string;
}

/** A toast that reports the result of what the person did (or what failed). */
export interface ResultToast {
  variant?: 'default' | 'destructive';
  /**
   * What the icon says; when absent, `error` for the destructive variant and `done` for the default one. `notice`: nothing
   * that the person did, and shown with the icon of news.
   */
  intent?: 'done' | 'error' | 'notice';
  title: string;
  description?: string | undefined;
  /** What it is about, such as an alert. */
  subject?: ToastSubject | undefined;
  action?: ToastAction;
  /** Called when the person closes the toast without using its action. */
  onClose?: () => void;
  /**
   * Whoever shows the toast dismisses it, too. Called with `true` while the person hovers over it or has the focus in
   * it, and with `false` afterwards.
   */
  onPause?: (isPaused: boolean) => void;
  /** What is kept of it to be read again when that is something else; `null` for nothing. */
  record?: RecentText | null;
}

/**
 * A toast about new alerts. News never replaces a result: it waits its turn, and all the news of one turn becomes one
 * toast with a count, because a storm would otherwise hide what the member just did. It is not announced to screen readers:
 * `storm-voice.ts` does that.
 */
export interface NewsToast {
  variant?: 'default';
  intent: 'news';
  title: string;
  /** What to say of a single arrival; from the second on the count replaces it. */
  description?: string | undefined;
  /** The customer of each alert that arrived, `null` for none. Absent means one alert without a customer. */
  customers?: readonly (string | null)[];
  /** The alerts themselves. */
  subjects?: readonly ToastSubject[];
  /** Leads to the alert where the toast is about one, and else to where it stands in the inbox. */
  onOpen?: (alertId: string, isOne: boolean) => void;
}

export type Toast = ResultToast | NewsToast;

/** One alert that a toast of news stands for. */
interface Arrival {
  customer: string | null;
  subject: ToastSubject | undefined;
}

/** How many alerts one news toast stands for, and the distinct customers that they came from. */
export interface NewsCount {
  alerts: number;
  customers: ReadonlySet<string>;
  /** How many of the alerts are as severe as that. */
  critical: number;
  high: number;
}

/** What a news toast stands for: each alert once, as it arrived last. */
interface News extends NewsCount {
  arrivals: readonly Arrival[];
  /** The news that came last. */
  toast: NewsToast;
}

/**
 * A toast in the queue. `revision` grows when it changes, so that its time starts again. `quiet` says that this revision
 * of a result is not announced.
 */
export interface ToastEntry {
  id: number;
  revision: number;
  quiet: boolean;
  intent: RecentToast['intent'];
  title: string;
  description: string | undefined;
  subject: ToastSubject | undefined;
  news: News | undefined;
  action: ToastAction | undefined;
  onClose: ResultToast['onClose'];
  onPause: ResultToast['onPause'];
}

/**
 * The last of `shown` is visible; toasts with an action stay below a result that covers them. Only news waits, so one
 * place for it is enough. `owner` is the member whose toasts are kept in `recent`; none is while nobody is signed in.
 */
export interface ToastQueue {
  nextId: number;
  shown: readonly ToastEntry[];
  waiting: ToastEntry | null;
  owner: string | null;
  recent: readonly RecentToast[];
}

export type ToastEvent =
  | { type: 'show'; toast: Toast; now: number }
  | { type: 'update'; id: number; toast: ResultToast; isQuiet: boolean; now: number }
  | { type: 'dismiss'; id: number; now: number }
  | { type: 'sign-in'; owner: string }
  | { type: 'sign-out' };

export const emptyToastQueue: ToastQueue = { nextId: 1, shown: [], waiting: null, owner: null, recent: [] };

/** Whether a toast is for a signed-in member alone: it names or counts alerts, or offers to do something. */
export const isForMember = (toast: Toast): boolean =>
  toast.intent === 'news' || toast.subject !== undefined || toast.action !== undefined;

/** The toast that is visible. */
export const currentToast = ({ shown }: ToastQueue): ToastEntry | null => shown.at(-1) ?? null;

/**
 * The toast region's rules, pure: one visible at a time; the newest result covers what is shown, and what it covers
 * comes back when it can still be acted on; news waits behind a result and is merged into news.
 */
export function reduceToasts(queue: ToastQueue, event: ToastEvent): ToastQueue {
  switch (event.type) {
    case 'show':
      return 'customers' in event.toast || event.toast.intent === 'news'
        ? showNews(queue, event.toast as NewsToast, event.now)
        : showResult(queue, event.toast as ResultToast, event.now);
    case 'update':
      return updateResult(queue, event);
    case 'dismiss': {
      if (!queue.shown.some(({ id }) => id === event.id)) return queue;
      const shown = queue.shown.filter(({ id }) => id !== event.id);
      const recent = closeRecent(queue.recent, [event.id], event.now);
      if (shown.length > 0 || !queue.waiting) return { ...queue, shown, recent };
      return { ...queue, shown: [queue.waiting], waiting: null, recent };
    }
    case 'sign-in':
      return { ...queue, owner: event.owner };
    case 'sign-out':
      return { ...queue, owner: null, recent: [], shown: [], waiting: null };
  }
}

function showResult(queue: ToastQueue, toast: ResultToast, now: number): ToastQueue {
  const entry = entryOf(queue.nextId, toast);
  return put({ ...queue, nextId: queue.nextId + 1 }, entry, toast, now);
}

function updateResult(queue: ToastQueue, { id, toast, isQuiet, now }: Extract<ToastEvent, { type: 'update' }>) {
  const before = queue.shown.find((entry) => entry.id === id);
  if (!before) return queue;
  const entry = { ...entryOf(id, toast), revision: before.revision + 1, quiet: isQuiet };
  if (!isQuiet) return put(queue, entry, toast, now);
  return { ...queue, shown: queue.shown.map((one) => (one.id === id ? entry : one)) };
}

/** Makes `entry` the visible one. It replaces toasts without an action. */
function put(queue: ToastQueue, entry: ToastEntry, toast: ResultToast, now: number): ToastQueue {
  const others = queue.shown.filter(({ id }) => id !== entry.id);
  const kept = others.filter(({ action, intent }) => action !== undefined && intent !== 'news').slice(-MAX_COVERED);
  const gone = others.filter((other) => !kept.includes(other)).map(({ id }) => id);
  const closed = closeRecent(queue.recent, gone, now);
  const text = toast.record === undefined ? textOf(entry) : toast.record;
  const recent = queue.owner !== null && text ? record(closed, entry.id, entry.intent, text, now) : closed;
  return { ...queue, shown: [...kept, entry], recent };
}

/** What is kept of a toast: of news with the alerts that came last. */
export const textOf = ({ title, description, subject, news }: ToastEntry): RecentText => ({
  title,
  description,
  subjects: news ? news.arrivals.flatMap((one) => one.subject ?? []).slice(-MAX_SUBJECTS) : subject ? [subject] : [],
});

const entryOf = (id: number, toast: ResultToast): ToastEntry => ({
  id,
  revision: 0,
  quiet: false,
  intent: toast.intent ?? (toast.variant === 'destructive' ? 'error' : 'done'),
  title: toast.title,
  description: toast.description,
  subject: toast.subject,
  news: undefined,
  action: toast.action,
  onClose: toast.onClose,
  onPause: toast.onPause,
});

function showNews(queue: ToastQueue, toast: NewsToast, now: number): ToastQueue {
  const current = currentToast(queue);
  const known = current?.intent === 'news' ? current : queue.waiting;
  const entry = known ? mergeNews(known, toast) : newsEntry(queue.nextId, toast, arrivalsOf(toast));
  const recent = queue.owner === null ? queue.recent : record(queue.recent, entry.id, 'news', textOf(entry), now);
  const next = { ...queue, recent, nextId: known ? queue.nextId : queue.nextId + 1 };
  const isVisible = current === null || current.id === entry.id;
  return isVisible ? { ...next, shown: [...queue.shown.slice(0, -1), entry] } : { ...next, waiting: entry };
}

/** The toast of these alerts, with what the last of them said. */
export function newsEntry(id: number, toast: NewsToast, arrivals: readonly Arrival[], revision = 0): ToastEntry {
  const [one] = arrivals.length === 1 ? arrivals : [];
  const news = { ...countNews(arrivals), arrivals, toast };
  const description = (one && toast.description) ?? describeNews(news);
  const entry = entryOf(id, { title: toast.title, description, subject: one?.subject });
  return { ...entry, revision, intent: 'news', news, action: actionOf(toast, arrivals) };
}

/** Leads to the alert, or to the newest of several. */
function actionOf({ onOpen }: NewsToast, arrivals: readonly Arrival[]): ToastAction | undefined {
  // Ids of alerts are UUIDv7, which sort by when they were made. Arrivals a moment apart may come in another order.
  const newest = arrivals.map(idOf).reduce<string>((latest, id = '') => (id > latest ? id : latest), '');
  if (newest === '' || !onOpen) return undefined;
  const isOne = arrivals.length === 1;
  return { label: isOne ? texts.open : texts.show, onSelect: () => onOpen(newest, isOne) };
}

function mergeNews({ id, title, revision, news }: ToastEntry, toast: NewsToast): ToastEntry {
  const arrived = arrivalsOf(toast);
  const ids = new Set(arrived.map(idOf));
  const kept = news?.arrivals.filter((one) => idOf(one) === undefined || !ids.has(idOf(one))) ?? [];
  const isOther = kept.length > 0 && title !== toast.title;
  const merged = isOther ? { ...toast, title: newsTitle(false, false) } : toast;
  return newsEntry(id, merged, [...kept, ...arrived], revision + 1);
}

/** The alert, as far as it is known. */
export const idOf = ({ subject }: Arrival): string | undefined => subject?.alertId;

const arrivalsOf = ({ customers = [null], subjects }: NewsToast): readonly Arrival[] =>
  customers.map((customer, at) => ({ customer, subject: subjects?.[at] }));

function countNews(arrivals: readonly Arrival[]): NewsCount {
  const countOf = (wanted: AlertSeverity): number =>
    arrivals.filter(({ subject }) => subject?.severity === wanted).length;
  return {
    alerts: arrivals.length,
    customers: new Set(arrivals.flatMap(({ customer }) => customer ?? [])),
    critical: countOf('critical'),
    high: countOf('high'),
  };
}

/** The text for so many alerts: the customer for one, a count for more. */
export function describeNews({ alerts, customers }: Pick<NewsCount, 'alerts' | 'customers'>): string {
  const [first] = customers;
  if (alerts === 1) return first === undefined ? texts.newWebhookAlertHasArrived : texts.alertFrom(first);
  if (first === undefined) return texts.newAlerts(alerts);
  return texts.newAlertsFrom(alerts, first, customers.size);
}

/** The one toast for new alerts, if there are any. */
export function newsOf(alerts: readonly AlertNews[]): NewsToast | undefined {
  const customers = alerts.map(({ customer }) => customer);
  const [first] = customers;
  if (first === undefined) return undefined;
  const description = describeNews({ alerts: 1, customers: new Set(first === null ? [] : [first]) });
  const title = newsTitle(
    alerts.every(({ isBack }) => isBack),
    alerts.every(({ flapping }) => flapping),
  );
  return { intent: 'news', title, description, customers, subjects: alerts.map(subjectOf) };
}
