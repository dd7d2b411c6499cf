import type { EntityManager } from 'typeorm';
import type { AlertStatus } from '#backend/contract/alert.ts';
import type { AlertFilter } from '#backend/contract/alert-query.ts';
import type { AlertStats, SnoozedCounts } from '#backend/contract/alert-totals.ts';
import { type AlertList, type ListPlace, isEverybodys } from '#backend/contract/alert-place.ts';
import { allOf, anyOf, isOneOf, marksOf, type Condition } from '#backend/platform/database/conditions.ts';
import { type ListPart, type NarrowedList, partsOf, whereCountedAt, withNames } from './alert-list.ts';
import { INBOX_STATUS, type StoredStatus, visibleStatusOf } from './stored-status.ts';

/**
 * What a counter row counts: all alerts of an owner, a folder and a status; the same again for each customer and type, and
 * for each source and severity; or, whoever's they are, the accepted alerts of a status for each customer and type, and for
 * each source and severity (pending ones are nobody's anyway). So every number that is asked for is a sum of few rows,
 * also when owners and names are many. Empty texts stand for what an alert does not have.
 */
export const WHOLE = 0;
export const BY_NAME = 1;
export const OF_ALL_BY_NAME = 2;
export const BY_ORIGIN = 3;
export const OF_ALL_BY_ORIGIN = 4;

/** Whether what has a stored status is counted in the details of all, too. The counters of the inbox, nobody's, are those of all. */
export const isCountedOfAll = (status: StoredStatus): boolean => status !== INBOX_STATUS;

/** Details that count by source and severity: these stand in the columns of customer and type. */
export const isByOrigin = (detail: number): boolean => detail === BY_ORIGIN || detail === OF_ALL_BY_ORIGIN;

/** Details that count everybody's accepted alerts. */
export const isOfAll = (detail: number): boolean => detail === OF_ALL_BY_NAME || detail === OF_ALL_BY_ORIGIN;

/** The key of one counter: its detail, and what it counts. By origin, `customer` is a source's id and `alertType` a severity. */
export interface CountedPlace {
  detail: number;
  ownerId: string;
  folderId: string;
  status: StoredStatus;
  customer: string;
  alertType: string;
}

/** How many alerts a list holds, filtered. */
export interface ListSize {
  alerts: number;
  /** False when it is only known that there are no more: nothing counts a name together with an origin. */
  isExact: boolean;
  /** What {@link countEntries} counts, where this already knows it. */
  entries?: number | undefined;
}

/** How many alerts a narrowed list holds, as far as counters know. */
export async function sizeOfAll(reads: EntityManager, list: NarrowedList): Promise<ListSize> {
  const { alternatives, labels, range } = list;
  const sizes = await Promise.all(list.parts.map((part) => sizeOf(reads, part.list, part.filter)));
  const alerts = sizes.reduce((sum, size) => sum + size.alerts, 0);
  const isWhole =
    alternatives.length === 0 && labels.length === 0 && range.from === undefined && range.below === undefined;
  const entries = sizes.reduce<number | undefined>(
    (sum, size) => (sum === undefined || size.entries === undefined ? undefined : sum + size.entries),
    0,
  );
  return { alerts, isExact: alerts === 0 || (isWhole && sizes.every(({ isExact }) => isExact)), entries };
}

