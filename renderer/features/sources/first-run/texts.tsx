import type { ReactNode } from 'react';

export const receiveYourFirstAlert = 'Receive your first alert';
export const threeStepsAboutTwoMinutes = 'Three steps, about two minutes';
export const createSource = 'Create a source';
export const open = 'Open';
export const setUpSender = 'Set up the sender';
export const seeYourFirstAlert = 'See your first alert';
export const sourceIsOnePlaceThat = 'A source is one place that alerts come from. It gets its own address and API key.';
export const sourceName = 'Source name';
export const productionMonitoring = 'Production monitoring';
export const creating = 'Creating…';
export const creatingBeforeLeaving = 'The source is being created. You can leave once its credential is here.';
export const sourceCouldNotBeCreated = (message: string) => `The source could not be created: ${message}`;
export const senderIsDetectedFromIts = (link: (text: string) => ReactNode) => (
  <>The sender is detected from its first delivery. {link('Choose it now')}</>
);
export const sender = 'Sender';
export const credentialsWereOnlyShownWhen = (link: (text: string) => ReactNode) => (
  <>The credentials were only shown when the source was created. {link('Set up with new ones')}</>
);
export const showCredentialsAgain = 'Show the credentials again';
export const waitingForYourFirstAlert = 'Waiting for your first alert…';
export const waiting = 'Waiting';
export const noSenderReady = 'No sender ready?';
export const notConnectedTryingAgain = 'Not connected. Trying again.';
export const nothingYetFromSendersMachine = (address: ReactNode) => (
  <>Nothing yet. From the sender&apos;s machine, {address} shows whether it can be reached.</>
);

export const loadingSources = 'Loading sources';
export const firstAlert = 'First alert';
export const yourFirstAlertArrived = 'Your first alert arrived';
export const detectedAs = (name: string) => `, detected as ${name}`;
export const openSource = 'Open source';

export const invitePeople = 'Invite people';
export const alertdeskIsMadeForTeams = 'Alertdesk is made for teams. Everyone signs in with their own account.';
export const invite = 'Invite';
export const yourBrowserAsksForPermission =
  'Your browser asks for permission once. You can mute types and customers later.';
export const turnOnNotifications = 'Turn on notifications';
export const enable = 'Enable';
export const enableNotifications = 'Enable notifications';

export const noSenderIsConnectedYet = 'No sender is connected yet';
export const yourFirstAlertThenAppears = 'Your first alert then appears here.';
export const yourFirstAlertArrivedAfter = (took: string | undefined) =>
  `Your first alert arrived${took === undefined ? '' : ` after ${took}`}`;
export const administratorHasToConnect = (administrators: number) =>
  `An administrator has to connect one.${administrators > 0 ? ` Ask ${administrators === 1 ? 'this person' : 'one of these people'}:` : ''}`;
