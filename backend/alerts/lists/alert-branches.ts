import type { EntityManager } from 'typeorm';
import {
  type AlertSeverity,
  type AlertStatus,
  type AlertUrgency,
  alertUrgencySchema,
  urgencyOf,
} from '#backend/contract/alert.ts';
import type { AlertFilter, AlertListSort } from '#backend/contract/alert-query.ts';
import { type AlertList, PLACES, type ListPlace } from '#backend/contract/alert-place.ts';
import type { Dialect } from '#backend/platform/database/dialect.ts';
import type { LongReads } from '#backend/platform/database/long-read-thread.ts';
import { type IdRange, timedCondition } from '#backend/platform/database/id-times.ts';
import { type Condition, allOf, isOneOf, isOneOfOrNull, joinSelects } from '#backend/platform/database/conditions.ts';
import {
  BY_RANK,
  type NarrowedList,
  type Urgency,
  partsOf,
  urgenciesOf,
  whereAt,
  withLabels,
  withNames,
} from '#backend/alerts/alert/alert-list.ts';
import type { StoredAlert } from '#backend/alerts/alert/alert.ts';
import { type StoredStatus, visibleStatusOf } from '#backend/alerts/alert/stored-status.ts';

/** Rows of a list that one index holds in the order of their ids: those of a status, of a status, severity and state, or all. */
export interface Branch extends Condition {
  /** The only status of its rows, as people see it, where they have one. */
  status: AlertStatus | undefined;
  /** The group of its rows in the order by severity, where the list has that order. */
  urgency: AlertUrgency | undefined;
  /** The index to read by; the table's own order without. */
  index: string | undefined;
  /** Where its rows begin and end, when not with the first and the last. */
  range?: IdRange;
}

/** Where a row stands in a list. */
export interface Place {
  id: string;
  status: AlertStatus;
  /**
   * In the orders by status and by severity: which of them its group in the list has. In that of completion: when it was
   * completed, in milliseconds, or 0 where that is not known.
   */
  group?: AlertStatus | AlertUrgency | `${number}` | undefined;
  /** Its group in the order by severity, where that was read with it. */
  urgency?: AlertUrgency;
}

/** Which rows of branches to read: between bounds of the id, in an order, all or those that meet a condition. */
export interface Range {
  bounds: { operator: '<' | '<=' | '>' | '>='; id: string }[];
  order: 'ASC' | 'DESC';
  rows: number;
  condition?: Condition;
}

