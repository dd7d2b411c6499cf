/** Characters as people count them: a flag, or an emoji of several parts, is one (Unicode Standard Annex #29). */
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Marks can be put on a letter without end. No character that is written has more UTF-16 units. */
const MAX_UNITS = 32;

/** The first character of a text; empty of an empty one. */
export const firstCharacter = (text: string): string => {
  for (const { segment } of segmenter.segment(text.slice(0, MAX_UNITS))) return segment;
  return '';
};

/** Where the character begins that the unit at `at` is a part of. */
export const startOfCharacter = (text: string, at: number): number =>
  segmenter.segment(text).containing(at)?.index ?? at;

/** A text of at most so many characters. Of a longer one the last says that there is more. */
export function cutText(text: string, most: number): string {
  const limit = most * MAX_UNITS;
  const bounded = text.length > limit ? text.slice(0, limit).toWellFormed() : text;
  let count = 0;
  let lastAt = 0;
  for (const { index } of segmenter.segment(bounded)) {
    if (count === most) return `${bounded.slice(0, lastAt)}…`;
    count += 1;
    lastAt = index;
  }
  return bounded === text ? text : `${bounded.slice(0, lastAt)}…`;
}
