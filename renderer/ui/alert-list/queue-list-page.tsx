import { type ReactNode, useCallback } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { AlertListView } from '#renderer/lib/alerts/alert-view.ts';
import { useAlertActions } from '#renderer/lib/alerts/use-alert-actions.ts';
import { useSession } from '#renderer/lib/session.ts';
import type { CardLayout } from '#renderer/ui/alert-card/card-layout.ts';
import { QueueCard } from '#renderer/ui/alert-card/queue-card.tsx';
import { useAlertDialogs } from '#renderer/ui/alert-card/use-alert-dialogs.tsx';
import { DragLayer } from '#renderer/ui/drag/drag-layer.tsx';
import { AlertListPage } from './alert-list-page.tsx';

interface QueueListPageProps {
  title: string;
  icon?: ReactNode;
  list: Pick<AlertListView, 'list' | 'folderId'>;
  /** What follows the count in the head. */
  words: string;
  /** What is shown when there is no alert at all. */
  empty: ReactNode;
}

/** A list of my own alerts, which are worked on, filed and sorted: My Alerts, or one of my folders. */
export function QueueListPage({ words, ...page }: QueueListPageProps) {
  const { role } = useSession();
  const { setStatus, unaccept, move, remove } = useAlertActions();
  const { openExtra, openHistory, dialogs } = useAlertDialogs();
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
        onMove={move}
        onDelete={onDelete}
        onMore={openExtra}
        onHistory={openHistory}
      />
    ),
    [setStatus, unaccept, move, onDelete, openExtra, openHistory],
  );
  const countWords = useCallback(() => words, [words]);
  return (
    <DragLayer onMove={move}>
      <AlertListPage {...page} variant="queue" isSortable countWords={countWords} renderCard={renderCard} />
      {dialogs}
    </DragLayer>
  );
}
