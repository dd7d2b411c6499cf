import { Button } from '@blueprintjs/core';
import { ErrorIcon } from '@blueprintjs/icons';
import { MessageCard } from './message-card.tsx';

/** What is shown where a screen failed to render: what to do, and the error's own words for the administrator. */
export function ErrorPage({ error }: { error: Error }) {
  return (
    <MessageCard
      icon={<ErrorIcon size={40} />}
      title="This page stopped working"
      actions={<Button intent="primary" onClick={() => window.location.reload()} text="Reload the page" />}
    >
      <p>Nothing is lost. Reload the page; if it stops again, tell your administrator what it says here:</p>
      <p className="ad-message-detail">{error.message}</p>
    </MessageCard>
  );
}
