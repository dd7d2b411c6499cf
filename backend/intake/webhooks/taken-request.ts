import { networkOf } from '#backend/platform/cluster/limiter.ts';
import { performance } from 'node:perf_hooks';
import { withPatienceToTheEnd } from '#backend/platform/database/patience.ts';
import { BATCH_SENDERS } from '#backend/intake/adapters/adapter.ts';
import { WEBHOOK_MAX_BATCH_BYTES, WEBHOOK_MAX_BYTES, WEBHOOK_MAX_DEPTH } from '#backend/contract/webhook.ts';
import { ProblemError, unavailable } from '#backend/platform/endpoint/errors.ts';
import { type Credential, findSource } from '#backend/intake/sources/credentials.ts';
import type { SourceRegistry } from '#backend/intake/sources/source-registry.ts';
import { type IngestAnswer, badApiKey } from '#backend/intake/write/ingest-answers.ts';
import type { Taking } from './logged-request.ts';
import { readPostedEvent } from './pagerduty-events.ts';
import { readBeginning, readBody, readEncoding, readText } from '#backend/platform/endpoint/read-body.ts';
import { charsetOf, mediaTypeError } from '#backend/intake/reading/decode-body.ts';
import { readString, scanJson } from '#backend/intake/json/scan-json.ts';
import type { StrangerBudget } from './stranger-budget.ts';

/** Opening a stream that inflates takes up to 2 ms (brotli): as if so many bytes were read. */
const INFLATING_COSTS = 128 * 1024;

/** A request that is not taken: what the sender is answered, and what the source's operators read. */
export class RejectedWebhook extends Error {
  readonly answer: ProblemError | IngestAnswer;
  /** Whether it lacks the signature that its source needs, or has a wrong one. */
  readonly isUnverified: boolean;

  constructor(answer: ProblemError | IngestAnswer, reason: string, { isUnverified = false } = {}) {
    super(reason);
    this.answer = answer;
    this.isUnverified = isUnverified;
  }
}

/** The answer to a request whose signature is wrong, or could not be checked for now. */
export const answerUnverified = ({ isTemporary = false }: { isTemporary?: boolean }): ProblemError =>
  isTemporary ? unavailable('The signature could not be checked. Send the request again.', 30) : badApiKey();

/** Reads the body of a request whose source is known. */
export async function readAll(taking: Taking): Promise<void> {
  const contentType = taking.request.headers['content-type'] ?? '';
  const wrongType = mediaTypeError(contentType);
  taking.body = await readBody(taking.request, maxBytesOf(taking), taking.begun);
  taking.readAt = performance.now();
  if (wrongType) {
    // The source's operators see what was sent, and may replay it once they have set up how it is read.
    taking.text = taking.body.bytes.toString('utf8').toWellFormed();
    throw wrongType;
  }
  taking.text = readText(taking.body.bytes, charsetOf(contentType));
  if (taking.address.route === '/v2/enqueue') {
    taking.event = readPostedEvent(taking.text, taking.request.headers);
  }
}

/** Agents of senders whose requests have many alerts, for a source that has received none of them yet. */
const BATCH_AGENTS = /^(?:Alertmanager|Grafana)\b/;

/** What the body of a request may have, in bytes: more where its sender is known to put many alerts into one. */
function maxBytesOf({ found, request }: Taking): number {
  if (found.kind !== 'accepted') return WEBHOOK_MAX_BYTES;
  const { settings, recognisedAs } = found.found.source;
  const sender = settings.adapter === 'auto' ? recognisedAs : settings.adapter;
  const isBatch =
    sender !== null && BATCH_SENDERS.has(sender)
      ? true
      : settings.adapter === 'auto' && BATCH_AGENTS.test(request.headers['user-agent'] ?? '');
  return isBatch ? WEBHOOK_MAX_BATCH_BYTES : WEBHOOK_MAX_BYTES;
}

/**
 * Reads the body of a request that will be refused: its operators see what was sent, and may replay it, unless its network
 * sends too much of that. A sender that waits to be asked for the body is not asked for one that is refused.
 */
export async function readForTheLog(taking: Taking, budget: StrangerBudget): Promise<void> {
  const { request } = taking;
  if (request.headers.expect !== undefined && taking.begun === undefined) return;
  await readWithin(taking, budget).catch(() => request.resume());
}

