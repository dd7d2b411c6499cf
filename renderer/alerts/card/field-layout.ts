import type { Alert } from '#backend/contract/alert.ts';
import { typeBeside } from '#renderer/alerts/data/alert-labels.ts';
import type { AlertField, CardFields } from './card-fields.ts';
import { type CardLayout, isOneLine } from './card-layout.ts';
import { formatValue } from './format-value.ts';

/** Average width of a letter in the product's typeface, by the size of the type; signs of Asia are as wide as that. */
const LETTER = 0.52;

/** About how wide a line of text is, in pixels. Good enough to choose what is shown; nothing is measured. */
export function estimateWidth(line: string, size = 12): number {
  let width = 0;
  for (const letter of line) width += (letter.codePointAt(0) ?? 0) > 0x2e7f ? size : LETTER * size;
  return width;
}

/** Widths of what stands in a line beside texts, in pixels. */
const GAP = 16;
const NAME_GAP = 6;
const LEAD_GAP = 8;
const AFTER_LEAD = 12;
const TAG_INSETS = 12;
const TILE = 28;
const MORE = 68;
const MUTED = 62;

/** Customer, type and source are cut at these widths, in pixels. */
const LONGEST_CUSTOMER = 180;
const LONGEST_TYPE = 168;
const LONGEST_SOURCE = 280;

/** About how much of a card's second line customer, type and source take, in pixels. */
export function estimateLead(alert: Alert, isMuted: boolean): number {
  const { title, customer, sourceName } = alert;
  const type = typeBeside(alert);
  const parts = [
    ...(customer === null || title === null ? [] : [Math.min(LONGEST_CUSTOMER, estimateWidth(customer, 13))]),
    ...(isMuted ? [MUTED] : []),
    ...(type === undefined ? [] : [Math.min(LONGEST_TYPE, estimateWidth(type) + TAG_INSETS)]),
    ...(sourceName === undefined ? [] : [Math.min(LONGEST_SOURCE, TILE + estimateWidth(sourceName))]),
  ];
  return parts.reduce((sum, width) => sum + width + LEAD_GAP, -LEAD_GAP) + AFTER_LEAD;
}

/** A field that is shown although it has to be cut has this much space at least, in pixels. */
const LEAST = 80;

const NO_TIME = new Date(0);

/**
 * The fields that a card has space for. One that would be cut is left to Extra Information; only where none fits, or where
 * it was looked for, the first one is shown, cut in its value.
 *
 * @param lead what customer, type and source take of the line, in pixels
 */
export function fitFields({ shown, extra, isFirstFound }: CardFields, layout: CardLayout, lead: number): CardFields {
  const isStacked = layout.kind === 'stacked';
  const isBelow = layout.lines > 1;
  const line = isStacked ? layout.line : layout.line - MORE - (isOneLine(layout) ? lead : 0);
  const fitting: AlertField[] = [];
  let left = line;
  for (const field of shown) {
    const name = estimateWidth(field.name);
    const value = estimateWidth(formatValue(field.key, field.value, NO_TIME).line);
    const width = layout.isComfortable && !isStacked ? Math.max(name, value) : name + NAME_GAP + value;
    if (width > left || (isBelow && fitting.length === layout.lines)) continue;
    fitting.push(field);
    if (!isBelow) left -= width + GAP;
  }
  const [first] = shown;
  const isMissing = isFirstFound ? fitting[0] !== first : fitting.length === 0;
  const isCut = first !== undefined && isMissing && line >= LEAST;
  const inLine = isCut ? [first] : fitting;
  const out = shown.filter((field) => isCut || !inLine.includes(field));
  // What stands deeper in the payload is in Extra Information with what it stands in.
  return { shown: inLine, extra: [...out.filter(({ id }) => !extra.some((one) => isInside(id, one.id))), ...extra] };
}

const isInside = (id: string, other: string): boolean => id === other || id.startsWith(`${other}.`);

/** How much of an address stays whole at its end, in characters. */
const TAIL = 10;

/** Shorter ones lose their end like any text: a tail would leave nothing of the rest. */
const MIN_LENGTH = 24;

/**
 * Splits a host or an address in two, so that the first part can be cut where space is short and the second stays: it
 * loses its middle, not its end. The tail starts at the last separator when there is one near.
 */
export function splitMiddle(text: string): [head: string, tail: string] {
  const letters = [...text];
  if (letters.length < MIN_LENGTH) return [text, ''];
  const near = letters.slice(-TAIL - 4, -4).findIndex((letter) => letter === '/' || letter === '.');
  const at = near === -1 ? letters.length - TAIL : letters.length - TAIL - 4 + near;
  return [letters.slice(0, at).join(''), letters.slice(at).join('')];
}
