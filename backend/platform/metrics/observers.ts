/**
 * What the modules report while they work, for metrics. Each gets its observer as an argument and does without one
 * (`UNOBSERVED`); none knows what becomes of it. Durations are in seconds, as Prometheus wants them.
 */

/** One answered HTTP request; `route` is the declared pattern, never the path that was asked for. */
export type ObserveAnswer = (method: string, route: string, status: number, seconds: number) => void;

/** The path of webhook alerts. */
export interface IngestObserver {
  /** An alert was committed, so long after its body was read. */
  accepted(seconds: number): void;
  /** A redelivery was answered with the alert that it repeats. */
  repeated(): void;
  /** A webhook was answered with an error, whatever the reason. */
  refused(): void;
  /** One commit had so many alerts. */
  committed(alerts: number): void;
}

/** Why the server ended a live client's connection. */
export const DROP_REASONS = ['too_slow', 'too_talkative', 'no_heartbeat', 'session_ended'] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** Where a new alert was stored: by this server, or by another on the same database. */
export const ALERT_ORIGINS = ['here', 'elsewhere'] as const;
export type AlertOrigin = (typeof ALERT_ORIGINS)[number];

/** The live clients. */
export interface LiveObserver {
  /** So many events were sent: each counts once for every client that it went to. */
  sent(events: number): void;
  dropped(reason: DropReason): void;
  /** A webhook's new alert was handed to the sockets of all clients, so long after its request was read. */
  delivered(seconds: number, origin: AlertOrigin): void;
  /** A page drew a webhook's new alert, so long after its request was read. */
  shown(seconds: number): void;
}

/** What an attempt to send a message to a destination came to; `retry` is repeated, `refused` never. */
export const OUTGOING_OUTCOMES = ['sent', 'retry', 'refused'] as const;

/** What is sent to destinations. */
export interface OutgoingObserver {
  /** One attempt to send a message to a destination of this kind. */
  attempt(kind: string, outcome: (typeof OUTGOING_OUTCOMES)[number]): void;
  /** What waits for each destination, on the server that leads; nothing once it does not lead any more. */
  waiting(counts: readonly { id: string; kind: string; messages: number }[]): void;
}

/**
 * Errors of transactions: `unavailable` the database is away, full or locked; `retried` a deadlock or lock timeout
 * after which the transaction ran again; `other` what nobody foresaw.
 */
export const DATABASE_ERRORS = ['unavailable', 'retried', 'other'] as const;
export type DatabaseError = (typeof DATABASE_ERRORS)[number];

/** The database's transactions. */
export interface DatabaseObserver {
  /** A transaction ended, committed or not, so long after its turn came. */
  ran(seconds: number): void;
  failed(kind: DatabaseError): void;
}

/**
 * Why a message from Redis is dropped: `unsigned` of a release that did not sign, or of anybody else; `forged` its
 * signature is wrong; `late` it was signed over a minute ago; `replayed` it or a later one came before.
 */
export const DROPPED_MESSAGES = ['unsigned', 'forged', 'late', 'replayed'] as const;
export type DroppedMessage = (typeof DROPPED_MESSAGES)[number];

/** Events that servers on one database share. */
export interface ClusterObserver {
  /** So many events that happened here were sent. */
  sent(events: number): void;
  /** So many events of other servers came. */
  received(events: number): void;
  /** Something of another server is missing: what is shown is fetched again. */
  missed(): void;
  /** The database was asked for events of other servers. */
  polled(): void;
  /** A message from Redis was dropped: it is not known to be another server's. */
  droppedMessage(reason: DroppedMessage): void;
}

/** How an attempt to sign in ended. */
export const SIGN_IN_OUTCOMES = ['succeeded', 'refused', 'throttled'] as const;
export type SignInOutcome = (typeof SIGN_IN_OUTCOMES)[number];
export type ObserveSignIn = (outcome: SignInOutcome) => void;

/**
 * What became of a push message: taken, taken and meant to take back a notification (`withdrawn`), its device gone, given up, or
 * to be tried again. `dropped` counts a message that was cut on its way, and of an alert that was let go before every
 * device knew of it. Test messages count like others.
 */
export const PUSH_OUTCOMES = ['sent', 'withdrawn', 'gone', 'failed', 'retried', 'dropped'] as const;
export type PushOutcome = (typeof PUSH_OUTCOMES)[number];
export type ObservePush = (outcome: PushOutcome) => void;

/** What became of a span of a trace: sent to the collector, lost because it failed, or dropped because too many waited. */
export const SPAN_OUTCOMES = ['sent', 'failed', 'dropped'] as const;
export type ObserveSpans = (outcome: (typeof SPAN_OUTCOMES)[number], spans: number) => void;

/**
 * What became of an email that was sent to this server: stored, or why not. `unknown` there is no such address; `refused` its
 * source does not accept it; `limited` too many or too much at once; `too_large`, `unreadable` by its form; `unavailable` the
 * database is away or full.
 */
export const MAIL_OUTCOMES = [
  'stored',
  'unknown',
  'refused',
  'limited',
  'too_large',
  'unreadable',
  'unavailable',
] as const;
export type MailOutcome = (typeof MAIL_OUTCOMES)[number];
export type ObserveMail = (outcome: MailOutcome) => void;

/** So many old alerts were deleted (RETENTION_DAYS). */
export type ObserveDeleted = (alerts: number) => void;

/** So many requests were not written into the delivery log, because too many waited. */
export type ObserveDroppedDeliveries = (deliveries: number) => void;

const ignore = () => undefined;

/** Nobody measures. */
export const UNOBSERVED: {
  ingest: IngestObserver;
  live: LiveObserver;
  database: DatabaseObserver;
  signIn: ObserveSignIn;
  answer: ObserveAnswer;
  deleted: ObserveDeleted;
  push: ObservePush;
  cluster: ClusterObserver;
} = {
  ingest: { accepted: ignore, repeated: ignore, refused: ignore, committed: ignore },
  live: { sent: ignore, dropped: ignore, delivered: ignore, shown: ignore },
  database: { ran: ignore, failed: ignore },
  signIn: ignore,
  answer: ignore,
  deleted: ignore,
  push: ignore,
  cluster: { sent: ignore, received: ignore, missed: ignore, polled: ignore, droppedMessage: ignore },
};
