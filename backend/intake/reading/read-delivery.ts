import type { FieldOrigin } from '#backend/contract/delivery.ts';
import type { Sender } from '#backend/contract/sender.ts';
import type { MappedField, Mapping, SourceSettings } from '#backend/contract/source.ts';
import { ProblemError } from '#backend/platform/endpoint/errors.ts';
import { type JsonText, jsonText } from '#backend/platform/endpoint/json-text.ts';
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
import { ADAPTERS } from '#backend/intake/adapters/adapter-table.ts';
import { NO_EXTRA_DATA, type SpecifiedFields, readSpecified } from '#backend/intake/adapters/specified-fields.ts';
import { WantedNames } from '#backend/intake/json/wanted-names.ts';
import { readAny } from '#backend/intake/adapters/generic.ts';
import { type DecodedBody, decodeBody } from './decode-body.ts';
import { boundedKey, nameLine, titleLine } from './bounded-text.ts';
import { type Found, type Headers, findHeader, rule } from '#backend/intake/json/found.ts';
import { type MappingResult, applyMapping, queryTaskOf } from './mapping.ts';
import { maskMembers } from './mask-members.ts';
import type { QueryTask, QueryValues } from './query-values.ts';
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
  const begun = begin(request, settings, adapters);
  return 'error' in begun ? begun : finish(begun, settings.mapping);
}

/** As {@link readDelivery}, with the paths that have to be evaluated left to `evaluate`; at once where there are none. */
export function readDeliveryAside(
  request: SenderRequest,
  settings: ReadingSettings,
  evaluate: (task: QueryTask) => Promise<QueryValues>,
): ReadDelivery | UnreadDelivery | Promise<ReadDelivery> {
  const begun = begin(request, settings, ADAPTERS);
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
    adapter === 'auto'
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
  { delivery, text, recognition, reading, problem }: Begun,
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
    ignored: drafts.length === 0 ? (mapped.drafts[0]?.ignored ?? null) : null,
    facts,
    problem,
    mappingErrors: mapped.errors,
    mappingMisses: mapped.misses,
  };
}

/** The fields of a source's mapping; a mapping that fails as a whole changes nothing. */
function map(mapping: Mapping, delivery: Delivery, drafts: Draft[], evaluated?: QueryValues): MappingResult {
  if (Object.keys(mapping).length === 0 || drafts.length === 0) return { drafts, errors: [], misses: [] };
  try {
    return applyMapping(mapping, delivery, drafts, evaluated);
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

function deliveryIdOf(headers: Headers): Found | undefined {
  for (const name of DELIVERY_HEADERS) {
    const found = headers[name] === undefined ? undefined : findHeader(headers, name);
    if (found) return found;
  }
  return undefined;
}

/** What the fields of an event come from, in the order in which they are shown. */
type Origins = Record<OriginField, Found<string | number> | undefined>;
type OriginField = Exclude<keyof SenderEvent, 'payload' | 'element' | 'shared' | 'extraData' | 'origins'>;

/**
 * A draft as an event: the specification's customer and type first, everything bounded. What nobody asks for while alerts are
 * stored, `element` and `origins`, is worked out when it is asked for.
 */
class FinishedEvent implements SenderEvent {
  readonly title: string | null;
  readonly customer: string | null;
  readonly alertType: string | null;
  readonly severity: SenderEvent['severity'];
  readonly state: SenderEvent['state'];
  readonly dedupKey: string | null;
  readonly deliveryId: string | null;
  readonly link: string | null;
  readonly groupKey: string | null;
  readonly groupTitle: string | null;
  readonly at: number | null;
  readonly payload: JsonText;
  readonly extraData: JsonText;
  readonly shared: JsonText;
  readonly #draft: Draft;
  readonly #specified: SpecifiedFields;
  readonly #id: Found | undefined;

  /** @param deliveryId names the delivery, where the draft does not name itself */
  constructor(draft: Draft, deliveryId: Found | undefined) {
    const { element, mapped } = draft;
    const specified = readSpecified(element);
    const customer = mapped?.has('customer') ? undefined : specified.customer;
    const alertType = mapped?.has('alertType') ? undefined : specified.alertType;
    const id = draft.deliveryId ?? deliveryId;
    this.title = bounded(draft.title, titleLine);
    this.customer = customer ? customer.value : bounded(draft.customer, nameLine);
    this.alertType = alertType ? alertType.value : bounded(draft.alertType, nameLine);
    this.severity = draft.severity?.value ?? 'none';
    this.state = draft.state.value;
    this.dedupKey = bounded(draft.dedupKey, boundedKey);
    this.deliveryId = bounded(id, boundedKey);
    this.link = (draft.link ?? specified.link)?.value ?? null;
    this.groupKey = bounded(draft.groupKey, boundedKey);
    this.groupTitle = bounded(draft.groupTitle, titleLine);
    this.at = draft.at?.value ?? null;
    this.payload = jsonText(element.isObject ? element.source : `{"value":${element.source}}`);
    this.extraData = specified.extraData;
    this.shared = draft.shared ?? NO_EXTRA_DATA;
    this.#draft = draft;
    this.#specified = specified;
    this.#id = id;
  }

  get element(): string {
    return this.#draft.element.path;
  }

  get origins(): FieldOrigin[] {
    const { title, severity, state, dedupKey, groupKey, groupTitle, at, mapped, ...draft } = this.#draft;
    const { customer, alertType, link } = this.#specified;
    return originsOf(this, {
      title,
      customer: (mapped?.has('customer') ? undefined : customer) ?? draft.customer,
      alertType: (mapped?.has('alertType') ? undefined : alertType) ?? draft.alertType,
      severity,
      state,
      dedupKey,
      deliveryId: this.#id,
      link: draft.link ?? link,
      groupKey,
      groupTitle,
      at,
    });
  }
}

const bounded = (found: Found | undefined, bound: (text: string) => string | undefined): string | null =>
  found === undefined ? null : (bound(found.value) ?? null);

/** Where each field comes from, for those that were found and not empty. */
function originsOf(event: Pick<SenderEvent, OriginField>, found: Origins): FieldOrigin[] {
  const origins: FieldOrigin[] = [];
  for (const [field, origin] of Object.entries(found) as [OriginField, Found<string | number> | undefined][]) {
    const value = event[field];
    if (origin === undefined || value === null) continue;
    const { path, note } = origin;
    const text = field === 'at' ? new Date(value).toISOString() : String(value);
    origins.push({ field, value: text, path, ...(note === undefined ? {} : { note }) });
  }
  return origins;
}
