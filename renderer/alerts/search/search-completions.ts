import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Alert, alertStatusSchema } from '#backend/contract/alert.ts';
import { SEARCH_TRAITS, type SearchKey, type SearchTrait, isTimeKey, tokensOf } from '#backend/contract/search.ts';
import { TIME_WORDS, WEEKDAYS } from '#backend/contract/search-times.ts';
import { useFacets, useFoundFacets } from '#renderer/alerts/data/facets.ts';
import { listedAlerts, readAlertList } from '#renderer/alerts/data/list-cache.ts';
import { type AlertListView, pathOf } from '#renderer/alerts/data/list-view.ts';
import { hasMore } from '#renderer/alerts/data/list-pages.ts';
import { type ListFilter, filteredView } from '#renderer/alerts/list/list-filter.ts';
import { foldersQuery } from '#renderer/folders/data/folders.ts';
import { useSettled } from '#renderer/lib/use-settled.ts';
import { useLabelsOfViews } from '#renderer/views/view-labels.ts';
import { timeMeaning } from './typed-parts.ts';

/** A value that a key can have, and how many alerts of what the list shows now have it, where that is known exactly. */
export interface Completion {
  value: string;
  alerts?: number;
  /** Of a source its id. */
  id?: string;
  /** The day or moment that a time means now. */
  meaning?: string;
}

/** Most values on offer. */
const MOST = 8;

const OWNERS: readonly Completion[] = ['me', 'none'].map((value) => ({ value }));
const STATUSES: readonly Completion[] = alertStatusSchema.options.map((value) => ({ value }));

/** The list that is searched, and what it is narrowed to by now; undefined where it is not on screen. */
export interface SearchedList {
  list: Pick<AlertListView, 'list' | 'folderId' | 'completion'>;
  filter: ListFilter | undefined;
  /** Nothing narrows it. */
  isWhole: boolean;
}

/**
 * What a key can be completed with in a list: the values that begin with what is typed, then those that contain it. Counts
 * are the server's where nothing else narrows the list. Else they are those of the result, once all of it is loaded, and
 * values that are not in it are left out, unless completed alerts below it may have them.
 */
export function useCompletions(
  searched: SearchedList,
  key: SearchKey | undefined,
  typed: string,
): readonly Completion[] {
  const client = useQueryClient();
  const offered = useOffered(searched.list, key, typed, () => labelsOnScreen(client, searched));
  if (key === undefined || searched.isWhole || isTimeKey(key)) return offered.slice(0, MOST);
  const { list, filter } = searched;
  // What is completed is found, too, and is below what is counted.
  const isOfOpen = list.completion === 'open';
  const counts = filter && !(isOfOpen && key === 'status') && countsIn(loadedResult(client, list, filter), key, filter);
  if (!counts) return offered.slice(0, MOST).map(({ value }) => ({ value }));
  return offered
    .flatMap(({ value, id }) => {
      const alerts = counts.get(id ?? value) ?? (isOfOpen ? 0 : undefined);
      return alerts === undefined ? [] : [{ value, alerts }];
    })
    .slice(0, MOST);
}

/** The alerts that the list shows, as far as they are loaded. */
function loadedAlerts(
  client: QueryClient,
  list: Pick<AlertListView, 'list' | 'folderId' | 'completion'>,
  filter: ListFilter,
): { alerts: readonly Alert[]; isWhole: boolean } | undefined {
  for (const sorts of [[], [filter.sort]]) {
    const path = pathOf(filteredView(list, filter, sorts));
    const pages = readAlertList(client, path);
    if (pages) return { alerts: listedAlerts(client, path) ?? [], isWhole: !hasMore(pages) };
  }
  return undefined;
}

/** The same, where all of them are loaded. */
function loadedResult(...of: Parameters<typeof loadedAlerts>): readonly Alert[] | undefined {
  const loaded = loadedAlerts(...of);
  return loaded?.isWhole ? loaded.alerts : undefined;
}

/** The labels of the alerts that the list shows: rules may give some that no view is about. */
function labelsOnScreen(client: QueryClient, { list, filter }: SearchedList): readonly string[] {
  return (filter && loadedAlerts(client, list, filter)?.alerts.flatMap(({ label }) => label ?? [])) ?? [];
}