/** Reads all of a body that may turn out to be nobody's. @throws {ProblemError} 429 when its network has sent too much */
async function readWithin(taking: Taking, budget: StrangerBudget): Promise<void> {
  const settle = budget.spend(networkOf(taking.remoteAddress), WEBHOOK_MAX_BYTES);
  await readAll(taking).finally(() => settle(taking.body?.bytes.length ?? WEBHOOK_MAX_BYTES));
}

/**
 * PagerDuty's senders name their source in the body, mostly at its beginning: a stranger's is not read further. Where no
 * key is in it, it is read on as long as its network has not sent much that was nobody's.
 *
 * @throws {ProblemError} 415 for what cannot be JSON, 429 when the network has sent too much
 */
export async function findKeyInBody(taking: Taking, sources: SourceRegistry, budget: StrangerBudget): Promise<void> {
  const { request } = taking;
  const wrongType = mediaTypeError(request.headers['content-type'] ?? '');
  if (wrongType) throw wrongType;
  const cost = readEncoding(request) === undefined ? 0 : INFLATING_COSTS;
  const settle = budget.spend(networkOf(taking.remoteAddress), cost);
  try {
    const { begun, text, isWhole } = await readBeginning(request);
    taking.begun = begun;
    const keys = routingKeysIn(text);
    if (keys.length > 0) await present(taking, sources, keys);
    else if (!isWhole) await readOn(taking, sources, budget);
  } finally {
    settle(taking.found.kind === 'accepted' ? 0 : cost);
    // What is left of a refused body is thrown away, so that the connection can be used again.
    if (taking.found.kind === 'unknown') request.resume();
  }
}

async function readOn(taking: Taking, sources: SourceRegistry, budget: StrangerBudget): Promise<void> {
  const settle = budget.spend(networkOf(taking.remoteAddress), WEBHOOK_MAX_BYTES);
  let used = WEBHOOK_MAX_BYTES;
  try {
    await readAll(taking);
    used = taking.body?.bytes.length ?? used;
    if (taking.event?.routingKey !== undefined) await present(taking, sources, [taking.event.routingKey]);
    if (taking.found.kind === 'accepted') used = 0;
  } finally {
    settle(used);
  }
}

/** Routing keys of one event that are tried. */
const MAX_KEYS = 4;

/** The routing keys of an event, of which only the beginning may be there. */
function routingKeysIn(beginning: string): string[] {
  const keys: string[] = [];
  scanJson(beginning, WEBHOOK_MAX_DEPTH, (keyStart, keyEnd, valueStart, valueEnd) => {
    if (keys.length === MAX_KEYS || beginning.charAt(valueStart) !== '"') return;
    if (readString(beginning, keyStart, keyEnd) === 'routing_key') {
      keys.push(readString(beginning, valueStart, valueEnd));
    }
  });
  return keys;
}

async function present(taking: Taking, sources: SourceRegistry, keys: string[]): Promise<void> {
  for (const plain of keys) taking.credentials.push({ way: 'key', plain });
  taking.secrets = undefined;
  taking.found = findSource(sources, taking.credentials, taking.receivedAt);
  if (taking.found.kind === 'unknown') await lookUp(taking, sources);
}

/** Finds the source once more, with what other servers have made since. */
export async function lookUp(taking: Taking, sources: SourceRegistry): Promise<void> {
  const plains = taking.credentials.map(({ plain }) => plain);
  await withPatienceToTheEnd(() => sources.lookUp(plains));
  taking.found = findSource(sources, taking.credentials, taking.receivedAt);
}

export const reasonOfUnknown = ({ length }: readonly Credential[]) =>
  length === 0 ? 'No key' : 'The key belongs to no source';

/** Why a request was refused, and the status that it is answered with. */
export function explain(error: unknown): { status: number; reason: string } {
  if (error instanceof RejectedWebhook) return { status: error.answer.status, reason: error.message };
  if (!(error instanceof ProblemError)) return { status: 503, reason: 'The database or the server failed' };
  const { status, message } = error;
  const broken = /^The body is not valid JSON(: .*)?; /.exec(message);
  if (broken) return { status, reason: `Not JSON${broken[1] ?? ''}` };
  if (status === 401) return { status, reason: 'The secret ended while the request was in progress' };
  return { status, reason: message.replace(/\.$/, '') };
}

/** The topic that a message names: whoever has the source's key may subscribe it to one. */
export function topicsIn(body: Buffer): string[] {
  try {
    const { TopicArn: topic } = JSON.parse(body.toString('utf8')) as { TopicArn?: unknown };
    return typeof topic === 'string' ? [topic] : [];
  } catch {
    return [];
  }
}
