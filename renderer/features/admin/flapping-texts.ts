import { minutes } from './grouping-texts.ts';

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
export const times = (count: number) => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`);
export const turnedOn = 'Flapping detection turned on';
export const turnedOff = 'Flapping detection turned off';
export const ruleChanged = (count: number, within: number) =>
  `Flapping: more than ${times(count)} in ${minutes(within)}`;
export const couldNotChange = 'Could not change the flapping rule';
export const couldNotUndo = 'Could not undo the change to the flapping rule';
