import * as z from 'zod/mini';
import { alertSeveritySchema, alertStateSchema } from './alert.ts';
import { mappedFieldSchema, mappingPartSchema, mappingSchema } from './mapping.ts';
import { senderSchema } from './sender.ts';
import { adapterSettingSchema, hourCountSchema } from './source.ts';

/** What became of a request to a source. */
export const deliveryOutcomeSchema = z.enum([
  'new',
  'repeated',
  'resolved',
  'handshake',
  'ignored',
  'refused',
  'paused',
]);
export type DeliveryOutcome = z.infer<typeof deliveryOutcomeSchema>;

/** How many deliveries had each outcome. */
export const outcomeCountsSchema = z.object({
  new: z.int(),
  repeated: z.int(),
  resolved: z.int(),
  handshake: z.int(),
  ignored: z.int(),
  refused: z.int(),
  paused: z.int(),
});

/** What the log says of somebody who looked at an address: such a request says nothing about its sender. */
export const LOOKED_AT = 'Opened in a browser: answered with a page that says what this address is';

/** A request to a source as the delivery log lists it. */
export const deliverySummarySchema = z.object({
  id: z.string(),
  /** Null for a request whose key belongs to no source. */
  sourceId: z.nullable(z.string()),
  receivedAt: z.iso.datetime(),
  outcome: deliveryOutcomeSchema,
  /** One sentence: the first alert's title, or why the request was refused. */
  summary: z.string(),
  /** Alerts that it made or changed, and how many of them are new. */
  alerts: z.int(),
  newAlerts: z.int(),
  /** Status of the answer. */
  status: z.int(),
  /** Bytes of the body as received. */
  size: z.int(),
  durationMs: z.number(),
  remoteAddress: z.string(),
  sender: z.nullable(senderSchema),
  /** The delivery that this one replays. */
  replayOf: z.nullable(z.string()),
});
export type DeliverySummary = z.infer<typeof deliverySummarySchema>;

/** A page of a source's delivery log, newest first. */
export const deliveryListSchema = z.array(deliverySummarySchema);

/** How a request named its source; `test` and `replay` came from an administrator, `none` named none. */
export const authenticationMethodSchema = z.enum(['key', 'basic', 'token', 'test', 'replay', 'none']);
export type AuthenticationMethod = z.infer<typeof authenticationMethodSchema>;

/** Where a field of an alert comes from. */
export const fieldOriginSchema = z.object({
  field: z.string(),
  value: z.nullable(z.string()),
  /** Path in the body, `header: NAME`, or empty where there is none. */
  path: z.string(),
  /** The rule, where it was not the sender's first choice. */
  note: z.optional(z.string()),
});
export type FieldOrigin = z.infer<typeof fieldOriginSchema>;

/** An alert that a delivery makes, before it meets those that are there. */
export const readEventSchema = z.object({
  title: z.nullable(z.string()),
  customer: z.nullable(z.string()),
  alertType: z.nullable(z.string()),
  severity: alertSeveritySchema,
  state: alertStateSchema,
  dedupKey: z.nullable(z.string()),
  link: z.nullable(z.string()),
  origins: z.array(fieldOriginSchema),
  /** Path of the alert's own element in the body, such as `alerts[0]`; empty where the body is the alert. */
  element: z._default(z.string(), ''),
  /** The JSON text of the alert's own element. */
  payload: z.string(),
});
export type ReadEvent = z.infer<typeof readEventSchema>;

/** What a delivery did to one alert. */
export const eventOutcomeSchema = z.enum([
  'new',
  'repeated',
  'reopened',
  'acknowledged',
  'amended',
  'resolved',
  'duplicate',
  'nothing-open',
  'echo',
]);
export type EventOutcome = z.infer<typeof eventOutcomeSchema>;

/** One alert of a delivery in the log. */
export const deliveredEventSchema = z.object({
  outcome: eventOutcomeSchema,
  alertId: z.nullable(z.string()),
  title: z.nullable(z.string()),
  occurrences: z.int(),
});

/** Answer of `GET /api/deliveries/{id}`. Secrets are masked but for their last four characters. */
export const deliverySchema = z.extend(deliverySummarySchema, {
  way: authenticationMethodSchema,
  method: z.string(),
  path: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  /** Null when it is no longer kept, or longer than the source keeps. */
  body: z.nullable(z.string()),
  isBodyCut: z.boolean(),
  /** It lacks the signature that its source needs, or has a wrong one, or replays such a request. */
  isUnverified: z.boolean(),
  keptUntil: z.nullable(z.iso.datetime()),
  recognisedBy: z.nullable(z.string()),
  results: z.array(deliveredEventSchema),
  /** How the body is read now; empty without a body, and for a call about an alert that was there. */
  events: z.array(readEventSchema),
});
export type Delivery = z.infer<typeof deliverySchema>;

/** Query of `GET /api/sources/{id}/deliveries`: newest first, by `Link` headers. */
export const deliveryListQuerySchema = z.object({
  outcome: z.optional(deliveryOutcomeSchema),
  q: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  from: z.optional(z.iso.datetime()),
  to: z.optional(z.iso.datetime()),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500))),
  before: z.optional(z.uuid()),
});
export type DeliveryListQuery = z.infer<typeof deliveryListQuerySchema>;

/** Query of `GET /api/sources/{id}/delivery-counts`; without `from` and `to` the last 24 hours. */
export const deliveryCountsQuerySchema = z.object({
  from: z.optional(z.iso.datetime()),
  to: z.optional(z.iso.datetime()),
});

/** Parts into which a time is divided for the counts. */
export const DELIVERY_PARTS = 96;

