import type { Sender } from '#backend/contract/sender.ts';
import { type Mapping, mappedFieldSchema } from '#backend/contract/mapping.ts';
import type { SourceSettings } from '#backend/contract/source.ts';
import { ProblemError } from '#backend/platform/endpoint/errors.ts';
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
} from '#backend/intake/adapters/adapter.ts';
import { MAIL_TYPE } from '#backend/intake/adapters/email.ts';
import { ADAPTERS } from '#backend/intake/adapters/adapter-table.ts';
import { WantedNames } from '#backend/intake/json/wanted-names.ts';
import { readAny } from '#backend/intake/adapters/generic.ts';
import { type DecodedBody, decodeBody } from './decode-body.ts';
import { type Found, type Headers, findHeader, rule } from '#backend/intake/json/found.ts';
import { FinishedEvent } from './finished-event.ts';
import { type MappingResult, applyMapping, queryTaskOf } from './mapping.ts';
import { maskMembers } from './mask-members.ts';
import type { QueryTask, QueryValues } from './query-values.ts';
import { type Recognition, recognise } from './recognise.ts';
import { type Split, splitDelivery } from './split-delivery.ts';

/** Headers by which senders of any kind name a delivery, the first choice first. */
const DELIVERY_HEADERS = [
  'idempotency-key',
  'webhook-id',
  'svix-id',
  'x-github-delivery',
  'x-amz-sns-message-id',
  'x-shopify-webhook-id',
  'x-gitlab-event-uuid',
  'message-id',
];

/** What decides how a source's deliveries are read. */
export type ReadingSettings = Pick<SourceSettings, 'adapter' | 'mapping'>;

const NO_NAMES: readonly string[] = [];
const BY_RECOGNITION: ReadingSettings = { adapter: 'auto', mapping: {} };
/** A delivery of which the mapping is left to do. */
interface Begun {
  delivery: Delivery;
  /** The body with its secrets masked. */
  text: string;
  recognition: Recognition;
  reading: Reading;
  problem: string | null;
  /** How the mapping splits it; undefined where it does not. */
  split?: Split | undefined;
}

/**
 * Reads a request to a source into its alerts. It never throws: a faulty adapter, or a body that is not what its source's
 * setting says, makes one alert of any JSON and a `problem`. Paths that have to be evaluated keep this thread for a while.
 *
 * @param settings the source's: its adapter (`auto` recognises the sender), and its mapping, which counts before all else
 * @param adapters for tests
 * @returns the alerts, or the error to answer: 400 when the body is not JSON, 422 when it nests too deeply
 */
export function readDelivery(
  request: SenderRequest,
  settings: ReadingSettings = BY_RECOGNITION,
  adapters: Readonly<Record<Sender, Adapter>> = ADAPTERS,
): ReadDelivery | UnreadDelivery {
  const begun = split(begin(request, settings, adapters), settings.mapping);
  return 'error' in begun ? begun : finish(begun, settings.mapping);
}

/** As {@link readDelivery}, with the paths that have to be evaluated left to `evaluate`; at once where there are none. */
export function readDeliveryAside(
  request: SenderRequest,
  settings: ReadingSettings,
  evaluate: (task: QueryTask) => Promise<QueryValues>,
): ReadDelivery | UnreadDelivery | Promise<ReadDelivery> {
  const begun = split(begin(request, settings, ADAPTERS), settings.mapping);
  if ('error' in begun) return begun;
  const task = queryTaskOf(settings.mapping, begun.delivery, begun.reading.drafts);
  if (!task) return finish(begun, settings.mapping);
  return evaluate(task).then((values) => finish(begun, settings.mapping, values));
}

function begin(
  request: SenderRequest,
  { adapter }: ReadingSettings,
  adapters: Readonly<Record<Sender, Adapter>>,
): Begun | UnreadDelivery {
  const decoded = decodeBody(request.body, request.contentType);
  if (decoded instanceof ProblemError) return { error: decoded };
  const delivery: Delivery = { ...decoded, headers: request.headers, receivedAt: request.receivedAt };
  const recognition: Recognition =
    adapter === 'auto' || request.contentType === MAIL_TYPE
      ? recognise(delivery, request.contentType)
      : { sender: adapter, recognisedBy: 'the source’s setting' };
  const names = adapters[recognition.sender].secretNames ?? NO_NAMES;
  const text = mayHold(delivery, names) ? maskMembers(request.body, request.contentType, names) : request.body;
  const masked: Delivery =
    text === request.body ? delivery : { ...delivery, ...(decodeBody(text, request.contentType) as DecodedBody) };
  try {
    const chosen = adapters[recognition.sender];
    const reading = chosen.read(masked);
    // Who asks whether the address is right is answered with what was sent.
    const handshake = masked === delivery ? reading.handshake : chosen.read(delivery).handshake;
    const problem = problemOf(reading, recognition.sender);
    const checked =
      problem === null ? { ...reading, ...(handshake && { handshake }) } : readAsAny(masked, problem, reading.facts);
    return { delivery: masked, text, recognition, reading: checked, problem };
  } catch (error) {
    return failed({ delivery: masked, text, recognition }, error);
  }
}

