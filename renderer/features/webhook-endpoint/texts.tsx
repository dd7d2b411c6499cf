import type { ReactNode } from 'react';

export const tryIt = 'Try it';
export const sendsAlertFromTestAlert =
  'Sends an alert from “Test alert” through the whole system: stored, sent to everyone, and shown in New Alerts.';
export const sendTestAlert = 'Send test alert';
export const sending = 'Sending…';
export const testAlertCouldNotBe = (message: string) => `The test alert could not be sent. ${message}`;
export const storedWaitingForItIn = 'Stored. Waiting for it in New Alerts…';
export const arrivedIn = 'Arrived in';
export const afterMilliseconds = (milliseconds: number) => `after ${milliseconds} ms.`;
export const notReceivedHint =
  'It is stored, but this screen has not received it. Check the connection at the top right, and look in';

export const postUrl = 'POST URL';
export const externalSystemsSendAlertsTo = 'External systems send alerts to this URL.';
export const copyUrl = 'Copy URL';
export const requiredHeader = 'Required header';
export const headerHint = (header: ReactNode, link: (text: string) => ReactNode) => (
  <>
    The header {header} carries an API key. {link('Create one in API Keys')}.
  </>
);
export const payload = 'Payload';
export const payloadHint = (first: ReactNode, second: ReactNode, third: ReactNode) => (
  <>
    Any JSON. The customer is extracted from the field {first}, {second} or {third}.
  </>
);
export const responseHint = (retryAfter: ReactNode) => (
  <>
    The response is 202 with the ID of the alert, sent after the alert is stored. On 503, send it again after the
    seconds in {retryAfter}.
  </>
);
export const example = 'Example';
export const pasteItIntoShellAnd = 'Paste it into a shell and insert your API key.';
export const copyCurlCommand = 'Copy curl command';
