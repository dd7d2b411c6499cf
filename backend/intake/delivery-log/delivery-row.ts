import type { DeliveryOutcome, AuthenticationMethod } from '#backend/contract/delivery.ts';
import {
  type DeliveredEvent,
  type DeliveryFacts,
  type DeliveryRow,
  type SHARED_FACTS,
  type SharedRequest,
  isTried,
  unusualFacts,
  writeResults,
} from './delivery-entity.ts';
import { maskHeaders, maskPath } from './mask-request.ts';
import { maskIn } from '#backend/intake/reading/mask-secret.ts';

/** A request as it is handed to the log. */
export interface LoggedRequest extends Omit<DeliveryFacts, 'alerts' | 'newAlerts' | 'path' | 'headers' | 'isBodyCut'> {
  id: string;
  /** Null where the key belongs to no source. */
  source: { id: string; keepBodiesUpTo: number } | null;
  receivedAt: number;
  outcome: DeliveryOutcome;
  way: AuthenticationMethod;
  summary: string;
  results: readonly DeliveredEvent[];
  /** Path and query as received. */
  target: string;
  rawHeaders: readonly string[];
  /** The body's text with its secrets masked; null where none was read. */
  body: string | null;
  /** The new alert whose payload is the body, byte for byte. */
  bodyOfAlert: string | null;
  /** Findable secrets that the request presented: masked wherever they stand in address, headers and summary. */
  secrets: readonly string[];
}

/** Most alerts of a delivery whose outcome is kept. */
const MAX_RESULTS = 500;

/** Longest summary, in characters. */
const MAX_SUMMARY = 500;

/** What a row takes beside its texts with its entries in indexes, in bytes, as measured on SQLite; on MySQL about the same. */
const ROW_BYTES = 360;

/** What a delivery shares with the ones before. */
export interface Sharing {
  id: string;
  /** To be stored with the first delivery that names it. */
  made: SharedRequest | undefined;
}

/** A row that waits to be written, with the shared request that is to be stored before it. */
export interface QueuedRow extends DeliveryRow {
  /** What the request was answered. */
  status: number;
  shared: SharedRequest | undefined;
  /**
   * The facts of a delivery that can stand in a chunk: it made one new alert, which has its body, and no administrator tried
   * it. They are not in `facts` yet.
   */
  ownFacts: Partial<DeliveryFacts> | undefined;
  /** Whether an earlier attempt to write it failed, and may have stored it all the same. */
  isAgain: boolean;
}

/** What most deliveries have in common with others, masked. */
const sharedFactsOf = (request: LoggedRequest): Pick<DeliveryFacts, (typeof SHARED_FACTS)[number]> => ({
  status: request.status,
  sender: request.sender,
  recognisedBy: request.recognisedBy?.slice(0, 300).toWellFormed() ?? null,
  method: request.method.slice(0, 16),
  path: maskPath(request.target, request.secrets),
  headers: maskHeaders(request.rawHeaders, request.secrets),
});

/** Whether a header says no more than how long the body is. */
export const isOwnLength = (name: string, value: string, size: number): boolean =>
  name.length === LENGTH_HEADER.length && name.toLowerCase() === LENGTH_HEADER && value === String(size);

const LENGTH_HEADER = 'content-length';

/** What a delivery shares with others, as text. */
export function writeShared(request: LoggedRequest): string {
  const facts = sharedFactsOf(request);
  const headers = facts.headers.map(([name, value]) => [name, isOwnLength(name, value, request.size) ? null : value]);
  return JSON.stringify({ ...facts, headers });
}

/**
 * A request as it is stored: masked, cut, and without a body that an alert has.
 *
 * @param share finds what the request has in common with earlier ones
 */
export function rowOf(request: LoggedRequest, share: (request: LoggedRequest) => Sharing | undefined): QueuedRow {
  const { source, results, secrets } = request;
  const { isBodyCut, ...body } = bodyOf(request);
  const own: Partial<DeliveryFacts> = {
    alerts: count(results, isChange),
    newAlerts: count(results, isNew),
    size: request.size,
    durationMs: Math.round(request.durationMs * 1000) / 1000,
    remoteAddress: request.remoteAddress.slice(0, 64),
    replayOf: request.replayOf,
    isUnverified: request.isUnverified,
    maskedKey: request.maskedKey,
    isBodyCut,
  };
  const summary = maskIn(request.summary, secrets).slice(0, MAX_SUMMARY).toWellFormed();
  const kept = results.length > MAX_RESULTS ? results.slice(0, MAX_RESULTS) : results;
  const resultsText = writeResults(kept, { summary, alertId: body.alertId });
  const sharing = share(request);
  const canBeChunked = sharing !== undefined && resultsText === '' && !isTried(request.way);
  const facts = unusualFacts(sharing ? own : { ...sharedFactsOf(request), ...own });
  const factsText = canBeChunked ? '' : JSON.stringify(facts);
  const texts = [summary, factsText, resultsText, sharing?.made?.facts ?? '', body.body ?? ''];
  return {
    id: request.id,
    sourceId: source?.id ?? null,
    receivedAt: request.receivedAt,
    outcome: request.outcome,
    way: request.way,
    summary,
    ...body,
    results: resultsText,
    facts: factsText,
    requestId: sharing?.id ?? null,
    bytes: texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), ROW_BYTES),
    status: request.status,
    shared: sharing?.made,
    ownFacts: canBeChunked ? facts : undefined,
    isAgain: false,
  };
}

/** A delivery that is in no chunk, with all its facts. */
export function aloneOf(row: QueuedRow): QueuedRow {
  if (row.ownFacts === undefined) return row;
  const facts = JSON.stringify(row.ownFacts);
  return { ...row, facts, bytes: row.bytes + facts.length, ownFacts: undefined };
}

const isNew = ({ outcome }: DeliveredEvent): boolean => outcome === 'new';
const isChange = ({ outcome }: DeliveredEvent): boolean => outcome !== 'duplicate' && outcome !== 'nothing-open';

function count(results: readonly DeliveredEvent[], isCounted: (result: DeliveredEvent) => boolean): number {
  let counted = 0;
  for (const result of results) if (isCounted(result)) counted += 1;
  return counted;
}

function bodyOf({
  source,
  body,
  bodyOfAlert,
}: LoggedRequest): Pick<DeliveryRow, 'body' | 'alertId'> & Pick<DeliveryFacts, 'isBodyCut'> {
  const limit = source?.keepBodiesUpTo ?? 0;
  if (body === null || limit === 0) return { body: null, isBodyCut: false, alertId: null };
  // A character has three bytes at most for each of its units.
  if (body.length * 3 <= limit || Buffer.byteLength(body) <= limit) {
    if (bodyOfAlert !== null) return { body: null, isBodyCut: false, alertId: bodyOfAlert };
    return { body: body.toWellFormed(), isBodyCut: false, alertId: null };
  }
  // A character that the cut divides is left out.
  const cut = new TextDecoder('utf-8').decode(Buffer.from(body).subarray(0, limit), { stream: true });
  return { body: cut, isBodyCut: true, alertId: null };
}
