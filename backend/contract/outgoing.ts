import * as z from 'zod/mini';
import { MAX_QUERY_LENGTH, alertSeveritySchema, alertStateSchema, alertStatusSchema } from './alert.ts';
import { ladderSchema } from './ladder.ts';
import { nameSchema } from './name.ts';
import { TICKET_KINDS, ticketFaultsSchema, ticketTemplatesSchema } from './ticket.ts';
import { gatewayFields, shownGatewayFields } from './phone-gateway.ts';

/** Destinations and rules that there may be. */
export const MAX_DESTINATIONS = 100;
export const MAX_OUTGOING_RULES = 100;

/** Recipients of one mail list. */
export const MAX_RECIPIENTS = 20;

/** Customers that a destination may be limited to. */
export const MAX_DESTINATION_CUSTOMERS = 100;

/** A message is tried for so long, in hours; then it is not delivered. */
export const OUTGOING_HOURS = 24;

/** Receipts and messages that were not delivered are kept for so many days. */
export const OUTGOING_KEPT_DAYS = 30;

/** After a rotation, messages are signed with the old and the new secret for so many hours. */
export const ROTATION_OVERLAP_HOURS = 24;

/** What a destination is. */
export const destinationKindSchema = z.enum([
  'webhook',
  'slack-bot',
  'mattermost-bot',
  'slack',
  'teams',
  'google-chat',
  'discord',
  'telegram',
  'zulip',
  'matrix',
  'ntfy',
  'gotify',
  'mail',
  ...TICKET_KINDS,
  'phone',
]);
export type DestinationKind = z.infer<typeof destinationKindSchema>;

/** What of an alert a rule sends. `new` includes a problem that is back, and one that is to be noticed again. */
export const OUTGOING_EVENTS = ['new', 'escalated', 'accepted', 'completed', 'note'] as const;
export const outgoingEventSchema = z.enum(OUTGOING_EVENTS);
export type OutgoingEvent = z.infer<typeof outgoingEventSchema>;

/** Text that JSON can hold and no database can is replaced. */
const text = (most: number) =>
  z.string().check(
    z.trim(),
    z.maxLength(most),
    z.overwrite((value) => value.toWellFormed()),
  );

const url = text(2_000).check(
  z.minLength(1),
  z.refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
    message: 'must be an address that begins with https:// or http://',
  }),
);

/** What somebody who sets a destination up writes. Which fields a kind uses is in its description. */
const destinationFields = {
  name: nameSchema,
  /**
   * Where messages go: of `webhook`, `slack-bot`, `mattermost-bot`, `telegram`, `zulip`, `matrix`, `ntfy`, `gotify` and ticket systems the address of the receiver or server;
   * of `slack`, `teams`, `google-chat` and `discord` the incoming webhook's address, which is a secret.
   */
  url: z.optional(url),
  /** The topic of `ntfy`: 1–64 letters, digits, `_` or `-`. */
  topic: z.optional(text(64).check(z.regex(/^[A-Za-z0-9_-]{1,64}$/))),
  /**
   * Where on the server: of `telegram` the chat id or the @name of a public channel, of `zulip` the name of the channel, of
   * `matrix` the room id, of `slack-bot` and `mattermost-bot` the channel id, of `jira` the key of the project, of `github` and
   * `gitlab` its path, of `phone` the number that rules notify, with its country: `+49301234567`.
   */
  room: z.optional(text(255)),
  ...gatewayFields,
  /** The email of `zulip`’s bot; of `jira` (Cloud) and `servicenow` who signs in with the token, which goes alone without. */
  account: z.optional(text(254).check(z.regex(/^[^:\p{Cc}]*$/u))),
  /**
   * The bot token of `slack-bot`, `mattermost-bot` and `telegram`, the API key of `zulip`, the access token of `matrix` and of `ntfy` (there it is optional), the
   * application token of `gotify`, the token of a ticket system, or the password of `servicenow`. Empty removes it.
   */
  token: z.optional(text(500).check(z.regex(/^[\x21-\x7e]*$/))),
  /** Of `slack-bot`: the app-level token, by which presses of buttons come over a connection (Socket Mode). Empty removes it. */
  appToken: z.optional(text(500).check(z.regex(/^[\x21-\x7e]*$/))),
  /** Of `slack-bot`: the app's signing secret, by which presses of buttons come as signed requests. Empty removes it. */
  requestSecret: z.optional(text(500).check(z.regex(/^[\x21-\x7e]*$/))),
  /** The addresses of a mail list. */
  recipients: z.optional(z.array(z.email().check(z.maxLength(254))).check(z.maxLength(MAX_RECIPIENTS))),
  /** Names of the customers that this destination may be sent alerts of, compared whatever their case; empty for all. */
  customers: z.optional(z.array(text(200).check(z.minLength(1))).check(z.maxLength(MAX_DESTINATION_CUSTOMERS))),
  /** Of ticket systems: the templates of their tickets, all of them; those of absent fields are the usual ones. */
  ticketTemplates: z.optional(ticketTemplatesSchema),
  /** Of ticket systems: an alert is completed when its ticket is closed. Default: true. */
  completesAlert: z.optional(z.boolean()),
};

