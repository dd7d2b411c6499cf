import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { type AlertFacets, type AlertSeverity, MAX_FACET_NAMES, alertSeveritySchema } from '#backend/contract/alert.ts';
import { sortByName, sortNames } from '#backend/contract/name.ts';
import type { Database } from '#backend/database/database.ts';
import { branchesOf, readBranches } from './alert-branches.ts';
import { whereByName, whereByOrigin } from './alert-counts.ts';
import { type AlertList, type ListPart, anyOf, isOneOf, partsOf } from './alert-list.ts';

/** Counter rows read before other work has its turn: about 5 ms on the embedded database, which reads on this thread. */
const SLICE_ROWS = 2_000;

/** Counter rows that an answer looks through when nothing is searched for. */
const MAX_ROWS = 20_000;

interface NamedRow {
  customer: string;
  alertType: string;
}

/** Where facets are read. */
type Reads = Pick<Database, 'reads' | 'dialect'>;

/**
 * What a list's alerts can be filtered by: customers, types and sources sorted for people, severities by rank. Of a list
 * with names without end it gives the first that it finds (`isComplete: false`), and all of it is searched for `wanted`,
 * a text in the name, whatever its case.
 */
export async function findFacets(database: Reads, list: AlertList, wanted = ''): Promise<AlertFacets> {
  const names = await findNames(database.reads, list, wanted);
  const { severities, sources } = await findOrigins(database, list, wanted);
  return {
    ...names,
    severities,
    sources: sources.slice(0, MAX_FACET_NAMES),
    isComplete: names.isComplete && sources.length <= MAX_FACET_NAMES,
  };
}

type Names = Pick<AlertFacets, 'customers' | 'alertTypes' | 'isComplete'>;

async function findNames(reads: EntityManager, list: AlertList, wanted: string): Promise<Names> {
  const found = { customers: new Set<string>(), alertTypes: new Set<string>() };
  const text = wanted.toLowerCase();
  const add = (names: Set<string>, name: string) => {
    // One more than fits, so that it is known that there are more.
    if (name !== '' && names.size <= MAX_FACET_NAMES && name.toLowerCase().includes(text)) names.add(name);
  };
  let rows = 0;
  let isCut = false;
  for await (const slice of slicesOf(reads, list)) {
    for (const { customer, alertType } of slice) {
      add(found.customers, customer);
      add(found.alertTypes, alertType);
    }
    rows += slice.length;
    const isFull = found.customers.size > MAX_FACET_NAMES && found.alertTypes.size > MAX_FACET_NAMES;
    isCut = isFull || (text === '' && rows >= MAX_ROWS);
    if (isCut) break;
    await nextTurn();
  }
  const { customers, alertTypes } = found;
  return {
    customers: sortNames([...customers].slice(0, MAX_FACET_NAMES)),
    alertTypes: sortNames([...alertTypes].slice(0, MAX_FACET_NAMES)),
    isComplete: !isCut && customers.size <= MAX_FACET_NAMES && alertTypes.size <= MAX_FACET_NAMES,
  };
}

/** The rows that count a list's alerts by their names, in the order of the table's key. */
async function* slicesOf(reads: EntityManager, list: AlertList): AsyncGenerator<NamedRow[]> {
  const ranges = partsOf(list, {}).flatMap((part) =>
    part.statuses.map((status) => ({ list: part.list, statuses: [status] })),
  );
  for (const range of ranges) {
    let last: NamedRow | undefined;
    do {
      const slice = await readSlice(reads, range, last);
      if (slice.length > 0) yield slice;
      last = slice.length < SLICE_ROWS ? undefined : slice.at(-1);
    } while (last !== undefined);
  }
}

function readSlice(reads: EntityManager, range: ListPart, last: NamedRow | undefined): Promise<NamedRow[]> {
  const { sql, values } = whereByName(range, {});
  // In two conditions, because MySQL reads no range of an index by a comparison of rows.
  const after = last ? ' AND customer >= ? AND (customer > ? OR alert_type > ?)' : '';
  return reads.query(
    `SELECT customer, alert_type AS alertType FROM alert_counts WHERE ${sql}${after} ` +
      `GROUP BY customer, alert_type HAVING SUM(alerts) > 0 ORDER BY customer, alert_type LIMIT ${SLICE_ROWS}`,
    [...values, ...(last ? [last.customer, last.customer, last.alertType] : [])],
  );
}

type Origins = Pick<AlertFacets, 'severities' | 'sources'>;

/** The severities and sources of a list's alerts, with how many there are of each: a few counter rows. */
async function findOrigins(database: Reads, list: AlertList, wanted: string): Promise<Origins> {
  const { sql, values } = anyOf(partsOf(list, {}).map((part) => whereByOrigin(part, {})));
  const rows: { id: string; severity: AlertSeverity | ''; alerts: unknown }[] = await database.reads.query(
    'SELECT customer AS id, alert_type AS severity, SUM(alerts) AS alerts FROM alert_counts ' +
      `WHERE ${sql} GROUP BY customer, alert_type`,
    values,
  );
  const ofSeverity = new Map<AlertSeverity, number>();
  const ofSource = new Map<string, number>();
  for (const { id, severity, alerts } of rows) {
    addTo(ofSeverity, severity === '' ? 'none' : severity, Number(alerts));
    if (id !== '') addTo(ofSource, id, Number(alerts));
  }
  const text = wanted.toLowerCase();
  const names = await nameSources(database, list, [...ofSource.keys()]);
  return {
    severities: alertSeveritySchema.options.flatMap((severity) => {
      const alerts = ofSeverity.get(severity) ?? 0;
      return alerts > 0 ? [{ severity, alerts }] : [];
    }),
    sources: sortByName(
      [...ofSource]
        .map(([id, alerts]) => ({ id, name: names.get(id) ?? DELETED, alerts }))
        .filter(({ name, alerts }) => alerts > 0 && name.toLowerCase().includes(text)),
      ({ name }) => name,
    ),
  };
}

function addTo<Key>(counts: Map<Key, number>, key: Key, alerts: number): void {
  counts.set(key, (counts.get(key) ?? 0) + alerts);
}

/** Names of sources; of one that was deleted, the name that its newest alert of the list came with. */
async function nameSources(database: Reads, list: AlertList, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { reads } = database;
  const { sql, values } = isOneOf('id', ids);
  const rows: { id: string; name: string }[] = await reads.query(`SELECT id, name FROM sources WHERE ${sql}`, values);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  for (const id of ids.filter((one) => !names.has(one)).slice(0, MAX_DELETED_NAMED)) {
    const name = await nameInNewest(database, list, id);
    if (name !== undefined) names.set(id, name);
  }
  return names;
}

/** Deleted sources that an answer looks for the names of, and what the others are called. */
const MAX_DELETED_NAMED = 20;
const DELETED = 'Deleted source';

async function nameInNewest({ reads, dialect }: Reads, list: AlertList, source: string): Promise<string | undefined> {
  const branches = branchesOf(list, { source: [source] }, 'newest');
  const [newest] = await readBranches(reads, dialect, branches, { bounds: [], order: 'DESC', rows: 1 });
  if (!newest) return undefined;
  const [row]: { name: string | null }[] = await reads.query('SELECT source_name AS name FROM alerts WHERE id = ?', [
    newest.id,
  ]);
  return row?.name ?? undefined;
}
