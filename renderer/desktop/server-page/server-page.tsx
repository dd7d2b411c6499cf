import { Button, Spinner } from '@blueprintjs/core';
import { PRODUCT_NAME, PRODUCT_SOURCE_URL, PRODUCT_SUBTITLE } from '#backend/contract/product.ts';
import type { DesktopBridge } from '#electron/contract.ts';
import type { ServerState } from '#electron/contract/server-choice.ts';
import { OpenAbout, useRequestedAbout } from '#renderer/desktop/desktop-about.tsx';
import { useTold } from '#renderer/desktop/use-told.ts';
import { SourceLink } from '#renderer/features/about/about-dialog.tsx';
import { useApplyTheme } from '#renderer/lib/theme.ts';
import { Toaster } from '#renderer/notifications/toaster.tsx';
import { BrandMark } from '#renderer/ui/brand-mark.tsx';
import { ServerChoices } from './server-choices.tsx';
import { ServerProblem } from './server-problem.tsx';
import './server-page.css';

/** The app's own page: which server, and what is the matter with it. */
export function ServerPage({ desktop }: { desktop: DesktopBridge }) {
  useApplyTheme();
  const server = useTold(desktop, 'serverState');
  const about = useRequestedAbout(desktop);
  return (
    <main className="ad-server">
      <header className="ad-server-brand">
        <BrandMark size={40} />
        <h1 className="ad-server-name">{PRODUCT_NAME}</h1>
        <p className="ad-server-subtitle">{PRODUCT_SUBTITLE}</p>
      </header>
      {server && <Content server={server} desktop={desktop} />}
      <footer className="ad-server-footer">
        <Button variant="minimal" size="small" text="About" onClick={() => about.open(true)} />
        <Button variant="minimal" size="small" text="Quit" onClick={() => void desktop.quitApp()} />
      </footer>
      <OpenAbout desktop={desktop} dialog={about} links={<SourceLink href={PRODUCT_SOURCE_URL} />} />
      <Toaster />
    </main>
  );
}

function Content({ server, desktop }: { server: ServerState; desktop: DesktopBridge }) {
  if (server.phase === 'choosing') return <ServerChoices server={server} desktop={desktop} />;
  const { phase } = server;
  if (phase === 'unreachable' || phase === 'mismatch' || phase === 'crashed') {
    return <ServerProblem phase={phase} server={server} desktop={desktop} />;
  }
  return (
    <output className="ad-server-waiting">
      <Spinner size={20} />
      {server.choice?.kind === 'team-server' ? `Connecting to ${new URL(server.choice.url).host}…` : 'Starting…'}
    </output>
  );
}
