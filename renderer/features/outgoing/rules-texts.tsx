import type { ReactNode } from 'react';

export const rules = (count: number | undefined) => (count === 1 ? 'rule' : 'rules');
export const rulesInText = 'rules';
export const newRule = 'New rule';
export const noRulesYet = 'No rules yet';
export const noRulesHint = 'A rule says which alerts go to which destinations, and on what.';
export const stepsUntilTaken = (count: number) => `${count} ${count === 1 ? 'step' : 'steps'} until taken`;
export const noDestination = 'No destination';
export const notUnderstood = 'Not understood';

export const rule = 'Rule';
export const ruleNotFound = 'Rule not found';
export const ruleNotFoundHint = 'This rule may have been deleted.';
export const allRules = 'All rules';
export const theRule = 'The rule';
export const theRuleInText = 'the rule';
export const ruleSaved = 'Rule saved';
export const changedBy = (name: string, time: string) => `by ${name}, changed ${time}`;
export const saveRule = 'Save rule';
export const unsavedHint = 'Your changes to this rule are not saved.';
export const deleteQuestion = 'Delete this rule?';
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
export const searchHint = (keys: string) =>
  `The search language of every list: words and ${keys}. An alert is matched as it is when it changes.`;
export const atLeast = (count: string) => `at least ${count}`;
export const inLastDays = (count: string) => `${count} in 7 days`;
export const allAlertsInLastDays = (count: string) => `All alerts, ${count} in 7 days`;
export const last7Days = 'The last 7 days';
export const alertCount = (strong: ReactNode, count: number) => (
  <>
    {strong} {count === 1 ? 'alert' : 'alerts'}
  </>
);
export const noAlertMatches = 'No alert of the last 7 days matches.';
