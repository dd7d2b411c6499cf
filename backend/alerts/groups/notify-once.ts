import type { StoredAlert } from '#backend/alerts/alert/alert.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { type OpenGroup, announceIn, isAnnouncedIn, lockGroups } from './join-groups.ts';

/** A stored alert, locked, that would notify people again. */
export interface NotifyingAlert {
  alert: Pick<StoredAlert, 'id' | 'groupId' | 'ownerId' | 'snoozedUntil' | 'severity' | 'lastSeenAt' | 'receivedAt'>;
  /**
   * It notifies because it was not reported for so long, in milliseconds. Absent where it notifies as a new alert does, because
   * nothing keeps it quiet any more.
   */
  afterMs?: number | undefined;
}

/**
 * Of the alerts of a card that fire and are not quiet: when one was reported last, whether one is critical, and when a snooze of
 * one, and of a critical one, ended last; 0 for never.
 */
interface Card {
  seenAt: number;
  hasCritical: boolean;
  wokenAt: number;
  criticalWokenAt: number;
}
type Cards = Map<string, Card>;

const cardOf = ({ groupId, ownerId }: Pick<StoredAlert, 'groupId' | 'ownerId'>): string => `${groupId} ${ownerId}`;

/**
 * Of alerts that would notify people again, those that leave it to another alert of their card: that of their group in the inbox,
 * or in their owner's lists. What nothing keeps quiet any more notifies in the inbox where none of those that notified still
 * fires there, and for an owner while no other alert of the card fires; the first critical one does by itself. A repeat after
 * silence notifies where the whole card was silent for so long.
 *
 * @returns their ids
 */
export async function findRedundant(
  tx: Transaction,
  notifying: readonly NotifyingAlert[],
): Promise<ReadonlySet<string>> {
  const grouped = notifying.filter(({ alert }) => alert.groupId !== null);
  const silent = new Set<string>();
  if (grouped.length === 0) return silent;
  const fresh = grouped.flatMap(({ alert, afterMs }) => (afterMs === undefined ? [alert.id] : []));
  const groups = await holdGroups(tx, [...new Set(grouped.flatMap(({ alert }) => alert.groupId ?? []))], fresh);
  const cards = await readCards(
    tx,
    [...groups.keys()],
    grouped.map(({ alert }) => alert.id),
  );
  const changed = new Set<OpenGroup>();
  for (const one of grouped.toSorted(inOrderOfNotifying)) {
    const { alert } = one;
    const group = groups.get(alert.groupId ?? '');
    if (!group) continue;
    if (isRedundant(one, group, cards)) {
      silent.add(alert.id);
      continue;
    }
    const known = cards.get(cardOf(alert));
    const hasCritical = alert.severity === 'critical' || known?.hasCritical === true;
    cards.set(cardOf(alert), { wokenAt: 0, criticalWokenAt: 0, ...known, seenAt: seenAt(alert), hasCritical });
    if (!isInInbox(alert)) continue;
    const before = { ...group };
    announceIn(group, alert);
    if (group.announcedId !== before.announcedId || group.criticalId !== before.criticalId) changed.add(group);
  }
  for (const { id, announcedId, criticalId } of changed) {
    await tx.query('UPDATE alert_groups SET announced_id = ?, critical_id = ? WHERE id = ?', [
      announcedId,
      criticalId,
      id,
    ]);
  }
  return silent;
}

/** A stored alert, locked, whose snooze ends. */
type WakingAlert = Pick<StoredAlert, 'id' | 'groupId' | 'ownerId' | 'snoozedUntil' | 'severity' | 'state'>;

/**
 * Of alerts whose snoozes end, those that leave it to another alert of their card: one that woke after they were due, or that wakes
 * with them. The first critical one notifies by itself.
 *
 * @param at the present moment, in milliseconds
 * @returns their ids
 */
