import { LOOKED_AT } from '#backend/contract/delivery.ts';
import { maskSentRequest } from '#backend/intake/delivery-log/mask-request.ts';
import { FORM_TYPE } from '#backend/intake/reading/decode-body.ts';
import { networkOf } from '#backend/platform/cluster/limiter.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import type { AlertWriter } from '#backend/intake/write/alert-writer.ts';
import type { MappingThread } from '#backend/intake/reading/mapping-thread.ts';
import type { ReadingThread } from '#backend/intake/reading/reading-thread.ts';
import type { DeliveryLog } from '#backend/intake/delivery-log/delivery-log.ts';
import type { SnsClient } from '#backend/intake/sources/sns-client.ts';
import type { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { newId } from '#backend/platform/database/ids.ts';
import { ProblemError, unavailable } from '#backend/platform/endpoint/errors.ts';
import { type IngestObserver, UNOBSERVED } from '#backend/platform/metrics/observers.ts';
import { checkSignature, isSigned, signingSecretOf } from '#backend/intake/sources/check-signature.ts';
import { findSource, readCredentials } from '#backend/intake/sources/credentials.ts';
import type { LoggedRequest } from '#backend/intake/delivery-log/delivery-row.ts';
import type { KnownSource, PresentedSecret, SourceRegistry } from '#backend/intake/sources/source-registry.ts';
import { verifySns } from '#backend/intake/signatures/sns-signature.ts';
import { type Delivered, type TicketReports, deliver, receiptOf } from './deliver.ts';
import {
  type IngestAnswer,
  accepted,
  addressPage,
  badApiKey,
  optionsAnswer,
  wrongMethod,
} from '#backend/intake/write/ingest-answers.ts';
import {
  loggedRequest,
  type SentRequest,
  type TakeCall,
  type Taking,
  bodyOfRefused,
  loggedDelivery,
  loggedHandshake,
  secretsOf,
} from './logged-request.ts';
import { answerEcho, answerZoom } from './echo-handshakes.ts';
import { eventProcessed, invalidEvent } from './pagerduty-events.ts';
import { type StrangerBudget, createStrangerBudget } from './stranger-budget.ts';
import {
  RejectedWebhook,
  answerUnverified,
  explain,
  topicsIn,
  findKeyInBody,
  lookUp,
  readAll,
  readForTheLog,
  reasonOfUnknown,
} from './taken-request.ts';

/** Takes a request of a sender. Resolves with the answer once its alerts are stored, rejects with the error to answer. */
export type TakeRequest = (sent: SentRequest) => Promise<IngestAnswer>;

/** Dependencies of taking requests of senders. */
export type IngestDeps = {
  sources: SourceRegistry;
  sealing: Sealing;
  writer: AlertWriter;
  mappings: MappingThread;
  readings: ReadingThread;
  deliveryLog: DeliveryLog;
  sns: SnsClient;
  tickets: TicketReports;
} & {
  observer?: IngestObserver;
  now?: () => number;
  /** Answers what is asked at the addresses of Opsgenie's API. */
  takeCall: TakeCall;
  /** Answers what is sent to the address of a heartbeat. */
  takePing: TakeRequest;
};

/**
 * What may be read in a minute of bodies that turn out to be nobody's, in bytes: of events whose key is not at their
 * beginning, and of requests with a key but not the signature that goes with it. 1 MiB of the former takes 13 ms.
 */
const STRANGERS = { each: 8 * 1024 * 1024, all: 64 * 1024 * 1024 };
const UNSIGNED = { each: 32 * 1024 * 1024, all: Number.POSITIVE_INFINITY };

interface Budgets {
  strangers: StrangerBudget;
  unsigned: StrangerBudget;
}

/**
 * Takes a request to an address of sources: finds its source, reads the raw bytes, verifies their signature, reads the
 * alerts, writes them, answers once all are stored, and has the log record it; one to the address of a heartbeat goes to
 * `takePing`. Each write checks the secret once more: it may end
 * while the body is on its way.
 */
export function createTakeRequest(deps: IngestDeps): TakeRequest {
  const { sources, deliveryLog, observer = UNOBSERVED.ingest, now = Date.now } = deps;
  const budgets = { strangers: createStrangerBudget(STRANGERS), unsigned: createStrangerBudget(UNSIGNED) };
  const takeDeps = { ...deps, ...budgets, now };
  return async (sent) => {
    const { request, url, address, remoteAddress } = sent;
    if (address.route === '/ping/:token') return deps.takePing(sent);
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
      begun: undefined,
      secrets: undefined,
    };
    const echo = answerEcho(request, address.target);
    if (echo && taking.found.kind === 'unknown') await lookUp(taking, sources);
    if (echo && taking.found.kind === 'accepted') {
      deliveryLog.add(loggedHandshake(taking, echo));
      request.resume();
      return echo.answer;
    }
    const { method = '' } = request;
    const isCall = address.route === '/v2/alerts';
    if (!isCall && method === 'GET' && taking.found.kind === 'accepted') takeQuery(taking);
    const isDelivery = method === 'POST' || method === 'PUT' || taking.text !== undefined;
    if (!isCall && !isDelivery) return answerOther(deps, taking);
    try {
      if (isCall) {
        const { answer, log } = await deps.takeCall(taking, await findPresented(takeDeps, taking));
        if (log) deliveryLog.add(log);
        return answer;
      }
      const { answer, logged } = await take(takeDeps, taking);
      deliveryLog.add(logged);
      return answer;
    } catch (error) {
      observer.refused();
      const { status, reason } = explain(error);
      deliveryLog.add({
        ...loggedRequest(taking, status, newId()),
        outcome: 'refused',
        summary: reason,
        body: bodyOfRefused(taking),
        isUnverified: error instanceof RejectedWebhook && error.isUnverified,
      });
      if (!(error instanceof RejectedWebhook)) throw error;
      if (error.answer instanceof ProblemError) throw error.answer;
      return error.answer;
    }
  };
}

