import type { FieldOrigin } from '#backend/contract/delivery.ts';
import { type JsonText, jsonText } from '#backend/platform/endpoint/json-text.ts';
import type { Draft, SenderEvent } from '#backend/intake/adapters/adapter.ts';
import { NO_EXTRA_DATA, type SpecifiedFields, readSpecified } from '#backend/intake/adapters/specified-fields.ts';
import type { Found } from '#backend/intake/json/found.ts';
import { boundedKey, nameLine, titleLine } from './bounded-text.ts';

/** What the fields of an event come from, in the order in which they are shown. */
type Origins = Record<OriginField, Found<string | number> | undefined>;
type OriginField = Exclude<
  keyof SenderEvent,
  'payload' | 'mayEcho' | 'until' | 'element' | 'shared' | 'extraData' | 'origins'
>;

/**
 * A draft as an event: the specification's customer and type first, everything bounded. What nobody asks for while alerts are
 * stored, `element` and `origins`, is worked out when it is asked for.
 */
export class FinishedEvent implements SenderEvent {
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
  readonly until: number | null;
  readonly mayEcho: SenderEvent['mayEcho'];
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
    this.until = draft.until?.value ?? null;
    this.mayEcho = draft.mayEcho ?? null;
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
