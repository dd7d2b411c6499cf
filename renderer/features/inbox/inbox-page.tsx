import { AnchorButton, Classes } from '@blueprintjs/core';
import { InboxIcon } from '@blueprintjs/icons';
import { type ComponentType, type ReactNode, Suspense, useState } from 'react';
import { useHref, useLinkClickHandler, useSearchParams } from 'react-router-dom';
import { useMyAlertsCount } from '#renderer/alerts/data/alert-queries.ts';
import { type FirstRunProps, useFirstRun } from '#renderer/alerts/data/first-run.ts';
import { InboxListPage } from '#renderer/alerts/list/inbox-list-page.tsx';
import { type ListFilter, filtersIn, useListFilter } from '#renderer/alerts/list/list-filter.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { lazyWithRetry, partAfterFirstScreen } from '#renderer/lib/lazy-part.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.tsx';
import * as emptyStateStyles from '#renderer/ui/empty-state.module.css';
import * as styles from './notifications-toggle.module.css';

// Comes right after the alerts; its place is kept, and its styles are here so that nothing moves when it comes.
const NotificationsToggle = partAfterFirstScreen(
  async () => (await import(/* webpackChunkName: "third" */ './notifications-toggle.tsx')).NotificationsToggle,
  'omit',
);

// Needed by who comes from a notification.
const ShowAlert = lazyWithRetry(async () => (await import('./show-alert.ts')).ShowAlert, 'omit');

/** The space that the switch for notifications takes, in pixels. */
const TOGGLE_WIDTH = 128;

const NOTIFICATIONS = (
  <NotificationsToggle
    place={
      <div className={styles.notify}>
        <span className={`${Classes.CONTROL} ${styles.toggle}`} style={{ width: TOGGLE_WIDTH }} />
      </div>
    }
  />
);

interface InboxPageProps {
  /** What is shown while no alert ever arrived, and below the first. */
  FirstRun: ComponentType<FirstRunProps>;
}

/** New Alerts: the shared inbox of pending alerts. */
export function InboxPage({ FirstRun }: InboxPageProps) {
  const [params] = useSearchParams();
  const { isAsking, isWaiting, isShown, close } = useFirstRun();
  // Below a part of the list it would be about something else.
  const isWhole = filtersIn(useListFilter().filter) === 0;
  // Where its file cannot be fetched, the inbox says itself that it is empty.
  const [isDrawn, setDrawn] = useState(false);
  return (
    <>
      <InboxListPage
        title={common.newAlerts}
        countLabel={countLabel}
        empty={isAsking || isDrawn ? undefined : <InboxEmpty />}
        after={
          isShown &&
          isWhole && (
            <Suspense>
              <FirstRun isWaiting={isWaiting} close={close} onDrawn={setDrawn} />
            </Suspense>
          )
        }
        switches={NOTIFICATIONS}
      >
        {NOTIFICATIONS}
      </InboxListPage>
      {params.has('alert') && (
        <Suspense>
          <ShowAlert />
        </Suspense>
      )}
    </>
  );
}

const countLabel = ({ customer }: ListFilter): ReactNode =>
  customer === undefined ? common.waitingForAction : <>{texts.forType(<bdi>{inertLine(customer)}</bdi>)}</>;

/** An empty inbox: on to my own queue, where something waits. */
function InboxEmpty() {
  const count = useMyAlertsCount() ?? 0;
  const href = useHref('/my-alerts');
  const open = useLinkClickHandler<HTMLElement>('/my-alerts');
  return (
    <EmptyState
      icon={<InboxIcon size={40} />}
      title={common.allCaughtUp}
      text={common.caughtUpHint}
      action={
        count > 0 && (
          <AnchorButton href={href} onClick={open}>
            {common.myAlerts}
            <span className={emptyStateStyles.count}>{count}</span>
          </AnchorButton>
        )
      }
    />
  );
}
