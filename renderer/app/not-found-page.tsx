import { AnchorButton } from '@blueprintjs/core';
import { SearchIcon } from '@blueprintjs/icons';
import { useHref, useLinkClickHandler } from 'react-router-dom';
import { MessageCard } from './message-card.tsx';
import { PATHS } from './paths.ts';

/** The 404 card, for any path without a screen. */
export function NotFoundPage() {
  const href = useHref(PATHS.inbox);
  const open = useLinkClickHandler<HTMLElement>(PATHS.inbox);
  return (
    <MessageCard
      icon={<SearchIcon size={40} />}
      title="Page Not Found"
      actions={<AnchorButton href={href} onClick={open} text="Go to New Alerts" />}
    >
      <p>There is no page at this address. Check it for a typing error, or start from the inbox.</p>
    </MessageCard>
  );
}
