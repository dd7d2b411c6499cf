import type { Query, QueryClient } from '@tanstack/react-query';
import { countFiled, foldersQuery } from '#renderer/folders/data/folders.ts';
import { refetchWhenShown } from '#renderer/lib/query-freshness.ts';
import { memberOf } from '#renderer/session/session.ts';
import type { AlertTransition } from './alert-entry.ts';
import { FACETS_KEY, PROGRESS_KEY, SEVERITIES_KEY, recountSeverities, refreshFacets } from './facets.ts';

/** What hangs on alerts beside their lists: the folders' badges and the filters' options. */
export function recountAround(client: QueryClient, transitions: readonly AlertTransition[]): void {
  recountSeverities(
    client,
    memberOf(client),
    transitions.filter(({ isAnswer }) => !isAnswer),
  );
  const me = memberOf(client);
  if (transitions.some(({ before, after }) => (before?.ownerId ?? after?.ownerId) === me || after?.ownerId === me))
    refetchWhenShown(client, PROGRESS_KEY);
  const changes = transitions
    .filter(({ seenBefore, seenAfter, isAnswer }) => seenBefore !== seenAfter && !isAnswer)
    .map(({ seenBefore, seenAfter }) => ({ before: seenBefore, after: seenAfter }));
  if (changes.length === 0) return;
  countFiled(client, memberOf(client), changes);
  refreshFacets(client, changes);
}

/** Fetches what hangs on alerts again, after something that may have changed any of it: all, or what `isOutdated`. */
export function refetchAround(client: QueryClient, isOutdated: (query: Query) => boolean = () => true): void {
  for (const queryKey of [foldersQuery.queryKey, FACETS_KEY, SEVERITIES_KEY, PROGRESS_KEY]) {
    if (client.getQueryCache().findAll({ queryKey }).some(isOutdated)) refetchWhenShown(client, queryKey);
  }
}