export async function findWokenTogether(
  tx: Transaction,
  waking: readonly WakingAlert[],
  at: number,
): Promise<ReadonlySet<string>> {
  const grouped = waking.filter(({ groupId }) => groupId !== null);
  const silent = new Set<string>();
  if (grouped.length === 0) return silent;
  const groups = await holdGroups(tx, [...new Set(grouped.flatMap(({ groupId }) => groupId ?? []))], []);
  const cards = await readCards(
    tx,
    [...groups.keys()],
    grouped.map(({ id }) => id),
  );
  for (const alert of grouped.toSorted(inOrderOfWaking)) {
    const known = cards.get(cardOf(alert));
    const isCritical = alert.severity === 'critical';
    const wokenAt = (isCritical ? known?.criticalWokenAt : known?.wokenAt) ?? 0;
    if (wokenAt >= (alert.snoozedUntil ?? at)) silent.add(alert.id);
    else {
      cards.set(cardOf(alert), {
        seenAt: 0,
        hasCritical: isCritical,
        ...known,
        wokenAt: at,
        criticalWokenAt: isCritical ? at : (known?.criticalWokenAt ?? 0),
      });
    }
  }
  return silent;
}

/** The order in which alerts are chosen to notify that their card is back: what fires first, then what is critical. */
const inOrderOfWaking = (one: WakingAlert, other: WakingAlert): number =>
  Number(one.state === 'resolved') - Number(other.state === 'resolved') ||
  Number(other.severity === 'critical') - Number(one.severity === 'critical') ||
  (one.id < other.id ? -1 : 1);

const seenAt = ({ lastSeenAt, receivedAt }: NotifyingAlert['alert']): number => lastSeenAt ?? receivedAt;

const isInInbox = ({ ownerId, snoozedUntil }: NotifyingAlert['alert']): boolean =>
  ownerId === null && snoozedUntil === null;

/** The order in which alerts are chosen to notify for their card: what is in the inbox first, then what is critical. */
const inOrderOfNotifying = ({ alert: one }: NotifyingAlert, { alert: other }: NotifyingAlert): number =>
  Number(isInInbox(other)) - Number(isInInbox(one)) ||
  Number(other.severity === 'critical') - Number(one.severity === 'critical') ||
  (one.id < other.id ? -1 : 1);

function isRedundant({ alert, afterMs }: NotifyingAlert, group: OpenGroup, cards: Cards): boolean {
  const known = cards.get(cardOf(alert));
  if (afterMs !== undefined) return known !== undefined && seenAt(alert) - known.seenAt < afterMs;
  if (isInInbox(alert)) return isAnnouncedIn(group, alert);
  return known !== undefined && (alert.severity !== 'critical' || known.hasCritical);
}

/**
 * Locks groups; where servers do not know of each other's locks, what two of them change is refused to the second.
 *
 * @param fresh alerts that were kept quiet until now: that one of them notified once does not count
 */
async function holdGroups(
  tx: Transaction,
  ids: readonly string[],
  fresh: readonly string[],
): Promise<Map<string, OpenGroup>> {
  const groups = await lockGroups(tx, ids, fresh);
  await tx.changeAndRestore(
    'alert_groups',
    'began_at',
    groups.map(({ id }) => id),
  );
  return new Map(groups.map((group) => [group.id, group]));
}

const places = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

/** The cards of groups with other alerts than these that fire and that nothing keeps quiet. */
async function readCards(tx: Transaction, groupIds: readonly string[], without: readonly string[]): Promise<Cards> {
  if (groupIds.length === 0) return new Map();
  const rows: Record<keyof Card | 'groupId' | 'ownerId', string | number | null>[] = await tx.query(
    'SELECT group_id AS groupId, owner_id AS ownerId, MAX(COALESCE(last_seen_at, received_at)) AS seenAt, ' +
      "MAX(CASE WHEN severity = 'critical' THEN 1 ELSE 0 END) AS hasCritical, MAX(woken_at) AS wokenAt, " +
      "MAX(CASE WHEN severity = 'critical' THEN woken_at END) AS criticalWokenAt " +
      `FROM alerts ${tx.dialect.byIndex('alerts_by_group')} WHERE group_id IN (${places(groupIds)}) ` +
      `AND id NOT IN (${places(without)}) AND status <> 'completed' AND snoozed_until IS NULL ` +
      "AND quiet_by_id IS NULL AND (state IS NULL OR state <> 'resolved') GROUP BY group_id, owner_id",
    [...groupIds, ...without],
  );
  return new Map(
    rows.map(({ groupId, ownerId, ...row }) => [
      `${groupId} ${ownerId}`,
      {
        seenAt: Number(row.seenAt),
        hasCritical: Number(row.hasCritical) === 1,
        wokenAt: Number(row.wokenAt ?? 0),
        criticalWokenAt: Number(row.criticalWokenAt ?? 0),
      },
    ]),
  );
}
