import { AnchorButton } from '@blueprintjs/core';
import { SearchIcon } from '@blueprintjs/icons';
import { useHref, useLinkClickHandler } from 'react-router-dom';
import { PATHS } from '#renderer/lib/paths.ts';
import { MessageCard } from './message-pages.tsx';
import * as texts from './texts.ts';

/** The 404 card, for any path without a screen. */
export function NotFoundPage() {
  const href = useHref(PATHS.inbox);
  const open = useLinkClickHandler<HTMLElement>(PATHS.inbox);
  return (
    <MessageCard
      icon={<SearchIcon size={40} />}
      title={texts.pageNotFound}
      actions={<AnchorButton href={href} onClick={open} text={texts.goToNewAlerts} />}
    >
      <p>{texts.thereIsNoPageAt}</p>
    </MessageCard>
  );
}
