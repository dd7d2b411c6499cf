import type { LadderEnd } from '#backend/contract/ladder.ts';

/** Why a ladder ended. @param by who ended it, where a person did */
export const END_WORDS: Record<LadderEnd, (by: string | undefined) => string> = {
  accepted: (by) => (by === undefined ? 'Ended when somebody accepted it' : `Ended by ${by}’s accept`),
  snoozed: () => 'Ended when it was snoozed',
  completed: () => 'Ended when it was completed',
  stopped: (by) => `Stopped by ${by ?? 'an administrator'}`,
  'not-taken': () => 'Nobody took it: every step was taken, and every administrator was notified',
  rule: () => 'Ended, because its rule was switched off or deleted',
  maintenance: () => 'Ended, because a maintenance window keeps the alert quiet',
};

export const endedAfter = (steps: number) =>
  steps === 0 ? 'before step 1' : `after ${steps} ${steps === 1 ? 'step' : 'steps'}`;
export const at = 'at';

export const whatHappensNext = 'What happens next';
export const notifyAdministratorsNow = 'Notify administrators now';
export const notifyStepNow = (step: number) => `Notify step ${step} now`;
export const stop = 'Stop';
const stepOrAdministrators = (step: number | null) => (step === null ? 'administrators' : `step ${step}`);
export const notifyingStep = (step: number | null) => `Notifying ${stepOrAdministrators(step)}`;
export const notifyingSteps = (count: number) => `Notifying the next steps of ${count} ladders`;
export const couldNotNotifyStep = (step: number | null) => `Could not notify ${stepOrAdministrators(step)}`;
export const ladderStopped = 'Ladder stopped';
export const stoppingLadder = 'Stopping the ladder';
export const stoppingLadders = (count: number) => `Stopping ${count} ladders`;
export const couldNotStopLadder = 'Could not stop the ladder';
export const startAgain = 'Start again at step 1';
export const timesMore = (times: number) =>
  `${times === 1 ? 'Once more' : `${times} times more`}, then it is marked as not taken`;
export const endsAtOnce = 'Ends at once when somebody accepts or snoozes it, or when it resolves.';

const STATES = { done: 'done', next: 'next', later: 'later' };
export const stepName = (step: number | null, state: keyof typeof STATES) =>
  `${step === null ? 'Not taken' : `Step ${step}`}, ${STATES[state]}`;
export const done = 'Done';
export const peopleNotified = (count: number) =>
  count === 0 ? '' : `${count} ${count === 1 ? 'person' : 'people'} notified`;

/** How long until a step: in seconds up to ten minutes, above it in whole minutes. */
export function leftLabel(leftMs: number): string {
  if (leftMs <= 0) return 'now';
  const seconds = Math.ceil(leftMs / 1_000);
  if (seconds > 600) return `in ${Math.ceil(seconds / 60)} min`;
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `in ${seconds} s` : `in ${minutes} min ${seconds % 60} s`;
}

/** Why somebody is not notified by a step. */
export const WITHOUT = {
  unwanted: 'muted it, or chose not to be notified',
  quiet: 'in quiet hours then',
  paused: 'paused notifications',
};
/** How somebody was notified who had been notified of another alert a moment before. */
export const gatheredWaiting = 'together with other alerts, within half a minute';
export const gatheredDropped = 'not notified, because it was taken first';
export const gatheredSent = (alerts: number) =>
  alerts > 1 ? `, together with ${alerts - 1} other ${alerts === 2 ? 'alert' : 'alerts'}` : '';
export const notReached = 'no page open, no push, no own channel';
export const reachedBy = (channels: string) => `by ${channels}`;
