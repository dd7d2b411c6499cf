/** Where a field stands in the fields zone: a column of two, a row of both columns, or both columns and two lines. */
export type FieldPlace = 'column' | 'row' | 'block';

/** A field with its place. */
interface PlacedField<Field> {
  field: Field;
  place: FieldPlace;
}

/**
 * Lays up to four fields out row by row in two columns and two lines: one takes all of it, two
 * take a row each. Of three, one that is too long for its column takes a row of its own and the others share the
 * other row; they stay in order unless it is the second. Four take a column each.
 */
export function layoutFields<Field>(
  fields: readonly Field[],
  isTooLong: (field: Field) => boolean,
): PlacedField<Field>[] {
  if (fields.length === 1) return fields.map((field) => ({ field, place: 'block' }));
  if (fields.length === 2) return fields.map((field) => ({ field, place: 'row' }));
  const long = fields.length === 3 ? fields.find(isTooLong) : undefined;
  if (long === undefined) return fields.map((field) => ({ field, place: 'column' }));
  const row: PlacedField<Field> = { field: long, place: 'row' };
  const columns = fields
    .filter((field) => field !== long)
    .map((field): PlacedField<Field> => ({ field, place: 'column' }));
  return long === fields[0] ? [row, ...columns] : [...columns, row];
}

/** Average widths at 13 px in the product's typeface, in pixels: a letter, and a sign as wide as it is high. */
const LETTER = 6.6;
const WIDE = 13;

/** About how wide a line of text is, in pixels. Good enough to choose a place; what does not fit is cut anyway. */
export function estimateWidth(line: string): number {
  let width = 0;
  for (const letter of line) width += (letter.codePointAt(0) ?? 0) > 0x2e7f ? WIDE : LETTER;
  return width;
}

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