/**
 * Some senders, and links in scripts, put their alert into the address of a GET. What is in it is read as a form; without
 * anything in it somebody looks at the address.
 */
function takeQuery(taking: Taking): void {
  const { address, request } = taking;
  const queryAt = address.target.indexOf('?');
  const query = queryAt < 0 ? '' : address.target.slice(queryAt + 1);
  if (!query.includes('=')) return;
  taking.body = { bytes: Buffer.from(query), size: query.length };
  taking.text = query;
  taking.readAt = performance.now();
  taking.address = { ...address, target: address.target.slice(0, queryAt) };
  request.headers['content-type'] = FORM_TYPE;
}

/** Finds whose a request is. @throws {RejectedWebhook} when it is nobody's */
async function findPresented(
  { sources, writer, strangers }: IngestDeps & Budgets,
  taking: Taking,
): Promise<PresentedSecret> {
  const { address, remoteAddress } = taking;
  if (taking.found.kind === 'unknown') await lookUp(taking, sources);
  if (taking.found.kind !== 'accepted' && address.route === '/v2/enqueue') {
    await findKeyInBody(taking, sources, strangers);
  }
  const { found } = taking;
  if (found.kind === 'unknown') throw new RejectedWebhook(badApiKey(), reasonOfUnknown(taking.credentials));
  if (found.kind === 'refused') {
    if (taking.body === undefined) await readForTheLog(taking, strangers);
    throw new RejectedWebhook(badApiKey(), found.reason);
  }
  const full = writer.expectRoom();
  if (full) await full;
  sources.noteUse(found.found.secret, remoteAddress);
  return found.found;
}

