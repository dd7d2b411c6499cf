import { marksOf } from '#backend/platform/database/conditions.ts';
import { MAX_GROUP_ALERTS } from '#backend/contract/alert-group.ts';
import type { StoredAlert } from '#backend/alerts/alert/alert.ts';
import { INBOX_STATUS } from '#backend/alerts/alert/stored-status.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { StoredGroup } from './group-entities.ts';
import { type ActiveRule, type GroupKey, groupKeyOf } from './group-key.ts';

/** A new alert that a transaction stores. */
export interface ArrivingAlert {
  alert: Pick<
    StoredAlert,
    | 'id'
    | 'receivedAt'
    | 'customer'
    | 'alertType'
    | 'sourceId'
    | 'groupTitle'
    | 'severity'
    | 'state'
    | 'isTest'
    | 'quietById'
    | 'groupId'
  >;
  /** Whether nobody is to be notified of it. */
  isQuiet: boolean;
  /** Whom a rule assigns it to: that takes it out of the inbox in the same transaction. */
  assignee?: unknown;
  made: { event: { groupKey: string | null; payload: string }; delivery: { isImport?: boolean } } | undefined;
}

/**
 * A group that is being joined. `isAnnounced`: an alert of it that notified still fires in the inbox; `isCriticalAnnounced`: a
 * critical one does.
 */
export type OpenGroup = StoredGroup & { isAnnounced: boolean; isCriticalAnnounced: boolean; isStored: boolean };

const COLUMNS = [
  'id',
  'kind',
  'within_minutes',
  'shared',
  'open_key',
  'alerts',
  'announced_id',
  'critical_id',
  'began_at',
  'last_at',
] as const;
const RAISED = ['alerts', 'announced_id', 'critical_id', 'last_at'] as const;

/** The new alerts of a transaction that belong in groups. */
export interface Joining {
  wanted: readonly { one: ArrivingAlert; wants: GroupKey }[];
  /** The groups that are open for them, as far as is known without a lock. */
  groupIds: readonly string[];
}

/**
 * Finds the groups that new alerts belong in, and locks nothing. What is resolved already, a test or imported stands by itself.
 *
 * @param rules those that are on, in the order in which they decide
 */
export async function findGroups(
  tx: Transaction,
  rules: readonly ActiveRule[],
  arriving: readonly ArrivingAlert[],
): Promise<Joining> {
  const wanted: { one: ArrivingAlert; wants: GroupKey }[] = [];
  for (const one of rules.length === 0 ? [] : arriving) {
    const { alert, made } = one;
    if (!made || alert.isTest || alert.state === 'resolved' || made.delivery.isImport) continue;
    const wants = groupKeyOf(rules, { ...alert, ...made.event, groupTitle: alert.groupTitle });
    if (wants) wanted.push({ one, wants });
  }
  if (wanted.length === 0) return { wanted, groupIds: [] };
  const keys = [...new Set(wanted.map(({ wants }) => wants.key))];
  const rows: { id: string }[] = await tx.query(
    `SELECT id FROM alert_groups WHERE open_key IN (${marksOf(keys)})`,
    keys,
  );
  return { wanted, groupIds: rows.map(({ id }) => id) };
}

/**
 * Puts new alerts into their groups before they are written, in the transaction that stores them: so no server can notify of
 * one that another has in a group already. A group notifies of an alert while none that notified still fires in the inbox, and
 * of a critical one while no critical one that notified does; the others notify nobody. A group goes on while its alerts come
 * at most so many minutes apart.
 *
 * @param ended stored alerts that end in this transaction: their rows do not say so yet
 */
export async function joinGroups(
  tx: Transaction,
  { wanted, groupIds }: Joining,
  ended: readonly string[],
): Promise<void> {
  if (wanted.length === 0) return;
  const locked = await lockGroups(tx, groupIds, ended);
  // A key that has moved to another group since it was read is missing here.
  const open = new Map(locked.flatMap((group) => (group.openKey === null ? [] : [[group.openKey, group]])));
  const over: string[] = [];
  const joined = new Set<OpenGroup>();
  for (const { one, wants } of wanted) {
    const found = open.get(wants.key);
    const group = found && goesOn(found, wants.rule, one.alert.receivedAt) ? found : begin(wants, one.alert.receivedAt);
    if (found && found !== group) {
      if (found.isStored) over.push(found.id);
      found.openKey = null;
    }
    open.set(wants.key, group);
    joined.add(group);
    join(group, one);
  }
  await writeGroups(tx, over, [...joined]);
}

/** Whether an alert that arrives at a moment belongs to a group that its key has already. */
const goesOn = ({ alerts, lastAt }: StoredGroup, { withinMinutes }: ActiveRule, at: number): boolean =>
  alerts < MAX_GROUP_ALERTS && at - lastAt <= withinMinutes * 60_000;

const begin = ({ rule, key, shared }: GroupKey, at: number): OpenGroup => ({
  id: newId(),
  ...rule,
  shared,
  openKey: key,
  alerts: 0,
  announcedId: null,
  criticalId: null,
  beganAt: at,
  lastAt: at,
  isAnnounced: false,
  isCriticalAnnounced: false,
  isStored: false,
});

