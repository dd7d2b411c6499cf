/** How long a toast stays when nobody hovers over or focuses it, in milliseconds (spec.md section 9). */
export const TOAST_DURATION_MS = 5000;

/** How long a dismissed toast stays in the store, in milliseconds (spec.md section 9). */
export const TOAST_REMOVAL_DELAY_MS = 1_000_000;

/** Least time between two announcements of the same news to screen readers, in milliseconds. */
export const NEWS_INTERVAL_MS = 5000;

/** A toast that tells the result of what the person did (or what failed). */
export interface ResultToast {
  variant?: 'default' | 'destructive';
  /** What the icon says; when absent, `error` for the destructive variant and `done` for the default one. */
  intent?: 'done' | 'error';
  title: string;
  description?: string;
  action?: { label: string; onSelect: () => void };
  /** Called once when the toast goes (by time, hand or replacement) without its action having been used. */
  onDismiss?: () => void;
}

/**
 * A toast about new alerts. News never replaces a result: it waits its turn, and all the news of one turn becomes one
 * toast with a count (`ux.md`, "Decided").
 */
export interface NewsToast {
  variant?: 'default';
  intent: 'news';
  title: string;
  /** What to say of a single arrival; from the second on it gives way to the count. */
  description?: string;
  /** The customer of each alert that arrived, `null` for none. Absent means one alert without a customer. */
  customers?: readonly (string | null)[];
  action?: never;
  onDismiss?: never;
}

export type Toast = ResultToast | NewsToast;

/** How many alerts one news toast stands for, and the distinct customers that they came from. */
export interface NewsCount {
  alerts: number;
  customers: ReadonlySet<string>;
}

/**
 * A toast in the queue. `revision` grows when news is merged into it, so that its time starts again. `quiet` says that
 * this revision is not to be announced: a storm is told now and then, not alert by alert. `toldAt` is when the last one
 * was, in milliseconds since the epoch.
 */
export interface ToastEntry {
  id: number;
  revision: number;
  quiet: boolean;
  toldAt: number;
  intent: 'news' | 'done' | 'error';
  title: string;
  description: string | undefined;
  news: NewsCount | undefined;
  action: ResultToast['action'];
  onDismiss: ResultToast['onDismiss'];
}

/** A toast that was shown and is gone, kept to be read later. `dismissedAt` is in milliseconds since the epoch. */
export interface DismissedToast {
  id: number;
  intent: ToastEntry['intent'];
  title: string;
  description: string | undefined;
  dismissedAt: number;
}

/** At most one toast is visible and only news waits, so one place for it is enough. */
export interface ToastQueue {
  nextId: number;
  current: ToastEntry | null;
  waiting: ToastEntry | null;
  dismissed: readonly DismissedToast[];
}

export type ToastEvent =
  | { type: 'show'; toast: Toast; now: number }
  | { type: 'dismiss'; id: number; now: number }
  | { type: 'forget'; now: number };

export const emptyToastQueue: ToastQueue = { nextId: 1, current: null, waiting: null, dismissed: [] };

/**
 * The toast region's rules, pure: one visible at a time, the newest result replaces what is shown, news waits behind
 * a result and is merged into news (spec.md section 4, `ux.md` "Storms").
 */
export function reduceToasts(queue: ToastQueue, event: ToastEvent): ToastQueue {
  switch (event.type) {
    case 'show':
      return event.toast.intent === 'news'
        ? showNews(queue, event.toast, event.now)
        : showResult(queue, event.toast, event.now);
    case 'dismiss':
      if (queue.current?.id !== event.id) return queue;
      return {
        ...queue,
        current: queue.waiting && { ...queue.waiting, quiet: false, toldAt: event.now },
        waiting: null,
        dismissed: keep(queue, event.now),
      };
    case 'forget':
      return { ...queue, dismissed: remembered(queue.dismissed, event.now) };
  }
}

function showResult(queue: ToastQueue, toast: ResultToast, now: number): ToastQueue {
  const current: ToastEntry = {
    id: queue.nextId,
    revision: 0,
    quiet: false,
    toldAt: now,
    intent: toast.intent ?? (toast.variant === 'destructive' ? 'error' : 'done'),
    title: toast.title,
    description: toast.description,
    news: undefined,
    action: toast.action,
    onDismiss: toast.onDismiss,
  };
  return { ...queue, nextId: queue.nextId + 1, current, dismissed: keep(queue, now) };
}

function showNews(queue: ToastQueue, toast: NewsToast, now: number): ToastQueue {
  if (queue.current?.intent === 'news') return { ...queue, current: mergeNews(queue.current, toast, now) };
  if (queue.waiting) return { ...queue, waiting: mergeNews(queue.waiting, toast, now) };
  const news = countNews({ alerts: 0, customers: new Set() }, toast);
  const entry: ToastEntry = {
    id: queue.nextId,
    revision: 0,
    quiet: false,
    toldAt: now,
    intent: 'news',
    title: toast.title,
    description: news.alerts === 1 && toast.description !== undefined ? toast.description : describeNews(news),
    news,
    action: undefined,
    onDismiss: undefined,
  };
  const queued = { ...queue, nextId: queue.nextId + 1 };
  return queue.current ? { ...queued, waiting: entry } : { ...queued, current: entry };
}

function mergeNews(entry: ToastEntry, toast: NewsToast, now: number): ToastEntry {
  const quiet = now - entry.toldAt < NEWS_INTERVAL_MS;
  const news = countNews(entry.news ?? { alerts: 0, customers: new Set() }, toast);
  return {
    ...entry,
    revision: entry.revision + 1,
    quiet,
    toldAt: quiet ? entry.toldAt : now,
    title: toast.title,
    description: describeNews(news),
    news,
  };
}

function countNews(count: NewsCount, toast: NewsToast): NewsCount {
  const arrived = toast.customers ?? [null];
  const named = arrived.filter((customer) => customer !== null);
  return { alerts: count.alerts + arrived.length, customers: new Set([...count.customers, ...named]) };
}

/** The words for so many alerts: those of spec.md section 8 for one, a count for more (`tokens.md`, "Overlays"). */
export function describeNews({ alerts, customers }: NewsCount): string {
  const [first] = customers;
  if (alerts === 1) return first === undefined ? 'A new webhook alert has arrived' : `Alert from ${first}`;
  if (first === undefined) return `${alerts} new alerts`;
  return `${alerts} new alerts from ${customers.size === 1 ? first : `${customers.size} customers`}`;
}

/** The dismissed toasts with the visible one among them. Its functions are let go: they are of no use any more. */
function keep(queue: ToastQueue, now: number): readonly DismissedToast[] {
  const { current } = queue;
  const before = remembered(queue.dismissed, now);
  if (!current) return before;
  const { id, intent, title, description } = current;
  return [...before, { id, intent, title, description, dismissedAt: now }];
}

function remembered(dismissed: readonly DismissedToast[], now: number): readonly DismissedToast[] {
  const kept = dismissed.filter((toast) => now - toast.dismissedAt < TOAST_REMOVAL_DELAY_MS);
  return kept.length === dismissed.length ? dismissed : kept;
}
