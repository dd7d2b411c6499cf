import { Button } from '@blueprintjs/core';
import { OfflineIcon } from '@blueprintjs/icons';
import { MessageCard } from './message-card.tsx';

/** What is shown when nobody can tell whether there is a session: the server's or the connection's own sentence. */
export function UnreachablePage({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <MessageCard
      icon={<OfflineIcon size={40} />}
      title="Alertdesk cannot be reached"
      actions={<Button intent="primary" onClick={onRetry} text="Try again" />}
    >
      <p>{error.message}</p>
    </MessageCard>
  );
}