/** The alerts of a delivery that its source's mapping splits, in the place of the adapter's. */
function split(begun: Begun | UnreadDelivery, mapping: Mapping): Begun | UnreadDelivery {
  if (mapping.split === undefined || 'error' in begun || begun.reading.handshake) return begun;
  const divided = splitDelivery(mapping, begun.delivery);
  if (!divided?.drafts) return { ...begun, split: divided };
  return { ...begun, reading: { ...begun.reading, drafts: divided.drafts }, problem: null, split: divided };
}

const WANTED = new WeakMap<readonly string[], WantedNames>();

/** Whether a body may have members of these names: a look at an object's keys costs less than one at its whole text. */
function mayHold({ body, form, headers }: Delivery, names: readonly string[]): boolean {
  if (names.length === 0) return false;
  // A form may have them beside the field whose JSON is the body.
  if (!body.isObject || form !== 'json' || String(headers['content-type'] ?? '').includes('form')) return true;
  let wanted = WANTED.get(names);
  if (wanted === undefined) WANTED.set(names, (wanted = new WantedNames(names, [])));
  return body.hasAny(wanted, Number.POSITIVE_INFINITY);
}

function failed(begun: Pick<Begun, 'delivery' | 'text' | 'recognition'>, error: unknown): Begun {
  const reason = error instanceof Error ? error.message.slice(0, 200) : 'unknown error';
  const problem = `The adapter of ${begun.recognition.sender} failed: ${reason}`;
  return { ...begun, reading: readAsAny(begun.delivery, problem), problem };
}

function finish(begun: Begun, mapping: Mapping, evaluated?: QueryValues): ReadDelivery {
  try {
    return complete(begun, mapping, evaluated);
  } catch (error) {
    // What was evaluated is of other alerts.
    return complete(failed(begun, error), mapping, { found: [] });
  }
}

function complete(
  { delivery, text, recognition, reading, problem, split: divided }: Begun,
  mapping: Mapping,
  evaluated: QueryValues | undefined,
): ReadDelivery {
  const facts = reading.facts ?? {};
  const mapped = map(mapping, delivery, reading.drafts, evaluated);
  const drafts = mapped.drafts.filter(({ ignored }) => ignored === undefined);
  return {
    ...recognition,
    text,
    events: finishAll(drafts, delivery.headers),
    handshake: reading.handshake ?? null,
    ignored: drafts.length === 0 ? (mapped.drafts[0]?.ignored ?? (divided?.drafts ? EMPTY_LIST : null)) : null,
    facts,
    problem,
    mappingErrors: divided?.error ? [...mapped.errors, divided.error] : mapped.errors,
    mappingMisses: divided?.isMiss ? [...mapped.misses, 'split'] : mapped.misses,
    leftOut: mapped.leftOut,
    splitInto: divided?.drafts?.length ?? null,
  };
}

const EMPTY_LIST = 'Nothing to do: the list that the mapping splits is empty';

/** The fields of a source's mapping; a mapping that fails as a whole changes nothing. */
function map(mapping: Mapping, delivery: Delivery, drafts: Draft[], evaluated?: QueryValues): MappingResult {
  if (Object.keys(mapping).length === 0 || drafts.length === 0) return unmapped(drafts);
  try {
    return applyMapping(mapping, delivery, drafts, evaluated);
  } catch {
    const fields = mappedFieldSchema.options.filter((field) => mapping[field] !== undefined);
    return { ...unmapped(drafts), errors: fields.map((field) => ({ field, message: 'The path failed' })) };
  }
}

const unmapped = (drafts: Draft[]): MappingResult => ({ drafts, errors: [], misses: [], leftOut: [] });

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

function finishAll(drafts: readonly Draft[], headers: Headers): SenderEvent[] {
  const deliveryId = deliveryIdOf(headers);
  return drafts.map(
    (draft, index) =>
      new FinishedEvent(
        draft,
        deliveryId && drafts.length > 1 ? { ...deliveryId, value: `${deliveryId.value}:${index}` } : deliveryId,
      ),
  );
}

/** How a sender's headers name a delivery. */
export function deliveryIdOf(headers: Headers): Found | undefined {
  for (const name of DELIVERY_HEADERS) {
    const found = headers[name] === undefined ? undefined : findHeader(headers, name);
    if (found) return found;
  }
  return undefined;
}
