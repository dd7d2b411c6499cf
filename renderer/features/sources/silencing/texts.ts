import type { SenderAuth } from '#backend/contract/silence.ts';

export const title = 'Back to the sender';
export const alertmanagerOrGrafana = 'Alertmanager or Grafana';
export const what = 'Back to the sender';
export const silenceWhatIsAccepted = 'Silence what is accepted';
export const silenceHint =
  'While somebody has an alert here, its sender sends no more notifications of it. The silence ends when the alert is returned or over.';
export const address = 'Address';
export const addressHint = 'Where Alertmanager is. For Grafana, add /api/alertmanager/grafana.';
export const addressExample = 'https://alertmanager.example.com';
export const signIn = 'Sign in';
export const signInHint = 'Basic authentication, or a token such as that of a Grafana service account.';
export const AUTH_LABELS: Record<SenderAuth, string> = {
  none: 'Not needed',
  basic: 'User name and password',
  bearer: 'Token',
};
export const userName = 'User name';
export const password = 'Password';
export const token = 'Token';
export const kept = (hint: string) => `Kept, ends with ${hint}`;
export const silenceFor = 'A silence lasts';
export const silenceForHint = 'It is renewed while somebody has the alert. If this server is away, it ends by itself.';
export const lasting = (minutes: number): string =>
  minutes < 60 ? `${minutes} minutes` : minutes === 60 ? '1 hour' : `${minutes / 60} hours`;
export const tryIt = 'Try';
export const save = 'Save';
export const saved = 'Back to the sender saved';
export const activeSilences = (count: number): string => (count === 1 ? '1 silence' : `${count} silences`);
export const noSilences = 'No silence is active.';
export const until = (time: string) => `until ${time}`;
export const forOwner = (owner: string) => `for ${owner}`;
export const alertIsGone = 'An alert that was deleted';
export const endNow = 'End now';
export const endNowOf = (alert: string) => `End the silence of ${alert} now`;
export const tryAgain = 'Try again';
export const tryAgainOf = (alert: string) => `Try the silence of ${alert} again`;
export const ending = 'Ending';
export const waiting = 'Not silenced yet';
export const active = 'Silenced';
export const couldNotBeDone = 'The silence could not be changed';
