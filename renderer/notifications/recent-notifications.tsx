import { isEverybodys } from '#backend/contract/alert-place.ts';
import { pathOfAlert } from '#backend/contract/alert-news.ts';
import { Button } from '@blueprintjs/core';
import { useQueryClient } from '@tanstack/react-query';
import { useAtomValue, useSetAtom } from 'jotai';
import { Link } from 'react-router-dom';
import { alertStoreOf } from '#renderer/alerts/data/list-cache.ts';
import { alertToShowAtom } from '#renderer/alerts/data/list-state.ts';
import { formatAgo, formatCardTime } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { type RecentToast, TOAST_REMOVAL_DELAY_MS, type ToastSubject } from '#renderer/toasts/recent-toasts.ts';
import { ToastText } from '#renderer/toasts/toast-card.tsx';
import { toastQueueAtom } from '#renderer/toasts/toast.ts';
import { useWatchedUndoStack } from '#renderer/toasts/undo-stack.ts';
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx';
import classNames from 'classnames';
import * as toasterStyles from '#renderer/toasts/toaster.module.css';
import * as styles from './recent-notifications.module.css';

const KEPT_MINUTES = Math.floor(TOAST_REMOVAL_DELAY_MS / 60_000);

/** The texts of past toasts, newest first, to be read again while they are kept. */
export function RecentNotifications() {
  const { recent } = useAtomValue(toastQueueAtom);
  return (
    <dialog className={styles.recent} aria-label="Recent notifications" open>
      <h2 className={styles.title}>Recent notifications</h2>
      {recent.length === 0 ? (
        <p className={styles.empty}>Nothing in the last {KEPT_MINUTES} minutes</p>
      ) : (
        <ScrollRegion label="Recent notifications" className={styles.scroll}>
          <ol>
            {recent.toReversed().map((toast) => (
              <PastToast key={toast.id} toast={toast} />
            ))}
          </ol>
        </ScrollRegion>
      )}
    </dialog>
  );
}

function PastToast({ toast }: { toast: RecentToast }) {
  const { intent, title, description, subjects, at, undoId } = toast;
  const time = new Date(at);
  const when = useNow((now) => formatAgo(time, now) ?? formatCardTime(time));
  const undo = useWatchedUndoStack();
  const state = undoId === undefined ? 'over' : undo.stateOf(undoId);
  return (
    <li className={classNames(styles.toast, toasterStyles[`toast_${intent}`])}>
      <ToastText
        intent={intent}
        title={title}
        description={description}
        subjects={subjects}
        renderSubject={(subject) => <SubjectLink subject={subject} />}
      />
      <span className={styles.end}>
        <time dateTime={time.toISOString()}>{when}</time>
        {state === 'undone' && <span>Undone</span>}
        {state === 'possible' && undoId !== undefined && (
          <Button
            className={toasterStyles.action}
            variant="minimal"
            text="Undo"
            aria-label={`Undo: ${title}${subjects[0] ? `, ${subjects[0].text}` : ''}`}
            onClick={() => undo.undo(undoId)}
          />
        )}
      </span>
    </li>
  );
}

/** Leads to the alert, wherever it is by now. */
function SubjectLink({ subject: { text, alertId } }: { subject: ToastSubject }) {
  const client = useQueryClient();
  const show = useSetAtom(alertToShowAtom);
  if (alertId === undefined) return text;
  const known = alertStoreOf(client).look(alertId)?.alert;
  const folder = known?.folderId;
  const list = folder === undefined ? '/my-alerts' : `/folder/${encodeURIComponent(folder)}`;
  const isPending = !known || isEverybodys(known);
  return (
    <Link
      className={`${styles.link} bp6-popover-dismiss`}
      to={isPending ? pathOfAlert(alertId) : list}
      onClick={() => void (isPending || show({ id: alertId, path: list }))}
    >
      {text}
    </Link>
  );
}
