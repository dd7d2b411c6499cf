import { createHash } from 'node:crypto';
import { startOfCharacter } from '#backend/contract/cut-text.ts';
import { copy } from '#backend/intake/adapters/specified-fields.ts';

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
const MAX_ASCII = 0x7f;

/**
 * One line of at most so many code points, which databases count; `undefined` when nothing is left. It is cut between
 * characters as people see them, of which one may have several code points.
 */
export function oneLine(text: string, maxLength: number): string | undefined {
  const head = text.length <= maxLength ? text : text.slice(0, maxLength).trimEnd();
  // What follows may be an accent of the last letter.
  if (PLAIN_LINE.test(head) && !(text.charCodeAt(maxLength) > MAX_ASCII)) return head;
  if (text.length <= maxLength && !TO_FOLD.test(text)) return text || undefined;
  // A character has two units at most, and folding shortens: what is behind is cut in any case but that of endless space.
  const line = text
    .slice(0, 4 * maxLength)
    .toWellFormed()
    .replaceAll(FOLDED, ' ')
    .trim();
  if (line.length <= maxLength) return line || undefined;
  const at = [...line].slice(0, maxLength).join('').length;
  return line.slice(0, startOfCharacter(line, at) || at).trim();
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

/** A title as alerts keep it; `undefined` when nothing is left. */
export const titleLine = (text: string) => oneLine(text, MAX_TITLE_LENGTH);
/** A customer's or a type's name as alerts keep it. Names are kept in memory: it is a text of its own. */
export const nameLine = (text: string) => {
  const line = oneLine(text, MAX_NAME_LENGTH);
  return line === undefined ? undefined : copy(line);
};
