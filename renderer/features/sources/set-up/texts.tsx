import type { ReactNode } from 'react';

export const copyField = (name: string) => `Copy ${name}`;

export const setupFormat = 'Setup format';
export const valuesFilledIn = (hasCredentials: boolean) =>
  `values are filled in for this source.${hasCredentials ? ' The copied text contains the credentials.' : ''}`;
export const highlighted = 'Highlighted';
export const thisServerReceivesNoEmails = (
  smtpPort: ReactNode,
  smtpDomain: ReactNode,
  strong: (text: string) => ReactNode,
) => (
  <>
    This server receives no emails yet. To turn it on, set {smtpPort} and {smtpDomain} and restart the server. A source
    without a token in its address needs a {strong('New address')}, too.
  </>
);
export const thisSourceAcceptsNoEmails =
  'This source accepts no emails: turn on the token in the address, and turn off required signatures, in Settings.';
export const text = 'text';

export const setUpSender = (sender: string) => `Set up ${sender}`;
export const sDocumentation = (name: string) => `${name}'s documentation`;
export const showNewCredentialsAgain = 'Show the new credentials again';
export const emailsToThisAddressBecome =
  'Emails to this address become alerts of this source. Anyone who knows the address can send them.';
export const changeAddress = 'Change the address';
export const lostCredentials = 'Lost the credentials?';
export const createNewAddressIfOthers =
  'Create a new address if others know this one. The old one keeps working for 24 hours.';
export const theyCannotBeShownAgain =
  'They cannot be shown again. Create new ones here. The old ones keep working for 24 hours.';
export const newSigningSecret = 'New signing secret';
export const newApiKey = 'New API key';
export const testDidNotArrive = 'The test did not arrive';
export const checkIt = 'Check it';
export const sendsTestAlertInFormat = (product: string) =>
  `Sends a test alert in the ${product} format, which is processed like any other delivery.`;
export const arrivedAfter = (time: string) => `Arrived after ${time}.`;
export const openDelivery = 'Open the delivery';

export const signingSecretYouEnteredIs = 'The signing secret you entered is not saved.';
export const signaturesAreVerifiedOnEvery = 'Signatures are verified on every request.';
export const existingApiKey = 'Existing API key';
export const apiKeyYouEnteredIs = 'The API key you entered is not saved.';
export const keyAccepted = (hint: string) => `The key …${hint} is accepted. The key before it works for 24 hours more.`;
export const saving = 'Saving…';
