import { AnchorButton, Button, ProgressBar, Spinner } from '@blueprintjs/core';
import { ErrorIcon, OfflineIcon, OutdatedIcon } from '@blueprintjs/icons';
import type { ComponentType } from 'react';
import { PRODUCT_NAME, PRODUCT_RELEASES_URL, PRODUCT_SOURCE_URL, PRODUCT_SUBTITLE } from '#backend/contract/product.ts';
import type { DesktopBridge } from '#electron/contract.ts';
import type { ServerState, UpdateProgress } from '#electron/contract/server-choice.ts';
import { OpenAbout, useRequestedAbout } from '#renderer/desktop/desktop-about.tsx';
import { SoftwareUpdates } from '#renderer/desktop/software-updates.tsx';
import { useLatest } from '#renderer/desktop/use-latest.ts';
import { SourceLink } from '#renderer/features/about/about-dialog.tsx';
import { useApplyTheme } from '#renderer/lib/appearance.ts';
import { Toaster } from '#renderer/toasts/toaster.tsx';
import { BrandMark } from '#renderer/ui/brand-mark.tsx';
import { ServerChoices } from './server-choices.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.ts';
import * as styles from './server-page.module.css';

/** The app's own page: which server, and what is the matter with it. */
export function ServerPage({ desktop }: { desktop: DesktopBridge }) {
  useApplyTheme();
  const server = useLatest(desktop, 'serverState');
  const about = useRequestedAbout(desktop);
  return (
    <main className={styles.server}>
      <header className={styles.brand}>
        <BrandMark size={40} />
        <h1 className={styles.name}>{PRODUCT_NAME}</h1>
        <p className={styles.subtitle}>{PRODUCT_SUBTITLE}</p>
      </header>
      {server && <Content server={server} desktop={desktop} />}
      <footer className={styles.footer}>
        <Button variant="minimal" size="small" text={texts.about} onClick={() => about.open(true)} />
        <Button variant="minimal" size="small" text={texts.quit} onClick={() => void desktop.quitApp()} />
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
  if (server.progress) return <DataUpdate progress={server.progress} />;
  return (
    <output className={styles.waiting}>
      <Spinner size={20} />
      {server.choice?.kind === 'team-server' ? texts.connectingTo(new URL(server.choice.url).host) : texts.starting}
    </output>
  );
}

/** The server on this computer changes its data to a newer form, which may take minutes. */
function DataUpdate({ progress: { done, total } }: { progress: UpdateProgress }) {
  const text = texts.updatingData(done, total);
  return (
    <section className={`${styles.card} ${styles.update}`}>
      <p className={styles.text}>{text}</p>
      <ProgressBar aria-label={texts.dataUpdate} value={done / total} stripes={false} intent="primary" />
      <p className={styles.hint}>{texts.updatingDataHint}</p>
    </section>
  );
}

export type ProblemPhase = 'unreachable' | 'mismatch' | 'crashed';

const LOOKS: Readonly<Record<ProblemPhase, { title: string; Icon: ComponentType<{ size: number }> }>> = {
  unreachable: { title: texts.serverCannotBeReached, Icon: OfflineIcon },
  mismatch: { title: texts.versionsAreNotCompatible, Icon: OutdatedIcon },
  crashed: { title: texts.pageStoppedWorking, Icon: ErrorIcon },
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
    <section className={`${styles.card} ${styles.problem}`} role="alert">
      <div className={styles.icon}>
        <Icon size={40} />
      </div>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.text}>{server.reason}</p>
      {phase === 'unreachable' && <p className={styles.hint}>{texts.retryingEvery15Seconds}</p>}
      {phase === 'mismatch' && (
        <div className={styles.updates}>
          <SoftwareUpdates desktop={desktop} />
        </div>
      )}
      <div className={styles.actions}>
        {phase === 'mismatch' && (
          <AnchorButton text={texts.getInstaller} href={PRODUCT_RELEASES_URL} target="_blank" rel="noreferrer" />
        )}
        {!server.isManaged && <Button text={texts.chooseAnotherServer} onClick={() => void desktop.changeServer()} />}
        <Button intent="primary" text={common.tryAgain} onClick={() => void desktop.retryServer()} />
      </div>
    </section>
  );
}
