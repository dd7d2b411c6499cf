import { useQuery } from '@tanstack/react-query';
import { alertStatusSchema } from '#backend/contract/alert.ts';
import type { SearchKey } from '#backend/contract/search.ts';
import { useFacets, useFoundFacets } from '#renderer/alerts/data/alert-queries.ts';
import type { AlertListView } from '#renderer/alerts/data/list-model.ts';
import { foldersQuery } from '#renderer/folders/data/folders.ts';
import { useSettled } from '#renderer/lib/use-settled.ts';

/** A value that a key can have, and how many alerts of the list have it, where that is known. */
export interface Completion {
  value: string;
  alerts?: number;
}

/** Most values on offer. */
const MOST = 8;

const TIMES: readonly Completion[] = ['today', 'yesterday', '1h', '24h', '7d'].map((value) => ({ value }));
const OWNERS: readonly Completion[] = ['me', 'none'].map((value) => ({ value }));
const STATUSES: readonly Completion[] = alertStatusSchema.options.map((value) => ({ value }));

/** What a key can be completed with in a list: the values that begin with what is typed, then those that contain it. */
export function useCompletions(
  list: Pick<AlertListView, 'list' | 'folderId'>,
  key: SearchKey | undefined,
  typed: string,
): readonly Completion[] {
  // Nothing is asked for before a key is typed.
  const facets = useFacets(list, key !== undefined).data;
  const settled = useSettled(facets?.isComplete === false ? typed.trim() : '');
  const found = useFoundFacets(list, settled).data;
  const folders = useQuery({ ...foldersQuery, enabled: key === 'folder' }).data;
  const both = (names: (of: NonNullable<typeof facets>) => readonly Completion[]): readonly Completion[] => [
    ...(facets ? names(facets) : []),
    ...(found ? names(found) : []),
  ];
  switch (key) {
    case undefined:
      return [];
    case 'customer':
      return like(
        typed,
        both(({ customers }) => customers.map(toCompletion)),
      );
    case 'type':
      return like(
        typed,
        both(({ alertTypes }) => alertTypes.map(toCompletion)),
      );
    case 'source':
      return like(
        typed,
        both(({ sources }) => sources.map(({ name, alerts }) => ({ value: name, alerts }))),
      );
    case 'severity':
      return like(
        typed,
        both(({ severities }) => severities.map(({ severity, alerts }) => ({ value: severity, alerts }))),
      );
    case 'folder':
      return like(
        typed,
        (folders ?? []).map(({ name }) => ({ value: name })),
      );
    case 'status':
      return like(typed, STATUSES);
    case 'owner':
      return like(typed, OWNERS);
    case 'from':
    case 'to':
      return like(typed, TIMES);
  }
}

const toCompletion = (value: string): Completion => ({ value });

function like(typed: string, values: readonly Completion[]): readonly Completion[] {
  const wanted = typed.trim().toLowerCase();
  const byValue = new Map(values.map((one) => [one.value, one]));
  const fitting = [...byValue.values()].filter(({ value }) => value.toLowerCase().includes(wanted));
  const begins = ({ value }: Completion): number => Number(!value.toLowerCase().startsWith(wanted));
  return fitting.toSorted((one, other) => begins(one) - begins(other)).slice(0, MOST);
}
