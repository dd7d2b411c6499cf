import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { DeliveryOutcome } from '#backend/contract/delivery.ts';
import type { Mapping } from '#backend/contract/mapping.ts';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { WEBHOOK_MAX_BYTES } from '#backend/contract/webhook.ts';
import { tooLarge } from '#backend/platform/endpoint/errors.ts';
import { type JsonText, jsonText } from '#backend/platform/endpoint/json-text.ts';
import type { DeliveredEvent } from '#backend/intake/delivery-log/delivery-entity.ts';
import type { ReadDelivery, SenderEvent } from '#backend/intake/adapters/adapter.ts';
import { type ReadingDeps, readBeside } from '#backend/intake/reading/read-beside.ts';
import { NO_EXTRA_DATA } from '#backend/intake/adapters/specified-fields.ts';
import type { KnownSource } from '#backend/intake/sources/source-registry.ts';
import type { AlertWriter } from '#backend/intake/write/alert-writer.ts';
import type { IncomingDelivery, IncomingEvent } from '#backend/intake/write/incoming-delivery.ts';
import { readString, scanMembers } from '#backend/intake/json/scan-json.ts';
import type { ProblemPolicy } from '#backend/intake/write/problems.ts';
import type { SourceSettings } from '#backend/contract/source.ts';
import type { EventResult } from '#backend/intake/write/write-batch.ts';
import { nameOfEvent, nameOfSeveral } from './delivery-names.ts';

/** A request to a source whose sender is known to be right: what an adapter reads, and how it is written. */
export interface DeliveryRequest {
  source: Pick<KnownSource, 'id' | 'name' | 'settings' | 'pausedAt'>;
  /** The secret that it came with; null where the session of an administrator stands behind it. */
  secretId: string | null;
  sessionId?: string;
  /** Headers, text and address have their secrets masked. */
  headers: IncomingHttpHeaders;
  text: string;
  /** Path and query, without any token. */
  target: string;
  receivedAt: number;
  /** When the body was read, a moment of `performance.now()`: what the time to the live clients counts from. */
  readAt?: number | undefined;
  /** Of what its signature covers (see `Verification`): the same once more is not written. */
  signedHash?: string | null;
  /** The product itself sends it, to see that alerts arrive. */
  isTest?: boolean;
  /** Nobody is notified. */
  isQuiet?: boolean;
  /** How the payload of a repeat is merged with the alert's newest (see `IncomingEvent`). */
  merge?: NonNullable<IncomingEvent['merge']>;
  /** A replay is written although the sender's ids say that it was here before. */
  ignoresIds?: boolean;
  /** It lacks the signature that its source needs, and was replayed all the same: its alerts say so. */
  isUnverified?: boolean;
}

/** What became of a delivery, for its answer and for the log. */
export interface Delivered {
  read: ReadDelivery;
  results: EventResult[];
  outcome: DeliveryOutcome;
  summary: string;
  events: DeliveredEvent[];
  /** The new alert whose payload is the body, byte for byte. */
  bodyOfAlert: string | null;
}

/** Dependencies of reading and writing a delivery. */
export interface DeliverDeps extends ReadingDeps {
  writer: AlertWriter;
  tickets: TicketReports;
}

/** What ticket systems report of the tickets that were made of alerts here. */
export interface TicketReports {
  /**
   * Whether a body is about such a ticket: then it is no alert, and the system is asked how the ticket is. What it reports is not
   * believed, and is no alert of which another ticket could be made.
   *
   * @param sender as which the body was recognized
   */
  take(body: string, sender: ReadDelivery['sender']): boolean | Promise<boolean>;
}

/** Alerts of one delivery that are stored in one step: others have their turn between two. */
const STEP = 250;

/**
 * Reads a delivery with its source's settings and writes its alerts: in one transaction, or, where it has hundreds, in one after
 * the other. Whoever sends it again after a failure in between repeats what is stored by then.
 *
 * @throws {ProblemError} 400 when the body is not JSON, 413 when one alert of it is too large, 422 when it nests too deeply, and
 * what the writer throws.
 */
