import { marksOf } from '#backend/platform/database/conditions.ts';
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
 * What the other alerts of a card say, those that are neither quiet, snoozed nor completed. `seenAt`: when one that fires was
 * reported last, `hasCritical`: whether one of these is critical; `wokenAt`: when the snooze of one ended last, `criticalWokenAt`: of
 * a critical one that fires. 0 is never.
 */
interface Card {
  seenAt: number;
  hasCritical: boolean;
  wokenAt: number;
  criticalWokenAt: number;
}
const NO_OTHERS: Card = { seenAt: 0, hasCritical: false, wokenAt: 0, criticalWokenAt: 0 };
type Cards = Map<string, Card>;

const cardOf = ({ groupId, ownerId }: Pick<StoredAlert, 'groupId' | 'ownerId'>): string => `${groupId} ${ownerId}`;

/**
 * Of alerts that would notify people again, those that leave it to another alert of their card: that of their group in the inbox,
 * or in their owner's lists. What nothing keeps quiet any more notifies in the inbox where none of those that notified still
 * fires there, and for an owner while no other alert of the card fires; the first critical one does by itself. A repeat after
 * silence notifies where the whole card was silent for so long.
 *
 * @param ended stored alerts that end in this transaction: their rows do not say so yet
 * @returns their ids
 */
export async function findRedundant(
  tx: Transaction,
  notifying: readonly NotifyingAlert[],
  ended: readonly string[] = [],
): Promise<ReadonlySet<string>> {
  const grouped = notifying.filter(({ alert }) => alert.groupId !== null);
  const silent = new Set<string>();
  if (grouped.length === 0) return silent;
  const fresh = grouped.flatMap(({ alert, afterMs }) => (afterMs === undefined ? [alert.id] : []));
  const groups = await holdGroups(tx, groupIdsOf(grouped), fresh.concat(ended));
  const cards = await readCards(tx, [...groups.keys()], grouped.map(({ alert }) => alert.id).concat(ended));
  const changed = new Set<OpenGroup>();
  for (const one of grouped.toSorted(inOrderOfNotifying)) {
    const { alert } = one;
    const group = groups.get(alert.groupId ?? '');
    if (!group) continue;
    if (isRedundant(one, group, cards)) {
      silent.add(alert.id);
      continue;
    }
    const known = cards.get(cardOf(alert)) ?? NO_OTHERS;
    const hasCritical = alert.severity === 'critical' || known.hasCritical;
    cards.set(cardOf(alert), { ...known, seenAt: seenAt(alert), hasCritical });
    if (isInInbox(alert) && announcesAnother(group, alert)) changed.add(group);
  }
  await writeAnnounced(tx, changed);
  return silent;
}

/** Has the group know that an alert notified. @returns whether that is another one than before */
function announcesAnother(group: OpenGroup, alert: Pick<StoredAlert, 'id' | 'severity'>): boolean {
  const { announcedId, criticalId } = group;
  announceIn(group, alert);
  return group.announcedId !== announcedId || group.criticalId !== criticalId;
}

async function writeAnnounced(tx: Transaction, groups: Iterable<OpenGroup>): Promise<void> {
  for (const { id, announcedId, criticalId } of groups) {
    await tx.query('UPDATE alert_groups SET announced_id = ?, critical_id = ? WHERE id = ?', [
      announcedId,
      criticalId,
      id,
    ]);
  }
}

/** A stored alert, locked, whose snooze ends. */
export interface WakingAlert {
  alert: Pick<StoredAlert, 'id' | 'groupId' | 'ownerId' | 'severity' | 'state'>;
  /** When it was due, in milliseconds; absent where it was snoozed until its sender reports it again. */
  dueAt?: number | undefined;
}

/**
 * Of alerts whose snoozes end, those that leave it to another alert of their card: one that wakes with them, or that woke since they
 * were due; where a report wakes them, since the time within which the group's alerts belong together. The first critical one that
 * fires notifies by itself.
 *
 * @param at the present moment, in milliseconds
 * @param ended stored alerts that end in this transaction: their rows do not say so yet
 * @returns their ids
 */
