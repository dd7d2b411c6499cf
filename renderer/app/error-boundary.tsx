import { Button } from '@blueprintjs/core';
import { ErrorIcon, OfflineIcon, RefreshIcon } from '@blueprintjs/icons';
import { Component, type ReactNode } from 'react';
import { MissingPartError } from '#renderer/lib/lazy-part.ts';
import { MessageCard, Standalone } from './message-pages.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.ts';
import * as styles from './message-pages.module.css';

interface ErrorBoundaryProps {
  children: ReactNode;
  /** Whether there is no layout around the children, so that the error page stands alone. */
  standalone?: boolean;
}

/** Shows the error page in place of children that failed to render. React offers this to class components only. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(thrown: unknown): { error: Error } {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    const page = <ErrorPage error={error} />;
    return this.props.standalone ? <Standalone>{page}</Standalone> : page;
  }
}

/** What is shown where a screen failed to render: what to do, and the error's own words for the administrator. */
function ErrorPage({ error }: { error: Error }) {
  if (error instanceof MissingPartError) return <MissingPartPage isGone={error.isGone} />;
  return (
    <MessageCard
      icon={<ErrorIcon size={40} />}
      title={texts.thisPageStoppedWorking}
      actions={<Button intent="primary" onClick={() => window.location.reload()} text={texts.reloadPage} />}
    >
      <p>{texts.nothingIsLostReloadPage}</p>
      <p className={styles.detail}>{error.message}</p>
    </MessageCard>
  );
}

/** In place of a screen that could not be fetched: the server has another version, or was not reached. */
function MissingPartPage({ isGone }: { isGone: boolean }) {
  return (
    <MessageCard
      icon={isGone ? <RefreshIcon size={40} /> : <OfflineIcon size={40} />}
      title={isGone ? common.newVersionIsAvailable : texts.thisPageCouldNotBe}
      actions={<Button intent="primary" onClick={() => window.location.reload()} text={texts.reload} />}
    >
      <p>{isGone ? texts.alertdeskWasUpdatedWhileIt : texts.checkYourConnectionThenReload}</p>
    </MessageCard>
  );
}
