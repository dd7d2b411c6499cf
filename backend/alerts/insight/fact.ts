import { marksOf } from '#backend/platform/database/conditions.ts';
import { hash } from 'node:crypto';
import type { AlertSeverity, AlertStatus } from '#backend/contract/alert.ts';
import { isSet, visibleStatusOf } from '#backend/alerts/alert/stored-status.ts';
import type { ReadRows } from './reader.ts';

/** What insight keeps of an alert. Times in milliseconds. */
export interface Fact {
  id: string;
  receivedAt: number;
  severity: AlertSeverity;
  customer: string | null;
  alertType: string | null;
  sourceId: string | null;
  /** Whose it is, or was when it was deleted. */
  ownerId: string | null;
  /** From arrival to the acceptance that holds; null while nobody has accepted it. */
  acceptMs: number | null;
  /** From arrival to its completion by a member; null while it is not. */
  completeMs: number | null;
  /** Its sender reported it resolved while it was in the inbox. */
  isResolvedFirst: boolean;
  /** Deliveries of its problem after the first, while it was open. */
  repeats: number;
  /** How often its problem began to flap. */
  flapped: number;
  /** The name of the maintenance window that kept it quiet last; null where none has, {@link BY_RULE} where a rule does. */
  window: string | null;
  /** Alerts of one problem have the same number ({@link problemOf}); 0 where the problem is not known. */
  problem: number;
}

/** What stands in the place of a window's name for an alert that a rule keeps quiet: no window has an empty one. */
export const BY_RULE = '';

/** The name of the window that keeps an alert quiet; a mark whose occurrence is not known is a rule's. */
export const QUIET_BY =
  'CASE WHEN quiet_by_id IS NULL OR EXISTS (SELECT 1 FROM maintenance_occurrences o WHERE o.id = quiet_by_id) ' +
  `THEN quiet_by_name ELSE '${BY_RULE}' END`;

/** What a fact is made of, as the database hands it over: MySQL's driver gives whole numbers of 64 bits as text. */
export interface AlertRow {
  id: string;
  receivedAt: unknown;
  status: Parameters<typeof visibleStatusOf>[0];
  customer: string | null;
  alertType: string | null;
  sourceId: string | null;
  severity: AlertSeverity | null;
  ownerId: string | null;
  resolvedAt: unknown;
  completedAt: unknown;
  isTest: unknown;
  occurrences: unknown;
  quietByName: string | null;
  dedupKey: string | null;
  title: string | null;
}

/** An entry of a history that says something about acceptance or completion, quiet, or flapping. */
export interface EntryRow {
  alertId: string;
  action: string;
  previousStatus: AlertStatus | null;
  newStatus: AlertStatus | null;
  userDisplayName: string;
  createdAt: unknown;
}

const COUNTED_ACTIONS = [
  'received',
  'accepted',
  'assigned',
  'unaccepted',
  'returned',
  'status_change',
  'kept_quiet',
  'flapping',
];

const numberOf = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));

/** When the acceptance that holds was made: the last that took the alert from the inbox, unless it went back there. */
function acceptedAtOf(entries: readonly EntryRow[]): number | null {
  let acceptedAt: number | null = null;
  for (const { action, previousStatus, createdAt } of entries) {
    if (action === 'accepted' || (action === 'assigned' && previousStatus === 'pending'))
      acceptedAt = Number(createdAt);
    if (action === 'unaccepted' || action === 'returned') acceptedAt = null;
  }
  return acceptedAt;
}

/** Whether it was in the inbox at a moment: nobody had accepted it by then, or it had gone back there. */
const wasInInboxAt = (entries: readonly EntryRow[], moment: number): boolean =>
  acceptedAtOf(entries.filter(({ createdAt }) => Number(createdAt) <= moment)) === null;

/** When its owner completed it last; older versions have it in the history alone. */
const completedAtOf = (alert: AlertRow, entries: readonly EntryRow[]): number | null =>
  numberOf(alert.completedAt) ??
  numberOf(entries.findLast(({ newStatus }) => newStatus === 'completed')?.createdAt ?? null);

/** Hex digits of a hash that a number holds exactly. */
const PROBLEM_DIGITS = 13;

/**
 * A number that alerts of one problem share: those of one source with the same dedup key; without a key those with the same
 * type, customer, and headline. It is 52 bits of a hash: among a million problems, two have the same one in ten thousand times.
 */
export function problemOf({
  sourceId,
  dedupKey,
  alertType,
  customer,
  title,
}: Pick<AlertRow, 'sourceId' | 'dedupKey' | 'alertType' | 'customer' | 'title'>): number {
  const parts = dedupKey === null ? [sourceId, alertType, customer, title] : [sourceId, dedupKey];
  return Number.parseInt(hash('sha256', JSON.stringify(parts)).slice(0, PROBLEM_DIGITS), 16);
}

