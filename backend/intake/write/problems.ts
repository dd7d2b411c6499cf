import { isFlapping, isPaused, readRhythm } from '#backend/alerts/alert/rhythm.ts';
import type { StoredAlert } from '#backend/alerts/alert/alert.ts';
import type { NewHistoryEntry } from '#backend/alerts/alert/write-history.ts';
import { UNTIL_NEXT_FIRING } from '#backend/alerts/alert/stored-status.ts';
import type { AlertSeverity, AlertState, AlertStatus } from '#backend/contract/alert.ts';
import type { SourceFlapping } from '#backend/contract/flapping-rule.ts';
import type { EventOutcome } from '#backend/contract/delivery.ts';
import { NOTIFYING_REASONS, type UpdateReason } from '#backend/contract/live-event.ts';

/** What a source decides about its problems; times in milliseconds. */
export interface ProblemPolicy {
  /** An alert that nobody accepted is completed when its sender reports it resolved. */
  completesResolved: boolean;
  /** A firing within this time after completion reopens the alert. */
  reopenWithinMs: number;
  /** A repeat after so much silence notifies again; null: only a higher severity does. */
  notifyAgainAfterMs: number | null;
  /** A problem ends that was not reported for so long, or by what its sender says and repeats; absent: never. */
  unreportedAfter?: 'automatic' | number;
  /** When its problems flap; absent: as the installation says. */
  flapping?: SourceFlapping;
}

/** What a sender reports of a problem. */
export interface ProblemReport {
  title: string | null;
  severity: AlertSeverity;
  state: AlertState;
  dedupKey: string | null;
  groupTitle: string | null;
  payload: string;
}

/** What a sender changes of an open alert of its own beside headline, severity and payload: whether somebody has seen to it. */
export interface Amendment {
  state?: 'firing' | 'acknowledged';
}

/** An alert whose problem is reported again: locked, and changed in memory until the batch is written. */
export interface ProblemAlert extends Omit<StoredAlert, 'groupKey' | 'payload'> {
  /** The first payload; null when it is too large to be read for an event. */
  payload: string | null;
}

/** What a report does to an alert. */
export interface Change {
  outcome: EventOutcome;
  /** What is published, where there is something to publish. `woken`: it was snoozed until this report. */
  reason?: UpdateReason;
  entries: Omit<NewHistoryEntry, 'alertId' | 'userDisplayName'>[];
}

const SEVERITIES: readonly AlertSeverity[] = ['none', 'info', 'low', 'warning', 'high', 'critical'];
const rankOf = (severity: AlertSeverity | null): number => SEVERITIES.indexOf(severity ?? 'none');

/** Where a report that names a problem goes, by the problem's newest alert (docs/decisions/0031-sources-and-problems.md). */
export function routeReport(
  alert:
    | Pick<ProblemAlert, 'status' | 'completedAt' | 'state' | 'resolvedAt' | 'lastSeenAt' | 'receivedAt'>
    | undefined,
  state: AlertState,
  policy: ProblemPolicy,
  now: number,
): 'new' | 'change' | 'reopen' | 'nothing-open' {
  const isResolved = state === 'resolved';
  if (!alert) return isResolved ? 'nothing-open' : 'new';
  if (alert.status !== 'completed') return 'change';
  if (isResolved) return 'nothing-open';
  const completedAt = alert.completedAt ?? alert.resolvedAt ?? alert.lastSeenAt ?? alert.receivedAt;
  // Without such a time nothing reopens, also where a clock went back since.
  return policy.reopenWithinMs > 0 && now - completedAt < policy.reopenWithinMs ? 'reopen' : 'new';
}

/** Where an event goes that names a problem, also one that means a single alert or amends what was said. */
export function routeEvent(
  alert: (Parameters<typeof routeReport>[0] & Pick<ProblemAlert, 'id'>) | undefined,
  { state, only, amends }: Pick<ProblemReport, 'state'> & { only?: string | undefined; amends?: Amendment },
  policy: ProblemPolicy,
  now: number,
): ReturnType<typeof routeReport> | 'amend' {
  if (only !== undefined && only !== alert?.id) return 'nothing-open';
  if (amends) return alert ? 'amend' : 'nothing-open';
  return routeReport(alert, state, policy, now);
}

