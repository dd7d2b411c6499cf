import type { AlertSeverity, AlertState } from '#backend/contract/alert.ts';
import type { FieldOrigin, MappingError } from '#backend/contract/delivery.ts';
import type { Sender } from '#backend/contract/sender.ts';
import type { MappedField, MappingPart } from '#backend/contract/mapping.ts';
import type { JsonText } from '#backend/platform/endpoint/json-text.ts';
import type { ProblemError } from '#backend/platform/endpoint/errors.ts';
import type { Found, Headers } from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';

/**
 * Most alerts of one delivery: Alertmanager sends all of a group at once. One with more is kept whole, as a single alert: nothing
 * of it is lost. Adapters look at one more, so that it is seen.
 */
export const MAX_EVENTS = 10_000;

/** Senders that put many alerts into one request. */
export const BATCH_SENDERS: ReadonlySet<Sender> = new Set(['alertmanager', 'grafana', 'sendgrid', 'cloudevents']);

/** A request as it came: the adapters' only input. */
export interface SenderRequest {
  headers: Headers;
  /** The body's text, decoded from UTF-8, otherwise untouched. */
  body: string;
  /** The `Content-Type` header; empty when there is none. */
  contentType: string;
  /** When it arrived, in milliseconds. */
  receivedAt: number;
}

/** A request whose body was read as JSON, whatever form it came in. */
export interface Delivery {
  headers: Headers;
  /** The body: JSON as posted, or what a form or several lines of JSON hold. */
  body: JsonValue;
  /** How the body came. Only a form's own members are the sender's fields, never JSON inside one of them. */
  form: 'json' | 'form' | 'lines';
  receivedAt: number;
}

/** Somebody, or Alertdesk itself, has made a sender keep quiet about an alert, or has ended that. */
export type MayEcho = 'quieted' | 'unquieted';

/** Why a delivery is no alert that has what Alertdesk wrote at its sender. */
export const OWN_COMMENT = 'Nothing to do: a comment of Alertdesk itself';

/** One alert as an adapter finds it; what is missing was not found. Bounds and the specification's own fields come later. */
export interface Draft {
  /** The alert's own element: its payload. */
  element: JsonValue;
  title?: Found | undefined;
  customer?: Found | undefined;
  alertType?: Found | undefined;
  severity?: Found<AlertSeverity> | undefined;
  state: Found<AlertState>;
  dedupKey?: Found | undefined;
  /** The element's own id of the delivery; without one the request's headers name it. */
  deliveryId?: Found | undefined;
  link?: Found | undefined;
  groupKey?: Found | undefined;
  groupTitle?: Found | undefined;
  /** Milliseconds, by the sender's clock. */
  at?: Found<number> | undefined;
  /** Until when the report holds if no other comes, by the sender's clock, in milliseconds. */
  until?: Found<number> | undefined;
  /** What the alerts of a delivery share: a JSON object. */
  shared?: JsonText | undefined;
  /** Why it is no alert, in a few words for the log: what has only begun, or went well. Nothing is stored of it. */
  ignored?: string | undefined;
  /** What the sender reports as done to the alert, where Alertdesk may have asked for that itself. */
  mayEcho?: MayEcho | undefined;
  /** Fields that a source's mapping set: they count before the specification's. */
  mapped?: ReadonlySet<MappedField>;
}

/** An answer that a sender expects instead of a receipt. */
export interface Handshake {
  /** One word for the log, such as `ping` or `challenge`. */
  kind: string;
  /** One sentence for the log. */
  summary: string;
  answer: {
    status: number;
    headers: Record<string, string>;
    body: string;
  };
  /** An address that must be requested to complete the handshake. It is checked to be the sender's own. */
  confirmUrl?: string;
}

/** What a caller needs to know of a delivery beside its alerts. */
export interface DeliveryFacts {
  /** Set when the sender only tries the connection, where it says so. */
  isTest?: boolean;
}

/** What an adapter makes of a delivery. No drafts and no handshake: the delivery is not this sender's. */
export interface Reading {
  drafts: Draft[];
  handshake?: Handshake;
  facts?: DeliveryFacts;
}

/** Reads the deliveries of one sender. Adapters are pure: the same delivery gives the same reading. */
export interface Adapter {
  sender: Sender;
  /** Members of the body that hold secrets. They are masked before the body is read and stored; only handshakes see them. */
  secretNames?: readonly string[];
  read(delivery: Delivery): Reading;
}

/**
 * One alert of a delivery, normalised and bounded: the writer stores it as it stands. `customer` and `alertType` are
 * the specification's where it finds them, else the adapter's; the source's default customer is left to the caller.
 */
export interface SenderEvent {
  /** One line of at most 300 characters, without control characters. */
  title: string | null;
  customer: string | null;
  alertType: string | null;
  severity: AlertSeverity;
  state: AlertState;
  /** Names the problem within its source, in at most 191 characters; a longer key is replaced by its hash. */
  dedupKey: string | null;
  /** Names the delivery, the same on retries, with the alert's index where a delivery has several. */
  deliveryId: string | null;
  /** An http(s) address. */
  link: string | null;
  groupKey: string | null;
  groupTitle: string | null;
  /** When it happened by the sender's clock, in milliseconds. */
  at: number | null;
  /** Until when the report holds if no other comes, by the sender's clock, in milliseconds. */
  until: number | null;
  /** What the sender reports as done, where Alertdesk may have asked for that itself. */
  mayEcho: MayEcho | null;
  /** The text of the alert's own element as in the masked body; any value but an object as `{"value": …}`. */
  payload: JsonText;
  /** Where the element stands in the body, such as `alerts[0]`; empty when it is the body. */
  readonly element: string;
  /** The element's own `extraData`, and what the delivery's alerts share: JSON objects. */
  extraData: JsonText;
  shared: JsonText;
  /** Where each field comes from, for the fields that were found. */
  readonly origins: FieldOrigin[];
}

/** A delivery that was understood, at least as any JSON. */
export interface ReadDelivery {
  /** The body's text with the secrets masked that its adapter names: what may be kept. */
  text: string;
  sender: Sender;
  /** Why it was taken for this sender's, such as `header: x-github-event` or `keys: alerts, groupKey`. */
  recognisedBy: string;
  events: SenderEvent[];
  handshake: Handshake | null;
  /** Why the delivery makes no alert, where it was understood and has nothing to do; null where it has alerts. */
  ignored: string | null;
  facts: DeliveryFacts;
  /** One sentence when an adapter failed or did not know the shape; the delivery is then one alert. */
  problem: string | null;
  /** Parts of the mapping that cannot be evaluated: the alerts are as they would be without these. */
  mappingErrors: MappingError[];
  /** Parts of the mapping whose path finds nothing in this delivery. */
  mappingMisses: MappingPart[];
  /** Alerts that each condition of the mapping leaves out. */
  leftOut: number[];
  /** Items of the list into which the mapping splits the delivery; null where it does not. */
  splitInto: number | null;
}

/** What cannot be read at all; the caller answers with the error. */
export interface UnreadDelivery {
  error: ProblemError;
}
