import * as z from 'zod/mini';

/** What begins another line, or is not seen. */
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;

/** A name on one line, wherever it is written: line breaks and control characters become a space. */
export const onOneLine = (name: string): string => name.replaceAll(CONTROLS, ' ').toWellFormed();

/**
 * A name that a member chooses, on one line: 1–100 characters after trimming. A lone surrogate, which JSON can have and no
 * database can, becomes the replacement character, so that the answer shows what is stored.
 */
export const nameSchema = z.string().check(z.overwrite(onOneLine), z.trim(), z.minLength(1), z.maxLength(100));

/** Characters of a sort key at most; names that agree in so many are in the order of the names themselves. */
export const SORT_KEY_LENGTH = 255;

/** Letters that Unicode does not take apart, as English sorts them. */
const LETTERS: Record<string, string> = { æ: 'ae', œ: 'oe', ß: 'ss', ø: 'o', ł: 'l', đ: 'd', ı: 'i' };

/**
 * The text by which a name is sorted, compared code point by code point: without case and accents (NFKD of Unicode
 * Standard Annex 15 without its marks), signs and symbols before digits and these before letters, every run of digits
 * behind its length, so that 9 comes before 10. It is stored with customers and alert types, so that both databases page
 * through them in this order: a change needs a migration.
 */
export function nameSortKey(name: string): string {
  const key = (IS_ASCII.test(name) ? name.toLowerCase() : foldLetters(name))
    .replaceAll(/[\p{P}\p{S}]/gu, '!$&')
    .replaceAll(/\d+/g, (digits) => {
      const number = digits.replace(/^0+(?=\d)/, '');
      return String.fromCodePoint(0x30 + number.length) + number;
    });
  return key.slice(0, SORT_KEY_LENGTH).toWellFormed();
}

const foldLetters = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replaceAll(/[æœßøłđı]/g, (letter) => LETTERS[letter] ?? letter);

// oxlint-disable-next-line no-control-regex -- ASCII begins with control characters
const IS_ASCII = /^[\u0000-\u007F]*$/;

/**
 * The order of names in every list of them, in the API as on the screen: that of
 * their sort keys. Not the database's, whose two kinds differ, nor the reader's own language's, so that all see one list.
 */
export const byName = (one: string, other: string): number =>
  byCodePoint(nameSortKey(one), nameSortKey(other)) || byCodePoint(one, other);

/** The order of both databases, which compare UTF-8; JavaScript's own puts U+E000 to U+FFFF behind what is beyond them. */
function byCodePoint(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at += 1) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (a !== b) return rank(a) - rank(b);
  }
  return one.length - other.length;
}

/** Surrogates stand for code points beyond U+FFFF: behind every other code unit. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** The names in that order. Makes each key once: comparing with `byName` makes two for every comparison. */
export const sortNames = (names: readonly string[]): string[] => sortByName(names, (name) => name);

/** The same of what has a name. */
export function sortByName<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  const keyed = items.map((item) => ({ item, name: nameOf(item), key: nameSortKey(nameOf(item)) }));
  keyed.sort((one, other) => byCodePoint(one.key, other.key) || byCodePoint(one.name, other.name));
  return keyed.map(({ item }) => item);
}