/** How many entries of indexes are looked at for all alerts of these parts: those of their statuses and severities. */
export async function countEntries(manager: EntityManager, parts: NarrowedList['parts']): Promise<number> {
  const counts = await Promise.all(
    parts.map(({ list, filter: { status, completion, severity } }) =>
      countAlerts(manager, list, { status, completion, severity }),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** How many alerts a list holds, filtered: the sum of a few counter rows, however many alerts there are. */
async function sizeOf(manager: EntityManager, list: AlertList, filter: AlertFilter): Promise<ListSize> {
  const { customer, alertType, severity, source, ...others } = filter;
  const hasNames = customer !== undefined || alertType !== undefined;
  const hasOrigin = severity !== undefined || source !== undefined;
  if (!hasNames || !hasOrigin) {
    const alerts = await countAlerts(manager, list, filter);
    return { alerts, isExact: true, entries: hasNames || source !== undefined ? undefined : alerts };
  }
  const [byName, byOrigin] = await Promise.all([
    countByStatus(manager, list, { ...others, customer, alertType }),
    countByStatus(manager, list, { ...others, severity, source }),
  ]);
  const most = [...byName].reduce((sum, [status, alerts]) => sum + Math.min(alerts, byOrigin.get(status) ?? 0), 0);
  return { alerts: most, isExact: most === 0, entries: source === undefined ? sumOf(byOrigin) : undefined };
}

/** The number of alerts of a list, filtered by names or by origin, not by both. */
export const countAlerts = async (manager: EntityManager, list: AlertList, filter: AlertFilter = {}): Promise<number> =>
  sumOf(await countByStatus(manager, list, filter));

/** All statuses together. */
const sumOf = (counts: ReadonlyMap<StoredStatus, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

/** The same for each stored status that it has alerts of. */
async function countByStatus(
  manager: EntityManager,
  list: AlertList,
  filter: AlertFilter,
): Promise<ReadonlyMap<StoredStatus, number>> {
  const parts = partsOf(list, filter);
  if (parts.length === 0) return new Map();
  const { sql, values } = anyOf(parts.map((part) => whereCounted(part, filter)));
  const rows: { status: StoredStatus; total: unknown }[] = await manager.query(
    `SELECT status, SUM(alerts) AS total FROM alert_counts WHERE ${sql} GROUP BY status`,
    values,
  );
  return new Map(rows.map(({ status, total }) => [status, Number(total)] as const).filter(([, count]) => count > 0));
}

function whereCounted(part: ListPart, filter: AlertFilter): Condition {
  const { customer, alertType, severity, source } = filter;
  if (severity !== undefined || source !== undefined) return whereByOrigin(part, filter);
  const isByName = customer !== undefined || alertType !== undefined;
  return isByName ? whereByName(part, filter) : whereWhole(part);
}

/** Counts a list's alerts by the status that people see. */
export async function countByVisibleStatus(
  manager: EntityManager,
  list: AlertList,
): Promise<(status: AlertStatus) => number> {
  const counts = await countByStatus(manager, list, {});
  return (status) =>
    [...counts].reduce((sum, [stored, alerts]) => (visibleStatusOf(stored) === status ? sum + alerts : sum), 0);
}

/** The numbers over System-Wide Alerts. */
export async function findStats(manager: EntityManager): Promise<AlertStats> {
  const count = await countByVisibleStatus(manager, { list: 'all' });
  const counts = {
    pending: count('pending'),
    accepted: count('accepted'),
    'in-progress': count('in-progress'),
    completed: count('completed'),
  };
  return { total: Object.values(counts).reduce((sum, alerts) => sum + alerts, 0), ...counts };
}

/** How many alerts are snoozed that a member may wake: two sums of a few counters. */
export async function countSnoozed(manager: EntityManager, ownerId: string): Promise<SnoozedCounts> {
  const counts = await countByStatus(manager, { list: 'snoozed', ownerId }, {});
  const inbox = [...counts].reduce(
    (sum, [stored, n]) => (isEverybodys({ status: visibleStatusOf(stored) }) ? sum + n : sum),
    0,
  );
  return { inbox, own: sumOf(counts) - inbox };
}

/** Rows that count a list's alerts whatever their names. */
function whereWhole({ list, statuses }: ListPart): Condition {
  const ofStatuses = { sql: `status IN (${marksOf(statuses)})`, values: statuses };
  if (list.list === 'all') return allOf([{ sql: 'detail = ?', values: [WHOLE] }, ofStatuses]);
  return allOf([whereInPlace(WHOLE, list), ofStatuses]);
}

/** Rows that count a list's alerts by their names: one range of the table's key for each status. */
export const whereByName = (part: ListPart, filter: AlertFilter): Condition =>
  whereDetailed(part, [BY_NAME, OF_ALL_BY_NAME], withNames(filter));

/** Rows that count a list's alerts by source and severity, in the same way. */
export function whereByOrigin(part: ListPart, { severity, source }: AlertFilter): Condition {
  const conditions = [
    ...(source === undefined ? [] : [isOneOf('customer', source)]),
    ...(severity === undefined
      ? []
      : [
          isOneOf(
            'alert_type',
            severity.map((one) => (one === 'none' ? '' : one)),
          ),
        ]),
  ];
  return whereDetailed(part, [BY_ORIGIN, OF_ALL_BY_ORIGIN], conditions);
}

function whereDetailed(
  { list, statuses }: ListPart,
  [detail, ofAll]: [number, number],
  conditions: Condition[],
): Condition {
  const ranges = statuses.map((status) => {
    const counted = list.list === 'all' && isCountedOfAll(status) ? ofAll : detail;
    return allOf([whereInPlace(counted, list), { sql: 'status = ?', values: [status] }, ...conditions]);
  });
  return anyOf(ranges);
}

/** Rows of one detail that count what a list's alerts have in common: whose they are, and where. */
const whereInPlace = (detail: number, list: ListPlace): Condition =>
  allOf([{ sql: 'detail = ?', values: [detail] }, whereCountedAt(list)]);
