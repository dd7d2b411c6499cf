import { useAtomValue } from 'jotai';
import { toastQueueAtom } from '#renderer/lib/toast.ts';
import { type DismissedToast, TOAST_REMOVAL_DELAY_MS } from '#renderer/lib/toast-queue.ts';
import { formatAgo, formatCardTime } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx';
import { ToastWords } from './toast-words.tsx';
import './recent-notifications.css';

const KEPT_MINUTES = Math.floor(TOAST_REMOVAL_DELAY_MS / 60_000);

/** What the toasts said, newest first, to be read again while it is kept (spec.md section 9). */
export function RecentNotifications() {
  const { dismissed } = useAtomValue(toastQueueAtom);
  return (
    <dialog className="ad-recent" aria-label="Recent notifications" open>
      <h2 className="ad-recent-title">Recent notifications</h2>
      {dismissed.length === 0 ? (
        <p className="ad-recent-empty">Nothing in the last {KEPT_MINUTES} minutes</p>
      ) : (
        <ScrollRegion label="Recent notifications" className="ad-recent-scroll">
          <ol>
            {dismissed.toReversed().map((toast) => (
              <PastToast key={toast.id} toast={toast} />
            ))}
          </ol>
        </ScrollRegion>
      )}
    </dialog>
  );
}

function PastToast({ toast }: { toast: DismissedToast }) {
  const time = new Date(toast.dismissedAt);
  const when = useNow((now) => formatAgo(time, now) ?? formatCardTime(time));
  return (
    <li className={`ad-recent-toast ad-toast-${toast.intent}`}>
      <ToastWords entry={toast} />
      <time className="ad-recent-time" dateTime={time.toISOString()}>
        {when}
      </time>
    </li>
  );
}
