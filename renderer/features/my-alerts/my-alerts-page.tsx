import { useCallback } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { useMyAlerts } from '#renderer/lib/alerts/get-my-alerts.ts';
import { useAlertActions } from '#renderer/lib/alerts/use-alert-actions.ts';
import { useSession } from '#renderer/lib/session.ts';
import type { CardLayout } from '#renderer/ui/alert-card/card-layout.ts';
import { QueueCard } from '#renderer/ui/alert-card/queue-card.tsx';
import { useAlertDialogs } from '#renderer/ui/alert-card/use-alert-dialogs.tsx';
import { AlertListPage } from '#renderer/ui/alert-list/alert-list-page.tsx';
import { MyAlertsEmpty } from './my-alerts-empty.tsx';

/** My Alerts: what I accepted and have not filed in a folder (spec.md section 2, "My Alerts"). */
export function MyAlertsPage() {
  const mine = useMyAlerts();
  const { role } = useSession();
  const { setStatus, unaccept, remove } = useAlertActions();
  const { openExtra, openHistory, dialogs } = useAlertDialogs();
  // Deleting from a queue is for admin and super_user only (spec.md section 6).
  const onDelete = role === 'user' ? undefined : remove;
  const renderCard = useCallback(
    (alert: Alert, layout: CardLayout, labelId: string) => (
      <QueueCard
        alert={alert}
        layout={layout}
        labelId={labelId}
        onStatus={setStatus}
        onUnaccept={unaccept}
        onDelete={onDelete}
        onMore={openExtra}
        onHistory={openHistory}
      />
    ),
    [setStatus, unaccept, onDelete, openExtra, openHistory],
  );
  return (
    <>
      <AlertListPage
        title="My Alerts"
        countWords="in your queue"
        variant="queue"
        query={mine}
        renderCard={renderCard}
        empty={<MyAlertsEmpty />}
      />
      {dialogs}
    </>
  );
}
