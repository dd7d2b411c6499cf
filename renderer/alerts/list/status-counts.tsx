import type { Alert } from '#backend/contract/alert.ts';
import { useQueueProgress } from '#renderer/alerts/data/queue-progress.ts';
import { countText } from '#renderer/lib/badge-text.ts';
import { filtersIn } from './list-filter.ts';
import type { FilteredList } from './list-frame.tsx';

const OPEN = ['accepted', 'in-progress'] as const;
const LABELS = { accepted: 'accepted', 'in-progress': 'in progress' } as const;

/**
 * " · 4 accepted, 3 in progress": counted in the list itself where all of it is loaded, so that these numbers always make up the
 * one before them; else the server's, once they do.
 */
export function StatusCounts({ filtered: { list, filter, shown } }: { filtered: FilteredList }) {
  const { alerts, total, more } = shown;
  const isWhole = alerts !== undefined && more === undefined;
  const progress = useQueueProgress(list, !isWhole && alerts !== undefined && filtersIn(filter) === 0);
  const text = statusText(isWhole ? countStatuses(alerts) : progress, total);
  return text === undefined ? null : ` · ${text}`;
}

const countStatuses = (alerts: readonly Pick<Alert, 'status'>[]) => ({
  accepted: alerts.filter(({ status }) => status === 'accepted').length,
  'in-progress': alerts.filter(({ status }) => status === 'in-progress').length,
});

/** "4 accepted, 3 in progress", without what is none; undefined where that is not the total. */
export function statusText(
  counts: Readonly<Record<(typeof OPEN)[number], number>> | undefined,
  total: number | undefined,
): string | undefined {
  if (!counts || total === 0 || counts.accepted + counts['in-progress'] !== total) return undefined;
  return OPEN.flatMap((status) =>
    counts[status] === 0 ? [] : [`${countText(counts[status])} ${LABELS[status]}`],
  ).join(', ');
}
