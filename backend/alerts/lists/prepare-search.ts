import type { SearchTrait } from '#backend/contract/search.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { IdRange } from '#backend/platform/database/id-times.ts';
import type { SearchIndex, SearchQuestion } from '#backend/platform/search/search-index.ts';
import { isLongEnough, spellingsOf } from '#backend/platform/search/search-text.ts';
import { type ListSize, countAlerts, countEntries } from '#backend/alerts/alert/alert-counts.ts';
import { type Condition, allOf, anyOf } from '#backend/platform/database/conditions.ts';
import { type NamedValues, type NarrowedList, isLookedThrough } from '#backend/alerts/alert/alert-list.ts';

/** Alerts that are counted before a total becomes "at least so many". */
export const MAX_COUNTED = 500;

/** What is looked for, and where: texts, or the few alerts of a name among many others. */
export interface Search {
  database: Pick<Database, 'reads' | 'dialect'>;
  /** What an alert meets that contains the texts, or has a trait; undefined when neither is searched for. */
  condition: Condition | undefined;
  /** The index, and what to ask it; undefined when it knows nothing of that, such as texts that are too short. */
  index: { of: SearchIndex; question: SearchQuestion } | undefined;
  size: SearchedSize;
  /** Ids from this one on and below that one, where times are named. */
  range: IdRange;
  /** Bytes of alerts that are still looked through for this answer. */
  bytesLeft: number;
  /** Alerts that were looked at for this answer, and how many of them were what is looked for. */
  looked: number;
  found: number;
  /** How many to look at once something was found. */
  looksWithFinds: number;
}

/** An answer from a long list that has something to show reads at most so many alerts; one that has nothing goes on for longer. */
const READS_WITH_FINDS = 1_000;

/** Whether an answer looks at further alerts. Those that have a name, no texts being asked for, are all that there are. */
export function looksOn(search: Search): boolean {
  const { database, condition, bytesLeft, looked, found, looksWithFinds } = search;
  const most = found > 0 && !isShort(search) ? looksWithFinds : database.dialect.scanRows;
  return condition === undefined || (bytesLeft > 0 && looked < most);
}

/** Whether the list is so short that an answer may look at all of it. */
const isShort = ({ database, size }: Pick<Search, 'database' | 'size'>): boolean =>
  size.alerts <= database.dialect.scanRows && !isSparse(size);

/** What counters say of a list that is searched. */
interface SearchedSize {
  /** Alerts that its filter lets through, at most. */
  alerts: number;
  /** Entries of indexes among which they are found. */
  entries: number;
}

/** What an alert meets that has a trait. */
const HAS_TRAIT: Record<SearchTrait, Condition> = {
  test: { sql: 'is_test = 1', values: [] },
  flapping: { sql: "flapping_since IS NOT NULL AND status <> 'completed'", values: [] },
  quiet: { sql: 'quiet_by_id IS NOT NULL', values: [] },
};

/** Columns of an alert that are looked at: what its sender reports, and what members write. */
const REPORTED = ['payload', 'url', 'customer', 'title'];
const SEARCHED = [...REPORTED, 'note_text'];

/**
 * Prepares to look for traits and for the texts that a list is searched for, each somewhere in title, customer, url, payload
 * or notes, case-insensitively; and for names that few alerts of a long list have. Undefined when the list's indexes alone are the
 * better way.
 *
 * @param known how many alerts the list holds at most, as `sizeOfAll` knows
 */
