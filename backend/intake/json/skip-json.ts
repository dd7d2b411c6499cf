/** Positions in a text that is known to be JSON: nothing is checked again. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;

/** Behind a value of a valid text: brackets are counted, strings skipped. */
export function endOfValue(text: string, start: number): number {
  const code = text.charCodeAt(start);
  if (code === QUOTE) return endOfString(text, start);
  if (code !== OPEN_BRACE && code !== OPEN_BRACKET) return endOfWord(text, start);
  let depth = 0;
  for (let at = start; ; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfString(text, at) - 1;
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) depth += 1;
    else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
}

export function endOfString(text: string, start: number): number {
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
function endOfWord(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || code <= 0x20) break;
  }
  return at;
}

export function endOfText(text: string): number {
  let end = text.length;
  while (text.charCodeAt(end - 1) <= 0x20) end -= 1;
  return end;
}

export function skipSpace(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= 0x20) at += 1;
  return at;
}
