import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { type AlertFacets, type AlertSeverity, alertSeveritySchema } from '#backend/contract/alert.ts';
import { type AlertCompletion, type AlertFacetsQuery, MAX_FACET_NAMES } from '#backend/contract/alert-query.ts';
import { sortByName, sortNames } from '#backend/contract/name.ts';
import { MAX_SOURCES } from '#backend/contract/source.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { branchesOf, readNewestOfEach } from './alert-branches.ts';
import { whereByName, whereByOrigin } from '#backend/alerts/alert/alert-counts.ts';
import type { AlertList } from '#backend/contract/alert-place.ts';
import { anyOf, isOneOf } from '#backend/platform/database/conditions.ts';
import { type ListPart, hasStatus, partsOf } from '#backend/alerts/alert/alert-list.ts';
import { type StoredStatus, visibleStatusOf } from '#backend/alerts/alert/stored-status.ts';

/** Counter rows read before other work has its turn: about 5 ms on the embedded database, which reads on this thread. */
const SLICE_ROWS = 5_000;

/** Counters that an answer looks through when nothing is searched for. */
const MAX_COUNTERS = 20_000;

/** A customer and a type of alerts: what a counter counts. */
interface NamedPair {
  customer: string;
  alertType: string;
}

/** Where facets are read. */
type Reads = Pick<Database, 'reads' | 'dialect'>;

/**
 * What a list's alerts can be filtered by: customers, types and sources sorted for people, severities by rank. Of a list
 * with names without end it gives the first that it finds (`isComplete: false`), and all of it is searched for `wanted`,
 * a text in the name, whatever its case. `completion` limits the counts, not the names.
 */
export async function findFacets(
  database: Reads,
  list: AlertList,
  { q: wanted = '', completion }: Pick<AlertFacetsQuery, 'q' | 'completion'>,
): Promise<AlertFacets> {
  const [{ incomplete: ofNames, ...names }, { severities, sources }] = await Promise.all([
    findNames(database.reads, list, wanted),
    findOrigins(database, list, wanted, completion),
  ]);
  const incomplete = [...ofNames, ...(sources.length > MAX_SOURCES ? (['sources'] as const) : [])];
  return {
    ...names,
    severities,
    sources: withinLimit(sources),
    isComplete: incomplete.length === 0,
    ...(incomplete.length > 0 && { incomplete }),
  };
}

/** As many sources as there can be, those first that were not deleted: what is chosen of these is always named. */
function withinLimit(sources: Origins['sources']): Origins['sources'] {
  if (sources.length <= MAX_SOURCES) return sources;
  const deleted = sources.filter(({ isDeleted }) => isDeleted);
  const left = new Set(deleted.slice(MAX_SOURCES - (sources.length - deleted.length)));
  return sources.filter((source) => !left.has(source));
}

type Names = Pick<AlertFacets, 'customers' | 'alertTypes'> & { incomplete: NonNullable<AlertFacets['incomplete']> };

async function findNames(reads: EntityManager, list: AlertList, wanted: string): Promise<Names> {
  const found = { customers: new Set<string>(), alertTypes: new Set<string>() };
  const text = wanted.toLowerCase();
  const add = (names: Set<string>, name: string) => {
    // One more than fits, so that it is known that there are more.
    if (name === '' || names.size > MAX_FACET_NAMES || names.has(name)) return;
    if (name.toLowerCase().includes(text)) names.add(name);
  };
  let counters = 0;
  let isCut = false;
  for await (const slice of slicesOf(reads, list)) {
    for (const { customer, alertType } of slice) {
      add(found.customers, customer);
      add(found.alertTypes, alertType);
    }
    counters += slice.length;
    const isFull = found.customers.size > MAX_FACET_NAMES && found.alertTypes.size > MAX_FACET_NAMES;
    isCut = isFull || (text === '' && counters >= MAX_COUNTERS);
    if (isCut) break;
    await nextTurn();
  }
  const { customers, alertTypes } = found;
  const kinds = ['customers', 'alertTypes'] as const;
  return {
    customers: sortNames([...customers].slice(0, MAX_FACET_NAMES)),
    alertTypes: sortNames([...alertTypes].slice(0, MAX_FACET_NAMES)),
    incomplete: kinds.filter((kind) => isCut || found[kind].size > MAX_FACET_NAMES),
  };
}

/** The names of which a list has alerts, in the order of the counters' key. */
async function* slicesOf(reads: EntityManager, list: AlertList): AsyncGenerator<NamedPair[]> {
  const ranges = partsOf(list, {}).flatMap((part) =>
    part.statuses.map((status) => ({ list: part.list, statuses: [status] })),
  );
  let range = ranges.shift();
  let slice = range && readSlice(reads, range);
  while (range && slice) {
    const rows = await slice;
    const sums = sumSlots(rows);
    const isFull = rows.length >= SLICE_ROWS;
    // Of a pair at the end of a slice some slots may be missing.
    if (isFull) sums.pop();
    else range = ranges.shift();
    // The database reads the next slice while names of this one are gathered.
    slice = range && readSlice(reads, range, isFull ? sums.at(-1) : undefined);
    // It is left where enough names are known.
    slice?.catch(() => undefined);
    const pairs = sums.filter(({ alerts }) => alerts > 0);
    if (pairs.length > 0) yield pairs;
  }
}

