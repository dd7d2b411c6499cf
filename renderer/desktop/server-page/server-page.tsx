import { Spinner } from '@blueprintjs/core';
import { PRODUCT_NAME, PRODUCT_SUBTITLE } from '#backend/contract/product.ts';
import type { DesktopBridge } from '#electron/contract.ts';
import type { ServerState } from '#electron/contract/server-choice.ts';
import { useTold } from '#renderer/desktop/use-told.ts';
import { useApplyTheme } from '#renderer/lib/theme.ts';
import { BrandMark } from '#renderer/ui/brand-mark.tsx';
import { ServerChoices } from './server-choices.tsx';
import { ServerProblem } from './server-problem.tsx';
import './server-page.css';

/** The app's own page: which server, and what is the matter with it (issue of the desktop app, part 1). */
export function ServerPage({ desktop }: { desktop: DesktopBridge }) {
  useApplyTheme();
  const server = useTold(desktop, 'serverState');
  return (
    <main className="ad-server">
      <header className="ad-server-brand">
        <BrandMark size={40} />
        <h1 className="ad-server-name">{PRODUCT_NAME}</h1>
        <p className="ad-server-subtitle">{PRODUCT_SUBTITLE}</p>
      </header>
      {server && <Content server={server} desktop={desktop} />}
    </main>
  );
}

function Content({ server, desktop }: { server: ServerState; desktop: DesktopBridge }) {
  if (server.phase === 'choosing') return <ServerChoices server={server} desktop={desktop} />;
  if (server.phase === 'unreachable' || server.phase === 'mismatch') {
    return <ServerProblem server={server} desktop={desktop} />;
  }
  return (
    <output className="ad-server-waiting">
      <Spinner size={20} />
      {server.choice?.kind === 'team-server' ? `Connecting to ${new URL(server.choice.url).host}…` : 'Starting…'}
    </output>
  );
}
