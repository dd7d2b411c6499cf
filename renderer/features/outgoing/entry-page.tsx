import { Button } from '@blueprintjs/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import { useWasThere } from '#renderer/ui/editor/use-editor.ts';
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
  /** Its editor; of a new one and of one that is deleted meanwhile `before` is undefined, and `copied` is what it is to be a copy of. */
  children: (id: string, before: One | undefined, copied: One | undefined) => ReactNode;
}

/** The page of one destination, rule, group or calendar, or what stands in its place: not yet read, or not there. */
export function EntryPage<One extends { id: string }>({ entry, queries, all, children }: EntryPageProps<One>) {
  const { id = '' } = useParams();
  const [search] = useSearchParams();
  const isRead = queries.every(({ data }) => data !== undefined);
  const before = all?.find((one) => one.id === id);
  const wasThere = useWasThere(id, before !== undefined);
  if (isRead && (id === 'new' || wasThere)) {
    const copied = before ? undefined : all?.find((one) => one.id === search.get(COPY));
    return children(id, before, copied);
  }
  if (isRead) return <EntryNotFound entry={entry} />;
  const error = queries.find((query) => query.error !== null)?.error;
  return (
    <div className={pageHeadStyles.page}>
      <PageHead title={entry.name} parent={entry} />
      {error ? (
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

/** Stands in the place of one that is not there, or no longer. */
export function EntryNotFound({ entry }: { entry: Entry }) {
  const navigate = useNavigate();
  return (
    <div className={pageHeadStyles.page}>
      <PageHead title={entry.name} parent={entry} />
      <EmptyState
        icon={entry.icon}
        title={entry.notFound}
        text={entry.notFoundHint}
        action={<Button text={entry.all} onClick={() => void navigate(entry.to)} />}
      />
    </div>
  );
}
