import { countText } from '#backend/contract/count-text.ts';
import type { GroupingKind } from '#backend/contract/alert-group.ts';

export const grouping = 'Grouping';
export const groupingHint =
  'Alerts that belong together become one card. The first one and the first critical one notify, the others do not. What is grouped stays so when a rule changes.';
export const groupingRules = 'Grouping rules';

export const RULE_NAMES: Record<GroupingKind, string> = {
  sender: 'Same group at the sender',
  deployment: 'Same deployment',
  names: 'Same customer and type',
};

export const RULE_HINTS: Record<GroupingKind, string> = {
  sender: 'Senders such as Alertmanager and Grafana name the group of an alert.',
  deployment: 'Alerts of one customer that name the same deployment, release, or service version.',
  names: 'Alerts of one customer and one alert type, from any source.',
};

export const atMost = 'at most';
export const apart = 'apart';
export const longestPause = (name: string) => `Longest pause between two alerts: ${name}`;
export const minutes = (count: number) => (count % 60 === 0 ? `${count / 60} h` : `${count} min`);
export const suggestion = (times: number, ofTimes: number, alerts: number) =>
  `In the last 30 days this would have grouped ${countText(alerts)} alerts in ${times} of ${ofTimes} times that several were accepted together.`;
export const turnOn = 'Turn on';
export const turnedOn = (name: string) => `${name}: on`;
export const turnedOff = (name: string) => `${name}: off`;
export const pauseChanged = (name: string, pause: string) => `${name}: at most ${pause} apart`;
export const couldNotChange = 'Could not change the grouping rule';
export const couldNotUndo = 'The grouping rule could not be changed back';
