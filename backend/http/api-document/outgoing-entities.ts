import { chatAccountSchema, chatConnectSchema, chatOfferSchema } from '#backend/contract/chat-account.ts';
import { mattermostAnswerSchema, mattermostPressSchema } from '#backend/outgoing/chat/mattermost-requests.ts';
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
} from '#backend/contract/outgoing.ts';
import { outgoingTestResultSchema } from '#backend/contract/outgoing-test.ts';
import { rulePreviewSchema } from '#backend/contract/outgoing-rule-preview.ts';
import {
  calendarChangeSchema,
  calendarSchema,
  groupChangeSchema,
  groupSchema,
  ladderDraftSchema,
  ladderChannelSchema,
  ladderEndSchema,
  ladderPersonSchema,
  ladderRecipientSchema,
  ladderRunSchema,
  ladderSchema,
  ladderSkipSchema,
  ladderStepSchema,
  newCalendarSchema,
  newGroupSchema,
  overrideSchema,
  plannedStepSchema,
  shiftSchema,
} from '#backend/contract/ladder.ts';
import {
  newOwnChannelSchema,
  ownChannelCodeSchema,
  ownChannelKindSchema,
  ownChannelListSchema,
  ownChannelSchema,
  ownChannelSentSchema,
} from '#backend/contract/own-channel.ts';
import {
  outgoingAttemptSchema,
  outgoingReceiptSchema,
  outgoingStateSchema,
  receiptListSchema,
  sendAgainResultSchema,
  sendAgainSchema,
} from '#backend/contract/outgoing-receipt.ts';
import type { Entities } from './account-entities.ts';
import { ticketFieldSchema, ticketSchema, ticketStateSchema, ticketTemplatesSchema } from '#backend/contract/ticket.ts';

import {
  alertSilenceSchema,
  senderApiKindSchema,
  senderAuthSchema,
  silenceEndSchema,
  silenceSchema,
  silenceStateSchema,
  silencingChangeSchema,
  silencingSchema,
  silencingSettingsSchema,
  silencingTrySchema,
} from '#backend/contract/silence.ts';

