import { timesLabel, withinLabel } from '#renderer/alerts/data/flapping-labels.ts';

export const flapping = 'Flapping';
export const flappingHint =
  'A problem that keeps opening and closing becomes one alert, marked Flapping. You’re notified once; the alert keeps its place and owner until the problem settles.';
export const flappingRule = 'Flapping rule';
export const oneCard = 'Combine flapping problems into one alert';
export const ruleHint =
  'Counts how often a sender reports a problem again after resolving it. You can still accept, complete and snooze the alert.';
export const moreThan = 'more than';
export const timesIn = 'in';
export const openings = 'Number of times';
export const withinTime = 'Time window';
export const turnedOn = 'Flapping detection turned on';
export const turnedOff = 'Flapping detection turned off';
export const ruleChanged = (count: number, within: number) =>
  `Flapping: more than ${timesLabel(count)} in ${withinLabel(within)}`;
export const ownSources = (count: number) =>
  count === 1 ? '1 source has its own setting.' : `${count} sources have their own setting.`;
export const couldNotChange = 'Could not change the flapping rule';
export const couldNotUndo = 'Could not undo the change to the flapping rule';
