import { useState } from 'react';
import { type AlertFacets, type AlertSort, type AlertStatus, alertStatusSchema } from '#backend/contract/alert.ts';
import { sortNames } from '#backend/contract/name.ts';
import { STATUS_LABELS } from '#renderer/alerts/data/alert-labels.ts';
import { useFacets, useFoundFacets } from '#renderer/alerts/data/facets.ts';
import type { AlertListView } from '#renderer/alerts/data/list-view.ts';
import { useSettled } from '#renderer/lib/use-settled.ts';
import type { ListFilter } from './list-filter.ts';
import { chosenBy } from './filter-values.ts';
import * as texts from './filter-texts.ts';

/** One of a filter's options. */
export interface FilterOption {
  value: string;
  label: string;
  /** How many alerts of the list have it, where that is known. */
  alerts?: number;
  /** It is a source that was deleted: these stand together, behind one entry. */
  isDeleted?: boolean | undefined;
}

/** Whether a value is that of the option, or names it in a search. */
export const isOption = ({ value, label }: FilterOption, chosen: string): boolean =>
  value === chosen || label.toLowerCase() === chosen.toLowerCase();

/** What is chosen, as a filter reads it: a name, or how many. Undefined where nothing is. */
export function chosenText(options: readonly FilterOption[], values: readonly string[]): string | undefined {
  const [only, ...others] = values;
  if (others.length > 0) return texts.valuesChosen(values.length);
  return only === undefined ? undefined : (options.find((option) => isOption(option, only))?.label ?? only);
}

const LABELS: Record<AlertSort, string> = {
  newest: texts.newestFirst,
  oldest: texts.oldestFirst,
  status: texts.byStatus,
  severity: texts.severity,
};

const NAMES: NonNullable<AlertFacets['incomplete']> = ['customers', 'alertTypes'];

const STATUS_OPTIONS = alertStatusSchema.options.map((value: AlertStatus) => ({ value, label: STATUS_LABELS[value] }));

/** What the filters of a list offer. Each has options when it is on offer: when there are any, or it is set. */
export function useFilterOptions(
  list: Pick<AlertListView, 'list' | 'folderId' | 'completion'>,
  filter: ListFilter,
  sorts: readonly AlertSort[],
) {
  const { data, refetch } = useFacets(list);
  const { customers = [], alertTypes = [], severities = [], sources = [], isComplete = true } = data ?? {};
  // The server of the release before does not say of which.
  const incomplete = data?.incomplete ?? (isComplete ? [] : NAMES);
  const [typed, setTyped] = useState('');
  const search = useSettled(isComplete ? '' : typed.trim());
  const found = useFoundFacets(list, search);
  const isSearching = !isComplete && typed.trim() !== '' && (search !== typed.trim() || found.isFetching);
  const chosen = {
    customer: chosenBy(filter, 'customer'),
    type: chosenBy(filter, 'type'),
    severity: chosenBy(filter, 'severity'),
    source: chosenBy(filter, 'source'),
    status: chosenBy(filter, 'status'),
  };
  const hasSeverities = severities.some(({ severity }) => severity !== 'none') || chosen.severity.length > 0;
  const offered = sorts.filter((sort) => sort !== 'severity' || hasSeverities || filter.sort === sort);
  const ofSources = sourcesOf([...sources, ...(found.data?.sources ?? [])], chosen.source);
  return {
    chosen,
    customers: namesOf(customers, found.data?.customers, chosen.customer),
    types: namesOf(alertTypes, found.data?.alertTypes, chosen.type),
    severities: hasSeverities ? severities : undefined,
    sources: ofSources.length > 1 || chosen.source.length > 0 ? ofSources : [],
    statuses: list.list === 'all' || chosen.status.length > 0 ? STATUS_OPTIONS : [],
    sorts: offered.map((value) => ({ value, label: LABELS[value] })),
    /** Finds an option among many. */
    typing: { onType: setTyped, isSearching },
    /** Of what there is more than is on offer. */
    incomplete,
    /** Counts are not kept up to date by every event: they are read again when they are looked at. */
    refresh: (): void => void refetch(),
  };
}

/**
 * What is on offer anyway, and what the server found beside it, in the order for people. What is set stays on offer when
 * no alert of the list has it any more.
 */
function namesOf(
  names: readonly string[],
  found: readonly string[] = [],
  chosen: readonly string[] = [],
): FilterOption[] {
  const all = found.length === 0 ? names : sortNames([...new Set([...names, ...found])]);
  const options = all.map((name) => ({ value: name, label: name }));
  return [...missing(options, chosen).map((name) => ({ value: name, label: name })), ...options];
}

/** The same of sources, with their numbers. */
function sourcesOf(
  sources: readonly { id: string; name: string; alerts: number; isDeleted?: boolean | undefined }[],
  chosen: readonly string[],
): FilterOption[] {
  const options = [
    ...new Map(
      sources.map(({ id, name, alerts, isDeleted }) => [id, { value: id, label: name, alerts, isDeleted }]),
    ).values(),
  ];
  return [...missing(options, chosen).map((value) => ({ value, label: texts.anotherSource, alerts: 0 })), ...options];
}

const missing = (options: readonly FilterOption[], chosen: readonly string[]): string[] =>
  chosen.filter((value) => !options.some((option) => isOption(option, value)));
