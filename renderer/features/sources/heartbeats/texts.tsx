import type { ReactNode } from 'react';

export const expected = (missing: ReactNode, late: ReactNode) => (
  <>
    expected{missing}
    {late}
  </>
);
export const missingCount = (count: ReactNode) => <>, {count} missing</>;
export const lateCount = (count: ReactNode) => <>, {count} late</>;
export const search = 'Search heartbeats';
export const newHeartbeat = 'New heartbeat';
export const state = 'State';
export const all = 'All';
export const nothingYet = 'No heartbeats yet';
export const nothingYetHint =
  'A heartbeat expects regular calls, such as from a backup job. When a call is missing, it becomes an alert.';
export const noneMatches = (search: string) => `No heartbeats match “${search}”`;
export const noneInState = (state: string) => `No heartbeats are “${state}”`;
export const noneHint = 'Names of heartbeats and of customers are searched.';
export const heartbeatsInText = 'heartbeats';
export const showMore = (count: number) => `Show ${count} more`;

export const heartbeat = 'Heartbeat';
export const expectedColumn = 'Expected';
export const lastBeats = 'Last 100 beats';
export const tallerIsLonger = 'taller is longer';
export const lastBeat = 'Last beat';
export const actions = 'Actions';
export const actionsFor = (name: string) => `Actions for ${name}`;
export const never = 'Never';
export const alertOpen = (severity: string | undefined) =>
  severity === undefined ? 'Alert open' : `Alert open, ${severity}`;
export const graceEndsIn = (span: string) => `Grace ends in ${span}`;
export const runningFor = (span: string, usual: string | undefined) =>
  usual === undefined ? `For ${span}` : `For ${span}, usually ${usual}`;
export const waitingForFirst = 'Waiting for the first beat';
export const pausedBy = (name: string, day: string) => `By ${name}, ${day}`;
export const daysAgo = (days: number) => `${days} d ago`;

export const inTime = 'in time';
export const lateLegend = 'late';
export const missedLegend = 'missing or failed, full height';
export const unjudgedLegend = 'not judged, Alertdesk was off';
export const noBeats = 'No beats yet';

export const downtime = (from: string, to: string) => `Alertdesk was not running from ${from} to ${to}.`;
export const downtimeCount = (count: number, missing: number, waiting: number) => {
  const are = count === 1 ? '1 heartbeat that was due then is' : `${count} heartbeats that were due then are`;
  const now = missing === 0 ? 'none is missing' : `${missing} ${missing === 1 ? 'is' : 'are'} missing`;
  const later = waiting === 0 ? '' : `, ${waiting} ${waiting === 1 ? 'has' : 'have'} not called since`;
  return `${are} judged later; ${now}${later}.`;
};
export const closeForEverybody = 'Close for everybody';

export const open = 'Open';
export const pause = 'Pause';
export const resume = 'Resume';
export const newAddress = 'New address…';
export const askToDelete = 'Delete…';
export const paused = (name: string) => `${name} is paused`;
export const resumed = (name: string) => `${name} is expected again`;
export const failed = 'That did not work';

export const theHeartbeat = 'The heartbeat';
export const notFound = 'Heartbeat not found';
export const notFoundHint = 'It was deleted, or the link is wrong.';
export const allHeartbeats = 'All heartbeats';
export const settings = 'Settings';
export const beatsTitle = 'Beats';
export const sentAlong = 'Sent along';
export const nothingSentAlong = 'Nothing was sent along with this beat.';
export const setUp = 'Set up';
export const setUpHint =
  'Call the address when the job has ended well. Add /start when it begins, /fail or its exit code when it went wrong.';
export const addressOnce = 'This address is shown once. Whoever has it can call it.';
export const leaveAddressHint = "You won't be able to see it again. A new address replaces a lost one.";
export const addressGone = (hint: string) =>
  `The address ends with …${hint}. It was shown once. A new address replaces it.`;
export const address = 'Address';
export const copyAddress = 'Copy address';

export const nameHint = 'Such as “Backup of lumen-prod-01”. Clients of Opsgenie ping it by this name.';
export const customerHint = 'Optional. Stands on its alerts.';
export const when = 'Expected';
export const every = 'Every';
export const byCron = 'By a cron expression';
export const cronExpression = 'Cron expression';
export const number = 'Number';
export const unit = 'Unit';
export const grace = 'Grace';
export const graceHint = 'How much later it may call, and how long a run may last after /start.';
export const severity = 'Severity';
export const opsgenie = 'Opsgenie source';
export const noOpsgenie = 'None';
export const opsgenieHint = 'The key of this source may ping the heartbeat by its name, as Opsgenie’s clients do.';
export const nextTimes = 'Next times';
export const nextTimesHint =
  'In your time zone. Where clocks change, a skipped time is the first moment after the gap.';
export const fromFirst = 'Counted from each call.';
export const create = 'Create heartbeat';
export const saved = 'Heartbeat saved';
export const unsavedHint = 'The heartbeat has changes that are not saved.';
export const giveName = 'Give the heartbeat a name.';
export const giveTimes = 'Write how often it is expected.';
export const giveGrace = 'Write a grace of 10 seconds to 31 days.';
export const deleteQuestion = 'Delete heartbeat?';
export const deleteHint = (name: string) =>
  `The address of ${name} stops working immediately, its open alert is resolved, and its beats are deleted.`;
export const renewQuestion = 'Make a new address?';
export const renewHint = 'The old address stops working immediately. Calls to it get a 404.';
export const renew = 'Make a new address';

const UNITS = { s: 'seconds', min: 'minutes', h: 'hours', d: 'days' } as const;
export type UnitName = keyof typeof UNITS;
export const units: readonly [UnitName, string][] = Object.entries(UNITS) as [UnitName, string][];
