import type { Alert } from '#backend/contract/alert.ts';
import { useQueueProgress } from '#renderer/alerts/data/queue-progress.ts';
import { statusText } from './completed-details.ts';
import { filtersIn } from './list-filter.ts';
import type { FilteredList } from './list-frame.tsx';
import * as styles from './completed-group.module.css';

/**
 * " · 4 accepted, 3 in progress": counted in the list itself where all of it is loaded, so that these numbers always make up the
 * one before them; else the server's, once they do.
 */
export function StatusCounts({ filtered: { list, filter, shown } }: { filtered: FilteredList }) {
  const { alerts, total, more } = shown;
  const isWhole = alerts !== undefined && more === undefined;
  const progress = useQueueProgress(list, !isWhole && alerts !== undefined && filtersIn(filter) === 0);
  const text = statusText(isWhole ? countStatuses(alerts) : progress, total);
  return text === undefined ? null : <span className={styles.statuses}>{`  ·  ${text}`}</span>;
}

const countStatuses = (alerts: readonly Pick<Alert, 'status'>[]) => ({
  accepted: alerts.filter(({ status }) => status === 'accepted').length,
  'in-progress': alerts.filter(({ status }) => status === 'in-progress').length,
});
