import { AnchorButton } from '@blueprintjs/core';
import { ClipboardIcon } from '@blueprintjs/icons';
import { useHref, useLinkClickHandler } from 'react-router-dom';
import { useInboxCount } from '#renderer/alerts/data/alert-queries.ts';
import { QueueListPage } from '#renderer/alerts/list/queue-list-page.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';

const LIST = { list: 'mine' } as const;

/** My Alerts: the member's accepted alerts that are in no folder. */
export function MyAlertsPage() {
  return <QueueListPage title="My Alerts" list={LIST} words="in your queue" empty={<MyAlertsEmpty />} />;
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
            <span className="ad-empty-count">{count}</span>
          </AnchorButton>
        )
      }
    />
  );
}