/** The window that kept an alert quiet: the one that does, or the last that its history names. */
const windowOf = ({ quietByName }: Pick<AlertRow, 'quietByName'>, entries: readonly EntryRow[]): string | null =>
  quietByName ?? entries.findLast(({ action }) => action === 'kept_quiet')?.userDisplayName ?? null;

/** The fact of an alert. @param entries those of its history that count, oldest first. */
export function factOf(alert: AlertRow, entries: readonly EntryRow[]): Fact {
  const receivedAt = Number(alert.receivedAt);
  const { ownerId } = alert;
  const acceptedAt = ownerId === null ? null : acceptedAtOf(entries);
  const isCompleted = ownerId !== null && visibleStatusOf(alert.status) === 'completed';
  const completedAt = isCompleted ? completedAtOf(alert, entries) : null;
  const resolvedAt = numberOf(alert.resolvedAt);
  // A clock that went back makes nothing take less than no time.
  const since = (moment: number | null) => (moment === null ? null : Math.max(0, moment - receivedAt));
  return {
    id: alert.id,
    receivedAt,
    severity: alert.severity ?? 'none',
    customer: alert.customer,
    alertType: alert.alertType,
    sourceId: alert.sourceId,
    ownerId,
    acceptMs: since(acceptedAt),
    completeMs: since(completedAt),
    // Whose it is without an entry about that, it was all the time.
    isResolvedFirst:
      resolvedAt !== null && (ownerId === null || acceptedAt !== null) && wasInInboxAt(entries, resolvedAt),
    repeats: Math.max(0, Number(alert.occurrences) - 1),
    flapped: entries.filter(({ action }) => action === 'flapping').length,
    window: windowOf(alert, entries),
    problem: problemOf(alert),
  };
}

/** All that is known of an alert that was deleted before it was counted: that it arrived. */
const factOfDeleted = ({ alertId, createdAt }: EntryRow): Fact => ({
  id: alertId,
  receivedAt: Number(createdAt),
  severity: 'none',
  customer: null,
  alertType: null,
  sourceId: null,
  ownerId: null,
  acceptMs: null,
  completeMs: null,
  isResolvedFirst: false,
  repeats: 0,
  flapped: 0,
  window: null,
  problem: 0,
});

/** Facts of alerts as they are, and of those that were deleted. Tests are none: they say nothing of the work. */
export interface Facts {
  present: Fact[];
  /** That they arrived: for alerts that were never counted. */
  deleted: Fact[];
}

/** Reads alerts with what counts of their histories, and makes their facts. */
export async function readFacts(read: ReadRows, ids: readonly string[]): Promise<Facts> {
  if (ids.length === 0) return { present: [], deleted: [] };
  const marks = marksOf(ids);
  const all = await read<AlertRow>(
    'SELECT id, received_at AS receivedAt, status, customer, alert_type AS alertType, source_id AS sourceId, severity, ' +
      `owner_id AS ownerId, resolved_at AS resolvedAt, completed_at AS completedAt, is_test AS isTest, occurrences, ${QUIET_BY} AS quietByName, ` +
      `dedup_key AS dedupKey, title FROM alerts WHERE id IN (${marks})`,
    ids,
  );
  const found = new Set(all.map(({ id }) => id));
  const alerts = all.filter(({ isTest }) => !isSet(isTest));
  const asked = [...alerts.map(({ id }) => id), ...ids.filter((id) => !found.has(id))];
  const entries = Map.groupBy(await readEntries(read, asked), ({ alertId }) => alertId);
  return {
    present: alerts.map((alert) => factOf(alert, entries.get(alert.id) ?? [])),
    deleted: ids.flatMap((id) => {
      const first = found.has(id) ? undefined : entries.get(id)?.find(({ action }) => action === 'received');
      return first ? [factOfDeleted(first)] : [];
    }),
  };
}

const readEntries = async (read: ReadRows, ids: readonly string[]): Promise<EntryRow[]> =>
  ids.length === 0
    ? []
    : read(
        'SELECT alert_id AS alertId, action, previous_status AS previousStatus, new_status AS newStatus, ' +
          `user_display_name AS userDisplayName, created_at AS createdAt FROM alert_history WHERE alert_id IN (${marksOf(ids)}) ` +
          `AND action IN (${COUNTED_ACTIONS.map((action) => `'${action}'`).join(', ')}) ORDER BY alert_id, id`,
        ids,
      );