/** Answer of `GET /api/sources/{id}/delivery-counts?from=&to=`: for each outcome, and in 96 equal parts of the time. */
export const deliveryCountsSchema = z.object({
  outcomes: outcomeCountsSchema,
  parts: z.array(z.object({ from: z.iso.datetime(), deliveries: z.int(), refused: z.int() })),
});
export type DeliveryCounts = z.infer<typeof deliveryCountsSchema>;

/** Most deliveries that one call replays. */
export const MAX_REPLAY = 500;

/** Body of `POST /api/sources/{id}/replay`. */
export const replayOneSchema = z.object({
  /** Notify people of what the replay makes; off unless asked for. */
  notify: z._default(z.boolean(), false),
  /** Replay also what was refused for its signature; its alerts say so. */
  unverified: z._default(z.boolean(), false),
});
export type ReplayOne = z.infer<typeof replayOneSchema>;

/** Body of `POST /api/sources/{id}/replay`. */
export const replaySchema = z.extend(replayOneSchema, {
  ids: z.array(z.uuid()).check(z.minLength(1), z.maxLength(MAX_REPLAY)),
});

/** Path parameter of the calls on one delivery. */
export const deliveryIdParamsSchema = z.object({ id: z.uuid() });

/** Answer of a replay: how many of each outcome, and the ids whose body is no longer kept. */
export const replayResultSchema = z.object({
  outcomes: outcomeCountsSchema,
  notReplayed: z.array(z.object({ id: z.string(), reason: z.string() })),
});
export type ReplayResult = z.infer<typeof replayResultSchema>;

/** Body of `POST /api/sources/{id}/dry-run`: a stored delivery or a pasted request, read by these settings; nothing is stored. */
export const dryRunSchema = z.object({
  deliveryId: z.optional(z.uuid()),
  request: z.optional(
    z.object({
      method: z._default(z.string().check(z.maxLength(10)), 'POST'),
      headers: z._default(z.record(z.string(), z.string()), {}),
      body: z.string().check(z.maxLength(1024 * 1024)),
    }),
  ),
  adapter: z.optional(adapterSettingSchema),
  mapping: z.optional(mappingSchema),
});

/** A part of a mapping that cannot be evaluated, and why, for the person who wrote it. */
export const mappingErrorSchema = z.object({
  field: mappingPartSchema,
  /** Which condition it is, from 0 on. */
  index: z.optional(z.int()),
  message: z.string(),
});
export type MappingError = z.infer<typeof mappingErrorSchema>;

/** Answer of a dry run. */
export const dryRunResultSchema = z.object({
  sender: senderSchema,
  recognisedBy: z.string(),
  events: z.array(readEventSchema),
  /** A problem with each part of the mapping that could not be evaluated. */
  errors: z.array(mappingErrorSchema),
  /** Items of the list into which the mapping splits the delivery; null where it does not. */
  splitInto: z.nullable(z.int()),
  /** Alerts that each condition of the mapping leaves out, in their order. */
  leftOut: z.array(z.int()),
  /** Why the delivery makes no alert, where it has nothing to do; null where it has alerts. */
  ignored: z.nullable(z.string()),
  handshake: z.nullable(z.string()),
  problem: z.nullable(z.string()),
});
export type DryRunResult = z.infer<typeof dryRunResultSchema>;

/** Past deliveries of which a preview shows what they would become. */
export const MAX_PREVIEWED = 20;

/** Body of `POST /api/sources/{id}/mapping-preview`: settings that are not saved yet. */
export const mappingPreviewRequestSchema = z.object({ mapping: mappingSchema });

/** What one delivery becomes by a mapping. */
export const previewedReadingSchema = z.object({
  alerts: z.int(),
  /** The first alert's; null where it has none. */
  title: z.nullable(z.string()),
  severity: z.nullable(alertSeveritySchema),
  state: z.nullable(alertStateSchema),
  /** Why it makes no alert; null where it makes one. */
  ignored: z.nullable(z.string()),
});

/** A past delivery as the saved mapping reads it, and as the other one does. */
export const previewedDeliverySchema = z.object({
  id: z.string(),
  receivedAt: z.iso.datetime(),
  saved: previewedReadingSchema,
  draft: previewedReadingSchema,
  /** Fields that differ in any of its alerts. */
  changed: z.array(mappedFieldSchema),
});
export type PreviewedDelivery = z.infer<typeof previewedDeliverySchema>;

/** Answer of `POST /api/sources/{id}/mapping-preview`, newest first: the last deliveries whose bodies are kept. */
export const mappingPreviewSchema = z.object({
  deliveries: z.array(previewedDeliverySchema),
  /** How many of them would become something else. */
  differ: z.int(),
  /** Of the newest deliveries, how many are not shown: their bodies are no longer kept, cut, or too large together. */
  notRead: z.int(),
});
export type MappingPreview = z.infer<typeof mappingPreviewSchema>;

/** Requests with one unknown key from one address. */
export const unknownKeySchema = z.object({
  /** The key, masked but for its last four characters; null when the request had none. */
  key: z.nullable(z.string()),
  way: authenticationMethodSchema,
  path: z.string(),
  remoteAddress: z.string(),
  /** What the sender seems to be by its headers. */
  sender: z.nullable(senderSchema),
  requests: z.int(),
  lastAt: z.iso.datetime(),
});

/** Answer of `GET /api/unknown-keys`: the last 1,000 requests that belong to no source, by key and address. */
export const unknownKeysSchema = z.object({
  keys: z.array(unknownKeySchema),
  /** The last 24 hours, oldest first. */
  hours: z.array(hourCountSchema),
  /** Since midnight UTC. */
  requestsToday: z.int(),
});
export type UnknownKeys = z.infer<typeof unknownKeysSchema>;
