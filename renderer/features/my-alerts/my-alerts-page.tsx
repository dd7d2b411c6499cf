import { AnchorButton } from '@blueprintjs/core';
import { ClipboardIcon } from '@blueprintjs/icons';
import { Link, useHref, useLinkClickHandler } from 'react-router-dom';
import { HandOverButton } from '#renderer/alerts/assign/hand-over-button.tsx';
import { useInboxCount, useMyAlertsCount, useSnoozedCounts } from '#renderer/alerts/data/alert-queries.ts';
import { QueueListPage } from '#renderer/alerts/list/queue-list-page.tsx';
import { countText } from '#renderer/lib/badge-text.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as emptyStateStyles from '#renderer/ui/empty-state.module.css';

const LIST = { list: 'mine', completion: 'open' } as const;

/** My Alerts: the member's alerts that are in no folder, the open ones before those that are completed. */
export function MyAlertsPage() {
  return (
    <QueueListPage
      title="My Alerts"
      list={LIST}
      words="in your queue"
      beside={<SnoozedLink />}
      empty={<MyAlertsEmpty />}
    >
      <HandOver />
    </QueueListPage>
  );
}

/** Where nothing is open, nothing is handed over. */
const HandOver = () => (useMyAlertsCount() === 0 ? null : <HandOverButton />);

/** "3 snoozed": leads to them. */
function SnoozedLink() {
  const count = useSnoozedCounts()?.own ?? 0;
  return count === 0 ? null : (
    <Link className={pageHeadStyles.beside} to={PATHS.snoozed}>
      {countText(count)} snoozed
    </Link>
  );
}

/** An empty queue: on to the inbox, where something waits. */
function MyAlertsEmpty() {
  const count = useInboxCount() ?? 0;
  const href = useHref('/');
  const open = useLinkClickHandler<HTMLElement>('/');
  return (
    <EmptyState
      icon={<ClipboardIcon size={40} />}
      title="No alerts yet"
      text="Accept alerts from the inbox to see them here in your personal queue."
      action={
        count > 0 && (
          <AnchorButton href={href} onClick={open}>
            New Alerts
            <span className={emptyStateStyles.count}>{count}</span>
          </AnchorButton>
        )
      }
    />
  );
}