/** Body of `POST /api/outgoing/destinations`. */
export const newDestinationSchema = z.object({ kind: destinationKindSchema, ...destinationFields });
export type NewDestination = z.infer<typeof newDestinationSchema>;

/** Body of `PATCH /api/outgoing/destinations/{id}`: absent fields stay. */
export const destinationChangeSchema = z.object({
  ...destinationFields,
  name: z.optional(nameSchema),
  isPaused: z.optional(z.boolean()),
});
export type DestinationChange = z.infer<typeof destinationChangeSchema>;

/**
 * Body of `POST /api/outgoing/preview` and `POST /api/outgoing/test`: a destination as it is written, saved or not.
 * `destinationId` names the saved one whose secrets are used where none are written. `alertId` names the alert that is shown;
 * without, the newest one, or a made-up one where there is none.
 */
export const destinationDraftSchema = z.object({
  kind: destinationKindSchema,
  ...destinationFields,
  destinationId: z.optional(z.uuid()),
  alertId: z.optional(z.uuid()),
  event: z._default(outgoingEventSchema, 'new'),
});
export type DestinationDraft = z.infer<typeof destinationDraftSchema>;

/** How a destination is doing. `slowed`: it asked to wait, or some attempts fail. `failing`: nothing gets through. */
export const destinationHealthSchema = z.enum(['ok', 'slowed', 'failing', 'paused', 'never-used']);
export type DestinationHealth = z.infer<typeof destinationHealthSchema>;

/**
 * A destination. Secrets are never in it: `secretHint` has the last four characters of the token or address, or, of a webhook,
 * of the signing secret. `sent` has the messages of each of the last 24 hours, the oldest first.
 */
export const destinationSchema = z.object({
  id: z.string(),
  kind: destinationKindSchema,
  name: z.string(),
  version: z.int().check(z.positive()),
  url: z.nullable(z.string()),
  ...shownGatewayFields,
  topic: z.nullable(z.string()),
  room: z.nullable(z.string()),
  account: z.nullable(z.string()),
  recipients: z.array(z.string()),
  customers: z.array(z.string()),
  /** Of ticket systems: the templates that are not the usual ones, and whether closing a ticket completes its alert. */
  ticketTemplates: z.optional(ticketTemplatesSchema),
  completesAlert: z.optional(z.boolean()),
  secretHint: z.nullable(z.string()),
  /** Last four characters of the secrets beside it that are there. */
  otherHints: z.optional(z.object({ appToken: z.optional(z.string()), requestSecret: z.optional(z.string()) })),
  /** The connection by which presses of buttons come; absent where there is none. `reason` says why it is not up. */
  connection: z.optional(z.object({ isUp: z.boolean(), since: z.iso.datetime(), reason: z.optional(z.string()) })),
  /** Until when messages are signed with the secret before, too. */
  oldSecretUntil: z.nullable(z.iso.datetime()),
  isPaused: z.boolean(),
  health: destinationHealthSchema,
  /** Why it is slowed, failing or paused; absent otherwise. */
  reason: z.optional(z.string()),
  /** When the next attempt is made, while it is slowed or failing. */
  retryAt: z.optional(z.iso.datetime()),
  failingSince: z.optional(z.iso.datetime()),
  sent: z.array(z.int().check(z.nonnegative())),
  waiting: z.int().check(z.nonnegative()),
  notDelivered: z.int().check(z.nonnegative()),
  lastSentAt: z.nullable(z.iso.datetime()),
  usedBy: z.array(z.object({ id: z.string(), name: z.string() })),
  createdAt: z.iso.datetime(),
});
export type Destination = z.infer<typeof destinationSchema>;

/** Answer of `GET /api/outgoing/destinations`, by name. `isMailConfigured`: whether mail lists can be sent to. */
export const destinationListSchema = z.object({
  destinations: z.array(destinationSchema),
  isMailConfigured: z.boolean(),
});

/** A destination, and the signing secret of a webhook that was made or rotated just now: it is shown this once. */
export const destinationWithSecretSchema = z.object({
  destination: destinationSchema,
  signingSecret: z.optional(z.string()),
});

/** Path of calls of one destination, rule or message. */
export const outgoingIdParamsSchema = z.object({ id: z.uuid() });

const searchText = text(MAX_QUERY_LENGTH);

const ruleFields = {
  /** In the language of the lists' `search`; empty for all alerts. Without `folder:`, `from:`, `to:` and `owner:me`. */
  search: searchText,
  events: z.array(outgoingEventSchema).check(z.minLength(1), z.maxLength(OUTGOING_EVENTS.length)),
  /** Ids of the destinations; none where a ladder alone notifies people. */
  destinationIds: z.array(z.uuid()).check(z.maxLength(20)),
};

