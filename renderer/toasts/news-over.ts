import { closeRecent } from './recent-toasts.ts';
import {
  type ToastEntry,
  type ToastQueue,
  currentToast,
  idOf,
  newsEntry,
  reduceToasts,
  textOf,
} from './toast-queue.ts';

/** Nothing new has come: what is kept of it has its place and its time as before. */
const amended = (recent: ToastQueue['recent'], entry: ToastEntry | null): ToastQueue['recent'] =>
  recent.map((one) => (entry && one.toastId === entry.id ? { ...one, ...textOf(entry) } : one));

/** Changes the news that is shown or waits. @param change returns undefined where nothing is left of it */
function changeNews(
  queue: ToastQueue,
  change: (entry: ToastEntry, news: NonNullable<ToastEntry['news']>) => ToastEntry | undefined,
  now: number,
): ToastQueue {
  const changed = (entry: ToastEntry): ToastEntry | undefined => (entry.news ? change(entry, entry.news) : entry);
  const { waiting } = queue;
  const pending = waiting && (changed(waiting) ?? null);
  const gone = waiting && !pending ? [waiting.id] : [];
  const recent = closeRecent(amended(queue.recent, pending), gone, now);
  const next = pending === waiting ? queue : { ...queue, waiting: pending, recent };
  const current = currentToast(queue);
  const left = current && changed(current);
  if (!current || left === current) return next;
  if (!left) return reduceToasts(next, { type: 'dismiss', id: current.id, now });
  return { ...next, shown: [...queue.shown.slice(0, -1), left], recent: amended(next.recent, left) };
}

/**
 * News of several alerts, all of which the screen counts, as a list does with how many came above what is in view, is no
 * news. One alert keeps its toast, which says what it is.
 */
export function withoutShown(queue: ToastQueue, ids: ReadonlySet<string>, now: number): ToastQueue {
  const isShown = (one: Parameters<typeof idOf>[0]): boolean => ids.has(idOf(one) ?? '');
  return changeNews(
    queue,
    (entry, { arrivals }) => (arrivals.length > 1 && arrivals.every(isShown) ? undefined : entry),
    now,
  );
}

/** Alerts that are over for the member are news no more: they are not counted, and a toast of no others goes. */
export function withoutOver(queue: ToastQueue, ids: ReadonlySet<string>, now: number): ToastQueue {
  return changeNews(
    queue,
    (entry, { arrivals, toast }) => {
      const left = arrivals.filter((one) => !ids.has(idOf(one) ?? ''));
      if (left.length === arrivals.length) return entry;
      // What was said of one alert may have been about another.
      return left.length > 0
        ? newsEntry(entry.id, { ...toast, description: undefined }, left, entry.revision)
        : undefined;
    },
    now,
  );
}
