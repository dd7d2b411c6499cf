import type { DeliveryOutcome, AuthenticationMethod } from '#backend/contract/delivery.ts';
import { type DeliveredEvent, type DeliveryFacts, type DeliveryRow, writeResults } from './delivery-entity.ts';
import { maskHeaders, maskIn, maskPath } from './mask-request.ts';

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
  /** The body's text; null where none was read. */
  body: string | null;
  /** The new alert whose payload is the body, byte for byte. */
  bodyOfAlert: string | null;
  /** Secrets that the request presented: masked wherever they stand. */
  secrets: readonly string[];
}

/** Most alerts of a delivery whose outcome is kept. */
const MAX_RESULTS = 500;

/** Longest summary, in characters. */
const MAX_SUMMARY = 500;

/** What a row takes beside its texts, in bytes. */
const ROW_BYTES = 200;

/** A request as it is stored: masked, cut, and without a body that an alert has. */
export function rowOf(request: LoggedRequest): DeliveryRow {
  const { source, results, secrets } = request;
  const { isBodyCut, ...body } = bodyOf(request);
  const facts: DeliveryFacts = {
    alerts: count(results, isChange),
    newAlerts: count(results, isNew),
    status: request.status,
    size: request.size,
    durationMs: Math.round(request.durationMs * 1000) / 1000,
    remoteAddress: request.remoteAddress.slice(0, 64),
    sender: request.sender,
    recognisedBy: request.recognisedBy?.slice(0, 300).toWellFormed() ?? null,
    replayOf: request.replayOf,
    maskedKey: request.maskedKey,
    method: request.method.slice(0, 16),
    path: maskIn(maskPath(request.target), secrets),
    headers: maskHeaders(request.rawHeaders, secrets),
    isBodyCut,
  };
  const factsText = JSON.stringify(facts);
  const summary = maskIn(request.summary, secrets).slice(0, MAX_SUMMARY).toWellFormed();
  const resultsText = writeResults(results.length > MAX_RESULTS ? results.slice(0, MAX_RESULTS) : results, summary);
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
    bytes: ROW_BYTES + factsText.length + resultsText.length + (body.body === null ? 0 : Buffer.byteLength(body.body)),
  };
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
  secrets,
}: LoggedRequest): Pick<DeliveryRow, 'body' | 'alertId'> & Pick<DeliveryFacts, 'isBodyCut'> {
  const limit = source?.keepBodiesUpTo ?? 0;
  if (body === null || limit === 0) return { body: null, isBodyCut: false, alertId: null };
  // A character has three bytes at most for each of its units.
  if (body.length * 3 <= limit || Buffer.byteLength(body) <= limit) {
    if (bodyOfAlert !== null) return { body: null, isBodyCut: false, alertId: bodyOfAlert };
    return { body: maskIn(body, secrets).toWellFormed(), isBodyCut: false, alertId: null };
  }
  // A character that the cut divides is left out.
  const cut = new TextDecoder('utf-8').decode(Buffer.from(body).subarray(0, limit), { stream: true });
  return { body: maskIn(cut, secrets), isBodyCut: true, alertId: null };
}
