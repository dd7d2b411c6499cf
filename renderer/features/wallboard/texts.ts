export const live = 'Live';
export const reconnecting = (time: string | undefined) =>
  time === undefined ? 'Connecting' : `Last change ${time}, reconnecting`;
export const linkEnded = 'This link does not work';
export const linkEndedHint =
  'It was revoked, has expired, or is incomplete. An administrator can create another one under Service Tokens, with the scope Wallboard.';
export const severities = {
  critical: 'Critical',
  high: 'High',
  warning: 'Warning',
  low: 'Low',
  info: 'Info',
  none: 'No severity',
} as const;
export const inProgress = 'In Progress';
export const none = 'none';
export const oldest = (age: string) => `oldest ${age}`;
export const onLadder = (count: number) => `${count} ${count === 1 ? 'waits' : 'wait'} for a ladder step`;
export const byPeople = (count: number) =>
  count === 0 ? 'by nobody' : `by ${count} ${count === 1 ? 'person' : 'people'}`;
export const andMore = (names: string, more: number) => (more === 0 ? names : `${names} and ${more} more`);
export const flapping = 'Flapping';
export const waiting = 'Waiting for somebody';
export const mostSevereFirst = 'most severe first';
export const nothingWaits = 'Nothing waiting';
export const alert = 'Alert';
export const noCustomer = 'No customer';
export const arrivals = 'Alerts, last 24 hours';
export const arrivalsAndUsual = (count: string, usual: string) => `${count} · usual ${usual}`;
export const notCounted = 'Alerts cannot be counted right now';
export const chartLabel = (count: string, critical: string) =>
  `${count} ${count === '1' ? 'alert' : 'alerts'} in 24 hours, ${critical} of them critical`;
export const now = 'now';
export const onNow = 'On now';
export const nobody = 'Nobody';
export const noCalendarNames = 'No calendar names anyone';
export const untilTime = (what: string, time: string) => `${what}, until ${time}`;
export const maintenance = 'Maintenance';
export const nothingIsOn = 'No windows are on';
export const allAlertsNotify = 'All alerts notify';
export const windowsOn = (count: number) => `${count} windows are on`;
export const untilKept = (time: string, kept: string) => `until ${time}, ${kept} kept quiet`;
export const heartbeats = 'Heartbeats';
export const missingOrFailed = (count: string) => `${count} missing or failed`;
export const allInTime = 'All in time';
export const noHeartbeats = 'None expected';
export const nothingExpected = 'No heartbeats yet';
export const expected = (count: string) => `${count} expected`;
export const downSince = (name: string, age: string) => `${name}, ${age}`;
export const sources = 'Sources';
export const sourcesInTrouble = (refusing: number, silent: number) =>
  [refusing > 0 ? `${refusing} refusing` : '', silent > 0 ? `${silent} silent` : '']
    .filter((part) => part !== '')
    .join(', ');
export const allSourcesSend = 'All is well';
export const nothingRefused = 'None refuses or is silent';