export async function createSearch(
  { database, search: index }: { database: Database; search: SearchIndex },
  list: NarrowedList,
  known: Pick<ListSize, 'alerts' | 'entries'>,
): Promise<Search | undefined> {
  const { parts, texts, traits, range, isWithoutNotes = false } = list;
  const { reads, dialect } = database;
  const named = namesOf(list);
  const looks = isLookedThrough(list);
  if (!looks && named.length === 0) return undefined;
  const entries = known.entries ?? (await countEntries(reads, parts));
  const counted = entries > dialect.scanRows ? await countNamed(reads, named) : [];
  const least = counted[0]?.alerts ?? known.alerts;
  const size = { alerts: Math.min(known.alerts, least), entries };
  const isWorthIt = isSparse(size) && least * ENTRIES_PER_READ < entries;
  const names = isWorthIt ? counted.map(({ column, values }) => ({ column, values })) : [];
  if (!looks && names.length === 0) return undefined;
  const spelled = texts.map(spellingsOf);
  const indexed = spelled.filter(isLongEnough);
  return {
    database,
    condition: looks
      ? allOf([
          ...(traits.length > 0 ? [anyOf(traits.map((trait) => HAS_TRAIT[trait]))] : []),
          ...spelled.map((spellings) => dialect.contains(isWithoutNotes ? REPORTED : SEARCHED, spellings)),
        ])
      : undefined,
    index: indexed.length + names.length > 0 ? { of: index, question: { texts: indexed, names } } : undefined,
    size,
    range,
    bytesLeft: dialect.scanBytes,
    looked: 0,
    found: 0,
    looksWithFinds: READS_WITH_FINDS,
  };
}

/** The names that every alert of a list has. */
export function namesOf({ parts: [part], alternatives }: NarrowedList): NamedValues[] {
  const { customer, alertType, source } = part?.filter ?? {};
  return [
    ...(customer === undefined ? [] : [{ column: 'customer', values: [customer] } as const]),
    ...(alertType === undefined ? [] : [{ column: 'alert_type', values: [alertType] } as const]),
    ...(source === undefined ? [] : [{ column: 'source_id', values: source } as const]),
    ...alternatives,
  ];
}

/** How many alerts have one of the values, the rarest column first. */
async function countNamed(
  reads: Database['reads'],
  named: readonly NamedValues[],
): Promise<(NamedValues & { alerts: number })[]> {
  const countOf = (column: NamedValues['column'], value: string) =>
    countAlerts(
      reads,
      { list: 'all' },
      column === 'customer'
        ? { customer: value }
        : column === 'alert_type'
          ? { alertType: value }
          : { source: [value] },
    );
  const counted = await Promise.all(
    named.map(async ({ column, values }) => {
      const counts = await Promise.all(values.map((value) => countOf(column, value)));
      return { column, values, alerts: counts.reduce((sum, count) => sum + count, 0) };
    }),
  );
  return counted.toSorted((one, other) => one.alerts - other.alerts);
}

/** Reading an alert by its id takes as long as so many entries of an index in a row. */
export const ENTRIES_PER_READ = 50;

/** How many finds to ask for to count them: one more than there can be, or than is counted. */
export const rowsToCount = ({ database, size }: Search): number =>
  (isShort({ database, size }) ? size.alerts : Math.min(size.alerts, MAX_COUNTED)) + 1;

/** Whether a list's alerts stand far apart in its indexes, as those of one name among many do. */
export const isSparse = ({ alerts, entries }: SearchedSize): boolean =>
  entries > MAX_DENSE_ENTRIES && alerts < entries / 4;

/** Fewer entries are not worth a second look. */
const MAX_DENSE_ENTRIES = 10_000;

/** Alerts of a sparse list that are looked at together at least: a page. */
const LEAST_SPARSE_AT_ONCE = 101;

/**
 * How many looks it takes to find an alert of a sparse list among the entries of its indexes, and to look at it: one, as
 * elsewhere, where all entries are passed in the time of an answer. And how many to look at together.
 */
export function stepsOfSparse({ size, looksWithFinds }: Search): { cost: number; atOnce: number } {
  const { alerts, entries } = size;
  const isQuick = entries <= looksWithFinds * ENTRIES_PER_READ;
  const cost = isQuick ? 1 : 1 + entries / (Math.max(1, alerts) * ENTRIES_PER_READ);
  const most = Math.max(LEAST_SPARSE_AT_ONCE, Math.floor(looksWithFinds / cost));
  return { cost, atOnce: Math.min(MAX_COUNTED + 1, most) };
}
