import type { BegunBody, RawBody } from '#backend/platform/endpoint/read-body.ts';
import type { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Credential, FoundSource, IngestAddress } from '#backend/intake/sources/credentials.ts';
import type { LoggedRequest } from '#backend/intake/delivery-log/delivery-row.ts';
import { guessSender } from '#backend/intake/delivery-log/guess-sender.ts';
import { findableSecrets, mask } from '#backend/intake/reading/mask-secret.ts';
import { maskSentRequest } from '#backend/intake/delivery-log/mask-request.ts';
import { maskBody } from '#backend/intake/reading/mask-members.ts';
import type { Handshake } from '#backend/intake/adapters/adapter.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { PresentedSecret } from '#backend/intake/sources/source-registry.ts';
import type { IngestAnswer } from '#backend/intake/write/ingest-answers.ts';
import type { Delivered } from './deliver.ts';
import type { PostedEvent } from './pagerduty-events.ts';

/** A request to an address of sources. */
export interface SentRequest {
  request: IncomingMessage;
  /** Path and query, as they were sent. */
  url: string;
  address: IngestAddress;
  /** The client's address. */
  remoteAddress: string;
}

/** A request while it is taken: what the log needs of it, as far as it came. */
export interface Taking extends SentRequest {
  receivedAt: number;
  startedAt: number;
  credentials: Credential[];
  found: FoundSource;
  body: RawBody | undefined;
  /** When the body was read, a moment of `performance.now()`. */
  readAt: number | undefined;
  text: string | undefined;
  event: PostedEvent | undefined;
  /** What was read of a body whose key is in it. */
  begun: BegunBody | undefined;
  /** See {@link secretsOf}; undefined until they are asked for. */
  secrets: readonly string[] | undefined;
}

/** A call of an API that senders use, which was answered; the log notes `log`. */
export interface TakenCall {
  answer: IngestAnswer;
  log?: LoggedRequest;
}

/** Answers the calls of an API whose clients are sources. Nothing of the body is read yet. */
export type TakeCall = (taking: Taking, presented: PresentedSecret) => Promise<TakenCall>;

/** What is masked wherever it stands in the request. */
export const secretsOf = (taking: Taking): readonly string[] =>
  (taking.secrets ??= findableSecrets(taking.credentials.map(({ plain }) => plain)));

/** The body of a request to a known source, as its operators may read it. */
export function bodyOfRefused(taking: Taking): string | null {
  const { request, address, found, text: sent, receivedAt } = taking;
  if (found.kind === 'unknown' || sent === undefined) return null;
  const { target, route } = address;
  const { headers, text } = maskSentRequest({ headers: request.headers, text: sent, target }, secretsOf(taking), route);
  const contentType = headers['content-type'] ?? '';
  return maskBody({ headers, body: text, contentType, receivedAt }, found.found.source.settings);
}

/** What the log notes of every request, without its body. */
export function loggedRequest(taking: Taking, status: number, id: string): LoggedRequest {
  const { request, found, body } = taking;
  const source = found.kind === 'unknown' ? null : found.found.source;
  const presented = found.kind === 'unknown' ? found.presented : undefined;
  return {
    id,
    source: source && { id: source.id, keepBodiesUpTo: source.settings.keepBodiesUpTo },
    receivedAt: taking.receivedAt,
    outcome: 'refused',
    way: found.kind === 'unknown' ? (presented?.way ?? 'none') : found.way,
    summary: '',
    results: [],
    status,
    size: body?.size ?? Number(request.headers['content-length'] ?? 0),
    durationMs: performance.now() - taking.startedAt,
    remoteAddress: taking.remoteAddress,
    sender: source ? null : guessSender(request.headers),
    recognisedBy: null,
    replayOf: null,
    isUnverified: false,
    maskedKey: presented ? mask(presented.plain) : null,
    method: request.method ?? '',
    target: taking.url,
    rawHeaders: request.rawHeaders,
    body: null,
    bodyOfAlert: null,
    secrets: secretsOf(taking),
  };
}

/** What the log notes of a sender that asked whether the address is right: without what was repeated to it. */
export const loggedHandshake = (taking: Taking, { answer, summary }: Handshake): LoggedRequest => ({
  ...loggedRequest(taking, answer.status, newId()),
  outcome: 'handshake',
  summary,
});

/** What the log notes of a request that was taken. */
export function loggedDelivery(taking: Taking, delivered: Delivered, status: number, id: string): LoggedRequest {
  // Changed in place: a copy costs as much as making it.
  const logged = loggedRequest(taking, status, id);
  const { sender, recognisedBy, text } = delivered.read;
  logged.outcome = delivered.outcome;
  logged.summary = delivered.summary;
  logged.results = delivered.events;
  logged.sender = sender;
  logged.recognisedBy = recognisedBy;
  logged.body = text;
  logged.bodyOfAlert = delivered.bodyOfAlert;
  return logged;
}
