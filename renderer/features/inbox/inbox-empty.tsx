import { AnchorButton } from '@blueprintjs/core';
import { InboxIcon } from '@blueprintjs/icons';
import { useHref, useLinkClickHandler } from 'react-router-dom';
import { useMyAlertsCount } from '#renderer/lib/alerts/get-my-alerts.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';

/** Nothing waits: on to my own queue. */
export function InboxEmpty() {
  const count = useMyAlertsCount() ?? 0;
  const href = useHref('/my-alerts');
  const open = useLinkClickHandler<HTMLElement>('/my-alerts');
  return (
    <EmptyState
      icon={<InboxIcon size={40} />}
      title="All caught up!"
      text="No new alerts waiting for you. When webhooks arrive, they'll appear here."
      action={
        <AnchorButton href={href} onClick={open}>
          My Alerts
          {count > 0 && <span className="ad-empty-count">{count}</span>}
        </AnchorButton>
      }
    />
  );
}
