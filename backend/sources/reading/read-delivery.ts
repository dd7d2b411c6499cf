import type { Sender } from '#backend/contract/sender.ts';
import type { MappedField, Mapping, SourceSettings } from '#backend/contract/source.ts';
import { ProblemError } from '#backend/endpoint/errors.ts';
import {
  MAX_EVENTS,
  type Adapter,
  type Delivery,
  type DeliveryFacts,
  type Draft,
  type ReadDelivery,
  type Reading,
  type SenderEvent,
  type SenderRequest,
  type UnreadDelivery,
} from './adapter.ts';
import { ADAPTERS } from '#backend/sources/adapters/adapter-table.ts';
import { readAny } from '#backend/sources/adapters/generic.ts';
import { decodeBody } from './decode-body.ts';
import { finishEvent } from './finish-event.ts';
import { type Found, type Headers, findHeader, rule } from './found.ts';
import { type MappingResult, applyMapping } from './mapping.ts';
import { type Recognition, recognise } from './recognise.ts';

/** Headers by which senders of any kind name a delivery, the first choice first. */
const DELIVERY_HEADERS = [
  'idempotency-key',
  'webhook-id',
  'svix-id',
  'x-github-delivery',
  'x-amz-sns-message-id',
  'x-shopify-webhook-id',
  'x-gitlab-event-uuid',
];

/** What decides how a source's deliveries are read. */
export type ReadingSettings = Pick<SourceSettings, 'adapter' | 'mapping'>;

const BY_RECOGNITION: ReadingSettings = { adapter: 'auto', mapping: {} };

/**
 * Reads a request to a source into its alerts. It never throws: a faulty adapter, or a body that is not what its source's
 * setting says, makes one alert of any JSON and a `problem`.
 *
 * @param settings the source's: its adapter (`auto` recognises the sender), and its mapping, which counts before all else
 * @param adapters for tests
 * @returns the alerts, or the error to answer: 400 when the body is not JSON, 422 when it nests too deeply
 */
export function readDelivery(
  request: SenderRequest,
  { adapter, mapping }: ReadingSettings = BY_RECOGNITION,
  adapters: Readonly<Record<Sender, Adapter>> = ADAPTERS,
): ReadDelivery | UnreadDelivery {
  const decoded = decodeBody(request.body, request.contentType);
  if (decoded instanceof ProblemError) return { error: decoded };
  const delivery: Delivery = { ...decoded, headers: request.headers, receivedAt: request.receivedAt };
  const recognition: Recognition =
    adapter === 'auto'
      ? recognise(delivery, request.contentType)
      : { sender: adapter, recognisedBy: 'the source’s setting' };
  try {
    const reading = adapters[recognition.sender].read(delivery);
    const problem = problemOf(reading, recognition.sender);
    const checked = problem === null ? reading : readAsAny(delivery, problem, reading.facts);
    return finish(checked, problem, recognition, delivery, mapping);
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : 'unknown error';
    const problem = `The adapter of ${recognition.sender} failed: ${reason}`;
    return finish(readAsAny(delivery, problem), problem, recognition, delivery, mapping);
  }
}

function finish(
  reading: Reading,
  problem: string | null,
  recognition: Recognition,
  delivery: Delivery,
  mapping: Mapping,
): ReadDelivery {
  const facts = reading.facts ?? {};
  const mapped = map(mapping, delivery, reading.drafts);
  return {
    ...recognition,
    events: finishAll(mapped.drafts, delivery.headers, facts),
    handshake: reading.handshake ?? null,
    facts,
    problem,
    mappingErrors: mapped.errors,
    mappingMisses: mapped.misses,
  };
}

/** The fields of a source's mapping; a mapping that fails as a whole changes nothing. */
function map(mapping: Mapping, delivery: Delivery, drafts: Draft[]): MappingResult {
  if (Object.keys(mapping).length === 0 || drafts.length === 0) return { drafts, errors: [], misses: [] };
  try {
    return applyMapping(mapping, delivery, drafts);
  } catch {
    const fields = Object.keys(mapping) as MappedField[];
    return { drafts, errors: fields.map((field) => ({ field, message: 'The path failed' })), misses: [] };
  }
}

function problemOf({ drafts, handshake }: Reading, sender: Sender): string | null {
  if (drafts.length > MAX_EVENTS) {
    return `The delivery has more than ${MAX_EVENTS} alerts. It is kept whole, as one.`;
  }
  if (drafts.length > 0 || handshake) return null;
  return `The body has no alert of ${sender}. It is read as any JSON.`;
}

/** The whole delivery as one alert, which says so itself where nothing else names it. */
function readAsAny({ body }: Delivery, problem: string, facts: DeliveryFacts = {}): Reading {
  const draft = readAny(body);
  return { drafts: [{ ...draft, title: draft.title ?? rule(problem, 'nothing else names it') }], facts };
}

function finishAll(drafts: readonly Draft[], headers: Headers, facts: DeliveryFacts): SenderEvent[] {
  const deliveryId = deliveryIdOf(headers);
  return drafts.map((draft, index) =>
    finishEvent(
      draft,
      deliveryId && drafts.length > 1 ? { ...deliveryId, value: `${deliveryId.value}:${index}` } : deliveryId,
      facts.secretPaths,
    ),
  );
}

function deliveryIdOf(headers: Headers): Found | undefined {
  for (const name of DELIVERY_HEADERS) {
    const found = headers[name] === undefined ? undefined : findHeader(headers, name);
    if (found) return found;
  }
  return undefined;
}
