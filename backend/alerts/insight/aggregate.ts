import { quickselect } from 'd3-array';
import {
  type InsightDay,
  type InsightTimes,
  type InsightTotals,
  type ListedGroup,
  INSIGHT_GROUPS,
  MAX_INSIGHT_NAMES,
} from '#backend/contract/insight.ts';
import { type Calendar, WEEK_HOURS, createFinder, weekHourOf } from './calendar.ts';
import { type Chunk, RESOLVED_FIRST, SEVERITIES, SEVERITY_BITS, bareId, placesOf } from './chunk.ts';
import { BY_RULE } from './fact.ts';
import type { RuleHit } from './rule-hits.ts';

/** Which alerts are counted; what is undefined says nothing. */
export interface FactFilter {
  customer?: string | undefined;
  alertType?: string | undefined;
  source?: string | undefined;
  person?: string | undefined;
}

/** Alerts of one name. The id is null for those without one. */
export interface NamedFigures {
  id: string | null;
  arrived: number;
  repeats: number;
  flapped: number;
  suppressed: number;
  accept: InsightTimes;
  complete: InsightTimes;
}

export interface Figures {
  totals: InsightTotals;
  days: InsightDay[];
  /** Arrivals by the hour of the week. */
  week: number[];
  /** Those of them that are critical. */
  criticalByHour: number[];
  groups: Record<ListedGroup, NamedFigures[]>;
}

/** Durations of some alerts, and how many there are of them. */
interface Tally {
  arrived: number;
  repeats: number;
  flapped: number;
  suppressed: number;
  accept: number[];
  complete: number[];
}

const newTally = (): Tally => ({ arrived: 0, repeats: 0, flapped: 0, suppressed: 0, accept: [], complete: [] });

/** Where a chunk has the names of a group. */
const COLUMNS = {
  customer: { names: 'customers', numbers: 'customer' },
  alertType: { names: 'alertTypes', numbers: 'alertType' },
  source: { names: 'sources', numbers: 'source' },
  person: { names: 'owners', numbers: 'owner' },
  window: { names: 'windows', numbers: 'window' },
} as const satisfies Record<Exclude<ListedGroup, 'rule'>, unknown>;

/** What a chunk has a column of. */
type ChunkGroup = keyof typeof COLUMNS;
const CHUNK_GROUPS: readonly ChunkGroup[] = [...INSIGHT_GROUPS, 'window'];

const CRITICAL = SEVERITIES.indexOf('critical');

/** Counts alerts, one chunk after the other. */
export interface Counting {
  /** @param hits which rules were about its alerts */
  add(chunk: Chunk, hits?: readonly RuleHit[]): void;
  /** Every figure is exact. */
  figures(): Figures;
}

/**
 * Counts the alerts that arrived in the days of a calendar.
 *
 * @param shown whether lists of names are made, and whose figures the list of persons has
 */
export function countArrivals(
  calendar: Calendar,
  filter: FactFilter,
  shown: { hasLists: boolean; person: { only: string } | 'everybody' },
): Counting {
  const { starts, offsets, dates } = calendar;
  const selection = selectionOf(calendar, filter);
  const dayOf = createFinder(starts);
  const offsetOf = createFinder(offsets.map((offset) => offset.from));
  const days = dates.map((date) => ({ date, ofSeverity: SEVERITIES.map(() => 0), tally: newTally() }));
  const week = Array.from({ length: WEEK_HOURS }, () => 0);
  const criticalByHour = Array.from({ length: WEEK_HOURS }, () => 0);
  const groups = {
    customer: newNames(),
    alertType: newNames(),
    source: newNames(),
    person: newNames(),
    window: newNames(),
  };
  const rules = newNames();
  const isShown = (id: string | null) => id !== null && (shown.person === 'everybody' || shown.person.only === id);
  let resolvedFirst = 0;

  return {
    add(chunk, hits = []) {
      const isCounted = selection(chunk);
      const tallies = shown.hasLists ? CHUNK_GROUPS.map((group) => groups[group].ofChunk(chunk, group)) : [];
      for (let at = 0; at < chunk.size; at += 1) {
        if (!isCounted(at)) continue;
        const moment = chunk.receivedAt[at] ?? 0;
        const day = days[dayOf(moment)];
        if (!day) continue;
        const kind = chunk.kind[at] ?? 0;
        day.ofSeverity[kind & SEVERITY_BITS] = (day.ofSeverity[kind & SEVERITY_BITS] ?? 0) + 1;
        if ((kind & RESOLVED_FIRST) !== 0) resolvedFirst += 1;
        const hour = weekHourOf(moment + (offsets[offsetOf(moment)]?.ahead ?? 0));
        week[hour] = (week[hour] ?? 0) + 1;
        if ((kind & SEVERITY_BITS) === CRITICAL) criticalByHour[hour] = (criticalByHour[hour] ?? 0) + 1;
        addTo(day.tally, chunk, at);
        for (const tallyAt of tallies) addTo(tallyAt(at), chunk, at);
      }
      if (hits.length === 0) return;
      const places = placesOf(chunk);
      for (const { ruleId, alertId } of hits) {
        const at = places.get(bareId(alertId));
        if (at !== undefined && isCounted(at)) addTo(rules.ofName(ruleId), chunk, at);
      }
    },
    figures: () => ({
      totals: { ...figuresOf(sumOf(days.map(({ tally }) => tally))), resolvedFirst },
      days: days.map(({ date, ofSeverity, tally }) => {
        const [critical = 0, high = 0, warning = 0, ...others] = ofSeverity;
        const { accept, complete } = figuresOf(tally);
        return { date, critical, high, warning, others: others.reduce((sum, some) => sum + some, 0), accept, complete };
      }),
      week,
      criticalByHour,
      groups: {
        customer: groups.customer.most(),
        alertType: groups.alertType.most(),
        source: groups.source.most(),
        person: groups.person.most(isShown),
        window: groups.window.most(isNamed),
        rule: rules.most(),
      },
    }),
  };
}

