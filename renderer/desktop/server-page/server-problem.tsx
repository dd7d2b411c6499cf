import { AnchorButton, Button } from '@blueprintjs/core';
import { ErrorIcon, OfflineIcon, OutdatedIcon } from '@blueprintjs/icons';
import type { ComponentType } from 'react';
import { PRODUCT_RELEASES_URL } from '#backend/contract/product.ts';
import type { DesktopBridge } from '#electron/contract.ts';
import type { ServerState } from '#electron/contract/server-choice.ts';
import { SoftwareUpdates } from '#renderer/desktop/software-updates.tsx';

export type ProblemPhase = 'unreachable' | 'mismatch' | 'crashed';

const LOOKS: Readonly<Record<ProblemPhase, { title: string; Icon: ComponentType<{ size: number }> }>> = {
  unreachable: { title: 'The server cannot be reached', Icon: OfflineIcon },
  mismatch: { title: 'The versions do not go together', Icon: OutdatedIcon },
  crashed: { title: 'The page stopped working', Icon: ErrorIcon },
};

interface ServerProblemProps {
  phase: ProblemPhase;
  server: ServerState;
  desktop: DesktopBridge;
}

/** The server cannot be reached, is of another version, or its page crashes: why, and what can be done. */
export function ServerProblem({ phase, server, desktop }: ServerProblemProps) {
  const { title, Icon } = LOOKS[phase];
  return (
    <section className="ad-server-card ad-server-problem" role="alert">
      <div className="ad-server-icon">
        <Icon size={40} />
      </div>
      <h2 className="ad-server-title">{title}</h2>
      <p className="ad-server-text">{server.reason}</p>
      {phase === 'unreachable' && <p className="ad-server-hint">It is tried again every 15 seconds.</p>}
      {phase === 'mismatch' && (
        <div className="ad-server-updates">
          <SoftwareUpdates desktop={desktop} />
        </div>
      )}
      <div className="ad-server-actions">
        {phase === 'mismatch' && (
          <AnchorButton text="Get the installer" href={PRODUCT_RELEASES_URL} target="_blank" rel="noreferrer" />
        )}
        <Button text="Choose another server" onClick={() => void desktop.changeServer()} />
        <Button intent="primary" text="Try again" onClick={() => void desktop.retryServer()} />
      </div>
    </section>
  );
}