type CounterRow = NamedPair & { alerts: number };

/** Rows as they are stored, but for empty ones: where the database adds them up it works a third longer. */
function readSlice(reads: EntityManager, range: ListPart, last?: NamedPair): Promise<CounterRow[]> {
  const { sql, values } = whereByName(range, {});
  // In two conditions, because MySQL reads no range of an index by a comparison of rows.
  const after = last ? ' AND customer >= ? AND (customer > ? OR alert_type > ?)' : '';
  return reads.query(
    'SELECT customer, alert_type AS alertType, alerts FROM alert_counts ' +
      `WHERE ${sql} AND alerts <> 0${after} ORDER BY customer, alert_type LIMIT ${SLICE_ROWS}`,
    [...values, ...(last ? [last.customer, last.customer, last.alertType] : [])],
  );
}

/** The counters of rows in the order of their key: those of one pair stand together, one for each slot. */
function sumSlots(rows: readonly CounterRow[]): CounterRow[] {
  const sums: CounterRow[] = [];
  let last: CounterRow | undefined;
  for (const row of rows) {
    if (last?.customer === row.customer && last.alertType === row.alertType) last.alerts += row.alerts;
    else sums.push((last = row));
  }
  return sums;
}

type Origins = Pick<AlertFacets, 'severities' | 'sources'>;

/** The severities and sources of a list's alerts, with how many there are of each: a few counter rows. */
async function findOrigins(
  database: Reads,
  list: AlertList,
  wanted: string,
  completion: AlertCompletion | undefined,
): Promise<Origins> {
  const { sql, values } = anyOf(partsOf(list, {}).map((part) => whereByOrigin(part, {})));
  const rows: { id: string; severity: AlertSeverity | ''; status: StoredStatus; alerts: unknown }[] =
    await database.reads.query(
      'SELECT customer AS id, alert_type AS severity, status, SUM(alerts) AS alerts FROM alert_counts ' +
        `WHERE ${sql} GROUP BY customer, alert_type, status HAVING SUM(alerts) > 0`,
      values,
    );
  const ofSeverity = new Map<AlertSeverity, number>();
  const ofSource = new Map<string, number>();
  for (const { id, severity, status, alerts } of rows) {
    const counted = hasStatus({ completion }, visibleStatusOf(status)) ? Number(alerts) : 0;
    addTo(ofSeverity, severity === '' ? 'none' : severity, counted);
    if (id !== '') addTo(ofSource, id, counted);
  }
  const text = wanted.toLowerCase();
  const names = await nameSources(database, list, [...ofSource.keys()]);
  return {
    severities: alertSeveritySchema.options.flatMap((severity) => {
      const alerts = ofSeverity.get(severity);
      return alerts === undefined ? [] : [{ severity, alerts }];
    }),
    sources: sortByName(
      [...ofSource]
        .map(([id, alerts]) => Object.assign({ id, alerts }, names.get(id) ?? DELETED))
        .filter(({ name }) => name.toLowerCase().includes(text)),
      ({ name }) => name,
    ),
  };
}

function addTo<Key>(counts: Map<Key, number>, key: Key, alerts: number): void {
  counts.set(key, (counts.get(key) ?? 0) + alerts);
}

/** What a source is called, and whether it was deleted. */
interface SourceName {
  name: string;
  isDeleted?: true;
}

/**
 * Names of sources; of one that was deleted, the name that its newest alert of the list came with. Of many deleted ones some
 * are missing.
 */
export async function nameSources(database: Reads, list: AlertList, ids: string[]): Promise<Map<string, SourceName>> {
  if (ids.length === 0) return new Map();
  const { reads } = database;
  const { sql, values } = isOneOf('id', ids);
  const rows: { id: string; name: string }[] = await reads.query(`SELECT id, name FROM sources WHERE ${sql}`, values);
  const names = new Map<string, SourceName>(rows.map(({ id, name }) => [id, { name }]));
  const deleted = ids.filter((one) => !names.has(one)).slice(0, MAX_DELETED_NAMED);
  return deleted.length === 0 ? names : new Map([...names, ...(await namesInNewest(database, list, deleted))]);
}

/** Deleted sources that an answer looks for the names of, and what the others are called. */
const MAX_DELETED_NAMED = 20;
const DELETED: SourceName = { name: 'Deleted source', isDeleted: true };

/** The names of sources in the newest alert of the list that each has sent. */
async function namesInNewest(
  { reads, dialect }: Reads,
  list: AlertList,
  sources: string[],
): Promise<(readonly [string, SourceName])[]> {
  const branches = sources.map((source) => branchesOf(list, { source: [source] }, 'newest'));
  const newest = isOneOf('id', await readNewestOfEach(reads, dialect, branches));
  if (newest.values.length === 0) return [];
  const rows: { id: string; name: string | null }[] = await reads.query(
    `SELECT source_id AS id, source_name AS name FROM alerts ${dialect.byKey('alerts')} WHERE ${newest.sql}`,
    newest.values,
  );
  return rows.flatMap(({ id, name }) => (name === null ? [] : [[id, { ...DELETED, name }] as const]));
}