export async function findWokenTogether(
  tx: Transaction,
  waking: readonly WakingAlert[],
  at: number,
  ended: readonly string[] = [],
): Promise<ReadonlySet<string>> {
  const grouped = waking.filter(({ alert }) => alert.groupId !== null);
  const silent = new Set<string>();
  if (grouped.length === 0) return silent;
  const ids = grouped.map(({ alert }) => alert.id).concat(ended);
  const groups = await holdGroups(tx, groupIdsOf(grouped), ids);
  const cards = await readCards(tx, [...groups.keys()], ids);
  const changed = new Set<OpenGroup>();
  for (const { alert, dueAt } of grouped.toSorted(inOrderOfWaking)) {
    const group = groups.get(alert.groupId ?? '');
    if (!group) continue;
    const known = cards.get(cardOf(alert)) ?? NO_OTHERS;
    const isCritical = isFiringCritical(alert);
    if ((isCritical ? known.criticalWokenAt : known.wokenAt) >= (dueAt ?? at - group.withinMinutes * MINUTE_MS)) {
      silent.add(alert.id);
      continue;
    }
    cards.set(cardOf(alert), { ...known, wokenAt: at, criticalWokenAt: isCritical ? at : known.criticalWokenAt });
    if (alert.ownerId === null && announcesAnother(group, alert)) changed.add(group);
  }
  await writeAnnounced(tx, changed);
  return silent;
}

const MINUTE_MS = 60_000;

const isFiringCritical = ({ severity, state }: WakingAlert['alert']): boolean =>
  severity === 'critical' && state !== 'resolved';

/** The order in which alerts are chosen to notify that their card is back: what fires first, then what is critical. */
const inOrderOfWaking = ({ alert: one }: WakingAlert, { alert: other }: WakingAlert): number =>
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
  const { seenAt: othersAt, hasCritical } = cards.get(cardOf(alert)) ?? NO_OTHERS;
  if (afterMs !== undefined) return othersAt > 0 && seenAt(alert) - othersAt < afterMs;
  if (isInInbox(alert)) return isAnnouncedIn(group, alert);
  return othersAt > 0 && (alert.severity !== 'critical' || hasCritical);
}

const groupIdsOf = (alerts: readonly { alert: Pick<StoredAlert, 'groupId'> }[]): string[] => [
  ...new Set(alerts.flatMap(({ alert }) => alert.groupId ?? [])),
];

/**
 * Locks groups; where servers do not know of each other's locks, what two of them change is refused to the second.
 *
 * @param without alerts that were kept quiet until now, or that end: that one of them notified once does not count
 */
async function holdGroups(
  tx: Transaction,
  ids: readonly string[],
  without: readonly string[],
): Promise<Map<string, OpenGroup>> {
  const groups = await lockGroups(tx, ids, without);
  await tx.changeAndRestore(
    'alert_groups',
    'began_at',
    groups.map(({ id }) => id),
  );
  return new Map(groups.map((group) => [group.id, group]));
}

/** The cards of groups with other alerts than these that are awake and that nothing keeps quiet. */
async function readCards(tx: Transaction, groupIds: readonly string[], without: readonly string[]): Promise<Cards> {
  if (groupIds.length === 0) return new Map();
  const firing = "(state IS NULL OR state <> 'resolved')";
  const critical = `severity = 'critical' AND ${firing}`;
  const rows: Record<keyof Card | 'groupId' | 'ownerId', string | number | null>[] = await tx.query(
    'SELECT group_id AS groupId, owner_id AS ownerId, ' +
      `MAX(CASE WHEN ${firing} THEN COALESCE(last_seen_at, received_at) END) AS seenAt, ` +
      `MAX(CASE WHEN ${critical} THEN 1 ELSE 0 END) AS hasCritical, MAX(woken_at) AS wokenAt, ` +
      `MAX(CASE WHEN ${critical} THEN woken_at END) AS criticalWokenAt ` +
      `FROM alerts ${tx.dialect.byIndex('alerts_by_group')} WHERE group_id IN (${marksOf(groupIds)}) ` +
      `AND id NOT IN (${marksOf(without)}) AND status <> 'completed' AND snoozed_until IS NULL ` +
      'AND quiet_by_id IS NULL GROUP BY group_id, owner_id',
    [...groupIds, ...without],
  );
  return new Map(
    rows.map(({ groupId, ownerId, seenAt: at, hasCritical, wokenAt, criticalWokenAt }) => [
      `${groupId} ${ownerId}`,
      {
        seenAt: Number(at ?? 0),
        hasCritical: Number(hasCritical) === 1,
        wokenAt: Number(wokenAt ?? 0),
        criticalWokenAt: Number(criticalWokenAt ?? 0),
      },
    ]),
  );
}
