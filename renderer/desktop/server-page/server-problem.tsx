import { Button } from '@blueprintjs/core';
import { OfflineIcon, OutdatedIcon } from '@blueprintjs/icons';
import type { DesktopBridge } from '#electron/contract.ts';
import type { ServerState } from '#electron/contract/server-choice.ts';

/** The server cannot be reached, or is of another version: why, and what can be done. */
export function ServerProblem({ server, desktop }: { server: ServerState; desktop: DesktopBridge }) {
  const isMismatch = server.phase === 'mismatch';
  return (
    <section className="ad-server-card ad-server-problem" role="alert">
      <div className="ad-server-icon">{isMismatch ? <OutdatedIcon size={40} /> : <OfflineIcon size={40} />}</div>
      <h2 className="ad-server-title">
        {isMismatch ? 'The versions do not go together' : 'The server cannot be reached'}
      </h2>
      <p className="ad-server-text">{server.reason}</p>
      {!isMismatch && <p className="ad-server-hint">It is tried again every 15 seconds.</p>}
      <div className="ad-server-actions">
        <Button text="Choose another server" onClick={() => void desktop.changeServer()} />
        <Button intent="primary" text="Try again" onClick={() => void desktop.retryServer()} />
      </div>
    </section>
  );
}
