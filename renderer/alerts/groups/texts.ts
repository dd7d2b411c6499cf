import { countText } from '#backend/contract/count-text.ts';
import type { AlertGroup, GroupingKind } from '#backend/contract/alert-group.ts';
import { withinLabel } from '#renderer/alerts/data/flapping-labels.ts';

/** Why alerts are in one group, by its rule. */
const REASONS: Record<GroupingKind, string> = {
  sender: 'Grouped by their sender',
  deployment: 'Same deployment',
  names: 'Same customer and type',
};

/** "Same deployment, within 5 min" */
export const reasonOf = ({ kind, withinMinutes }: Pick<AlertGroup, 'kind' | 'withinMinutes'>) =>
  `${REASONS[kind]}, within ${withinLabel(withinMinutes)}`;

/** "Same deployment, 4.18.2: at most 5 min between two alerts." */
export const sentenceOf = ({ kind, withinMinutes }: Pick<AlertGroup, 'kind' | 'withinMinutes'>, shared: string) =>
  `${REASONS[kind]}, ${shared}: at most ${withinLabel(withinMinutes)} between two alerts.`;

export const countAlerts = (count: number) => (count === 1 ? '1 alert' : `${countText(count)} alerts`);
export const countSources = (count: number) => (count === 1 ? '1 source' : `${count} sources`);
export const withCount = (label: string, count: number) => `${label} ${countText(count)}`;
export const since = (time: string) => `since ${time}`;
export const sinceTitle = (time: string) => `Since ${time}`;
export const now = 'newest';
export const spoken = (
  problem: string,
  count: string,
  title: string,
  reason: string | undefined,
  names: readonly string[],
) =>
  `${problem === '' ? '' : `${problem}, `}${count} in one group: ${title}. ${reason ? `${reason}. ` : ''}${names.join(', ')}.`;

export const alertsOfGroup = 'Alerts of the group';
export const group = 'Group of alerts';
export const takeOut = 'Take out';
export const split = 'Split';
export const takeOutOfGroup = 'Take out of an open group';
export const splitGroup = 'Split a group';
export const takenOut = 'Alert taken out of its group';
export const severalTakenOut = (count: string) => `${count} taken out of their group`;
export const alreadyOut = 'Already out of the group';
export const othersStayed = (reason: string) => `The others are still in it: ${reason}`;
export const splitDone = (count: string) => `Group of ${count} split`;
export const notUndone = 'The group could not be restored';
export const couldNotTakeOut = 'Could not take the alert out of its group';
export const couldNotSplit = 'Could not split the group';
export const notForGroups = (label: string) => `${label} is about one alert. Open the group to choose it.`;
export const nothingLeft = 'This list no longer has alerts of this group.';
export const more = (count: string) => `${count} more`;
export const position = (place: string, total: string) => `${place} of ${total}`;
export const strip = (count: string, from: string, to: string) => `${count} between ${from} and ${to}`;
export const chooseFor = (label: string, count: string) => `${label}: ${count}`;
