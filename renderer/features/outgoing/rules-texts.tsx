import { type EntryTexts, rules as list } from './texts.ts';

export const ruleEntry: EntryTexts = {
  name: 'Rule',
  what: 'The rule',
  inText: 'the rule',
  list,
  listInText: 'rules',
  all: 'All rules',
  add: 'New rule',
  save: 'Save rule',
  saved: 'Rule saved',
  unsaved: 'Your changes to this rule are not saved.',
  notFound: 'Rule not found',
  notFoundHint: 'This rule may have been deleted.',
  search: 'Search rules',
  searchHint: 'Rules are found by their name, their search, and where they send.',
  empty: 'No rules yet',
  emptyHint: 'A rule says which alerts go to which destinations, and on what.',
  deleteQuestion: 'Delete this rule?',
};

export const rules = (count: number | undefined) => (count === 1 ? 'rule' : 'rules');
export const stepsUntilTaken = (count: number) => `${count} ${count === 1 ? 'step' : 'steps'} until taken`;
export const runningLaddersGoOn = 'Ladders that run go on with the steps that they began with.';
export const noDestination = 'No destination';
export const turnOn = 'Turn on';
export const turnOff = 'Turn off';
export const ruleOn = 'Rule turned on';
export const ruleOff = 'Rule turned off';
export const checkItsSearch = 'Check its search';

export const changedBy = (name: string, time: string) => `by ${name}, changed ${time}`;
export const deleteHint = 'Messages that it has already created are still sent.';

export const giveRuleName = 'Give the rule a name.';
export const chooseOnWhat = 'Choose what it sends messages about.';
export const chooseWhere = 'Choose where it sends, or whom it notifies step by step.';
export const onWhat = 'On what';
export const onWhatHint = 'New: also when a problem comes back. Escalated: when its severity rises.';
export const where = 'Where';
export const noDestinationYet = 'There are no destinations yet. Create one first.';
export const kindAndOtherRule = (kind: string, otherRule: string) =>
  `${kind}; also by ${otherRule}: each message is sent once`;

export const whichAlerts = 'Which alerts';
export const searchHint = (keys: string, isOfReports: boolean) =>
  `The search language of every list: words and ${keys}. An alert is matched as it is when it ${isOfReports ? 'arrives' : 'changes'}.`;
export const atLeast = (count: string) => `at least ${count}`;
export const inLastDays = (count: string) => `${count} in 7 days`;
export const allAlertsInLastDays = (count: string) => `All alerts, ${count} in 7 days`;
export const last7Days = 'The last 7 days';
export const problems = (count: number) => (count === 1 ? 'problem' : 'problems');
export const messagesIn7Days = 'messages';
export const inBusiestHour = 'in the busiest hour';
export const messagesSaid = (count: string) => `${count} ${count === '1' ? 'message' : 'messages'} in 7 days`;
export const messagesOfAlert = (count: number | undefined) =>
  count === undefined ? '' : count === 1 ? '1 message' : `${count} messages`;
export const now = 'now';
export const previewHint = 'As if the rule had been on. Alerts are judged as they are now.';
export const previewCutHint = 'As if the rule had been on, of the newest 500 alerts. They are judged as they are now.';
export const showAll = (count: string) => `Show all ${count}`;
export const noAlertMatches = 'No alert of the last 7 days matches.';