export async function deliver(deps: DeliverDeps, request: DeliveryRequest): Promise<Delivered> {
  const { writer } = deps;
  const { source, receivedAt } = request;
  const reading = readWith(deps, request);
  const read = reading instanceof Promise ? await reading : reading;
  if ('error' in read) throw read.error;
  if (request.text.length > WEBHOOK_MAX_BYTES && read.events.some(isTooLarge)) throw tooLarge(TOO_LARGE);
  if (read.events.length === 0) {
    const summary = (read.handshake?.summary ?? read.ignored ?? 'Nothing to do') + noteOf(read);
    const outcome = read.handshake ? 'handshake' : 'ignored';
    return { read, results: [], outcome, summary, events: [], bodyOfAlert: null };
  }
  const isTaken = deps.tickets.take(request.text, read.sender);
  if (isTaken instanceof Promise ? await isTaken : isTaken) {
    const summary = `About the ticket of an alert: ${summaryOf(read.events[0], undefined)}`;
    return { read, results: [], outcome: 'ignored', summary, events: [], bodyOfAlert: null };
  }
  const { settings } = source;
  if (source.pausedAt !== null && request.sessionId === undefined) {
    const summary = summaryOf(read.events[0], undefined);
    return { read, results: [], outcome: 'paused', summary, events: [], bodyOfAlert: null };
  }
  const delivery: Omit<IncomingDelivery, 'events' | 'signedKey'> = {
    source: { id: source.id, name: source.name, secretId: request.secretId },
    policy: policyOf(settings),
    ...(request.sessionId !== undefined && { sessionId: request.sessionId }),
    ...(request.isQuiet && { isQuiet: true }),
    name: nameOfSeveral(read.events, request),
    receivedAt,
    readAt: request.readAt,
  };
  const results: EventResult[] = [];
  for (let at = 0; at < read.events.length; at += STEP) {
    const events = incomingEvents({ ...read, events: read.events.slice(at, at + STEP) }, request);
    // A signed request counts as taken with its last step: after a failure before that it may come again.
    const isLast = at + STEP >= read.events.length;
    const signedKey = isLast && request.signedHash ? hash('sha256', `signed:${request.signedHash}`) : undefined;
    const written = await writer.write({ ...delivery, events, ...(signedKey !== undefined && { signedKey }) });
    for (const result of written) results.push(result);
  }
  const events = read.events.map((event, index): DeliveredEvent => {
    const { outcome = 'nothing-open', alertId = null, occurrences = 0 } = results[index] ?? {};
    return { outcome, alertId, title: event.title, occurrences };
  });
  const [first] = read.events;
  const isWhole = read.events.length === 1 && results[0]?.outcome === 'new' && first?.payload === read.text;
  return {
    read,
    results,
    outcome: outcomeOf(results),
    summary:
      summaryOf(first, results[0]) + noteOfEcho(results) + noteOfLeftOut(source.settings.mapping, read) + noteOf(read),
    events,
    bodyOfAlert: isWhole ? (results[0]?.alertId ?? null) : null,
  };
}

/** Extra data of an alert that nobody knows the sender of. */
const UNVERIFIED = jsonText('{"signature":"not verified"}');

/** What a source decides about its problems. */
export const policyOf = (settings: SourceSettings): ProblemPolicy => ({
  completesResolved: settings.onResolved === 'complete',
  reopenWithinMs: settings.reopenWithinMinutes * 60_000,
  notifyAgainAfterMs: settings.notifyAgainAfterMinutes === null ? null : settings.notifyAgainAfterMinutes * 60_000,
  ...unreportedAfter(settings),
  flapping: settings.flapping,
});

/** After how long a source's problems count as no longer reported; nothing where they never do. */
export function unreportedAfter({ completeUnreported }: SourceSettings): Pick<ProblemPolicy, 'unreportedAfter'> {
  if (completeUnreported === 'off') return {};
  return { unreportedAfter: completeUnreported === 'automatic' ? 'automatic' : completeUnreported * 60_000 };
}

const TOO_LARGE = `An alert of the body is larger than ${WEBHOOK_MAX_BYTES.toLocaleString('en')} bytes.`;
const isTooLarge = ({ payload }: SenderEvent): boolean => payload.length > WEBHOOK_MAX_BYTES;

const readWith = (deps: DeliverDeps, { source, headers, text, receivedAt }: DeliveryRequest) =>
  readBeside(
    deps,
    source.id,
    { headers, body: text, contentType: headers['content-type'] ?? '', receivedAt },
    source.settings,
  );

/** A delivery's alerts with what their source and their request add. */
export function incomingEvents(
  { events, sender, facts }: Pick<ReadDelivery, 'events' | 'sender' | 'facts'>,
  request: DeliveryRequest,
): IncomingEvent[] {
  const { source, target } = request;
  const isTest = request.isTest === true || facts.isTest === true;
  const ofRequest = membersOfRequest(request);
  const ofReplay = request.isUnverified ? UNVERIFIED : NO_EXTRA_DATA;
  return events.map((event) => ({
    payload: event.payload,
    extraData: joinMembers(event.shared, joinMembers(joinMembers(ofRequest, event.extraData), ofReplay)),
    customer: event.customer ?? source.settings.defaultCustomer,
    alertType: event.alertType,
    url: event.link ?? target,
    title: event.title,
    severity: event.severity,
    state: event.state,
    dedupKey: isTest ? testKeyOf(event.dedupKey) : event.dedupKey,
    isTest,
    until: event.until,
    ...(event.mayEcho && { mayEcho: event.mayEcho }),
    sender,
    groupKey: event.groupKey,
    groupTitle: event.groupTitle,
    delivery: nameOfEvent(event, request),
    ...(request.merge && { merge: request.merge }),
  }));
}