/** Most alerts were kept quiet by no window, and some by rules. */
const isNamed = (id: string | null): boolean => id !== null && id !== BY_RULE;

function addTo(tally: Tally, chunk: Chunk, at: number): void {
  const acceptMs = chunk.acceptMs[at] ?? Number.NaN;
  const completeMs = chunk.completeMs[at] ?? Number.NaN;
  tally.arrived += 1;
  tally.repeats += chunk.repeats[at] ?? 0;
  tally.flapped += chunk.flapped[at] ?? 0;
  if (chunk.window[at] !== 0) tally.suppressed += 1;
  if (!Number.isNaN(acceptMs)) tally.accept.push(acceptMs);
  if (!Number.isNaN(completeMs)) tally.complete.push(completeMs);
}

/** Whether the fact at a place of a chunk arrived in the days of a calendar and passes a filter. */
export function selectionOf({ starts }: Calendar, filter: FactFilter): (chunk: Chunk) => (at: number) => boolean {
  const [from = 0] = starts;
  const to = starts.at(-1) ?? from;
  return (chunk) => {
    const passes = filterOf(chunk, filter);
    return (at) => {
      const moment = chunk.receivedAt[at] ?? 0;
      return moment >= from && moment < to && passes(at);
    };
  };
}

/** Whether the fact at a place of a chunk passes the filter. */
function filterOf(chunk: Chunk, filter: FactFilter): (at: number) => boolean {
  const wanted = INSIGHT_GROUPS.flatMap((group) => {
    const name = filter[group];
    const { names, numbers } = COLUMNS[group];
    return name === undefined ? [] : [{ numbers: chunk[numbers], number: chunk[names].indexOf(name) }];
  });
  return (at) => wanted.every(({ numbers, number }) => numbers[at] === number);
}

/** Tallies by name. A chunk's names are looked up once, and its facts find theirs by number. */
function newNames() {
  const byName = new Map<string | null, Tally>();
  const tallyOf = (name: string | null): Tally => {
    const known = byName.get(name);
    if (known) return known;
    const tally = newTally();
    byName.set(name, tally);
    return tally;
  };
  return {
    ofName: tallyOf,
    ofChunk(chunk: Chunk, group: ChunkGroup): (at: number) => Tally {
      const { names, numbers } = COLUMNS[group];
      const tallies: Tally[] = [];
      return (at) => {
        const number = chunk[numbers][at] ?? 0;
        return (tallies[number] ??= tallyOf(chunk[names][number] ?? null));
      };
    },
    /** Those with the most alerts; of as many, in the order of their ids. */
    most(isShown: (id: string | null) => boolean = () => true): NamedFigures[] {
      return [...byName]
        .filter(([id]) => isShown(id))
        .toSorted(byArrivals)
        .slice(0, MAX_INSIGHT_NAMES)
        .map(([id, tally]) => Object.assign({ id }, figuresOf(tally)));
    },
  };
}

const byArrivals = ([one, ofOne]: [string | null, Tally], [other, ofOther]: [string | null, Tally]): number =>
  ofOther.arrived - ofOne.arrived || ((one ?? '') < (other ?? '') ? -1 : 1);

const figuresOf = ({ arrived, repeats, flapped, suppressed, accept, complete }: Tally) => ({
  arrived,
  repeats,
  flapped,
  suppressed,
  accept: timesOf(accept),
  complete: timesOf(complete),
});

/** Median and ninetieth percentile by nearest rank: the least value that so many of a hundred are not above. */
export function timesOf(durations: readonly number[]): InsightTimes {
  const values = Float64Array.from(durations);
  // It puts the sought value in its place, the others in any order before and behind: sorting takes twice as long.
  const rank = (part: number): number | null => {
    const place = Math.ceil(part * values.length) - 1;
    quickselect(values, place);
    return values[place] ?? null;
  };
  return { alerts: values.length, median: rank(0.5), ninetieth: rank(0.9) };
}

function sumOf(tallies: readonly Tally[]): Tally {
  return {
    arrived: tallies.reduce((sum, { arrived }) => sum + arrived, 0),
    repeats: tallies.reduce((sum, { repeats }) => sum + repeats, 0),
    flapped: tallies.reduce((sum, { flapped }) => sum + flapped, 0),
    suppressed: tallies.reduce((sum, { suppressed }) => sum + suppressed, 0),
    accept: tallies.flatMap(({ accept }) => accept),
    complete: tallies.flatMap(({ complete }) => complete),
  };
}
