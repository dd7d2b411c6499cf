import { useCallback } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { useInbox } from '#renderer/lib/alerts/get-inbox.ts';
import { useAlertActions } from '#renderer/lib/alerts/use-alert-actions.ts';
import type { CardLayout } from '#renderer/ui/alert-card/card-layout.ts';
import { InboxCard } from '#renderer/ui/alert-card/inbox-card.tsx';
import { useAlertDialogs } from '#renderer/ui/alert-card/use-alert-dialogs.tsx';
import { AlertListPage } from '#renderer/ui/alert-list/alert-list-page.tsx';
import { InboxEmpty } from './inbox-empty.tsx';

/** New Alerts: what waits for someone to accept it (spec.md section 2, "Inbox"). */
export function InboxPage() {
  const inbox = useInbox();
  const { accept, remove } = useAlertActions();
  const { openExtra, dialogs } = useAlertDialogs();
  const renderCard = useCallback(
    (alert: Alert, layout: CardLayout, labelId: string) => (
      <InboxCard
        alert={alert}
        layout={layout}
        labelId={labelId}
        onAccept={accept}
        onDelete={remove}
        onMore={openExtra}
      />
    ),
    [accept, remove, openExtra],
  );
  return (
    <>
      <AlertListPage
        title="New Alerts"
        countWords="waiting for action"
        variant="inbox"
        query={inbox}
        renderCard={renderCard}
        onPrimary={accept}
        empty={<InboxEmpty />}
      />
      {dialogs}
    </>
  );
}
