import { Button } from '@blueprintjs/core';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router-dom';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/panel.tsx';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';

interface NotTherePageProps {
  title: string;
  /** The list that it is one of. */
  parent: { to: string; title: string };
  /** Whether the list was read: then it is not in it. */
  isRead: boolean;
  error: Error | null;
  onRetry: () => void;
  /** What is shown when it is not in the list; `all` leads to the list. */
  notFound: { icon: ReactElement; title: string; text: string; all: string };
  /** What is read, as a sentence begins with it. */
  what: string;
  /** The same inside a sentence. */
  label: string;
}

/** In place of the page of one destination, rule, group or calendar that is not there: not yet, or not at all. */
export function NotTherePage({ title, parent, isRead, error, onRetry, notFound, what, label }: NotTherePageProps) {
  const navigate = useNavigate();
  const { all, ...said } = notFound;
  return (
    <div className={pageHeadStyles.page}>
      <PageHead title={title} parent={parent} />
      {isRead ? (
        <EmptyState {...said} action={<Button text={all} onClick={() => void navigate(parent.to)} />} />
      ) : error ? (
        <LoadError what={what} error={error} onRetry={onRetry} />
      ) : (
        <RowsSkeleton label={label} isSheet />
      )}
    </div>
  );
}