async function take(
  deps: IngestDeps & Budgets & { now: () => number },
  taking: Taking,
): Promise<{ answer: IngestAnswer; logged: LoggedRequest }> {
  const { sources } = deps;
  const { request, address, receivedAt } = taking;
  const { headers } = request;
  const { source, secret } = await findPresented(deps, taking);
  let signedHash: string | null = null;
  if (isSigned(source, deps.now())) signedHash = await readSigned(deps, taking, source);
  else if (taking.body === undefined) await readAll(taking);
  const { event } = taking;
  if (event && event.errors.length > 0) throw new RejectedWebhook(invalidEvent(event.errors), event.errors.join('; '));

  const text = event?.text ?? taking.text ?? '';
  const zoom = headers['x-zm-signature'] && answerZoom(text, () => signingSecretOf(deps, source));
  if (zoom) return { answer: zoom.answer, logged: loggedHandshake(taking, zoom) };
  const delivered = await deliver(deps, {
    source,
    secretId: secret.id,
    ...maskSentRequest({ headers, text, target: address.target }, secretsOf(taking), address.route),
    receivedAt,
    readAt: taking.readAt,
    signedHash,
  });
  if (source.settings.adapter === 'auto') sources.noteSender(source, delivered.read.sender);
  const id = newId();
  const { read, results } = delivered;
  const answer =
    read.handshake && read.events.length === 0
      ? await answerHandshake(deps, taking, read.handshake)
      : event
        ? eventProcessed(event.dedupKey)
        : accepted(receiptOf(results, receivedAt, id), read.sender);
  return { answer, logged: loggedDelivery(taking, delivered, answer.status, id) };
}

/**
 * Reads the body of a source whose requests are signed, and checks its signature: without it, it is a stranger's.
 *
 * @returns what its signature makes sure of (see `Verification`)
 */
async function readSigned(
  { sealing, sns, now, unsigned }: IngestDeps & Budgets & { now: () => number },
  taking: Taking,
  source: KnownSource,
): Promise<string | null> {
  const settle = unsigned.spend(`${networkOf(taking.remoteAddress)} ${source.id}`, 1);
  let used = 0;
  try {
    if (taking.body === undefined) await readAll(taking);
    const bytes = taking.body?.bytes ?? Buffer.alloc(0);
    const deps = { sealing, certificates: sns.certificates, now };
    const signature = await checkSignature(deps, source, taking.request.headers, bytes);
    if (signature.reason === undefined) return signature.signedHash;
    used = bytes.length;
    throw new RejectedWebhook(answerUnverified(signature), signature.reason, { isUnverified: true });
  } finally {
    settle(used);
  }
}

async function answerHandshake(
  { sns }: IngestDeps,
  { body, request }: Taking,
  { confirmUrl, answer }: NonNullable<Delivered['read']['handshake']>,
): Promise<IngestAnswer> {
  if (confirmUrl !== undefined) await confirm(sns, confirmUrl, request, body?.bytes ?? Buffer.alloc(0));
  return answer;
}

/** Confirms a subscription at SNS, after its signature proved that SNS asks for it. */
async function confirm(sns: IngestDeps['sns'], url: string, request: IncomingMessage, body: Buffer): Promise<void> {
  const verified = await verifySns({ headers: request.headers, body }, topicsIn(body), sns.certificates);
  if (!verified.ok) throw new RejectedWebhook(answerUnverified(verified), verified.reason);
  try {
    await sns.confirm(url);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error';
    const answer = unavailable('The subscription could not be confirmed. Send the request again.', 30, error);
    throw new RejectedWebhook(answer, `The subscription could not be confirmed: ${reason}`);
  }
}

/** GET and HEAD say what the address is, OPTIONS what may be sent; nothing else is known. */
function answerOther({ deliveryLog }: IngestDeps, taking: Taking): IngestAnswer {
  const { request, found, credentials } = taking;
  const note = (outcome: LoggedRequest['outcome'], summary: string, status: number) => {
    if (found.kind === 'accepted') deliveryLog.add({ ...loggedRequest(taking, status, newId()), outcome, summary });
  };
  const { method = '' } = request;
  if (method === 'GET' || method === 'HEAD') {
    note('handshake', LOOKED_AT, 200);
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
