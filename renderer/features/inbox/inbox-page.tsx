import { type ReactNode, useCallback } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { useAlertActions } from '#renderer/lib/alerts/use-alert-actions.ts';
import type { ListFilter } from '#renderer/lib/alerts/use-list-filter.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import type { CardLayout } from '#renderer/ui/alert-card/card-layout.ts';
import { InboxCard } from '#renderer/ui/alert-card/inbox-card.tsx';
import { useAlertDialogs } from '#renderer/ui/alert-card/use-alert-dialogs.tsx';
import { AlertListPage } from '#renderer/ui/alert-list/alert-list-page.tsx';
import { InboxEmpty } from './inbox-empty.tsx';
import { useShowAlert } from './use-show-alert.ts';

const LIST = { list: 'inbox' } as const;

/** New Alerts: what waits for someone to accept it (spec.md section 2, "Inbox"). */
export function InboxPage() {
  useShowAlert();
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
        list={LIST}
        countWords={countWords}
        variant="inbox"
        renderCard={renderCard}
        onPrimary={accept}
        empty={<InboxEmpty />}
      />
      {dialogs}
    </>
  );
}

const countWords = ({ customer }: ListFilter): ReactNode =>
  customer === undefined ? (
    'waiting for action'
  ) : (
    <>
      for <bdi>{inertLine(customer)}</bdi>
    </>
  );
