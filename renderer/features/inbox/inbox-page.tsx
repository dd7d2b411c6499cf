import { Classes } from '@blueprintjs/core';
import { type ReactNode, Suspense, useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Alert } from '#backend/contract/alert.ts';
import { useAlertActions } from '#renderer/lib/alerts/use-alert-actions.ts';
import type { ListFilter } from '#renderer/lib/alerts/use-list-filter.ts';
import { firstScreen } from '#renderer/lib/first-screen.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { lazyExtra } from '#renderer/lib/lazy-part.ts';
import type { CardLayout } from '#renderer/ui/alert-card/card-layout.ts';
import { InboxCard } from '#renderer/ui/alert-card/inbox-card.tsx';
import { useAlertDialogs } from '#renderer/ui/alert-card/use-alert-dialogs.tsx';
import { AlertListPage } from '#renderer/ui/alert-list/alert-list-page.tsx';
import { InboxEmpty } from './inbox-empty.tsx';
import './notifications-toggle.css';

// Comes right after the alerts; its place is kept, and its styles are here so that nothing moves when it comes.
const NotificationsToggle = lazyExtra(async () => {
  await firstScreen;
  return (await import('./notifications-toggle.tsx')).NotificationsToggle;
});

// Needed by who comes from a notification.
const ShowAlert = lazyExtra(async () => (await import('./show-alert.ts')).ShowAlert);

/** The room of the switch for notifications, in pixels. */
const TOGGLE_WIDTH = 128;

const LIST = { list: 'inbox' } as const;

/** New Alerts: the shared inbox of pending alerts. */
export function InboxPage() {
  const [params] = useSearchParams();
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
      >
        <Suspense
          fallback={
            <div className="ad-notify">
              <span className={`${Classes.CONTROL} ad-notify-toggle`} style={{ width: TOGGLE_WIDTH }} />
            </div>
          }
        >
          <NotificationsToggle />
        </Suspense>
      </AlertListPage>
      {dialogs}
      {params.has('alert') && (
        <Suspense>
          <ShowAlert />
        </Suspense>
      )}
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
