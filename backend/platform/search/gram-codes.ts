import type { IndexedName } from './search-text.ts';

/** Trigrams of ASCII characters have codes below this: 7 bits for each character. */
export const ASCII_CODES = 2 ** 21;

/** Trigrams with other characters share this many codes; whoever is found by one is looked at. */
const OTHER_CODES = 2 ** 22;

/** Names of customers, types and sources share this many codes, behind those of trigrams. */
const NAME_CODES = 2 ** 24;

/** Calls `take` with the code of every three UTF-16 units in a row. */
export function eachGramCode(text: string, take: (code: number) => void): void {
  let first = text.charCodeAt(0);
  let second = text.charCodeAt(1);
  for (let at = 2; at < text.length; at += 1) {
    const third = text.charCodeAt(at);
    if ((first | second | third) < 128) take((first << 14) | (second << 7) | third);
    else take(otherCode(first, second, third));
    first = second;
    second = third;
  }
}

const otherCode = (first: number, second: number, third: number): number =>
  ASCII_CODES + (hashOf([first, second, third]) % OTHER_CODES);

/** FNV-1a of 32 bits over UTF-16 units. */
function hashOf(units: Iterable<number>): number {
  let hash = 0x811c9dc5;
  for (const unit of units) {
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >> 8), 0x01000193);
  }
  return hash >>> 0;
}

/** The code of a name in one of the columns. Spaces at its end are none: MySQL compares names without them. */
export function nameCode(column: IndexedName, name: string): number {
  const text = `${column}\0${name.trimEnd()}`;
  return ASCII_CODES + OTHER_CODES + (hashOf(Array.from(text, (_, at) => text.charCodeAt(at))) % NAME_CODES);
}

/** Trigrams of one spelling that a question asks for: more of them cost more than the few candidates that they exclude. */
const MAX_ASKED = 8;

/** Codes of a spelling's trigrams, spread over it where it has many; none where it is too short. */
export function askedGramCodes(spelling: string): number[] {
  const codes = new Set<number>();
  eachGramCode(spelling, (code) => codes.add(code));
  const all = [...codes];
  if (all.length <= MAX_ASKED) return all;
  return Array.from({ length: MAX_ASKED }, (_, number) => all[Math.floor((number * all.length) / MAX_ASKED)] ?? 0);
}
