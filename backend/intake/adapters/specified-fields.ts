import { type JsonText, jsonText } from '#backend/platform/endpoint/json-text.ts';
import { type Found, find, linkOf, traced } from '#backend/intake/json/found.ts';
import { type JsonValue } from '#backend/intake/json/json-value.ts';
import { WantedNames } from '#backend/intake/json/wanted-names.ts';

/** The product's own fields, the first choice first. Types count in upper and lower case. */
export const CUSTOMER_FIELDS = ['customer', 'Customer', 'customerName'];
export const TYPE_FIELDS = ['alerttype', 'alert_type', 'alert type', 'type'];
export const URL_FIELDS = ['url', 'link', 'html_url', 'externalURL', 'generatorURL', 'dashboardURL'];
const EXTRA_FIELD = 'extraData';

const SPECIFIED = new WantedNames([...CUSTOMER_FIELDS, ...URL_FIELDS, EXTRA_FIELD], TYPE_FIELDS);
const NAME = new WantedNames(['name'], []);

/** Longest derived field, in characters; the payload itself is never cut. */
const MAX_DERIVED_LENGTH = 200;

/** No extra data. */
export const NO_EXTRA_DATA = jsonText('{}');

/** What any alert says under the product's own names (docs/product.md), whatever else its sender's adapter finds. */
export interface SpecifiedFields {
  /** At most 200 characters. */
  customer: Found | undefined;
  /** At most 200 characters. */
  alertType: Found | undefined;
  /** The first http(s) address. */
  link: Found | undefined;
  /** The element's own extra data as it was written: a JSON object. */
  extraData: JsonText;
}

const NONE: SpecifiedFields = {
  customer: undefined,
  alertType: undefined,
  link: undefined,
  extraData: NO_EXTRA_DATA,
};

/** Reads an alert's own fields in one look at its members. Of a member that comes twice the last one counts. */
export function readSpecified(element: JsonValue): SpecifiedFields {
  if (!element.isObject) return NONE;
  const fields = element.pick(SPECIFIED);
  if (fields.size === 0) return NONE;
  const extra = fields.get(EXTRA_FIELD);
  return {
    customer: customerIn(fields),
    alertType: typeIn(fields),
    link: linkIn(fields),
    extraData: extra?.isObject ? jsonText(extra.source) : NO_EXTRA_DATA,
  };
}

function customerIn(fields: ReadonlyMap<string, JsonValue>): Found | undefined {
  for (const name of CUSTOMER_FIELDS) {
    const field = fields.get(name);
    const named = field?.isObject ? field.pick(NAME).get('name') : field;
    const value = named && derivedText(named);
    if (value) return traced(value, named);
  }
  return undefined;
}

function typeIn(fields: ReadonlyMap<string, JsonValue>): Found | undefined {
  for (const wanted of TYPE_FIELDS) {
    for (const [name, field] of fields) {
      if (name.length !== wanted.length || name.toLowerCase() !== wanted) continue;
      const value = derivedText(field);
      if (value) return traced(value, field);
    }
  }
  return undefined;
}

function linkIn(fields: ReadonlyMap<string, JsonValue>): Found | undefined {
  for (const name of URL_FIELDS) {
    const field = fields.get(name);
    const link = field?.isString ? linkOf(find(field)) : undefined;
    if (link) return link;
  }
  return undefined;
}

/**
 * A derived field as text: trimmed, at most 200 characters; `undefined` for what is neither string nor number. It is a
 * text of its own: a part of the body's would keep the whole body in memory wherever the name is kept.
 */
function derivedText(field: JsonValue): string | undefined {
  const written = field.string;
  if (written === undefined) return undefined;
  if (field.isString) {
    if (written.length <= MAX_DERIVED_LENGTH) return copy(written).toWellFormed();
    // A character has two units at most.
    const beginning = written.slice(0, 2 * MAX_DERIVED_LENGTH).toWellFormed();
    return copy([...beginning].slice(0, MAX_DERIVED_LENGTH).join('').trim());
  }
  const value = Number(written);
  // Beyond that JavaScript's numbers lose digits.
  return Number.isSafeInteger(value) ? String(value) : copy(written.slice(0, MAX_DERIVED_LENGTH));
}

/** A shorter part of a text is always a text of its own in V8. */
const SHORTEST_SLICE = 13;

/** A text of its own, not a part of a longer one. */
export const copy = (text: string): string =>
  text.length < SHORTEST_SLICE ? text : (JSON.parse(JSON.stringify(text)) as string);
