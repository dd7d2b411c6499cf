import { Button } from '@blueprintjs/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/panel.tsx';
import type { Entry } from './entries.tsx';
import { COPY } from './use-row-actions.tsx';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';

interface EntryPageProps<One> {
  entry: Entry;
  /** All that must be read first. */
  queries: readonly Pick<UseQueryResult, 'data' | 'error' | 'refetch'>[];
  /** The list that it is one of; undefined until it is read. */
  all: readonly One[] | undefined;
  /** Its editor; of a new one `before` is undefined, and `copied` is what it is to be a copy of. */
  children: (id: string, before: One | undefined, copied: One | undefined) => ReactNode;
}

/** The page of one destination, rule, group or calendar, or what stands in its place: not yet read, or not there. */
export function EntryPage<One extends { id: string }>({ entry, queries, all, children }: EntryPageProps<One>) {
  const { id = '' } = useParams();
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const isRead = queries.every(({ data }) => data !== undefined);
  const before = all?.find((one) => one.id === id);
  if (isRead && (id === 'new' || before)) {
    const copied = before ? undefined : all?.find((one) => one.id === search.get(COPY));
    return children(id, before, copied);
  }
  const error = queries.find((query) => query.error !== null)?.error;
  return (
    <div className={pageHeadStyles.page}>
      <PageHead title={entry.name} parent={entry} />
      {isRead ? (
        <EmptyState
          icon={entry.icon}
          title={entry.notFound}
          text={entry.notFoundHint}
          action={<Button text={entry.all} onClick={() => void navigate(entry.to)} />}
        />
      ) : error ? (
        <LoadError
          what={entry.what}
          error={error}
          onRetry={() => void Promise.all(queries.map(({ refetch }) => refetch()))}
        />
      ) : (
        <RowsSkeleton label={entry.inText} isSheet />
      )}
    </div>
  );
}
