import {
  type AlertSeverity,
  type AlertStatus,
  type AlertUrgency,
  alertSeveritySchema,
  alertUrgencySchema,
} from '#backend/contract/alert.ts';
import type { AlertFilter } from '#backend/contract/alert-query.ts';
import {
  type AlertList,
  PLACES,
  type ListPlace,
  completionOf,
  mayHave,
  placesToWake,
} from '#backend/contract/alert-place.ts';
import type { SearchTrait } from '#backend/contract/search.ts';
import { type Condition, allOf, isOneOf } from '#backend/platform/database/conditions.ts';
import type { IdRange } from '#backend/platform/database/id-times.ts';
import type { IndexedName } from '#backend/platform/search/search-text.ts';
import type { StoredAlert } from './alert.ts';
import { type StoredStatus, snoozedStatusesOf } from './stored-status.ts';

/**
 * What a call asks of a list: parts that have no alert in common, each with a filter; names of which every alert has one,
 * where there are several of a kind; labels and traits of which every alert has one, where any are named; and texts that it
 * contains.
 */
export interface NarrowedList {
  parts: { list: AlertList; filter: AlertFilter }[];
  alternatives: NamedValues[];
  labels: readonly string[];
  texts: string[];
  traits: readonly SearchTrait[];
  /** Where times are named. */
  range: IdRange;
  /** Texts are looked for in what senders report alone, and not in notes. */
  isWithoutNotes?: boolean;
}

/** Whether each alert of a list is to be looked at: no counter and no index knows which of them are asked for. */
export const isLookedThrough = ({ texts, traits }: Pick<NarrowedList, 'texts' | 'traits'>): boolean =>
  texts.length > 0 || traits.length > 0;

/** A column, and values of which every alert has one. */
export interface NamedValues {
  column: IndexedName;
  values: readonly string[];
}

/** Every status in the order of the status sort; `pending` comes last. */
export const BY_RANK: readonly AlertStatus[] = ['accepted', 'in-progress', 'completed', 'pending'];

/** Where rows of a list are, and the stored statuses that they may have, by rank. */
export interface ListPart {
  list: ListPlace;
  statuses: StoredStatus[];
}

/** The parts of a list that have statuses at all: none when the filter asks for one that cannot be there. */
export function partsOf(list: AlertList, filter: AlertFilter): ListPart[] {
  const wanted = BY_RANK.filter((status) => hasStatus(filter, status));
  const statusesAt = (place: ListPlace) => wanted.filter((one) => mayHave(place, one));
  const parts: ListPart[] =
    list.list === 'snoozed'
      ? (list.within ?? placesToWake(list.ownerId)).map((place) => ({
          list: place,
          statuses: snoozedStatusesOf(statusesAt(place)),
        }))
      : [{ list, statuses: statusesAt(list).flatMap((one) => storedStatusesIn(list, one)) }];
  return parts.filter(({ statuses }) => statuses.length > 0);
}

/** Whether a filter lets a status through. */
export const hasStatus = ({ status, completion }: AlertFilter, one: AlertStatus): boolean =>
  (status === undefined || status === one) &&
  (completion === undefined || completion === completionOf({ status: one }));

/** Snoozed alerts are in the list of all, and in no other place. */
const storedStatusesIn = ({ list }: ListPlace, status: AlertStatus): StoredStatus[] =>
  list === 'all' ? [status, ...snoozedStatusesOf([status])] : [status];

/** Rows of alerts that are in a place, whatever their status. */
export function whereAt(place: ListPlace): Condition[] {
  const { folder } = PLACES[place.list];
  return [
    ...('ownerId' in place ? [{ sql: 'owner_id = ?', values: [place.ownerId] }] : []),
    ...('folderIds' in place ? [isOneOf('folder_id', place.folderIds)] : []),
    ...(folder === 'none' ? [{ sql: 'folder_id IS NULL', values: [] }] : []),
    ...(folder === 'some' ? [{ sql: 'folder_id IS NOT NULL', values: [] }] : []),
  ];
}

/** Rows of counters of a place, whose columns are empty where an alert has nobody or no folder. */
export function whereCountedAt(place: ListPlace): Condition {
  const owner = { sql: 'owner_id = ?', values: ['ownerId' in place ? place.ownerId : ''] };
  const folder =
    PLACES[place.list].folder === 'some'
      ? { sql: "folder_id <> ''", values: [] }
      : isOneOf('folder_id', 'folderIds' in place ? place.folderIds : ['']);
  return allOf([owner, folder]);
}

/** A group of the order by severity: what its rows have in their columns. */
export interface Urgency {
  name: AlertUrgency;
  severities: readonly AlertSeverity[];
  /** Null is what has no lifecycle. */
  states: readonly StoredAlert['state'][];
}

/** The groups of the order by severity that a filter lets through, the most urgent first. */
export function urgenciesOf({ severity = alertSeveritySchema.options }: AlertFilter): Urgency[] {
  return alertUrgencySchema.options.flatMap((name): Urgency[] => {
    if (name === 'resolved') return [{ name, severities: [...new Set(severity)], states: ['resolved'] }];
    const isAcknowledged = name.endsWith('-acknowledged');
    const severities = severity.filter((one) => (isAcknowledged ? `${one}-acknowledged` : one) === name).slice(0, 1);
    return severities.length === 0
      ? []
      : [{ name, severities, states: isAcknowledged ? ['acknowledged'] : [null, 'firing'] }];
  });
}

/** What labels are compared by: they are the same whatever their case. */
export const labelKey = (label: string): string => label.trim().toLowerCase();

/** Has what rules have labelled, by label and status; of alerts without a label it has none on SQLite. */
export const LABEL_INDEX = 'alerts_by_label';

/**
 * Ranges of indexes, of what has one of the labels: in everybody's lists one for each label, whose index has those of a status
 * together in the order of their ids. A queue is looked through.
 */
export const withLabels = <Branch extends Condition & { index: string | undefined }>(
  labels: readonly string[],
  branches: Branch[],
): Branch[] =>
  labels.length === 0
    ? branches
    : branches.flatMap((branch) =>
        branch.index === 'alerts_queue'
          ? [{ ...branch, ...allOf([branch, isOneOf('label', labels)]) }]
          : labels.map((label) => ({ ...branch, index: LABEL_INDEX, ...allOf([branch, isOneOf('label', [label])]) })),
      );

/** Rows, of alerts or of counters, that have the names that a filter asks for. */
export const withNames = ({ customer, alertType }: AlertFilter): Condition[] => [
  ...(customer === undefined ? [] : [{ sql: 'customer = ?', values: [customer] }]),
  ...(alertType === undefined ? [] : [{ sql: 'alert_type = ?', values: [alertType] }]),
];

export const isInRange = ({ from, below }: IdRange, id: string): boolean =>
  (from === undefined || id >= from) && (below === undefined || id < below);

/** Whether nothing of a range comes after an id. */
export const isBehind = ({ from, below }: IdRange, id: string, order: 'ASC' | 'DESC'): boolean =>
  order === 'DESC' ? from !== undefined && id < from : below !== undefined && id >= below;
