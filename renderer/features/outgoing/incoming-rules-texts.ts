import { countText } from '#backend/contract/count-text.ts';
import type { RuleActions } from '#backend/contract/rule.ts';
import { SEVERITY_LABELS } from '#renderer/alerts/data/problem-labels.ts';
import { type EntryTexts, rules as list } from './texts.ts';

export const incomingRuleEntry: EntryTexts = {
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
  searchHint: 'Rules are found by their name and their search.',
  empty: 'No rules yet',
  emptyHint: 'A rule sets the severity or names of alerts as they arrive, files or assigns them, or keeps them quiet.',
  deleteQuestion: 'Delete this rule?',
};

export const alertInTitle = 'The alert';
export const outgoingRules = 'Outgoing rules';
export const rulesLabel = (count: number | undefined, off: number) =>
  `${count === 1 ? 'rule' : 'rules'}${off === 0 ? '' : `, ${off} switched off by ${off === 1 ? 'itself' : 'themselves'}`}`;
export const inThisOrder = 'In this order; a rule can leave out the later ones';
export const hits7Days = 'Hits, 7 days';
export const lastHitOwner = 'Last hit, owner';
export const hitsSaid = (count: string) => `${count} ${count === '1' ? 'hit' : 'hits'} in 7 days`;
export const never = 'Never';
export const noOwner = 'Account deleted';
export const switchedOff = (time: string, reason: string) => `Switched off ${time}. ${reason}`;
export const onOrOff = (name: string) => `${name} is on`;
export const handle = (place: number, all: number, name: string) => `Move ${name}, rule ${place} of ${all}`;
export const moveUp = 'Move up';
export const moveDown = 'Move down';
export const moved = 'Rule moved';
export const movedTo = (name: string, place: number) => `${name} is rule ${place}`;
export const wasDeleted = 'The rule was deleted in the meantime.';
export const deletedInText = 'rule deleted';
export const deleted = 'Rule deleted';
export const notDeleted = 'The rule was not deleted';
export const turnedOn = 'Rule turned on';
export const turnedOff = 'Rule turned off';
export const deleteHint = 'What it did to alerts stays. Its count of hits is deleted.';

export const giveName = 'Give the rule a name.';
export const chooseAction = 'Choose what the rule does.';
export const whatItDoes = 'What it does';
export const severity = 'Severity';
export const customer = 'Customer';
export const alertType = 'Type';
export const headline = 'Headline';
export const fileUnder = 'File under a view';
export const noView = 'No view';
export const newView = 'New view…';
export const anotherLabel = 'Another label…';
export const newViewName = 'Name of the new view';
export const label = 'Label';
export const labelHint = 'The alert gets the label that the view searches for, such as label:databases.';
export const newViewHint =
  'Saving the rule also makes this view of New Alerts, for everybody. Who accepts an alert takes it out of the view.';
export const viewThereHint = (name: string) =>
  `There is a view of this label by now: "${name}". Saving the rule makes no other.`;
export const viewsNotRead = 'The views could not be read, so the label stands in place of its view.';
export const giveViewName = 'Give the new view a name.';
export const viewMade = 'View made';
export const asSent = 'As sent';
export const assignTo = 'Assign to';
export const nobody = 'Nobody';
export const snooze = 'Snooze';
export const noSnooze = 'No';
export const snoozes = [
  [15, '15 minutes'],
  [60, '1 hour'],
  [4 * 60, '4 hours'],
  [24 * 60, '1 day'],
  [7 * 24 * 60, '1 week'],
] as const;
export const notify = 'Notify';
export const notifies = {
  usual: 'As usual',
  always: 'Of every repeat, too',
  never: 'Nobody',
  suppress: 'Nobody, and mark as suppressed',
} as const;
export const newAlertsHint = 'Assign and snooze apply only when an alert first arrives. After that, people decide.';
export const stop = 'Apply no later rule';
export const owner = 'Owner';
export const ownerHint = 'Who answers for this rule.';

/** What a rule does, in a few words. @param viewName the view that its label files alerts under */
export function effectOf(
  actions: RuleActions,
  { assigneeName, viewName }: { assigneeName: string | null | undefined; viewName: string | undefined },
): string {
  const { severity: to, customer: named, alertType: type, title, label: under, assigneeId, snoozeMinutes } = actions;
  const words = [
    ...(to === undefined ? [] : [`severity ${SEVERITY_LABELS[to].toLowerCase()}`]),
    ...(named === undefined ? [] : [`customer ${named}`]),
    ...(type === undefined ? [] : [`type ${type}`]),
    ...(title === undefined ? [] : [`headline ${title}`]),
    ...(under === undefined ? [] : [`files under ${viewName ?? under}`]),
    ...(assigneeId === undefined ? [] : [`assign ${assigneeName ?? 'a deleted account'}`]),
    ...(snoozeMinutes === undefined ? [] : [`snooze ${snoozeText(snoozeMinutes)}`]),
    ...(actions.suppress ? ['suppress'] : []),
    ...(actions.notify === undefined ? [] : [actions.notify === 'never' ? 'notify never' : 'notify of every repeat']),
    ...(actions.stop ? ['then stop'] : []),
  ].join(', ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

export const snoozeText = (minutes: number): string =>
  snoozes.find(([known]) => known === minutes)?.[1] ?? `${countText(minutes)} ${minutes === 1 ? 'minute' : 'minutes'}`;

export const whatWouldChange = 'What would change';
export const ofTheLast = (judged: string, total: string) =>
  judged === total
    ? `Of the last ${total} alerts:`
    : `Of ${judged} of the last ${total} alerts, in the time of a dry run:`;
export const alertsChange = (count: number) => (count === 1 ? 'alert changes' : 'alerts change');
export const fewerNotifications = 'fewer notifications';
export const moreNotifications = 'more notifications';
export const criticalSilenced = 'critical silenced';
export const runIn = (since: string | undefined, seconds: string) =>
  `${since === undefined ? '' : `Since ${since}. `}Run in ${seconds} s. Nothing has been changed: alerts change when they are reported.`;
export const nothingWouldChange = 'Nothing would change';
export const writeFirst = 'Choose what the rule does to see what would change.';
export const dryRunRuns = 'Trying the rule on the newest alerts…';
export const dryRunCanceled = 'The dry run was canceled.';
export const runAgain = 'Run again';
export const dryRunFailed = 'The dry run failed';
export const kinds = {
  all: 'All',
  severity: 'Severity',
  names: 'Names, label',
  quiet: 'Quiet',
  people: 'People',
} as const;
export const kindOfChange = 'Kind of change';
export const ofKind = (name: string, count: number) => `${name} ${countText(count)}`;
export const shownOnly = (shown: number) => `The first ${shown} are shown.`;
export const noneAmongFirst = (shown: number) => `None of these is among the first ${shown}.`;
export const becomes = 'becomes';
export const outcomes = {
  usual: 'notified',
  always: 'notified of every repeat',
  never: 'not notified',
  suppressed: 'suppressed',
} as const;
export const assigned = (name: string) => `assigned to ${name}`;
export const notAssigned = 'not assigned';
export const snoozed = (length: string) => `snoozed for ${length}`;
export const notSnoozed = 'not snoozed';
export const noLabel = 'no label';
export const silencesCritical = (count: number) =>
  `${countText(count)} critical ${count === 1 ? 'alert' : 'alerts'} would have notified nobody.`;
export const saveAnyway = 'Save anyway';
export const turnOnAnyway = 'Turn on anyway';
export const sure = 'Silence critical alerts?';
