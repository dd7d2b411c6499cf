import { useCallback } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { Folder } from '#backend/contract/folder.ts';
import { moveChange } from '#renderer/alerts/actions/changes.ts';
import { changeAlert, useChangeDeps } from '#renderer/alerts/actions/change-alert.ts';
import { QUEUE_CARD } from '#renderer/alerts/card/queue-card.tsx';
import { DragLayer } from '#renderer/alerts/drag/drag-layer.tsx';
import { type AlertListPageProps, FilteredListPage } from './alert-list-page.tsx';
import { useCompletedGroup } from './completed-group.tsx';
import { useFilteredList } from './list-frame.tsx';
import { StatusCounts } from './status-counts.tsx';

const SORTS = ['newest', 'oldest', 'status', 'severity'] as const;

interface QueueListPageProps extends Omit<AlertListPageProps, 'card' | 'sorts' | 'countLabel' | 'after'> {
  /** What follows the count in the head. */
  words: string;
}

/** A list of my own alerts, which are worked on, filed and sorted: My Alerts, or one of my folders. */
export function QueueListPage({ words, list, ...page }: QueueListPageProps) {
  const deps = useChangeDeps();
  const move = useCallback(
    (alert: Alert, folder: Folder | null) => void changeAlert(deps, alert, moveChange(folder, deps.me)),
    [deps],
  );
  const filtered = useFilteredList(list, SORTS);
  const group = useCompletedGroup(filtered);
  const countLabel = useCallback(
    () => (
      <>
        {words}
        {list.completion === 'open' && <StatusCounts filtered={filtered} />}
      </>
    ),
    [words, list, filtered],
  );
  return (
    <DragLayer onMove={move}>
      <FilteredListPage {...page} card={QUEUE_CARD} filtered={filtered} group={group} countLabel={countLabel} />
    </DragLayer>
  );
}
