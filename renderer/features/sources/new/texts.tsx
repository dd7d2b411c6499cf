import type { ReactNode } from 'react';

export const openSource = 'Open source';
export const emailAddress = 'Email address';
export const addressAndCredentials = 'Address and credentials';
export const noneThisServerReceivesNo = 'None: this server receives no emails yet.';
export const address = 'Address';
export const copySigningSecret = 'Copy signing secret';
export const cannotSetHeader = 'Cannot set a header?';
export const basicAuthenticationHint = (link: (text: string) => ReactNode) => (
  <>
    Use basic authentication with the same API key as the password, or create an address that contains a token in{' '}
    {link('Settings')}.
  </>
);
export const setUpSender = (sender: string) => `Set up ${sender}`;

export const leaveWithoutCopyingCredential = 'Leave without copying the credential?';
export const youWontBeAbleTo = "You won't be able to see it again. A lost credential can only be replaced in Settings.";
export const leaveWithoutIt = 'Leave without it';
export const copyAndLeave = 'Copy and leave';

export const newSource = 'New source';
export const nameIt = 'Name it';
export const defaultCustomer = 'Default customer';
export const optional = '(Optional)';
export const sourceCouldNotBeCreated = (message: string) => `The source could not be created: ${message}`;
export const creating = 'Creating…';
export const waysHint =
  'Key: an API key sent in a header. Address: the token is part of the address. Signed: the sender signs every request.';
export const notListedChooseAnyJson =
  'Not listed? Choose Any JSON: every field of the alert can be mapped from the first delivery.';
export const none = 'None';
export const whatWillBeCreated = 'What will be created';
export const configurationWithAddressAndApi = 'A configuration with address and API key filled in, ready to copy';
export const stepByStepSetupInstructions = 'Step-by-step setup instructions with the values filled in, ready to copy';

export const chooseSender = 'Choose the sender';
export const searchSenders = (offeredSendersCount: number) => `Search ${offeredSendersCount} senders`;
export const searchSendersLabel = 'Search senders';
export const sender = 'Sender';
export const noSenderOfThisName = 'No sender of this name. Choose Any JSON.';

export const stepDone = (step: number) => `Step ${step}, done`;

export const firstDelivery = 'First delivery';
export const firstDeliveryArrivedAfter = (took: string) => `The first delivery arrived after ${took}.`;
export const waiting = 'Waiting';
export const thisPageUpdatesAutomatically = 'This page updates automatically.';
export const tryingAgainIn4S = 'Trying again in 4 s';
export const nothingYetSeeHintsBelow = 'Nothing yet. See the hints below.';
export const aSender = 'A sender';
export const noAlert = 'No alert.';
export const oneAlert = 'One alert';
export const arrived = (took: string | undefined) => `Arrived${took === undefined ? '' : ` after ${took}`}`;
export const arrivedFrom = (product: string, address: string, time: string, status: number, made: string) =>
  `${product} from ${address} at ${time}, answered ${status}. ${made}`;
export const accepted = 'Accepted';
export const accept = 'Accept';
export const requestRefused = (summary: string, link: (text: string) => ReactNode) => (
  <>
    A request was refused: {summary} {link('Open the delivery')}
  </>
);
export const notReachable = 'Not reachable?';
export const mxRecordOfDomainOr = 'The MX record of the domain, or your own mail server, must lead to this server.';
export const fromItsMachine = (address: ReactNode) => <>From its machine: {address}</>;
export const notSentYet = 'Not sent yet?';
export const wrongAddress = 'Wrong address?';
export const wrongKey = 'Wrong key?';
export const unknownOnesAppear = (sender: string) =>
  `${sender === 'email' ? 'Emails to an unknown address' : 'Requests with an unknown key'} appear here within seconds.`;
export const unknownKeyCame = (address: string, sender: string | undefined) =>
  `A request with an unknown key came from ${address}.${sender === undefined ? '' : ` It looks like ${sender}.`}`;
export const sendsOnlyWhen = (sender: string | undefined) =>
  `${sender ?? 'A sender'} sends only when something happens. Send test checks everything after the sender.`;
