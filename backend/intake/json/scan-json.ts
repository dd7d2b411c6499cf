/** What {@link scanJson} finds a text to be. */
export type JsonVerdict = 'valid' | 'invalid' | 'too deep';

/** One member of an object, by its positions in the text: the key with its quotes, and the value. */
export type OnMember = (keyStart: number, keyEnd: number, valueStart: number, valueEnd: number) => void;

/** Instead of a position: why there is none. */
const INVALID = -1;
const TOO_DEEP = -2;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const LOWER_U = 0x75;
const LOWER_E = 0x65;

/** Characters that may follow a backslash, apart from `u` (RFC 8259 section 7). */
const ESCAPED = new Set([...'"\\/bfnrt'].map((character) => character.charCodeAt(0)));

/**
 * Checks that a text is JSON as `JSON.parse` takes it (RFC 8259), in one pass and without building its values: building
 * them costs up to fifty times as much for some bodies (many small objects, many keys) as for others of the same size.
 *
 * @param maxDepth objects and arrays that may be open at once.
 * @param onMember called for each member of the outermost object, in order, duplicates included. The text may still turn
 * out to be invalid after it.
 */
export function scanJson(text: string, maxDepth: number, onMember?: OnMember): JsonVerdict {
  const start = skipSpace(text, 0);
  const end =
    text.charCodeAt(start) === OPEN_BRACE
      ? endOfObject(text, start, maxDepth, onMember)
      : endOfValue(text, start, maxDepth);
  if (end === TOO_DEEP) return 'too deep';
  return end !== INVALID && skipSpace(text, end) === text.length ? 'valid' : 'invalid';
}

/** Calls `onMember` for each member of the object that begins at `start` of a text that {@link scanJson} found valid. */
export function scanMembers(text: string, start: number, onMember: OnMember): void {
  endOfObject(text, start, Number.POSITIVE_INFINITY, onMember);
}

/** The string that stands between two positions of a valid text, quotes included. */
export function readString(text: string, start: number, end: number): string {
  const content = text.slice(start + 1, end - 1);
  return content.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : content;
}

/** Behind a value of a valid text: brackets are counted, strings skipped. */
export function skipValue(text: string, start: number): number {
  const code = text.charCodeAt(start);
  if (code === QUOTE) return skipString(text, start);
  if (code !== OPEN_BRACE && code !== OPEN_BRACKET) return skipWord(text, start);
  let depth = 0;
  for (let at = start; ; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = skipString(text, at) - 1;
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) depth += 1;
    else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
}

/** Behind a string of a valid text. */
export function skipString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (text.charCodeAt(at - 1) === BACKSLASH && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at + 1;
}

/** Whether a character stands behind an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}

/** Behind a number, `true`, `false` or `null`. */
function skipWord(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || code <= 0x20) break;
  }
  return at;
}

function endOfValue(text: string, at: number, levels: number): number {
  switch (text.charCodeAt(at)) {
    case QUOTE:
      return endOfString(text, at);
    case OPEN_BRACE:
      return endOfObject(text, at, levels, undefined);
    case OPEN_BRACKET:
      return endOfArray(text, at, levels);
    case 0x74:
      return text.startsWith('true', at) ? at + 4 : INVALID;
    case 0x66:
      return text.startsWith('false', at) ? at + 5 : INVALID;
    case 0x6e:
      return text.startsWith('null', at) ? at + 4 : INVALID;
    default:
      return endOfNumber(text, at);
  }
}

function endOfObject(text: string, start: number, levels: number, onMember: OnMember | undefined): number {
  if (levels === 0) return TOO_DEEP;
  let at = skipSpace(text, start + 1);
  if (text.charCodeAt(at) === CLOSE_BRACE) return at + 1;
  for (;;) {
    if (text.charCodeAt(at) !== QUOTE) return INVALID;
    const keyStart = at;
    const keyEnd = endOfString(text, at);
    if (keyEnd === INVALID) return INVALID;
    at = skipSpace(text, keyEnd);
    if (text.charCodeAt(at) !== COLON) return INVALID;
    const valueStart = skipSpace(text, at + 1);
    const valueEnd = endOfValue(text, valueStart, levels - 1);
    if (valueEnd < 0) return valueEnd;
    onMember?.(keyStart, keyEnd, valueStart, valueEnd);
    at = skipSpace(text, valueEnd);
    if (text.charCodeAt(at) === CLOSE_BRACE) return at + 1;
    if (text.charCodeAt(at) !== COMMA) return INVALID;
    at = skipSpace(text, at + 1);
  }
}

function endOfArray(text: string, start: number, levels: number): number {
  if (levels === 0) return TOO_DEEP;
  let at = skipSpace(text, start + 1);
  if (text.charCodeAt(at) === CLOSE_BRACKET) return at + 1;
  for (;;) {
    const end = endOfValue(text, at, levels - 1);
    if (end < 0) return end;
    at = skipSpace(text, end);
    if (text.charCodeAt(at) === CLOSE_BRACKET) return at + 1;
    if (text.charCodeAt(at) !== COMMA) return INVALID;
    at = skipSpace(text, at + 1);
  }
}

function endOfString(text: string, start: number): number {
  const length = text.length;
  for (let at = start + 1; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code < 0x20) return INVALID;
    if (code !== BACKSLASH) continue;
    at += 1;
    if (text.charCodeAt(at) === LOWER_U) {
      for (const end = at + 4; at < end; at += 1) if (!isHexDigit(text.charCodeAt(at + 1))) return INVALID;
    } else if (!ESCAPED.has(text.charCodeAt(at))) return INVALID;
  }
  return INVALID;
}

function endOfNumber(text: string, start: number): number {
  let at = text.charCodeAt(start) === MINUS ? start + 1 : start;
  const integer = at;
  at = skipDigits(text, at);
  if (at === integer || (at > integer + 1 && text.charCodeAt(integer) === ZERO)) return INVALID;
  if (text.charCodeAt(at) === POINT) {
    const fraction = at + 1;
    at = skipDigits(text, fraction);
    if (at === fraction) return INVALID;
  }
  if ((text.charCodeAt(at) | 0x20) === LOWER_E) {
    const sign = text.charCodeAt(at + 1);
    const exponent = sign === PLUS || sign === MINUS ? at + 2 : at + 1;
    at = skipDigits(text, exponent);
    if (at === exponent) return INVALID;
  }
  return at;
}

function skipDigits(text: string, start: number): number {
  let at = start;
  while (at < text.length && isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

/** JSON knows four kinds of white space; `trim` knows more. */
export function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
    at += 1;
  }
  return at;
}

const isDigit = (code: number): boolean => code >= ZERO && code <= 0x39;

const isHexDigit = (code: number): boolean => isDigit(code) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
