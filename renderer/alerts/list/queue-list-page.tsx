import { type ReactNode, useCallback, useMemo } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { AlertListView } from '#renderer/alerts/data/list-view.ts';
import { useAlertActions } from '#renderer/alerts/data/use-alert-actions.ts';
import { useSession } from '#renderer/session/session.ts';
import type { CardLayout } from '#renderer/alerts/card/card-layout.ts';
import { QueueCard } from '#renderer/alerts/card/queue-card.tsx';
import { useAlertDialogs } from '#renderer/alerts/dialogs/use-alert-dialogs.ts';
import { DragLayer } from '#renderer/alerts/drag/drag-layer.tsx';
import type { AlertKeys } from '#renderer/alerts/keys/use-list-keys.ts';
import { AlertListPage, type AlertListPageProps } from './alert-list-page.tsx';

const SORTS = ['newest', 'oldest', 'status', 'severity'] as const;

interface QueueListPageProps extends Pick<AlertListPageProps, 'total' | 'searchHead' | 'isNarrowed'> {
  title: string;
  icon?: ReactNode;
  list: Pick<AlertListView, 'list' | 'folderId'>;
  /** What follows the count in the head. */
  words: string;
  /** Stands after the count. */
  beside?: ReactNode;
  /** What is shown when there is no alert at all. */
  empty: ReactNode;
  /** More for the head, after the filters. */
  children?: ReactNode;
}

/** A list of my own alerts, which are worked on, filed and sorted: My Alerts, or one of my folders. */
export function QueueListPage({ words, ...page }: QueueListPageProps) {
  const { role } = useSession();
  const { setStatus, unaccept, snooze, move, remove } = useAlertActions();
  const { openExtra, openHistory } = useAlertDialogs();
  // Deleting from a queue or folder is for admin and super_user only.
  const onDelete = role === 'user' ? undefined : remove;
  const renderCard = useCallback(
    (alert: Alert, layout: CardLayout, labelId: string) => (
      <QueueCard
        alert={alert}
        layout={layout}
        labelId={labelId}
        onStatus={setStatus}
        onUnaccept={unaccept}
        onSnooze={snooze}
        onMove={move}
        onDelete={onDelete}
        onMore={openExtra}
        onHistory={openHistory}
      />
    ),
    [setStatus, unaccept, snooze, move, onDelete, openExtra, openHistory],
  );
  const keys = useMemo(
    (): AlertKeys => ({
      complete: (alert) => setStatus(alert, 'completed'),
      'status-accepted': (alert) => setStatus(alert, 'accepted'),
      'status-in-progress': (alert) => setStatus(alert, 'in-progress'),
      'status-completed': (alert) => setStatus(alert, 'completed'),
      unaccept,
      history: openHistory,
      ...(onDelete && { delete: onDelete }),
    }),
    [setStatus, unaccept, openHistory, onDelete],
  );
  const countLabel = useCallback(() => words, [words]);
  return (
    <DragLayer onMove={move}>
      <AlertListPage
        {...page}
        variant="queue"
        sorts={SORTS}
        countLabel={countLabel}
        renderCard={renderCard}
        keys={keys}
        canDelete={onDelete !== undefined}
      />
    </DragLayer>
  );
}
