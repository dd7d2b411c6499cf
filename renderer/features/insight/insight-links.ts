import { startOfCharacter } from '#backend/contract/cut-text.ts';
import { addDays, type InsightGroup, type InsightName, type InsightProblem } from '#backend/contract/insight.ts';
import { writePart, writeText } from '#backend/contract/search.ts';
import { startOfDay } from '#backend/contract/search-times.ts';
import { pathOfNewWindow } from '#renderer/maintenance/maintenance-data.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import type { InsightView } from './insight-range.ts';

/** Who looks, and by which clocks. */
export interface Reader {
  seesAll: boolean;
  timeZone: string;
  /** The time zone of this device, in which lists understand days. */
  ownZone: string;
}

/** Names of what is filtered by, as far as they are known. */
export type NamesOfFilters = Pick<InsightView, 'customer' | 'alertType'> & {
  /** Null for a source that was deleted: no name finds its alerts, so no list of them is linked to. */
  sourceName?: string | null | undefined;
  /**
   * The person whose alerts are counted; null for one whose name is not known. Without a list of all alerts it is the member
   * who looks.
   */
  ownerName?: string | null | undefined;
};

/** A search for the alerts that arrived on some days. */
function searchOfDays(from: string, to: string, { timeZone, ownZone }: Reader): string[] {
  if (timeZone === ownZone) return [writePart('from', from), writePart('to', to)];
  const momentOf = (date: string) => new Date(startOfDay(date, timeZone)).toISOString();
  return [writePart('from', momentOf(from)), writePart('to', momentOf(addDays(to, 1)))];
}

/** Filters that a search can name, each of them. */
type Searchable = Pick<NamesOfFilters, 'customer' | 'alertType'> & {
  sourceName?: string | undefined;
  ownerName?: string | undefined;
};

const isSearchable = (names: NamesOfFilters): names is Searchable =>
  names.sourceName !== null && names.ownerName !== null;

const filterParts = ({ customer, alertType, sourceName }: Searchable): string[] => [
  ...(customer === undefined ? [] : [writePart('customer', customer)]),
  ...(alertType === undefined ? [] : [writePart('type', alertType)]),
  ...(sourceName === undefined ? [] : [writePart('source', sourceName)]),
];

/**
 * Administrators have a list of all alerts; others begin in New Alerts, where the search leads on to their own lists. The alerts
 * of a person are those of an owner in the list of all, and else the member's own list.
 */
function listWith({ seesAll }: Reader, ownerName: string | undefined, parts: readonly string[]): string {
  const owner = ownerName === undefined || !seesAll ? [] : [writePart('owner', ownerName)];
  const path = seesAll ? PATHS.allAlerts : ownerName === undefined ? PATHS.inbox : PATHS.myAlerts;
  return `${path}?${new URLSearchParams({ search: [...owner, ...new Set(parts)].join(' ') })}`;
}

/** Where the alerts of a day are listed; undefined where no list shows them. */
export const hrefOfDay = (date: string, filters: NamesOfFilters, reader: Reader): string | undefined =>
  isSearchable(filters)
    ? listWith(reader, filters.ownerName, [...filterParts(filters), ...searchOfDays(date, date, reader)])
    : undefined;

/** Where the alerts of a name are listed; undefined where no list shows them. */
export function hrefOfName(
  group: InsightGroup,
  { name, isDeleted }: InsightName,
  { from, to }: Pick<InsightView, 'from' | 'to'>,
  filters: NamesOfFilters,
  reader: Reader,
): string | undefined {
  // No name finds a source that was deleted.
  if (name === null || isDeleted || !isSearchable(filters)) return undefined;
  const parts = [...filterParts(filters), ...searchOfDays(from, to, reader)];
  if (group === 'person') return listWith(reader, name, parts);
  const key = ({ customer: 'customer', alertType: 'type', source: 'source' } as const)[group];
  return listWith(reader, filters.ownerName, [writePart(key, name), ...parts]);
}

/** Longest part of a headline that is searched for, in characters: a search has a limit, and long headlines end in values. */
const SEARCHED_TITLE = 120;

/** A search that finds the alerts of a problem, as far as the search language can name them. */
export function searchOfProblem({ source, isSourceDeleted, customer, alertType, title }: InsightProblem): string {
  const parts = filterParts({
    // No name finds a source that was deleted.
    sourceName: isSourceDeleted ? undefined : (source ?? undefined),
    customer: customer ?? undefined,
    alertType: alertType ?? undefined,
  });
  const headline = title ?? '';
  // No alert has half a character of an emoji.
  const words = headline.slice(0, startOfCharacter(headline, SEARCHED_TITLE)).replace(/…$/u, '').trim();
  return [...parts, ...(words === '' ? [] : [writeText(words)])].join(' ');
}

/** Where the alerts of a problem are listed; undefined where it has no headline to search for. */
export const hrefOfProblem = (
  problem: InsightProblem,
  { from, to }: Pick<InsightView, 'from' | 'to'>,
  { ownerName }: Pick<NamesOfFilters, 'ownerName'>,
  reader: Reader,
): string | undefined =>
  problem.title === null || ownerName === null
    ? undefined
    : listWith(reader, ownerName, [searchOfProblem(problem), ...searchOfDays(from, to, reader)]);

/** Where a problem is kept quiet from now on: a new maintenance window that is about it. */
export const hrefOfQuieting = (problem: InsightProblem): string => pathOfNewWindow(searchOfProblem(problem));

/** The page of a rule. */
export const hrefOfRule = ({ id, isOnArrival }: Pick<InsightName, 'id' | 'isOnArrival'>): string =>
  `${isOnArrival ? PATHS.incomingRules : `${PATHS.outgoing}/rules`}/${encodeURIComponent(id ?? '')}`;
