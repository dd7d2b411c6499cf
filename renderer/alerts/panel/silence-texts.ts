import type { SenderApiKind, SilenceEnd } from '#backend/contract/silence.ts';

export const atTheSender = 'At the sender';

/** What a sender has been asked for, at the beginning of a sentence and in it. */
const DONE: Record<SenderApiKind, [string, string]> = {
  alertmanager: ['Silenced', 'silenced'],
  zabbix: ['Acknowledged and suppressed', 'suppressed'],
  pagerduty: ['Acknowledged', 'acknowledged'],
  sentry: ['Archived', 'archived'],
  opsgenie: ['Acknowledged', 'acknowledged'],
};
export const doneUntil = (kind: SenderApiKind, source: string, owner: string, time: string): string =>
  `${DONE[kind][0]} in ${source} by ${owner} until ${time}`;
export const isBeingDone = (kind: SenderApiKind, source: string): string => `Is being ${DONE[kind][1]} in ${source}`;
export const isNotDone = (kind: SenderApiKind, source: string): string => `Not ${DONE[kind][1]} in ${source}`;
export const isEnding = (kind: SenderApiKind, source: string): string =>
  `It will not be ${DONE[kind][1]} in ${source} much longer: that is being ended`;
export const isQuietByOthers = (source: string): string =>
  `Somebody in ${source} keeps it quiet already. That stays as it is.`;
export const UNKNOWN: Record<SenderApiKind, string> = {
  alertmanager: 'The alert has no labels by which its sender would know it.',
  zabbix: 'The alert does not name its event in Zabbix: add the parameter eventid to the media type.',
  pagerduty: 'The alert does not name its incident in PagerDuty.',
  sentry: 'The alert does not name its issue in Sentry.',
  opsgenie: 'The alert does not name its alert in Opsgenie.',
};
export const theSender = 'the sender';
export const somebody = 'somebody';
export const tryAgain = 'Try again';
const ENDED: Record<SilenceEnd, string> = {
  released: 'nobody has it here anymore',
  completed: 'the alert was completed here, and resolved there',
  'ended-here': 'an administrator ended it',
  'ended-there': 'it was ended there. Accept the alert again to begin again.',
  resolved: 'the alert is over',
  'switched-off': 'an administrator switched it off',
};
export const ended = (kind: SenderApiKind, source: string, end: SilenceEnd): string =>
  `No longer ${DONE[kind][1]} in ${source}: ${ENDED[end]}`;
