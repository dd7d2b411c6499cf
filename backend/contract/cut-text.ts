let segmenter: Intl.Segmenter | undefined;

/**
 * Characters as people count them: a flag, or an emoji of several parts, is one (Unicode Standard Annex #29). Made when one is
 * needed: a browser loads its tables then, which takes a slow phone 50 ms.
 */
const charactersOf = (text: string): Intl.Segments =>
  (segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })).segment(text);

/** Nothing, or a character that nothing else is part of: ASCII, or a letter that has cases, in front of ASCII or of the end. */
const PLAIN_START = /^(?:[ -~\p{Lu}\p{Ll}](?=[ -~]|$)|$)/u;

/** Marks can be put on a letter without end. No character that is written has more UTF-16 units. */
const MAX_UNITS = 32;

/** The first character of a text; empty of an empty one. */
export const firstCharacter = (text: string): string => {
  const [plain] = PLAIN_START.exec(text) ?? [];
  if (plain !== undefined) return plain;
  for (const { segment } of charactersOf(text.slice(0, MAX_UNITS))) return segment;
  return '';
};

/** Where the character begins that the unit at `at` is a part of. */
export const startOfCharacter = (text: string, at: number): number => charactersOf(text).containing(at)?.index ?? at;

/** A text of at most so many characters. Of a longer one the last says that there is more. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const limit = most * MAX_UNITS;
  const bounded = text.length > limit ? text.slice(0, limit).toWellFormed() : text;
  let count = 0;
  let lastAt = 0;
  for (const { index } of charactersOf(bounded)) {
    if (count === most) return `${bounded.slice(0, lastAt)}…`;
    count += 1;
    lastAt = index;
  }
  return bounded === text ? text : `${bounded.slice(0, lastAt)}…`;
}