/** Longest key of a problem. */
const MAX_KEY_LENGTH = 191;

/** The problem of a test is never one that its source reports in earnest: neither changes the other's alert. */
const testKeyOf = (key: string | null): string | null => key && `test ${key}`.slice(0, MAX_KEY_LENGTH);

/**
 * Query parameters, a string each, or an array of strings for a name that comes again, and the headers of CloudEvents
 * (binary mode, HTTP binding 3.1.3) as one JSON object.
 */
function membersOfRequest({ target, headers }: Pick<DeliveryRequest, 'target' | 'headers'>): JsonText {
  const query = target.indexOf('?');
  const values = new Map<string, string | string[]>();
  if (query >= 0) {
    for (const [name, value] of new URLSearchParams(target.slice(query))) {
      const others = values.get(name);
      if (Array.isArray(others)) others.push(value);
      else values.set(name, others === undefined ? value : [others, value]);
    }
  }
  for (const name in headers) if (name.startsWith('ce-')) values.set(name, headers[name] ?? '');
  if (values.size === 0) return NO_EXTRA_DATA;
  return jsonText(
    `{${[...values].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`,
  );
}

/**
 * The members of two JSON objects as one; of a name that both have, the second's counts. Only the first's are kept in
 * memory: the second may have a hundred thousand.
 */
function joinMembers(shared: JsonText, own: JsonText): JsonText {
  if (shared === NO_EXTRA_DATA) return own;
  if (own === NO_EXTRA_DATA) return shared;
  const members = new Map<string, string>();
  scanMembers(shared, 0, (keyStart, keyEnd, start, end) => {
    members.set(readString(shared, keyStart, keyEnd), `${shared.slice(keyStart, keyEnd)}:${shared.slice(start, end)}`);
  });
  scanMembers(own, 0, (keyStart, keyEnd) => members.delete(readString(own, keyStart, keyEnd)));
  const texts = [...members.values()];
  const ownMembers = own.slice(1, -1).trim();
  if (ownMembers !== '') texts.push(ownMembers);
  return jsonText(`{${texts.join(',')}}`);
}

/** The outcome of a delivery is that of its alerts which says most. */
export function outcomeOf(results: readonly Pick<EventResult, 'outcome'>[]): DeliveryOutcome {
  const has = (...outcomes: EventResult['outcome'][]) => results.some(({ outcome }) => outcomes.includes(outcome));
  if (results.length > 0 && results.every(({ outcome }) => outcome === 'echo')) return 'ignored';
  if (has('new')) return 'new';
  if (has('repeated', 'reopened', 'acknowledged', 'amended')) return 'repeated';
  if (has('resolved', 'nothing-open')) return 'resolved';
  return 'repeated';
}

function summaryOf(event: SenderEvent | undefined, result: EventResult | undefined): string {
  const title = event?.title ?? event?.alertType ?? event?.customer ?? 'An alert without a title';
  return result && result.occurrences > 1 ? `${title} ×${result.occurrences}` : title;
}

/** What the log says of a delivery whose alerts are stored without parts of their mapping. */
function noteOf({ mappingErrors: [error, ...others] }: ReadDelivery): string {
  if (!error) return '';
  return ` · Mapping of ${[...new Set([error, ...others].map(({ field }) => field))].join(', ')}: ${error.message}`;
}

/** What the log says of a delivery that only repeats what Alertdesk has asked its sender for. */
const noteOfEcho = (results: readonly EventResult[]): string =>
  results.some(({ outcome }) => outcome === 'echo') ? ` · What ${PRODUCT_NAME} itself asked for` : '';

/** What the log says of a delivery of which conditions of the mapping leave some alerts out. */
function noteOfLeftOut({ noAlertWhen = [] }: Mapping, { leftOut }: ReadDelivery): string {
  const names = noAlertWhen.filter((_, index) => (leftOut[index] ?? 0) > 0).map(({ name }) => name);
  if (names.length === 0) return '';
  return ` · ${leftOut.reduce((sum, count) => sum + count, 0)} left out: ${names.join(', ')}`;
}

/**
 * What a sender is answered: the first alert that the delivery made or changed, and when the delivery arrived, of one that
 * came again the first time. A delivery without an alert is answered its own id.
 */
export function receiptOf(results: readonly EventResult[], receivedAt: number, deliveryId: string): JsonText {
  const [first] = results;
  const id = results.find(({ alertId }) => alertId !== null)?.alertId ?? deliveryId;
  return jsonText(`{"id":"${id}","receivedAt":"${new Date(first?.receivedAt ?? receivedAt).toISOString()}"}`);
}
