import type { ReactNode } from 'react';
import { countText } from '#backend/contract/count-text.ts';
import type { Destination } from '#backend/contract/outgoing.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import { type EntryTexts, destinations as list } from './texts.ts';

export const destinationEntry: EntryTexts = {
  name: 'Destination',
  what: 'The destination',
  inText: 'the destination',
  list,
  listInText: 'destinations',
  all: 'All destinations',
  add: 'New destination',
  save: pageTexts.save,
  create: 'Create destination',
  saved: 'Destination saved',
  unsaved: 'Your changes to this destination are not saved.',
  notFound: 'Destination not found',
  notFoundHint: 'This destination may have been deleted.',
  search: 'Search destinations',
  searchHint: 'Destinations are found by their name and kind.',
  empty: 'Nothing goes out yet',
  emptyHint: 'Add a chat channel, a webhook, a ticket project or a mail list.',
  deleteQuestion: 'Delete this destination?',
};

export const destinations = (count: number | undefined, attention: number, strong: ReactNode) => (
  <>
    {count === 1 ? 'destination' : 'destinations'}
    {attention > 0 && (
      <>
        , {strong} {attention === 1 ? 'needs' : 'need'} attention
      </>
    )}
  </>
);

export const destination = 'Destination';
export const health = 'Health';
export const sentLast24Hours = 'Sent, last 24 hours';
export const waiting = 'Waiting';
export const lastSent = 'Last sent';
export const usedBy = 'Used by';
export const actions = 'Actions';
export const never = 'Never';
export const usedByRules = (count: number) => (count === 0 ? 'No rule' : `${count} ${count === 1 ? 'rule' : 'rules'}`);
export const mailTo = (kind: string, count: number) => `${kind}, ${count} ${count === 1 ? 'person' : 'people'}`;
export const signed = (kind: string) => `${kind}, signed`;
export const testSentTo = (name: string) => `Test message sent to ${name}`;
export const testNotSentTo = (name: string) => `The test message was not sent to ${name}`;
export const sendTestTo = (name: string) => `Send test to ${name}`;
export const sentInLast24Hours = (count: string) => `${count} sent in the last 24 hours`;
export const nextTryWithin = (minutes: number) => `next try within ${minutes} min`;
export const nextTryIn = (minutes: number) => `next try in ${minutes} min`;

export const notDelivered = 'Not delivered';
export const notDeliveredHint =
  'Refused by the receiver, given up on after 24 hours of attempts, or outside the customers of the destination. Kept for 30 days.';
export const messages = 'Messages';
export const messageCount = (strong: ReactNode, count: number) => (
  <>
    {strong} {count === 1 ? 'message' : 'messages'}
  </>
);
export const askToSendAgain = 'Send again…';
export const sendAgainTo = (name: string) => `Send again to ${name}`;
export const sendAgainQuestion = 'Send again?';
export const sendAgain = 'Send again';
export const sendAgainOf = (title: string) => `Send again: ${title}`;
export const messagesNotDeliveredTo = (count: number, countText: string, name: string) =>
  `${countText} ${count === 1 ? 'message was' : 'messages were'} not delivered to ${name}.`;
export const whichMessages = 'Which messages';
export const onlyOfOpenAlerts = 'Only messages about alerts that are still open';
export const allOfThem = 'All of them';
export const messagesSentAgain = (count: number, countText: string) =>
  count === 1 ? '1 message is being sent again' : `${countText} messages are being sent again`;
export const to = (name: string) => `To ${name}.`;
export const nothingSentAgain = 'Nothing was sent again';
export const messageNotSentAgain = 'The message was not sent again';
export const givenUp = 'Given up on after 24 hours.';
export const eventAt = (event: string, time: string, answer: string) => `${event}, ${time}. ${answer}`;

export const noDestinationIs = (health: string) => `No destination is “${health}”`;
export const destinationPaused = 'Destination paused';
export const destinationResumed = 'Destination resumed';
export const pause = 'Pause';
export const resume = 'Resume';
export const signingSecret = 'Signing secret';
export const secret = 'secret';
export const copySigningSecret = 'Copy signing secret';
export const signingSecretHint =
  'The receiver verifies messages with it. After a rotation, messages are also signed with the previous secret for 24 hours.';
const reachedThroughIt = (phones: number) =>
  phones === 1
    ? ' The phone of 1 member is reached through it, and gets nothing any more.'
    : ` ${countText(phones)} phones of members are reached through it, and get nothing any more.`;
/** Rules that a question names. */
const MOST_NAMES = 10;
const rulesLeadingThere = (names: readonly string[]): string => {
  const [name, ...others] = names;
  if (name === undefined) return '';
  if (others.length === 0) return ` The rule “${name}” sends to it, and is turned off if it leads nowhere else.`;
  const more = names.length - MOST_NAMES;
  const list = names.slice(0, MOST_NAMES).map((one) => `“${one}”`);
  return ` ${countText(names.length)} rules send to it, and are turned off if they lead nowhere else: ${list.join(', ')}${more > 0 ? `, and ${countText(more)} more` : ''}.`;
};
/** Says before a destination is deleted what ends with it. */
export const deleteHint = ({ name, usedBy, phones = 0 }: Pick<Destination, 'name' | 'usedBy' | 'phones'>): string =>
  `Nothing more is sent to ${inertLine(name)}. Its waiting messages and its receipts are deleted.` +
  rulesLeadingThere(usedBy.map((rule) => inertLine(rule.name))) +
  (phones === 0 ? '' : reachedThroughIt(phones));

export const kind = 'Kind';
export const kept = (end: string) => `Kept, ends with ${end}`;
export const rotate = 'Rotate';
export const oldSecretUntil = (time: string) => `Messages are also signed with the previous secret until ${time}.`;
export const customers = 'Customers';
export const allCustomers = 'All customers';
export const allCustomersHint = 'People in this channel may see alerts of every customer.';
export const allCustomersQuestion = 'Send alerts of every customer?';
export const chooseCustomers = 'Choose customers';
export const saveForAllCustomers = 'Save for all customers';
export const healthSaid = (health: string) => `Health: ${health}`;
export const customersHint = 'Messages about any other customer are held back here, whatever a rule says.';
export const connection = 'Connection';
export const needsNoPublicAddress = 'Needs no public address.';
export const connectedBySocketMode = 'Connected by Socket Mode';
export const notConnected = (reason: string | undefined) => `Not connected${reason === undefined ? '' : `: ${reason}`}`;
export const giveItName = 'Give it a name.';
export const addRecipient = 'Add at least one recipient.';

/** What asks for a field, whose label begins with a small letter in it unless it is an abbreviation. */
export const enterField = (label: string) =>
  `Enter the ${label.startsWith('API') ? label : label.charAt(0).toLowerCase() + label.slice(1)}.`;

export const test = 'Test';
export const whatHappensToAlert = 'What happens to the alert';
export const sendTestMessage = 'Send test message';
export const whatPeopleSee = 'What people see';
export const whatIsSent = 'What is sent';
export const madeUp = 'Sample data, because there is no alert yet.';
export const drawnFromChosen = 'Drawn from the alert that you chose.';
export const alertToTest = 'Alert to test with';
export const testWith = (name: string) => `Test with: ${name}`;
export const newestAlert = 'Newest alert';
export const findAlert = 'Search alerts';
export const drawnFromNewest = 'Drawn from the newest alert that this destination may receive.';
export const fillInSettings = 'Fill in the settings to see the message.';
