import { createHash } from 'node:crypto';
import type { FieldOrigin } from '#backend/contract/delivery.ts';
import { type JsonText, jsonText } from '#backend/platform/endpoint/json-text.ts';
import type { Draft, SenderEvent } from '#backend/intake/adapters/adapter.ts';
import type { Found } from '#backend/intake/json/found.ts';
import { NO_EXTRA_DATA, type SpecifiedFields, copy, readSpecified } from '#backend/intake/adapters/specified-fields.ts';

/** Longest title, in characters. */
export const MAX_TITLE_LENGTH = 300;
/** Longest key, in characters: what every database indexes. */
export const MAX_KEY_LENGTH = 191;
/** Longest customer and alert type, in characters, as the specification's own. */
const MAX_NAME_LENGTH = 200;

/** Control characters, line breaks and marks that turn the direction of text: together with spaces they become one space. */
const FOLDED = /[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

/** What {@link FOLDED} would change. */
const TO_FOLD =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202a-\u202f\u205f\u2066-\u2069\u3000\ufeff]| {2}|^ | $/u;

/** ASCII with single spaces: most titles. Expressions that know Unicode take ten times as long. */
const PLAIN_LINE = /^[!-~]+(?: [!-~]+)*$/;

/** One line of at most so many characters, never cut within one; `undefined` when nothing is left. */
export function oneLine(text: string, maxLength: number): string | undefined {
  const head = text.length <= maxLength ? text : text.slice(0, maxLength).trimEnd();
  if (PLAIN_LINE.test(head)) return head;
  if (text.length <= maxLength && !TO_FOLD.test(text)) return text || undefined;
  // A character has two units at most, and folding shortens: what is behind is cut in any case but that of endless space.
  const line = text
    .slice(0, 4 * maxLength)
    .toWellFormed()
    .replaceAll(FOLDED, ' ')
    .trim();
  if (line.length <= maxLength) return line || undefined;
  return [...line].slice(0, maxLength).join('').trim();
}

/**
 * A key as it is, or its hash when it is longer than keys may be. Space behind it does not count: MySQL takes two keys for
 * the same that differ in it alone, and SQLite does not. Of a key of spaces it is the hash of one.
 */
export function boundedKey(key: string): string {
  const text = key.toWellFormed().trimEnd();
  if (text.length <= MAX_KEY_LENGTH && (text !== '' || key === '')) return text;
  return `sha256:${createHash('sha256')
    .update(text || ' ')
    .digest('hex')}`;
}

/** What the fields of an event come from, in the order in which they are shown. */
type Origins = Record<OriginField, Found<string | number> | undefined>;
type OriginField = Exclude<keyof SenderEvent, 'payload' | 'element' | 'shared' | 'extraData' | 'origins'>;

/**
 * Makes a draft an event: the specification's customer and type first, everything bounded.
 *
 * @param deliveryId names the delivery, where the draft does not name itself
 */
export const finishEvent = (draft: Draft, deliveryId: Found | undefined): SenderEvent =>
  new FinishedEvent(draft, deliveryId);

/** What nobody asks for while alerts are stored, `element` and `origins`, is worked out when it is asked for. */
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

const titleLine = (text: string) => oneLine(text, MAX_TITLE_LENGTH);
/** Names are kept in memory. */
const nameLine = (text: string) => {
  const line = oneLine(text, MAX_NAME_LENGTH);
  return line === undefined ? undefined : copy(line);
};
