import type { AlertState } from '#backend/contract/alert.ts';
import type { DeliveryOutcome, EventOutcome } from '#backend/contract/delivery.ts';
import { counted } from './amounts.ts';

/** Label of each outcome of a delivery, in the order in which they are offered. */
export const OUTCOME_LABELS: Record<DeliveryOutcome, string> = {
  new: 'New alert',
  repeated: 'Repeated',
  resolved: 'Resolved',
  handshake: 'Handshake',
  ignored: 'Nothing to do',
  refused: 'Refused',
  paused: 'Paused',
};

/** Label of what a delivery did to one alert. */
export const EVENT_LABELS: Record<EventOutcome, string> = {
  new: 'New',
  repeated: 'Repeated',
  reopened: 'Reopened',
  acknowledged: 'Acknowledged',
  amended: 'Changed',
  resolved: 'Resolved',
  duplicate: 'Duplicate',
  'nothing-open': 'No open alert',
  echo: 'Asked for here',
};

const EVENT_NOUNS: Record<EventOutcome, [string, string]> = {
  new: ['new alert', 'new alerts'],
  repeated: ['repeat', 'repeats'],
  reopened: ['reopened', 'reopened'],
  acknowledged: ['acknowledged', 'acknowledged'],
  amended: ['change', 'changes'],
  resolved: ['resolved', 'resolved'],
  duplicate: ['duplicate', 'duplicates'],
  'nothing-open': ['without an open alert', 'without an open alert'],
  echo: ['asked for here', 'asked for here'],
};

/** What a delivery did, counted: `2 new alerts, 1 repeat`. Empty for none. */
export function eventsSentence(outcomes: readonly EventOutcome[]): string {
  const kinds = Object.keys(EVENT_NOUNS) as EventOutcome[];
  return kinds
    .map((kind) => [kind, outcomes.filter((outcome) => outcome === kind).length] as const)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => counted(count, ...EVENT_NOUNS[kind]))
    .join(', ');
}

const REPLAY_NOUNS: Record<DeliveryOutcome, [string, string]> = {
  new: ['new alert', 'new alerts'],
  repeated: ['repeat', 'repeats'],
  resolved: ['resolution', 'resolutions'],
  handshake: ['handshake', 'handshakes'],
  ignored: ['with nothing to do', 'with nothing to do'],
  refused: ['refused', 'refused'],
  paused: ['while paused', 'while paused'],
};

/** What a replay made, counted: `1 new alert, 2 repeats`. Empty for nothing. */
export function replaySentence(outcomes: Partial<Record<DeliveryOutcome, number>>): string {
  const kinds = Object.keys(REPLAY_NOUNS) as DeliveryOutcome[];
  return kinds
    .map((kind) => [kind, outcomes[kind] ?? 0] as const)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => counted(count, ...REPLAY_NOUNS[kind]))
    .join(', ');
}

/** Label of each state that a sender reports. */
export const STATE_LABELS: Record<AlertState, string> = {
  firing: 'Firing',
  acknowledged: 'Acknowledged',
  resolved: 'Resolved',
  event: 'Event',
};
