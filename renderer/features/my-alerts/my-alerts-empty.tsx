import { AnchorButton } from '@blueprintjs/core';
import { ClipboardIcon } from '@blueprintjs/icons';
import { useHref, useLinkClickHandler } from 'react-router-dom';
import { useInboxCount } from '#renderer/lib/alerts/get-inbox.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';

/** An empty queue: on to the inbox. */
export function MyAlertsEmpty() {
  const count = useInboxCount() ?? 0;
  const href = useHref('/');
  const open = useLinkClickHandler<HTMLElement>('/');
  return (
    <EmptyState
      icon={<ClipboardIcon size={40} />}
      title="No alerts yet"
      text="Accept alerts from the inbox to see them here in your personal queue."
      action={
        <AnchorButton href={href} onClick={open}>
          New Alerts
          {count > 0 && <span className="ad-empty-count">{count}</span>}
        </AnchorButton>
      }
    />
  );
}
