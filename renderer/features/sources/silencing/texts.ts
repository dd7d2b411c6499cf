import type { SenderApiKind, SenderAuth } from '#backend/contract/silence.ts';

export const title = 'Back to the sender';
export const what = 'Back to the sender';
export const api = 'Sender';
export const apiHint = 'Which product is asked to keep quiet. It is the one that sends the alerts of this source.';
export const KIND_LABELS: Record<SenderApiKind, string> = {
  alertmanager: 'Alertmanager or Grafana',
  zabbix: 'Zabbix',
  pagerduty: 'PagerDuty',
  sentry: 'Sentry',
  opsgenie: 'Opsgenie',
};
export const SWITCH_TITLES: Record<SenderApiKind, string> = {
  alertmanager: 'Silence what is accepted',
  zabbix: 'Acknowledge and suppress what is accepted',
  pagerduty: 'Acknowledge what is accepted',
  sentry: 'Archive what is accepted',
  opsgenie: 'Acknowledge what is accepted',
};
export const SWITCH_HINTS: Record<SenderApiKind, string> = {
  alertmanager:
    'While somebody has an alert here, its sender sends no more notifications of it. The silence ends when the alert is returned or over.',
  zabbix:
    'While somebody has an alert here, its problem is acknowledged and suppressed in Zabbix. That ends when the alert is returned or over.',
  pagerduty:
    'While somebody has an alert here, its incident is acknowledged and snoozed in PagerDuty. It is triggered again when the alert is returned.',
  sentry:
    'While somebody has an alert here, its issue is archived in Sentry until a time. It is unresolved again when the alert is returned.',
  opsgenie:
    'While somebody has an alert here, it is acknowledged and snoozed in Opsgenie. It is open again when the alert is returned.',
};
export const address = 'Address';
export const ADDRESS_HINTS: Record<SenderApiKind, string> = {
  alertmanager: 'Where Alertmanager is. For Grafana, add /api/alertmanager/grafana.',
  zabbix: 'Where the web interface is, with its path. Version 6.4 or later.',
  pagerduty: 'For accounts in Europe https://api.eu.pagerduty.com.',
  sentry: 'For accounts in Europe https://de.sentry.io. For your own Sentry its address.',
  opsgenie: 'For accounts in Europe https://api.eu.opsgenie.com.',
};
export const ADDRESS_EXAMPLES: Record<SenderApiKind, string> = {
  alertmanager: 'https://alertmanager.example.com',
  zabbix: 'https://zabbix.example.com/zabbix',
  pagerduty: 'https://api.pagerduty.com',
  sentry: 'https://sentry.io',
  opsgenie: 'https://api.opsgenie.com',
};
export const signIn = 'Sign in';
export const signInHint = 'Basic authentication, or a token such as that of a Grafana service account.';
export const AUTH_LABELS: Record<SenderAuth, string> = {
  none: 'Not needed',
  basic: 'User name and password',
  bearer: 'Token',
};
export const userName = 'User name';
export const from = 'Email of a user';
export const fromHint = 'PagerDuty records this user as the one who acknowledges. Use an account for Alertdesk alone.';
export const organization = 'Organization';
export const organizationHint = 'Its short name, as in the address of its pages.';
export const password = 'Password';
export const TOKEN_TITLES: Record<SenderApiKind, string> = {
  alertmanager: 'Token',
  zabbix: 'API token',
  pagerduty: 'API key',
  sentry: 'Token',
  opsgenie: 'API key',
};
export const TOKEN_HINTS: Partial<Record<SenderApiKind, string>> = {
  zabbix:
    'Of a user who may read the hosts, and whose role allows event.get and event.acknowledge, and to acknowledge, comment and suppress problems.',
  pagerduty: 'A REST API key that is not read-only, or one with the scopes incidents.read and incidents.write.',
  sentry: 'Of an internal integration with Issue & Event: Read & Write. It needs no other scope than event:write.',
  opsgenie:
    'Of an API integration with the rights Read, and Create and Update. Snoozing needs the plan Standard or Enterprise.',
};
export const kept = (hint: string) => `Kept, ends with ${hint}`;
export const silenceFor = 'It lasts';
export const silenceForHint = 'It is renewed while somebody has the alert. If this server is away, it ends by itself.';
export const lasting = (minutes: number): string =>
  minutes % 60 !== 0 ? `${minutes} minutes` : minutes === 60 ? '1 hour' : `${minutes / 60} hours`;
export const resolveWhatIsCompleted = 'Resolve what is completed';
export const resolveHint =
  'An alert that is completed here is resolved in PagerDuty, too. Otherwise it is triggered again.';
export const tryIt = 'Try';
export const save = 'Save';
export const saved = 'Back to the sender saved';
export const savedMeanwhile = 'A colleague saved other settings in the meantime.';
export const failing = (reason: string) => `It cannot be asked at the moment. ${reason}`;
export const activeSilences = (count: number): string => (count === 1 ? '1 alert' : `${count} alerts`);
export const noSilences = 'No alert is silenced there.';
export const until = (time: string) => `until ${time}`;
export const forOwner = (owner: string) => `for ${owner}`;
export const alertIsGone = 'An alert that was deleted';
export const endNow = 'End now';
export const endNowOf = (alert: string) => `End the silence of ${alert} now`;
export const tryAgain = 'Try again';
export const tryAgainOf = (alert: string) => `Try the silence of ${alert} again`;
export const ending = 'Ending';
export const waiting = 'Not asked for yet';
export const held = 'Kept quiet by somebody there';
export const ACTIVE: Record<SenderApiKind, string> = {
  alertmanager: 'Silenced',
  zabbix: 'Acknowledged and suppressed',
  pagerduty: 'Acknowledged',
  sentry: 'Archived',
  opsgenie: 'Acknowledged',
};
export const couldNotBeDone = 'The silence could not be changed';
