import { Button } from '@blueprintjs/core';
import { ErrorIcon } from '@blueprintjs/icons';
import type { ReactNode } from 'react';
import * as common from '#renderer/lib/texts.ts';
import { passFocus } from './pass-focus.ts';
import * as texts from './texts.tsx';
import * as styles from './empty-state.module.css';

interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  text: ReactNode;
  /** At most one thing to do about it. */
  action?: ReactNode;
  /** Said at once: something failed. */
  isError?: boolean;
  /** It is all there is on the page, so that its title is the page's. */
  isPage?: boolean;
}

/** What a page shows when there is nothing to list. */
export function EmptyState({ icon, title, text, action, isError = false, isPage = false }: EmptyStateProps) {
  const Title = isPage ? 'h1' : 'h2';
  return (
    <div className={styles.empty} role={isError ? 'alert' : undefined}>
      <div className={styles.icon}>{icon}</div>
      <Title className={styles.title}>{title}</Title>
      <p className={styles.text}>{text}</p>
      {action}
    </div>
  );
}

interface LoadErrorProps {
  what: string;
  error: Error;
  onRetry: () => void;
  /** It is all there is on the page. */
  isPage?: boolean;
}

/** The button goes while it is tried. */
const leaveFocus = passFocus(
  (part) => part.closest('[role="dialog"]')?.querySelector('button') ?? document.querySelector('main'),
);

/** In place of what could not be read: why, and a button to try again. `what` begins the title, e.g. "API keys". */
export function LoadError({ what, error, onRetry, isPage = false }: LoadErrorProps) {
  return (
    <EmptyState
      isError
      isPage={isPage}
      icon={<ErrorIcon size={40} />}
      title={texts.couldNotBeLoaded(what)}
      text={error.message}
      action={
        <span ref={leaveFocus}>
          <Button text={common.tryAgain} onClick={onRetry} />
        </span>
      }
    />
  );
}
