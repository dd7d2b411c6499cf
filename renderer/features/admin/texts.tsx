import type { ReactNode } from 'react';

export const whereAlertsComeFromAnd = 'Where alerts come from and how they are parsed';
export const allSystemAlerts = 'All System Alerts';
export const everyAlertNoMatterWho = 'Every alert, no matter who owns it';
export const userManagement = 'User Management';
export const accountsPasswordsAndSignIn = 'Accounts, passwords, and sign-in rules';
export const whereAndHowToSend = 'Where and how to send alerts';
export const apiKeysThatExternalSystems = 'API keys that external systems use to send alerts';
export const tokensThatProgramsUseTo = 'Tokens that programs use to read and change alerts';
export const audit = 'Audit';
export const whoDidWhatWhenAnd = 'Who did what, when, and from where';
export const maintenance = 'Maintenance';
export const rules = 'Rules';
export const whatIsDoneWithAlertsAs = 'What is done with alerts as they arrive';
export const whatIsKeptQuietAnd = 'Which alerts are kept quiet, and when';
export const whereAlertsAreSentAnd = 'Where alerts are sent, and by which rules';
export const whatHasToCallAgain = 'Jobs that must call in regularly, and alerts when they do not';

export const keyInDatabase = 'The encryption key is stored in the database';
export const keyInDatabaseHint =
  'Signing secrets, authenticator app keys, and queued emails are stored encrypted, but anyone who can read the database or a dump of it can read the encryption key, too.';
export const toKeepEncryptionKeyElsewhere = 'To keep the encryption key elsewhere, on the server:';
export const createKey = (command: ReactNode) => <>Create a key with {command}.</>;
export const passKeyToServers = (secretsKey: ReactNode, secretsKeyFile: ReactNode) => (
  <>
    Pass it to every server as {secretsKey}, or in a file as {secretsKeyFile}, and restart the servers one after the
    other.
  </>
);
export const rotateKey = (command: ReactNode) => (
  <>Run {command}, which encrypts everything with the new key and removes the old one from the database.</>
);

export const fromWebhookToScreen = 'From webhook to screen';
export const timesOfNewAlerts = 'Times of new alerts';
export const newAlertsInLastMinutes = (minutes: number, servers: number) =>
  `New alerts in the last ${minutes} minutes, on one of ${servers} servers. /metrics covers all of them.`;

export const newAlertsOfOneServer = (minutes: number) => `New alerts in the last ${minutes} minutes.`;

export const noNewAlertReachedOpen = (minutes: number) =>
  `No new alert reached an open page in the last ${minutes} minutes. Times appear here when one does.`;
export const until = 'Until';
export const median = 'Median';
export const sentToEveryOpenPage = 'Sent to every open page';
export const shownOnScreen = 'Shown on a screen';
export const fromPages = (shown: string) => `${shown} from pages`;
export const milliseconds = (milliseconds: string) => `${milliseconds} ms`;

export const refusing = (refusing: number) => `${refusing} refusing`;
export const silent = (silent: number) => `${silent} silent`;
export const oneSourceIsRefusingRequests = '1 source is refusing requests';
export const sourcesAreRefusingRequests = (refusing: number) => `${refusing} sources are refusing requests`;