/** Puts an alert into a group, and decides whether anybody is notified of it. */
function join(group: OpenGroup, one: ArrivingAlert): void {
  const { alert } = one;
  alert.groupId = group.id;
  group.alerts += 1;
  group.lastAt = Math.max(group.lastAt, alert.receivedAt);
  if (isAnnouncedIn(group, alert)) one.isQuiet = true;
  if (!one.isQuiet && one.assignee === undefined) announceIn(group, alert);
}

type Announced = Pick<StoredAlert, 'id' | 'severity'>;

/** Whether the card of a group says in the inbox already what this alert of it would say. */
export const isAnnouncedIn = (group: OpenGroup, { severity }: Announced): boolean =>
  group.isAnnounced && (severity !== 'critical' || group.isCriticalAnnounced);

/** Records that an alert in the inbox notifies for its group. */
export function announceIn(group: OpenGroup, { id, severity }: Announced): void {
  if (!group.isAnnounced) group.announcedId = id;
  group.isAnnounced = true;
  if (severity !== 'critical') return;
  if (!group.isCriticalAnnounced) group.criticalId = id;
  group.isCriticalAnnounced = true;
}

/**
 * Groups that nobody else joins until the transaction ends. Every transaction locks groups in the order of their ids, all of
 * them in one statement, so that two do not wait for each other.
 *
 * @param without alerts by which no group is announced
 */
export async function lockGroups(
  tx: Transaction,
  ids: readonly string[],
  without: readonly string[] = [],
): Promise<OpenGroup[]> {
  if (ids.length === 0) return [];
  const rows: StoredGroup[] = await tx.query(
    'SELECT id, kind, within_minutes AS withinMinutes, shared, open_key AS openKey, alerts, announced_id AS announcedId, ' +
      'critical_id AS criticalId, began_at AS beganAt, last_at AS lastAt ' +
      `FROM alert_groups WHERE id IN (${marksOf(ids)}) ORDER BY id${tx.dialect.forUpdate}`,
    [...ids],
  );
  const standing = await findStanding(tx, rows, new Set(without));
  return rows.map((row) =>
    Object.assign(row, {
      beganAt: Number(row.beganAt),
      lastAt: Number(row.lastAt),
      isAnnounced: standing.has(`${row.id} ${row.announcedId}`) || standing.has(`${row.id} ${row.criticalId}`),
      isCriticalAnnounced: standing.has(`${row.id} ${row.criticalId}`),
      isStored: true,
    }),
  );
}

/**
 * Of the alerts that notified for these groups, those that still fire in the inbox and in their group, as "group alert". Read
 * after the groups were locked, and without a lock: alerts are locked before groups elsewhere.
 */
async function findStanding(
  tx: Transaction,
  groups: readonly Pick<StoredGroup, 'announcedId' | 'criticalId'>[],
  without: ReadonlySet<string>,
): Promise<Set<string>> {
  const announced = groups.flatMap(({ announcedId, criticalId }) => [announcedId ?? [], criticalId ?? []].flat());
  const ids = [...new Set(announced)].filter((id) => !without.has(id));
  if (ids.length === 0) return new Set();
  const rows: { id: string; groupId: string | null }[] = await tx.query(
    `SELECT id, group_id AS groupId FROM alerts WHERE id IN (${marksOf(ids)}) ` +
      "AND status = ? AND snoozed_until IS NULL AND quiet_by_id IS NULL AND (state IS NULL OR state <> 'resolved')",
    [...ids, INBOX_STATUS],
  );
  return new Set(rows.map(({ id, groupId }) => `${groupId} ${id}`));
}

async function writeGroups(tx: Transaction, over: readonly string[], joined: readonly OpenGroup[]): Promise<void> {
  if (over.length > 0) {
    await tx.query(`UPDATE alert_groups SET open_key = NULL WHERE id IN (${marksOf(over)})`, [...over]);
  }
  const values = (group: OpenGroup) => [
    group.id,
    group.kind,
    group.withinMinutes,
    group.shared,
    group.openKey,
    group.alerts,
    group.announcedId,
    group.criticalId,
    group.beganAt,
    group.lastAt,
  ];
  // A key that another server has taken since it was read fails as a duplicate, and the batch runs again. In the order
  // of the keys, because a key waits for whoever is just taking it.
  const begun = joined.filter(({ isStored }) => !isStored).toSorted(inOrderOfKeys);
  await tx.runRows((rows) => insertSql('alert_groups', COLUMNS, rows), begun.map(values));
  await tx.runRows(
    (rows) => tx.dialect.upsertValues(insertSql('alert_groups', COLUMNS, rows), 'id', RAISED),
    joined.filter(({ isStored }) => isStored).map(values),
  );
}

const inOrderOfKeys = ({ openKey: one }: OpenGroup, { openKey: other }: OpenGroup): number =>
  (one ?? '') < (other ?? '') ? -1 : 1;
