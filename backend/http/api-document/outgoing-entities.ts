import {
  destinationChangeSchema,
  destinationDraftSchema,
  destinationHealthSchema,
  destinationKindSchema,
  destinationListSchema,
  destinationSchema,
  destinationWithSecretSchema,
  newDestinationSchema,
  newOutgoingRuleSchema,
  outgoingEventSchema,
  outgoingPayloadSchema,
  outgoingPreviewSchema,
  outgoingRuleChangeSchema,
  outgoingRuleSchema,
  outgoingTestResultSchema,
} from '#backend/contract/outgoing.ts';
import {
  outgoingAttemptSchema,
  outgoingReceiptSchema,
  outgoingStateSchema,
  receiptListSchema,
  sendAgainResultSchema,
  sendAgainSchema,
} from '#backend/contract/outgoing-receipt.ts';
import type { Entities } from './account-entities.ts';

/** Destinations, rules, and what became of messages. */
export const OUTGOING_ENTITIES: Entities = {
  Destination: [
    destinationSchema,
    'Where alerts are sent, with its health and its use in the last 24 hours. Secrets are never in it.',
  ],
  DestinationList: [destinationListSchema, 'All destinations, and whether mail lists can be sent to.'],
  DestinationKind: [
    destinationKindSchema,
    'What a destination is. `slack` is an incoming webhook of Slack, Mattermost or Rocket.Chat, `teams` a workflow that begins with "When a Teams webhook request is received".',
  ],
  DestinationHealth: [
    destinationHealthSchema,
    'How a destination is doing: `slowed` asked to wait or failed lately, `failing` takes nothing.',
  ],
  NewDestination: [
    newDestinationSchema,
    'A destination to be made. `webhook`, `slack`, `teams`, `google-chat` and `discord` take a url, `telegram` and `matrix` a url, a token and a room, `zulip` these and an account, `ntfy` a url, a topic and perhaps a token, `gotify` a url and a token, `mail` recipients.',
  ],
  DestinationChange: [destinationChangeSchema, 'What is to change; what is absent stays.'],
  DestinationDraft: [
    destinationDraftSchema,
    'A destination as it is written, saved or not, and what it is tried with.',
  ],
  DestinationWithSecret: [
    destinationWithSecretSchema,
    'A destination, and the signing secret of a webhook that was made just now: it is shown this once.',
  ],
  OutgoingEvent: [outgoingEventSchema, 'What of an alert is sent. `new` includes a problem that is back.'],
  OutgoingRule: [outgoingRuleSchema, 'Which alerts go to which destinations, and on what.'],
  NewOutgoingRule: [newOutgoingRuleSchema, 'A rule to be made.'],
  OutgoingRuleChange: [outgoingRuleChangeSchema, 'What is to change; what is absent stays.'],
  OutgoingPayload: [
    outgoingPayloadSchema,
    'The body of a webhook that a rule sends, signed by the Standard Webhooks specification: `webhook-id`, `webhook-timestamp` and `webhook-signature`. Remember ids: a message may come twice with the same one.',
  ],
  OutgoingPreview: [outgoingPreviewSchema, 'The message that a destination would be sent.'],
  OutgoingTestResult: [outgoingTestResultSchema, 'What became of a test message.'],
  OutgoingState: [
    outgoingStateSchema,
    'What became of a message. `replaced`: a newer message of the same alert says more.',
  ],
  OutgoingAttempt: [outgoingAttemptSchema, 'One attempt to send a message.'],
  OutgoingReceipt: [outgoingReceiptSchema, 'Who was notified of an alert, by what, when, and with what answer.'],
  ReceiptList: [receiptListSchema, 'The receipts of an alert, or why there are none.'],
  SendAgain: [sendAgainSchema, 'Which messages are sent again.'],
  SendAgainResult: [sendAgainResultSchema, 'How many messages wait now.'],
};
