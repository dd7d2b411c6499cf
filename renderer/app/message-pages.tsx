import { Button } from '@blueprintjs/core';
import { OfflineIcon } from '@blueprintjs/icons';
import type { ReactNode } from 'react';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.ts';
import * as styles from './message-pages.module.css';

/** A card in the middle of the free space that says one thing: an icon, a title, a text, at most a few buttons. */
export function MessageCard(props: { icon: ReactNode; title: string; children: ReactNode; actions?: ReactNode }) {
  const { icon, title, children, actions } = props;
  return (
    <div className={styles.message}>
      <div className={styles.card}>
        <div className={styles.icon}>{icon}</div>
        <h1 className={styles.title}>{title}</h1>
        <div className={styles.text}>{children}</div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </div>
  );
}

/** Shown when it is not known whether there is a session: the message of the server or of the connection. */
export function UnreachablePage({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <MessageCard
      icon={<OfflineIcon size={40} />}
      title={texts.alertdeskCannotBeReached}
      actions={<Button intent="primary" onClick={onRetry} text={common.tryAgain} />}
    >
      <p>{error.message}</p>
    </MessageCard>
  );
}

/** What protected screens show while the session is checked. */
export function LoadingScreen() {
  return (
    <main className={styles.loadingScreen}>
      <output>{texts.loading}</output>
    </main>
  );
}

/** A page by itself, without the main layout around it. */
export function Standalone({ children }: { children: ReactNode }) {
  return <main className={styles.standalone}>{children}</main>;
}