/** What says of an alert that it has a trait. */
const HAS_TRAIT: Record<SearchTrait, (alert: Alert) => boolean> = {
  test: ({ isTest }) => isTest === true,
  flapping: ({ flapping }) => flapping !== undefined,
  quiet: ({ quietBy }) => quietBy !== undefined,
};

const valuesOf: Partial<Record<SearchKey, (alert: Alert) => readonly (string | null | undefined)[]>> = {
  customer: ({ customer }) => [customer],
  type: ({ alertType }) => [alertType],
  // By its id: an alert has the name that its source had when it came.
  source: ({ sourceId }) => [sourceId],
  severity: ({ severity }) => [severity],
  status: ({ status }) => [status],
  label: ({ label }) => [label],
  is: (alert) => SEARCH_TRAITS.filter((trait) => HAS_TRAIT[trait](alert)),
};

/**
 * How many of the alerts have each value of a key, of sources each id. Undefined where that is not what choosing it would show: values of one
 * key are alternatives.
 */
export function countsIn(
  alerts: readonly Alert[] | undefined,
  key: SearchKey,
  { customer, alertType, source, severity, search = '' }: ListFilter,
): ReadonlyMap<string, number> | undefined {
  const read = valuesOf[key];
  const chosen = { customer, type: alertType, source, severity };
  const isChosen = key in chosen && chosen[key as keyof typeof chosen] !== undefined;
  if (!alerts || !read || isChosen || tokensOf(search).some((token) => token.key === key)) return undefined;
  const counts = new Map<string, number>();
  for (const value of alerts.flatMap(read)) if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Every value that fits what is typed, best first. */
function useOffered(
  list: Pick<AlertListView, 'list' | 'folderId' | 'completion'>,
  key: SearchKey | undefined,
  typed: string,
  readLabels: () => readonly string[],
): readonly Completion[] {
  // Nothing is asked for before a key is typed.
  const facets = useFacets(list, key !== undefined).data;
  const settled = useSettled(facets?.isComplete === false ? typed.trim() : '');
  const found = useFoundFacets(list, settled).data;
  const folders = useQuery({ ...foldersQuery, enabled: key === 'folder' }).data;
  const labels = useLabelsOfViews();
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
        // The name of a deleted source finds nothing.
        both(({ sources }) =>
          sources.flatMap(({ id, name, alerts, isDeleted }) => (isDeleted ? [] : [{ value: name, alerts, id }])),
        ),
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
    case 'label':
      return like(typed, [...labels, ...readLabels()].map(toCompletion));
    case 'status':
      return like(typed, STATUSES);
    case 'is':
      return like(typed, SEARCH_TRAITS.map(toCompletion));
    case 'owner':
      return like(typed, OWNERS);
    case 'from':
    case 'to':
      return timesLike(typed, key);
  }
}

/**
 * Times that fit what is typed, with what they mean: words for days, weekdays once something is typed, and after a number
 * what it may become.
 */
export function timesLike(typed: string, key: SearchKey, now = new Date()): readonly Completion[] {
  const written = typed.trim().toLowerCase();
  const offered = [
    ...(/^\d/.test(written) ? [written, ...['m', 'h', 'd', 'w'].map((unit) => `${written}${unit}`)] : []),
    ...TIME_WORDS,
    ...(written === '' ? [] : WEEKDAYS),
    '1h',
    '24h',
  ].flatMap((value) => {
    const meaning = timeMeaning(key, value, now);
    return meaning === undefined ? [] : [{ value, meaning }];
  });
  return like(written.replaceAll(/(?<=[a-z])[\s_-]+/g, ''), offered);
}

const toCompletion = (value: string): Completion => ({ value });

function like(typed: string, values: readonly Completion[]): readonly Completion[] {
  const wanted = typed.trim().toLowerCase();
  const byValue = new Map(values.map((one) => [one.value, one]));
  const fitting = [...byValue.values()].filter(({ value }) => value.toLowerCase().includes(wanted));
  const begins = ({ value }: Completion): number => Number(!value.toLowerCase().startsWith(wanted));
  return fitting.toSorted((one, other) => begins(one) - begins(other));
}