/** Applies a report to an open alert, in place. Owner, folder, notes and the unread state stay as they are. */
export function changeOpenAlert(
  alert: ProblemAlert,
  report: ProblemReport,
  policy: ProblemPolicy,
  now: number,
): Change {
  const wasResolved = alert.state === 'resolved';
  if (report.state === 'resolved') {
    if (wasResolved) return { outcome: 'resolved', entries: [] };
    if (isFlapping(alert)) return pauseFlapping(alert, report, now);
    return resolveAlert(alert, report, policy, now);
  }
  const silence = now - (alert.lastSeenAt ?? alert.receivedAt);
  const entries: Change['entries'] = [];
  const isAcknowledged = report.state === 'acknowledged' && alert.state !== 'acknowledged';
  if (wasResolved) entries.push({ action: 'reopened' });
  const isEscalated = changeSeverity(alert, report, entries);
  if (isAcknowledged) entries.push({ action: 'acknowledged' });
  else alert.occurrences += 1;
  alert.resolvedAt = null;
  refresh(alert, report, now);
  const notifiesAgain = policy.notifyAgainAfterMs !== null && silence >= policy.notifyAgainAfterMs;
  // Who snoozes what flaps has seen that it opens again and again.
  const isWoken = alert.snoozedUntil === UNTIL_NEXT_FIRING && !isAcknowledged && !isFlapping(alert);
  if (isWoken) {
    Object.assign(alert, { snoozedUntil: null, wokenAt: now });
    entries.push({ action: 'woken' });
  }
  const reason = reasonOf({ isEscalated, isAcknowledged, notifiesAgain, wasResolved });
  return {
    outcome: isAcknowledged ? 'acknowledged' : 'repeated',
    // Nobody is notified of what is snoozed, however bad it gets.
    reason: isWoken ? 'woken' : alert.snoozedUntil !== null && NOTIFYING_REASONS.has(reason) ? 'repeated' : reason,
    entries,
  };
}

function reasonOf(facts: {
  isEscalated: boolean;
  isAcknowledged: boolean;
  notifiesAgain: boolean;
  wasResolved: boolean;
}): UpdateReason {
  if (facts.isEscalated) return 'escalated';
  if (facts.isAcknowledged) return 'acknowledged';
  if (facts.notifiesAgain) return 'notify_again';
  return facts.wasResolved ? 'reopened' : 'repeated';
}

/** What flaps stays where it is, as if it were firing, until it is calm: it will be open again in a moment. */
function pauseFlapping(alert: ProblemAlert, report: ProblemReport, now: number): Change {
  if (isPaused(alert)) return { outcome: 'resolved', entries: [] };
  // Its severity is that of its openings: the card keeps its place in that order.
  refresh(alert, { ...report, severity: 'none', state: alert.state ?? 'event' }, now);
  return { outcome: 'resolved', reason: 'repeated', entries: [] };
}

/**
 * Ends that an alert flaps, in place: it is as its sender reports it. What was snoozed until it fires again wakes where it fires
 * on.
 *
 * @returns undefined where it does not flap, or was completed while its problem was open
 */
export function calmDown(alert: ProblemAlert, policy: ProblemPolicy, now: number): Change | undefined {
  if (alert.flappingSince === null || alert.rhythm === null) return undefined;
  const { isOpen, turns } = readRhythm(alert.rhythm);
  const closed = { state: 'resolved', resolvedAt: Math.min(turns.at(-1) ?? now, now) } as const;
  if (alert.status === 'completed') {
    if (isOpen) return undefined;
    // Whoever completed it had it end; that its sender had resolved it was not said while it flapped.
    Object.assign(alert, closed);
    return { outcome: 'resolved', reason: 'repeated', entries: [] };
  }
  const calmed: Change = { outcome: 'resolved', reason: 'calmed', entries: [{ action: 'calmed' }] };
  if (isOpen) {
    if (alert.snoozedUntil !== UNTIL_NEXT_FIRING) return calmed;
    Object.assign(alert, { snoozedUntil: null, wokenAt: now });
    return { ...calmed, reason: 'woken', entries: [...calmed.entries, { action: 'woken' }] };
  }
  const { entries } = end(alert, policy, now);
  Object.assign(alert, closed);
  return { ...calmed, entries: [...calmed.entries, ...entries] };
}