/** Body of `POST /api/outgoing/rules`. `ladder` says what happens until somebody takes an alert; null or absent: nothing more. */
export const newOutgoingRuleSchema = z.object({
  name: nameSchema,
  ...ruleFields,
  ladder: z.optional(z.nullable(ladderSchema)),
});
export type NewOutgoingRule = z.infer<typeof newOutgoingRuleSchema>;

/** Body of `PATCH /api/outgoing/rules/{id}`: absent fields stay. */
export const outgoingRuleChangeSchema = z.object({
  name: z.optional(nameSchema),
  search: z.optional(ruleFields.search),
  events: z.optional(ruleFields.events),
  destinationIds: z.optional(ruleFields.destinationIds),
  ladder: z.optional(z.nullable(ladderSchema)),
  isOn: z.optional(z.boolean()),
});
export type OutgoingRuleChange = z.infer<typeof outgoingRuleChangeSchema>;

/** A rule: which alerts go to which destinations, and on what. `fault` says why it sends less than it says although it is on. */
export const outgoingRuleSchema = z.object({
  id: z.string(),
  name: z.string(),
  version: z.int().check(z.positive()),
  search: z.string(),
  events: z.array(outgoingEventSchema),
  destinationIds: z.array(z.string()),
  ladder: z.nullable(ladderSchema),
  isOn: z.boolean(),
  fault: z.optional(z.string()),
  changedBy: z.string(),
  changedAt: z.iso.datetime(),
});
export type OutgoingRule = z.infer<typeof outgoingRuleSchema>;

/** Answer of `GET /api/outgoing/rules`, by name. */
export const outgoingRuleListSchema = z.array(outgoingRuleSchema);

/** The version of {@link outgoingPayloadSchema}. It is raised when a receiver would misread the next. */
export const OUTGOING_SCHEMA_VERSION = 1;

/**
 * The body of a webhook: what happened to an alert, as it was when the message was made. `type` is one of `alert.new`,
 * `alert.escalated`, `alert.accepted`, `alert.completed` and `alert.note`; `timestamp` is when it happened. `fields` are the
 * first 20 fields of the alert's newest payload, each value cut to 500 characters; the whole alert is at `GET /api/alerts/{id}`.
 * `acceptedAt` is when its owner took it. `link` leads people to it, and is null where the server does not know its own
 * address (`PUBLIC_URL`). `by` is who did it, where a person did. `note` is there with `alert.note`, its text cut to 2,000
 * characters, `group` where a ladder notifies of several alerts at once. `isTest`: an administrator tries the destination.
 */
export const outgoingPayloadSchema = z.object({
  type: z.enum(['alert.new', 'alert.escalated', 'alert.accepted', 'alert.completed', 'alert.note']),
  schemaVersion: z.int(),
  timestamp: z.iso.datetime(),
  isTest: z.boolean(),
  data: z.object({
    alert: z.object({
      id: z.string(),
      version: z.int(),
      title: z.string(),
      customer: z.nullable(z.string()),
      alertType: z.nullable(z.string()),
      /** What rules have filed it under; absent from messages that an earlier release made. */
      label: z.optional(z.nullable(z.string())),
      source: z.nullable(z.string()),
      severity: alertSeveritySchema,
      state: alertStateSchema,
      status: alertStatusSchema,
      owner: z.nullable(z.string()),
      acceptedAt: z.optional(z.nullable(z.iso.datetime())),
      occurrences: z.int(),
      receivedAt: z.iso.datetime(),
      /** Somebody has put it off; absent from messages that an earlier release made. */
      isSnoozed: z.optional(z.boolean()),
      /** Its problem opens and closes again and again; absent from messages that an earlier release made. */
      isFlapping: z.optional(z.boolean()),
      link: z.nullable(z.string()),
      fields: z.array(z.object({ name: z.string(), value: z.string() })),
    }),
    by: z.nullable(z.string()),
    note: z.optional(z.object({ author: z.string(), text: z.string() })),
    /** The message is about so many alerts, of which `alert` is the worst: "14 critical alerts of Harbor & Finch". */
    group: z.optional(z.object({ alerts: z.int().check(z.minimum(2)), text: z.string() })),
  }),
});
export type OutgoingPayload = z.infer<typeof outgoingPayloadSchema>;

/** The message that a destination would be sent: what people see, and the request as it is made, without secrets. */
export const outgoingPreviewSchema = z.object({
  title: z.string(),
  lines: z.array(z.string()),
  /** Name and value of each line below the text. */
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
  link: z.nullable(z.string()),
  /** The exact body that is sent, or the text of a mail. */
  body: z.string(),
  alertId: z.nullable(z.string()),
  faults: z.optional(ticketFaultsSchema),
});
export type OutgoingPreview = z.infer<typeof outgoingPreviewSchema>;
