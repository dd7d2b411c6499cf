import type { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { AppContext } from '#backend/context.ts';
import { WEBHOOK_MAX_BYTES } from '#backend/contract/webhook.ts';
import { newId } from '#backend/database/ids.ts';
import { ProblemError, unavailable } from '#backend/endpoint/errors.ts';
import { type IngestObserver, UNOBSERVED } from '#backend/metrics/observers.ts';
import { checkSignature } from '#backend/sources/check-signature.ts';
import {
  type Credential,
  type FoundSource,
  type IngestAddress,
  findSource,
  readAddress,
  readCredentials,
} from '#backend/sources/credentials.ts';
import type { LoggedRequest } from '#backend/sources/delivery-row.ts';
import { guessSender } from '#backend/sources/guess-sender.ts';
import { mask } from '#backend/sources/mask-request.ts';
import type { ReadDelivery } from '#backend/sources/reading/adapter.ts';
import { verifySns } from '#backend/sources/signatures/sns-signature.ts';
import { type Delivered, deliver, receiptOf } from './deliver.ts';
import { type IngestAnswer, accepted, addressPage, badApiKey, optionsAnswer, wrongMethod } from './ingest-answers.ts';
import { type PostedEvent, eventProcessed, invalidEvent, readPostedEvent } from './pagerduty-events.ts';
import { type RawBody, mediaTypeError, readBody, readText } from './read-body.ts';

/** What taking requests of senders takes. */
export type IngestDeps = Pick<AppContext, 'sources' | 'sealing' | 'writer' | 'deliveryLog' | 'sns'> & {
  observer?: IngestObserver;
  now?: () => number;
};

/** Shorter texts are not looked for when secrets are masked: they would be found everywhere. */
const MIN_SECRET = 12;

/** A request while it is taken: what the log needs of it, as far as it came. */
interface Taking {
  request: IncomingMessage;
  url: string;
  address: IngestAddress;
  remoteAddress: string;
  receivedAt: number;
  startedAt: number;
  credentials: Credential[];
  found: FoundSource;
  body: RawBody | undefined;
  /** When the body was read, a moment of `performance.now()`. */
  readAt: number | undefined;
  text: string | undefined;
  event: PostedEvent | undefined;
}

/** A request that is not taken: what the sender is answered, and what the source's operators read. */
class RejectedWebhook extends Error {
  readonly answer: ProblemError | IngestAnswer;

  constructor(answer: ProblemError | IngestAnswer, reason: string) {
    super(reason);
    this.answer = answer;
  }
}

/**
 * Takes a request to an address of sources: finds its source, reads the raw bytes, verifies their signature, reads the
 * alerts, writes all of them in one transaction, answers, and has the log note it. The write checks the secret once more:
 * it may end while the body is on its way.
 *
 * @returns takes a request to `url` (path and query), rejects with the error to answer
 */
export function createTakeRequest(
  deps: IngestDeps,
): (request: IncomingMessage, url: string, remoteAddress: string) => Promise<IngestAnswer> {
  const { sources, deliveryLog, observer = UNOBSERVED.ingest, now = Date.now } = deps;
  return async (request, url, remoteAddress) => {
    const address = readAddress(url);
    if (!address) throw new Error('The request is to no address of sources.');
    const credentials = readCredentials(request.headers, address);
    const receivedAt = now();
    const taking: Taking = {
      request,
      url,
      address,
      remoteAddress,
      receivedAt,
      startedAt: performance.now(),
      credentials,
      found: findSource(sources, credentials, receivedAt),
      body: undefined,
      readAt: undefined,
      text: undefined,
      event: undefined,
    };
    const { method = '' } = request;
    if (method !== 'POST' && method !== 'PUT') return answerOther(deps, taking);
    try {
      const { delivered, answer, id } = await take(deps, taking, now);
      deliveryLog.add(loggedDelivery(taking, delivered, answer.status, id));
      return answer;
    } catch (error) {
      observer.refused();
      const { status, reason } = explain(error);
      deliveryLog.add({ ...loggedRequest(taking, status, newId()), outcome: 'refused', summary: reason });
      if (!(error instanceof RejectedWebhook)) throw error;
      if (error.answer instanceof ProblemError) throw error.answer;
      return error.answer;
    }
  };
}

async function take(
  deps: IngestDeps,
  taking: Taking,
  now: () => number,
): Promise<{ delivered: Delivered; answer: IngestAnswer; id: string }> {
  const { sources, writer, sealing, sns } = deps;
  const { request, address, receivedAt, remoteAddress } = taking;
  const { headers } = request;
  const isEvent = address.route === '/v2/enqueue';
  if (taking.found.kind === 'unknown') await lookUp(taking, sources);
  if (taking.found.kind === 'unknown' && !isEvent)
    throw new RejectedWebhook(badApiKey(), reasonOfUnknown(taking.credentials));
  if (taking.found.kind === 'accepted') await writer.expectRoom();
  await (taking.found.kind === 'accepted' ? readAll(taking) : readForTheLog(taking));
  if (isEvent) await findKeyInBody(taking, sources);
  const { found } = taking;
  if (found.kind === 'unknown') throw new RejectedWebhook(badApiKey(), reasonOfUnknown(taking.credentials));
  if (found.kind === 'refused') throw new RejectedWebhook(badApiKey(), found.reason);
  const { source, secret } = found.found;
  sources.noteUse(secret, remoteAddress);
  const bytes = taking.body?.bytes ?? Buffer.alloc(0);
  const against = await checkSignature({ sealing, certificates: sns.certificates, now }, source, headers, bytes);
  if (against !== undefined) throw new RejectedWebhook(badApiKey(), against);
  const { event } = taking;
  if (event && event.errors.length > 0) throw new RejectedWebhook(invalidEvent(event.errors), event.errors.join('; '));

  const text = event?.text ?? taking.text ?? '';
  const delivered = await deliver(writer, {
    source,
    secretId: secret.id,
    headers,
    text,
    target: address.target,
    receivedAt,
    readAt: taking.readAt,
  });
  if (source.settings.adapter === 'auto') sources.noteSender(source, delivered.read.sender);
  const id = newId();
  return { delivered, answer: await answerTo(deps, taking, delivered, id), id };
}

async function answerTo(
  { sns }: IngestDeps,
  { event, body, receivedAt, request }: Taking,
  { read, results }: Delivered,
  id: string,
): Promise<IngestAnswer> {
  if (read.handshake && read.events.length === 0) {
    const { confirmUrl, answer } = read.handshake;
    if (confirmUrl !== undefined) await confirm(sns, confirmUrl, request, body?.bytes ?? Buffer.alloc(0));
    return answer;
  }
  return event ? eventProcessed(event.dedupKey) : accepted(receiptOf(results, receivedAt, id));
}

/** Confirms a subscription at SNS, after its signature proved that SNS asks for it. */
async function confirm(sns: IngestDeps['sns'], url: string, request: IncomingMessage, body: Buffer): Promise<void> {
  const verified = await verifySns({ headers: request.headers, body }, topicsIn(body), sns.certificates);
  if (!verified.ok) throw new RejectedWebhook(badApiKey(), verified.reason);
  try {
    await sns.confirm(url);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error';
    const answer = unavailable('The subscription could not be confirmed. Send the request again.', 30, error);
    throw new RejectedWebhook(answer, `The subscription could not be confirmed: ${reason}`);
  }
}

/** The topic that a message names: whoever has the source's key may subscribe it to one. */
function topicsIn(body: Buffer): string[] {
  try {
    const { TopicArn: topic } = JSON.parse(body.toString('utf8')) as { TopicArn?: unknown };
    return typeof topic === 'string' ? [topic] : [];
  } catch {
    return [];
  }
}

/** Reads the body of a request whose source is known. */
async function readAll(taking: Taking): Promise<void> {
  const wrongType = mediaTypeError(taking.request.headers['content-type'] ?? '');
  if (wrongType) throw wrongType;
  taking.body = await readBody(taking.request, WEBHOOK_MAX_BYTES);
  taking.readAt = performance.now();
  taking.text = readText(taking.body.bytes);
  if (taking.address.route === '/v2/enqueue') taking.event = readPostedEvent(taking.text);
}

/**
 * Reads the body of a request that will be refused, or whose key is in it: its operators see what was sent, and may
 * replay it. A sender that waits to be asked for the body is not asked for one that is refused.
 */
async function readForTheLog(taking: Taking): Promise<void> {
  if (taking.request.headers.expect !== undefined && taking.found.kind === 'refused') return;
  if (taking.found.kind === 'unknown') return readAll(taking);
  await readAll(taking).catch(() => undefined);
}

/** PagerDuty's senders name their source in the body. */
async function findKeyInBody(taking: Taking, sources: IngestDeps['sources']): Promise<void> {
  const plain = taking.event?.routingKey;
  if (plain === undefined || taking.found.kind === 'accepted') return;
  taking.credentials.push({ way: 'key', plain });
  taking.found = findSource(sources, taking.credentials, taking.receivedAt);
  if (taking.found.kind === 'unknown') await lookUp(taking, sources);
}

/** Finds the source once more, with what other servers have made since. */
async function lookUp(taking: Taking, sources: IngestDeps['sources']): Promise<void> {
  await sources.lookUp(taking.credentials.map(({ plain }) => plain));
  taking.found = findSource(sources, taking.credentials, taking.receivedAt);
}

const reasonOfUnknown = ({ length }: readonly Credential[]) =>
  length === 0 ? 'No key' : 'The key belongs to no source';

/** Why a request was refused, and the status that it is answered with. */
function explain(error: unknown): { status: number; reason: string } {
  if (error instanceof RejectedWebhook) return { status: error.answer.status, reason: error.message };
  if (!(error instanceof ProblemError)) return { status: 503, reason: 'The database or the server failed' };
  const { status, message } = error;
  const broken = /^The body is not valid JSON(: .*)?; /.exec(message);
  if (broken) return { status, reason: `Not JSON${broken[1] ?? ''}` };
  if (status === 401) return { status, reason: 'The secret ended while the request was in progress' };
  return { status, reason: message.replace(/\.$/, '') };
}

/** GET and HEAD say what the address is, OPTIONS what may be sent; nothing else is known. */
function answerOther({ deliveryLog }: IngestDeps, taking: Taking): IngestAnswer {
  const { request, found, credentials } = taking;
  const note = (outcome: LoggedRequest['outcome'], summary: string, status: number) => {
    if (found.kind === 'accepted') deliveryLog.add({ ...loggedRequest(taking, status, newId()), outcome, summary });
  };
  const { method = '' } = request;
  if (method === 'GET' || method === 'HEAD') {
    note('handshake', 'Opened in a browser: answered with a page that says what this address is', 200);
    return addressPage();
  }
  if (method === 'OPTIONS') {
    if (credentials.length > 0 && found.kind !== 'accepted') throw badApiKey();
    note('handshake', 'Asked whether it may deliver here', 200);
    const one = (name: string) => request.headers[name] as string | undefined;
    return optionsAnswer(one('webhook-request-origin'), one('webhook-request-rate'));
  }
  note('refused', `${method.slice(0, 16)} is no method for alerts`, 405);
  return wrongMethod();
}

/** What the log notes of every request. */
function loggedRequest(taking: Taking, status: number, id: string): LoggedRequest {
  const { request, found, body, credentials } = taking;
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
    maskedKey: presented ? mask(presented.plain) : null,
    method: request.method ?? '',
    target: taking.url,
    rawHeaders: request.rawHeaders,
    body: source ? (taking.text ?? null) : null,
    bodyOfAlert: null,
    secrets: credentials.map(({ plain }) => plain).filter((plain) => plain.length >= MIN_SECRET),
  };
}

const loggedDelivery = (taking: Taking, delivered: Delivered, status: number, id: string): LoggedRequest => ({
  ...loggedRequest(taking, status, id),
  outcome: delivered.outcome,
  summary: delivered.summary,
  results: delivered.events,
  ...senderOf(delivered.read),
  bodyOfAlert: delivered.bodyOfAlert,
});

const senderOf = ({ sender, recognisedBy }: ReadDelivery): Pick<LoggedRequest, 'sender' | 'recognisedBy'> => ({
  sender,
  recognisedBy,
});