function resolveAlert(alert: ProblemAlert, report: ProblemReport, policy: ProblemPolicy, now: number): Change {
  refresh(alert, report, now);
  return end(alert, policy, now);
}

/** Ends a problem that its sender no longer reports, in place, as its sender's own resolution would. */
export function endUnreported(alert: ProblemAlert, policy: ProblemPolicy, now: number): Change {
  const unreportedMinutes = Math.round((now - (alert.lastSeenAt ?? alert.receivedAt)) / 60_000);
  alert.state = 'resolved';
  return end(alert, policy, now, { unreportedMinutes });
}

function end(
  alert: ProblemAlert,
  policy: ProblemPolicy,
  now: number,
  why: Pick<NewHistoryEntry, 'unreportedMinutes'> = {},
): Change {
  const previousStatus = alert.status;
  const completes = policy.completesResolved && alert.ownerId === null;
  alert.resolvedAt = now;
  if (!completes) return { outcome: 'resolved', reason: 'resolved', entries: [{ action: 'resolved', ...why }] };
  alert.status = 'completed';
  alert.completedAt = now;
  alert.snoozedUntil = null;
  alert.wokenAt = null;
  return {
    outcome: 'resolved',
    reason: 'resolved',
    entries: [{ action: 'resolved', previousStatus, newStatus: 'completed', ...why }],
  };
}

/**
 * Applies a sender's change of what it said before, in place. What is over stays over.
 *
 * @param newest the alert's newest payload; the report has the one that it becomes
 */
export function amendAlert(alert: ProblemAlert, report: ProblemReport, { state }: Amendment, newest: string): Change {
  const isOver = alert.status === 'completed' || alert.state === 'resolved';
  const entries: Change['entries'] = [];
  const isMarked = state !== undefined && !isOver && (alert.state ?? 'firing') !== state;
  if (isMarked) {
    alert.state = state;
    entries.push({ action: state === 'acknowledged' ? 'acknowledged' : 'unacknowledged' });
  }
  const isEscalated = changeSeverity(alert, report, entries);
  if (report.severity !== 'none') alert.severity = report.severity;
  const title = report.title ?? alert.title;
  if (report.payload !== newest || title !== alert.title) entries.push({ action: 'amended' });
  alert.title = title;
  alert.latestPayload = report.payload === alert.payload ? null : report.payload;
  if (entries.length === 0) return { outcome: 'amended', entries };
  const isAcknowledged = isMarked && state === 'acknowledged';
  const notifies = isEscalated && !isOver && alert.snoozedUntil === null;
  return {
    outcome: isAcknowledged ? 'acknowledged' : 'amended',
    reason: notifies ? 'escalated' : isAcknowledged ? 'acknowledged' : 'repeated',
    entries,
  };
}

/** Opens a completed alert again, in place: in the inbox, or accepted by its owner. */
export function reopenAlert(alert: ProblemAlert, report: ProblemReport, now: number): Change {
  const newStatus: AlertStatus = alert.ownerId === null ? 'pending' : 'accepted';
  const entries: Change['entries'] = [{ action: 'reopened', previousStatus: 'completed', newStatus }];
  const isEscalated = changeSeverity(alert, report, entries);
  alert.status = newStatus;
  alert.completedAt = null;
  alert.resolvedAt = null;
  alert.occurrences += 1;
  refresh(alert, report, now);
  return { outcome: 'reopened', reason: isEscalated ? 'escalated' : 'reopened', entries };
}

/** Notes a severity that is not the one before; true when it is higher. */
function changeSeverity(alert: ProblemAlert, report: ProblemReport, entries: Change['entries']): boolean {
  const previousSeverity = alert.severity ?? 'none';
  if (report.severity === 'none' || report.severity === previousSeverity) return false;
  entries.push({ action: 'severity_change', previousSeverity, newSeverity: report.severity });
  return rankOf(report.severity) > rankOf(previousSeverity);
}

function refresh(alert: ProblemAlert, report: ProblemReport, now: number): void {
  alert.lastSeenAt = now;
  alert.state = report.state === 'event' ? null : report.state;
  if (report.severity !== 'none') alert.severity = report.severity;
  alert.title = report.title ?? alert.title;
  alert.groupTitle = report.groupTitle ?? alert.groupTitle;
  alert.latestPayload = report.payload === alert.payload ? null : report.payload;
}
