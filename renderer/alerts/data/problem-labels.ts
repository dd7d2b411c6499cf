import { differenceInMilliseconds } from 'date-fns';
import { countText } from '#backend/contract/count-text.ts';
import type { Alert, AlertSeverity, AlertState } from '#backend/contract/alert.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { alertName, typeBeside } from './alert-labels.ts';
import { untilLabel } from './snooze.ts';

/** What an alert's sender reports of its problem. */
export type Problem = Pick<
  Alert,
  | 'severity'
  | 'state'
  | 'occurrences'
  | 'timestamp'
  | 'lastSeenAt'
  | 'resolvedAt'
  | 'snoozedUntil'
  | 'wokenAt'
  | 'flapping'
>;

/** Label of each severity; `none` has none. */
export const SEVERITY_LABELS: Record<AlertSeverity, string> = {
  critical: 'Critical',
  high: 'High',
  warning: 'Warning',
  low: 'Low',
  info: 'Info',
  none: '',
};

const STATE_LABELS: Record<AlertState, string> = {
  firing: 'firing',
  acknowledged: 'acknowledged',
  resolved: 'resolved',
  event: '',
};

/** Severity and state in words, such as "Critical, firing"; empty where the sender says neither. */
export function problemLabel({ severity, state }: Pick<Problem, 'severity' | 'state'>): string {
  const label = [SEVERITY_LABELS[severity], STATE_LABELS[state]].filter((part) => part !== '').join(', ');
  return label.charAt(0).toUpperCase() + label.slice(1);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long a span is, in its largest unit: "12 min", "3 h", "2 d"; undefined under a minute. */
export function spanOf(milliseconds: number): string | undefined {
  if (milliseconds < MINUTE_MS) return undefined;
  if (milliseconds < HOUR_MS) return `${Math.floor(milliseconds / MINUTE_MS)} min`;
  if (milliseconds < DAY_MS) return `${Math.floor(milliseconds / HOUR_MS)} h`;
  return `${Math.floor(milliseconds / DAY_MS)} d`;
}

/** How long ago a moment was: "just now", "2 min ago", "3 h ago". A clock that is ahead reads "just now". */
function agoOf(moment: string, now: Date): string {
  const span = spanOf(differenceInMilliseconds(now, new Date(moment)));
  return span === undefined ? 'just now' : `${span} ago`;
}

/** How old an alert is: "now", "4 min", "1 h", "5 d". */
export const ageOf = (timestamp: string, now: Date): string =>
  spanOf(differenceInMilliseconds(now, new Date(timestamp))) ?? 'now';

/** A fact after a headline: its parts as they are drawn. */
export interface StateLine {
  /** Drawn in the text's color: the number of occurrences. */
  count?: string;
  /** Drawn in the color of what is resolved. */
  resolved?: string;
  text: string;
}

/** What is to be said of how the problem stands beside its age; undefined for a first report that still counts. */
export function stateLineOf(problem: Problem, now: Date): StateLine | undefined {
  const { state, occurrences, lastSeenAt, resolvedAt, flapping } = problem;
  const snooze = snoozeLineOf(problem, now);
  if (snooze !== undefined) return { text: snooze };
  if (state === 'resolved') return { resolved: 'Resolved', text: agoOf(resolvedAt ?? lastSeenAt, now) };
  if (state === 'acknowledged') return { text: `Acknowledged ${agoOf(lastSeenAt, now)}` };
  // What flaps says how often it opened, not how often it was reported.
  return occurrences > 1 && !flapping
    ? { count: timesOf(occurrences), text: `last ${agoOf(lastSeenAt, now)}` }
    : undefined;
}

const timesOf = (occurrences: number): string => `×${countText(occurrences)}`;

/** Until when it is snoozed; for an hour that it is back: "Until 2:00 PM", "Snooze ended 1 min ago". */
export function snoozeLineOf({ snoozedUntil, wokenAt }: Problem, now: Date): string | undefined {
  if (snoozedUntil !== undefined) return `U${untilLabel(snoozedUntil, now).slice(1)}`;
  if (wokenAt === undefined || differenceInMilliseconds(now, new Date(wokenAt)) >= HOUR_MS) return undefined;
  return `Snooze ended ${agoOf(wokenAt, now)}`;
}

/** How the problem stands beside its age, in a word: "×14", "Resolved"; undefined for a first report that still counts. */
export function stateWordOf(problem: Problem, now: Date): StateLine | undefined {
  if (problem.snoozedUntil !== undefined) return stateLineOf(problem, now);
  const { state, occurrences } = problem;
  if (state === 'resolved') return { resolved: 'Resolved', text: '' };
  if (state === 'acknowledged') return { text: 'Acknowledged' };
  return occurrences > 1 ? { count: timesOf(occurrences), text: '' } : undefined;
}

/** How the problem stands, in a word beside its title: "×14", "Resolved", "3 min". */
export const shortStateOf = (problem: Problem, now: Date): StateLine =>
  stateWordOf(problem, now) ?? { text: ageOf(problem.timestamp, now) };

/** How the problem stands, in a sentence's beginning: "Firing for 42 min", "Resolved 3 min ago". */
export function standingOf(problem: Problem, now: Date): string {
  if (problem.snoozedUntil !== undefined) return `Snoozed ${untilLabel(problem.snoozedUntil, now)}`;
  const { state, timestamp, lastSeenAt, resolvedAt } = problem;
  if (state === 'resolved') return `Resolved ${agoOf(resolvedAt ?? lastSeenAt, now)}`;
  if (state === 'acknowledged') return `Acknowledged ${agoOf(lastSeenAt, now)}`;
  if (state === 'event') return `Received ${agoOf(timestamp, now)}`;
  const span = spanOf(differenceInMilliseconds(now, new Date(timestamp)));
  return span === undefined ? 'Started firing just now' : `Firing for ${span}`;
}

/** How often it was delivered: "14 occurrences, last 2 min ago"; undefined for once. */
export const occurrencesLabel = ({ occurrences, lastSeenAt }: Problem, now: Date): string | undefined =>
  occurrences < 2 ? undefined : `${countText(occurrences)} occurrences, last ${agoOf(lastSeenAt, now)}`;

/** From one moment to another, in its largest unit: "38 min"; "under a minute". */
export const durationLabel = (from: string, to: string): string =>
  spanOf(differenceInMilliseconds(new Date(to), new Date(from))) ?? 'under a minute';

/** The source as a card names it; empty where the alert has none. */
export const sourceLabel = ({ sourceName }: Pick<Alert, 'sourceName'>): string =>
  sourceName === undefined ? '' : inertLine(sourceName);

/** Days without a change after which a card says so. */
const UNTOUCHED_DAYS = 3;

/** What its owner is to notice of an alert: who gave it to them, or that they have left it for days; undefined for nothing. */
export function factOf({ assignment, status, touchedAt }: Alert, now: Date): string | undefined {
  if (assignment)
    return `${assignment.kind === 'handed_over' ? 'Handed over' : 'Assigned'} by ${inertLine(assignment.byName)}`;
  if (touchedAt === undefined || (status !== 'accepted' && status !== 'in-progress')) return undefined;
  const days = Math.floor(differenceInMilliseconds(now, new Date(touchedAt)) / DAY_MS);
  return days < UNTOUCHED_DAYS ? undefined : `No change for ${countText(days)} days`;
}

/**
 * An alert as assistive technology names its card: "Critical, firing, new: Disk almost full on db-7. prod-eu,
 * HostOutOfDiskSpace, Alertmanager. 14 times, last 2 min ago. 1 h ago." What is missing is left out. Without a title it is
 * named as a person would.
 */
export function spokenCard(alert: Alert, now: Date, isNew: boolean): string {
  const label = [
    alert.isTest ? 'test' : '',
    alert.flapping ? 'flapping' : '',
    problemLabel(alert).toLowerCase(),
    isNew ? 'new' : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
  const lead = label === '' ? '' : `${label.charAt(0).toUpperCase()}${label.slice(1)}: `;
  if (alert.title === null) {
    return `${lead}${alertName(alert)}${alert.label === undefined ? '' : `, ${inertLine(alert.label)}`}`;
  }
  const about = [alert.customer ?? '', typeBeside(alert) ?? '', sourceLabel(alert), alert.label ?? '']
    .map(inertLine)
    .filter((part) => part !== '');
  const times =
    alert.occurrences > 1 ? `${countText(alert.occurrences)} times, last ${agoOf(alert.lastSeenAt, now)}` : '';
  return [
    `${lead}${inertLine(alert.title).replace(/\.$/, '')}`,
    about.join(', '),
    times,
    factOf(alert, now) ?? '',
    agoOf(alert.timestamp, now),
  ]
    .filter((part) => part !== '')
    .map((part) => `${part}.`)
    .join(' ');
}