/** Destinations, rules, and what became of messages. */
export const OUTGOING_ENTITIES: Entities = {
  Destination: [
    destinationSchema,
    'Where alerts are sent, with its health and its use in the last 24 hours. Secrets are never in it.',
  ],
  ChatAccount: [chatAccountSchema, 'An account of a chat by which a member acts: presses of its buttons are theirs.'],
  ChatOffer: [chatOfferSchema, 'Whose account a link to connect one is about.'],
  ChatConnect: [chatConnectSchema, 'What a link to connect an account carries.'],
  MattermostPress: [mattermostPressSchema, 'What Mattermost sends when somebody presses a button.'],
  MattermostAnswer: [mattermostAnswerSchema, 'What who pressed is shown alone; empty where the message shows it.'],
  DestinationList: [destinationListSchema, 'All destinations, and whether mail lists can be sent to.'],
  DestinationKind: [
    destinationKindSchema,
    'What a destination is. `jira`, `servicenow`, `github`, `gitlab` and `zammad` are ticket systems. `slack-bot` and `mattermost-bot` have buttons. `slack` is an incoming webhook of Slack, Mattermost or Rocket.Chat, `teams` a workflow that begins with "When a Teams webhook request is received".',
  ],
  DestinationHealth: [
    destinationHealthSchema,
    'How a destination is doing: `slowed` asked to wait or failed lately, `failing` takes nothing.',
  ],
  NewDestination: [
    newDestinationSchema,
    'A destination to be made. `webhook`, `slack`, `teams`, `google-chat` and `discord` take a url, `telegram` and `matrix` a url, a token and a room, `zulip` these and an account, `ntfy` a url, a topic and perhaps a token, `gotify` a url and a token, `mail` recipients. `jira`, `github` and `gitlab` take a url, a token and a room, `servicenow` and `zammad` a url and a token; with an account, `jira` and `servicenow` sign in by it.',
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
  OutgoingRulePreview: [rulePreviewSchema, 'What a rule would have sent in the last seven days.'],
  OutgoingTestResult: [outgoingTestResultSchema, 'What became of a test message.'],
  OutgoingState: [
    outgoingStateSchema,
    'What became of a message. `replaced`: a newer message of the same alert says more.',
  ],
  OutgoingAttempt: [outgoingAttemptSchema, 'One attempt to send a message.'],
  OutgoingReceipt: [outgoingReceiptSchema, 'Who was notified of an alert, by what, when, and with what answer.'],
  ReceiptList: [receiptListSchema, 'The receipts of an alert, or why there are none.'],
  SenderApiKind: [senderApiKindSchema, 'Which API a sender is asked by. `alertmanager` is Grafana’s, too.'],
  SenderAuth: [
    senderAuthSchema,
    'How requests to the API of a sender are signed in. All but `alertmanager` take a token, whatever is written.',
  ],
  SilencingChange: [
    silencingChangeSchema,
    'How what is accepted is silenced at the sender of a source; an absent secret stays.',
  ],
  SilencingSettings: [silencingSettingsSchema, 'How what is accepted is silenced at the sender of a source.'],
  Silencing: [silencingSchema, 'Silencing at the sender of a source, with the silences that are not over.'],
  SilencingTry: [silencingTrySchema, 'What the API of a sender answered.'],
  SilenceState: [
    silenceStateSchema,
    'Where a silence is. `held`: somebody there keeps the sender quiet. `impossible`: the alert names nothing by which its sender would know it, or the sender does not know it.',
  ],
  SilenceEnd: [
    silenceEndSchema,
    'Why a silence ended. `released`: nobody has the alert any more; `completed`: completed here, and resolved there; `ended-there`: by hand at the sender.',
  ],
  Silence: [silenceSchema, 'A silence at the sender of an alert, for its owner.'],
  AlertSilence: [alertSilenceSchema, 'The silence of an alert, or null.'],
  TicketField: [
    ticketFieldSchema,
    'What of a ticket a template makes. `closeAs` is the status of Jira and Zammad, or the resolution code of ServiceNow, that a closed ticket has.',
  ],
  TicketTemplates: [
    ticketTemplatesSchema,
    'Templates of tickets, by field. They name values of the alert, as in `{{title}}`; an absent one is the usual one.',
  ],
  TicketState: [
    ticketStateSchema,
    'How a ticket is, as its system said last. `gone`: it is not there, or not to be seen.',
  ],
  Ticket: [ticketSchema, 'The ticket of an alert.'],
  SendAgain: [sendAgainSchema, 'Which messages are sent again.'],
  SendAgainResult: [sendAgainResultSchema, 'How many messages wait now.'],
  Ladder: [ladderSchema, 'What happens until somebody takes an alert: whom each step notifies, and when.'],
  LadderStep: [ladderStepSchema, 'A step of a ladder: so many minutes after the start, these recipients.'],
  LadderRecipient: [
    ladderRecipientSchema,
    'Whom a step notifies: everybody who has a page open, a member, a group, who is on by a calendar, or a destination.',
  ],
  LadderDraft: [ladderDraftSchema, 'A ladder as it is written, and from when it would begin.'],
  PlannedStep: [plannedStepSchema, 'A step with its time, and the people whom it notified or will.'],
  LadderPerson: [ladderPersonSchema, 'Somebody whom a step notifies, by what, or why not.'],
  LadderRun: [ladderRunSchema, 'A ladder of one alert: what was done, what is next, and why it ended.'],
  LadderChannel: [ladderChannelSchema, 'By what a step notifies people: the app, or one kind of their own channels.'],
  LadderEnd: [ladderEndSchema, 'Why a ladder ended. `not-taken`: after its last step.'],
  LadderSkip: [ladderSkipSchema, 'Which step is taken at once.'],
  Group: [groupSchema, 'A group of members that ladders notify. Disabled members stay in it and are not notified.'],
  NewGroup: [newGroupSchema, 'A group to be made.'],
  GroupChange: [groupChangeSchema, 'What is to change; what is absent stays.'],
  Calendar: [calendarSchema, 'Who is on, by an iCalendar address or file. The last good copy is used.'],
  NewCalendar: [newCalendarSchema, 'A calendar to be made: an address or the text of a file.'],
  CalendarChange: [calendarChangeSchema, 'What is to change; what is absent stays.'],
  Override: [overrideSchema, 'Somebody is on instead of whom a calendar names.'],
  Shift: [shiftSchema, 'A time in which the same people are on; nobody in a gap.'],
  OwnChannel: [ownChannelSchema, 'A channel of the member, by which ladders notify them.'],
  OwnChannelKind: [ownChannelKindSchema, 'What a channel of a member is. `mail` goes to the address of their account.'],
  OwnChannelList: [ownChannelListSchema, 'The channels of the member.'],
  NewOwnChannel: [newOwnChannelSchema, 'A channel to be added: its fields are those of a destination of the kind.'],
  OwnChannelSent: [ownChannelSentSchema, 'A channel, and what became of the message with the code.'],
  OwnChannelCode: [ownChannelCodeSchema, 'The code that was sent to a channel.'],
};
