import { Button } from '@blueprintjs/core';
import { DataConnectionIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import type { Source } from '#backend/contract/source.ts';
import { sourceQuery } from '#renderer/features/sources/data/get-sources.ts';
import { PathLine, SourceHead } from '#renderer/features/sources/shown/source-head.tsx';
import { SOURCES_PAGE } from '#renderer/features/sources/shown/source-addresses.ts';
import { type SourceActions, useSourceActions } from '#renderer/features/sources/shown/use-source-actions.tsx';
import { ApiError } from '#renderer/lib/api-client.ts';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/panel.tsx';
import * as texts from './texts.ts';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as sourceHeadStyles from '#renderer/features/sources/shown/source-head.module.css';

/** Reads the source that the address names and gives it to what shows it. */
export function WithSource({ children }: { children: (source: Source) => ReactNode }) {
  const { id = '' } = useParams();
  const { data: source, error, refetch } = useQuery(sourceQuery(id));
  const navigate = useNavigate();
  if (source && !(error instanceof ApiError && error.status === 404)) return children(source);
  return (
    <div className={`${pageHeadStyles.page} ${sourceHeadStyles.sourcePage}`}>
      <PathLine steps={[]} />
      {error instanceof ApiError && error.status === 404 ? (
        <EmptyState
          isPage
          icon={<DataConnectionIcon size={40} />}
          title={texts.sourceNotFound}
          text={texts.thisSourceMayHaveBeen}
          action={<Button text={texts.allSources} onClick={() => void navigate(SOURCES_PAGE)} />}
        />
      ) : error ? (
        <LoadError isPage what={texts.source} error={error} onRetry={() => void refetch()} />
      ) : (
        <RowsSkeleton label={texts.sourceInText} isSheet />
      )}
    </div>
  );
}

/** A tab of a source's page below its head. */
export function SourceTabPage({ children }: { children: (source: Source, actions: SourceActions) => ReactNode }) {
  return <WithSource>{(source) => <SourceTab source={source}>{children}</SourceTab>}</WithSource>;
}

function SourceTab({
  source,
  children,
}: {
  source: Source;
  children: (source: Source, actions: SourceActions) => ReactNode;
}) {
  const navigate = useNavigate();
  const { actions, dialogs } = useSourceActions(() => void navigate(SOURCES_PAGE));
  return (
    <HoverTip className={`${pageHeadStyles.page} ${sourceHeadStyles.sourcePage}`}>
      <SourceHead source={source} actions={actions} />
      {children(source, actions)}
      {dialogs}
    </HoverTip>
  );
}