/** The branches of all parts of a list, in the order of their groups. */
export function branchesOfAll({ parts, alternatives, labels, range }: NarrowedList, sort: AlertListSort): Branch[] {
  const conditions = alternatives.map(({ column, values }) => isOneOf(column, values));
  const all = parts.flatMap(({ list, filter }) => branchesOf(list, filter, sort, labels.length === 0));
  const branches = withLabels(labels, all);
  const narrowed = branches.map((branch) => Object.assign(branch, allOf([branch, ...conditions]), { range }));
  const rankOf = ({ urgency, status }: Branch): number =>
    urgency === undefined ? BY_RANK.indexOf(status ?? 'pending') : alertUrgencySchema.options.indexOf(urgency);
  return parts.length < 2 ? narrowed : narrowed.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/**
 * A list's branches: by group of the order by severity where the list has that order, and by rank of status. A filter's
 * names and sources are not what an index begins with (see the migration that made it), but they are in it: looking for
 * them goes through the index alone.
 */
export function branchesOf(list: AlertList, filter: AlertFilter, sort: AlertListSort, mayBeWhole = true): Branch[] {
  const { customer, alertType, status: only, completion, severity, source } = filter;
  const isWhole =
    mayBeWhole &&
    list.list === 'all' &&
    [customer, alertType, only, completion, severity, source].every((one) => one === undefined);
  if (isWhole && (sort === 'newest' || sort === 'oldest')) {
    return [{ status: undefined, urgency: undefined, index: undefined, sql: '1 = 1', values: [] }];
  }
  const ranges = partsOf(list, filter).flatMap((part) => part.statuses.map((status) => ({ list: part.list, status })));
  if (sort === 'severity') {
    return urgenciesOf(filter).flatMap((urgency) =>
      ranges.flatMap((range) => branchesOfStatus(range.list, filter, range.status, urgency)),
    );
  }
  const chosen = severity && { name: undefined, severities: [...new Set(severity)], states: EVERY_STATE };
  return ranges.flatMap((range) => branchesOfStatus(range.list, filter, range.status, chosen));
}

const EVERY_STATE: readonly StoredAlert['state'][] = [null, 'firing', 'acknowledged', 'resolved'];

/** Which rows of a status: those of a group in the order by severity, or of the severities that a filter asks for. */
type Chosen = Omit<Urgency, 'name'> & { name: Urgency['name'] | undefined };

const asStored = (severities: readonly AlertSeverity[]) => severities.map((one) => (one === 'none' ? null : one));

/** The branches of a status: in lists of everybody one for each severity and state, in a queue one, which is looked through. */
function branchesOfStatus(
  list: ListPlace,
  filter: AlertFilter,
  stored: StoredStatus,
  only: Chosen | undefined,
): Branch[] {
  const status = visibleStatusOf(stored);
  const conditions = [
    { sql: 'status = ?', values: [stored] },
    ...withNames(filter),
    ...(filter.source === undefined ? [] : [isOneOf('source_id', filter.source)]),
  ];
  if (PLACES[list.list].whose !== 'owned') {
    if (!only) return [{ status, urgency: undefined, index: 'alerts_by_status', ...allOf(conditions) }];
    return asStored(only.severities).flatMap((severity) =>
      only.states.map((state) => ({
        status,
        urgency: only.name,
        // The index of severities does not have plain alerts: those without a severity and without a state.
        index: severity === null && state === null ? 'alerts_by_status' : 'alerts_by_severity',
        ...allOf([...conditions, isOneOfOrNull('severity', [severity]), isOneOfOrNull('state', [state])]),
      })),
    );
  }
  const bySeverity = only ? [isOneOfOrNull('severity', asStored(only.severities))] : [];
  const byState = only && only.states !== EVERY_STATE ? [isOneOfOrNull('state', only.states)] : [];
  const all = allOf([...whereAt(list), ...conditions, ...bySeverity, ...byState]);
  return [{ status, urgency: only?.name, index: 'alerts_queue', ...all }];
}

/** Rows of all branches together, in the order of their ids. @param reads long ones where a condition may pass many rows */
export async function readBranches(
  reads: LongReads,
  dialect: Dialect,
  branches: Branch[],
  range: Range,
): Promise<Place[]> {
  const { sql, values } = selectTogether(dialect, branches, range);
  return branches.length === 0 ? [] : asPlaces(await reads.query(sql, values));
}

/** Of each of several groups of branches the id of the newest row, in one statement; groups without rows are left out. */
export async function readNewestOfEach(
  manager: EntityManager,
  dialect: Dialect,
  groups: readonly Branch[][],
): Promise<string[]> {
  const range: Range = { bounds: [], order: 'DESC', rows: 1 };
  const newest = groups
    .filter((branches) => branches.length > 0)
    .map((branches) => selectTogether(dialect, branches, range, { sql: 'id', values: [] }));
  if (newest.length === 0) return [];
  const rows: { id: string }[] = await manager.query(
    newest.map(({ sql }, group) => `SELECT id FROM (${sql}) AS group${group}`).join(' UNION ALL '),
    newest.flatMap(({ values }) => values),
  );
  return rows.map(({ id }) => id);
}

/** Rows with an id and a stored status as places. */
export const asPlaces = (rows: readonly Pick<MeasuredRow, 'id' | 'status' | 'urgency'>[]): Place[] =>
  rows.map(({ id, status, urgency }) => ({ id, status: visibleStatusOf(status), ...(urgency && { urgency }) }));

export const fromIndex = (dialect: Dialect, { index }: Pick<Branch, 'index'>): string =>
  index === undefined ? 'alerts' : `alerts ${dialect.byIndex(index)}`;

/** An alert, and how many bytes of it there are to look at; and whether it contains what is looked for, where that is known. */
export interface MeasuredRow {
  id: string;
  status: StoredStatus;
  bytes: number;
  isHit: boolean | undefined;
  /** Of an alert that nothing is looked for in. */
  urgency?: AlertUrgency;
}

/** How much of an alert searches look at, roughly: its texts, and those of its notes. */
const BYTES = 'OCTET_LENGTH(payload) + OCTET_LENGTH(url) + COALESCE(OCTET_LENGTH(note_text), 0)';

/**
 * Columns of {@link MeasuredRow}: alerts of so many bytes are looked at by the statement that measures them. Without a
 * condition there is nothing to look at or to measure.
 */
export const withHits = (condition: Condition | undefined, mostBytes: number): Condition => ({
  sql: condition
    ? `id, status, ${BYTES} AS bytes, CASE WHEN ${BYTES} > ${mostBytes} THEN -1 ELSE (${condition.sql}) END AS hit`
    : 'id, status, severity, state',
  values: condition?.values ?? [],
});

interface HitRow extends Pick<StoredAlert, 'id' | 'status'>, Partial<Pick<StoredAlert, 'severity' | 'state'>> {
  bytes?: unknown;
  hit?: unknown;
}

/** Rows of {@link withHits}; MySQL's driver hands some numbers over as text. */
export const asMeasured = (rows: readonly HitRow[]): MeasuredRow[] =>
  rows.map(({ id, status, bytes = 0, hit = -1, severity, state }) => ({
    id,
    status,
    bytes: Number(bytes),
    isHit: Number(hit) < 0 ? undefined : Number(hit) === 1,
    ...(severity !== undefined && { urgency: urgencyOf({ severity: severity ?? 'none', state: state ?? 'event' }) }),
  }));

/** Rows of all branches together, in the order of their ids, with columns of {@link withHits}. */
export async function readMeasured(
  manager: EntityManager,
  dialect: Dialect,
  branches: Branch[],
  range: Range,
  columns: Condition,
): Promise<MeasuredRow[]> {
  const { sql, values } = selectTogether(dialect, branches, range, columns);
  return branches.length === 0 ? [] : asMeasured(await manager.query(sql, values));
}

/** How much there is to look at in a range: its rows, the bytes of their texts, and the id of the last of them. */
export interface RangeSize {
  rows: number;
  bytes: number;
  end: string | undefined;
}

/** Measures a range of all branches together. MySQL reads the texts for that, but sends none; SQLite reads none. */
export async function measureBranches(
  manager: EntityManager,
  dialect: Dialect,
  branches: Branch[],
  range: Range,
): Promise<RangeSize> {
  const { sql, values } = selectTogether(dialect, branches, range, { sql: `id, ${BYTES} AS bytes`, values: [] });
  const end = range.order === 'DESC' ? 'MIN(id)' : 'MAX(id)';
  const [size]: { total: unknown; bytes: unknown; end: string | null }[] = await manager.query(
    `SELECT COUNT(*) AS total, SUM(bytes) AS bytes, ${end} AS end FROM (${sql}) AS measured`,
    values,
  );
  return { rows: Number(size?.total ?? 0), bytes: Number(size?.bytes ?? 0), end: size?.end ?? undefined };
}

/** The id of the row that many rows into the branches, when they have as many. */
export async function idAtDepth(
  manager: EntityManager,
  dialect: Dialect,
  branches: Branch[],
  range: Range,
): Promise<string | undefined> {
  const { sql, values } = selectTogether(dialect, branches, range);
  const [row]: { id: string }[] = await manager.query(`${sql} OFFSET ${range.rows - 1}`, values);
  return row?.id;
}

const PLACE: Condition = { sql: 'id, status', values: [] };

function selectTogether(dialect: Dialect, branches: Branch[], range: Range, columns = PLACE): Condition {
  const parts = branches.map((branch) => selectBranch(dialect, branch, range, columns));
  if (parts.length === 1 && parts[0]) return parts[0];
  return joinSelects(parts, (union) => `${union} ORDER BY id ${range.order} LIMIT ${range.rows}`);
}

/** The narrowest bounds alone: of two SQLite begins with the first that it reads. */
export function boundsWithin(range: IdRange = {}, bounds: Range['bounds']): Condition[] {
  const { from, below } = range;
  const all: Range['bounds'] = [
    ...bounds,
    ...(from === undefined ? [] : [{ operator: '>=', id: from } as const]),
    ...(below === undefined ? [] : [{ operator: '<', id: below } as const]),
  ];
  const lower = all
    .filter(({ operator }) => operator.startsWith('>'))
    .toSorted(byId)
    .at(-1);
  const upper = all.filter(({ operator }) => operator.startsWith('<')).toSorted(byId)[0];
  return [
    ...[lower, upper].flatMap((bound) => (bound ? [{ sql: `id ${bound.operator} ?`, values: [bound.id] }] : [])),
    ...timedCondition(range, 'id', 'received_at'),
  ];
}

/** Of two bounds at one id the one that leaves it out is last among the lower and first among the upper ones. */
const byId = (one: Range['bounds'][number], other: Range['bounds'][number]): number =>
  one.id === other.id ? RANK[one.operator] - RANK[other.operator] : one.id < other.id ? -1 : 1;
const RANK = { '>=': 0, '>': 1, '<': 2, '<=': 3 } as const;

function selectBranch(dialect: Dialect, branch: Branch, range: Range, columns: Condition): Condition {
  const { bounds, order, rows, condition } = range;
  const { sql, values } = allOf([branch, ...boundsWithin(branch.range, bounds), ...(condition ? [condition] : [])]);
  const table = fromIndex(dialect, branch);
  return {
    sql: `SELECT ${columns.sql} FROM ${table} WHERE ${sql} ORDER BY id ${order} LIMIT ${rows}`,
    values: [...columns.values, ...values],
  };
}
