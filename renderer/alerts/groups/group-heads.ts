import type { AlertGroup } from '#backend/contract/alert-group.ts';
import { type Alert, alertSeveritySchema } from '#backend/contract/alert.ts';

/** What is known of a group that is drawn as one card. */
export interface GroupInfo {
  /** Its alerts that are loaded, in the order of the list. */
  loaded: readonly Alert[];
  /** How many the list has. */
  count: number;
  /** What the server says of it; undefined until it has. */
  group: AlertGroup | undefined;
}

/** What cards know of the alert that stands for a group. */
const known = new WeakMap<Alert, GroupInfo>();
export const infoOf = (head: Alert): GroupInfo | undefined => known.get(head);

/** The alerts that a row stands for: itself, or those of its group that are loaded. */
export const partsOfRow = (row: Alert): readonly Alert[] => known.get(row)?.loaded ?? [row];

/** Whether one of these alerts, whose row is gone, is in one of these rows now: alone, or with its group. */
export const stands = (ids: ReadonlySet<string>, rows: readonly Alert[]): boolean =>
  rows.some((row) => partsOfRow(row).some(({ id }) => ids.has(id)));

const rankOf = ({ severity }: Pick<Alert, 'severity'>): number => alertSeveritySchema.options.indexOf(severity);

/**
 * The alerts of a list with one in the place of each group: where its first alert stands, with the group's id, the worst
 * severity and the age of the newest. A group of which the list has a single alert is that alert.
 *
 * @param areAll whether `alerts` is all that the list has: then the server, which was asked before, knows no more
 */
export function foldAlerts(
  alerts: readonly Alert[],
  groups: ReadonlyMap<string, AlertGroup>,
  areAll: boolean,
): readonly Alert[] {
  const members = Map.groupBy(alerts, ({ groupId }) => groupId);
  const done = new Set<string>();
  return alerts.flatMap((alert) => {
    const { groupId } = alert;
    if (groupId === undefined) return [alert];
    if (done.has(groupId)) return [];
    const loaded = members.get(groupId) ?? [];
    const group = groups.get(groupId);
    const count = areAll ? loaded.length : Math.max(loaded.length, group?.alerts ?? 0);
    if (count < 2) return [alert];
    done.add(groupId);
    return [headOf(groupId, { loaded, count, group })];
  });
}

function headOf(id: string, info: GroupInfo): Alert {
  const { loaded, group } = info;
  const [worst] = loaded.toSorted((one, other) => rankOf(one) - rankOf(other) || (one.id < other.id ? -1 : 1));
  const times = loaded.map(({ timestamp }) => timestamp).concat(group?.newestAt ?? []);
  const { quietBy: _quiet, latestPayload: _latest, snoozedUntil: _until, wokenAt: _woken, ...rest } = worst as Alert;
  // It is snoozed where all of it is, until the first of them is back. Letters sort behind digits: a time comes first.
  const ends = loaded.flatMap(({ snoozedUntil }) => snoozedUntil ?? []);
  const [until] = ends.length === loaded.length ? ends.toSorted() : [];
  const isOver = loaded.length === info.count && loaded.every(({ state }) => state === 'resolved');
  const head: Alert = {
    ...rest,
    id,
    severity: group?.severities[0]?.severity ?? rest.severity,
    state: isOver ? 'resolved' : rest.state === 'resolved' ? 'firing' : rest.state,
    timestamp: times.toSorted().at(-1) ?? rest.timestamp,
    occurrences: 1,
    ...(until !== undefined && { snoozedUntil: until }),
  };
  known.set(head, info);
  return head;
}
