import { Button } from '@blueprintjs/core';
import { ErrorIcon } from '@blueprintjs/icons';
import { MessageCard } from './message-card.tsx';

interface ErrorPageProps {
  error: Error;
  title?: string;
  /** Tries again what failed; without it the button reloads the page. */
  onRetry?: () => void;
}

/** What is shown where a screen failed: what happened, what to do, and the error's own words for the administrator. */
export function ErrorPage({ error, title = 'This page stopped working', onRetry }: ErrorPageProps) {
  const retry = onRetry ?? (() => window.location.reload());
  return (
    <MessageCard
      icon={<ErrorIcon size={40} />}
      title={title}
      actions={<Button intent="primary" onClick={retry} text={onRetry ? 'Try again' : 'Reload the page'} />}
    >
      <p>
        {onRetry
          ? 'Nothing is lost. Try again; if it keeps failing, tell your administrator what it says here:'
          : 'Nothing is lost. Reload the page; if it stops again, tell your administrator what it says here:'}
      </p>
      <p className="ad-message-detail">{error.message}</p>
    </MessageCard>
  );
}
