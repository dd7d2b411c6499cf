import { ESCAPE_LENGTH, type WantedNames } from './wanted-names.ts';
import { readString, scanJson, skipSpace, skipString, skipValue } from './scan-json.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const LOWER_T = 0x74;
const LOWER_F = 0x66;

/** Numbers per member in an object's index: key start, key end, value start, value end. */
const STRIDE = 4;

/** Most members that are looked at where a sender is recognised or guessed: none has a hundred. */
export const MAX_MEMBERS = 1_000;

/** A key that can be written behind a dot; any other is written in brackets. */
const PLAIN_NAME = /^[A-Za-z_][\w-]*$/;

/**
 * One value in a JSON text, read where it stands. Nothing is built until it is asked for: a delivery has hundreds of
 * values, of which an adapter needs ten, and a number keeps every digit. Objects and arrays index their members on
 * first use.
 */
export class JsonValue {
  readonly text: string;
  /** Position of the first character in `text`. */
  readonly start: number;
  /** Position behind the last character in `text`. */
  readonly end: number;
  readonly #parent: JsonValue | string;
  readonly #name: string | number;
  #members: number[] | undefined;
  #items: JsonValue[] | undefined;
  /** Objects and arrays among the members, which have an index of their own to keep. */
  #children: Map<string, JsonValue> | undefined;

  /** @param parent the value that this one is a member or an item of, or the path of a value without one. */
  constructor(text: string, start: number, end: number, parent: JsonValue | string, name: string | number = '') {
    this.text = text;
    this.start = start;
    this.end = end;
    this.#parent = parent;
    this.#name = name;
  }

  /** A document whose members are indexed already. */
  static document(text: string, start: number, end: number, path: string, members: number[]): JsonValue {
    const value = new JsonValue(text, start, end, path);
    value.#members = members;
    return value;
  }

  /** Where the value stands in its document, such as `alerts[0].labels.alertname`; empty for the document itself. */
  get path(): string {
    if (typeof this.#parent === 'string') return this.#parent;
    return pathOf(this.#parent.path, this.#name);
  }

  get isObject(): boolean {
    return this.text.charCodeAt(this.start) === OPEN_BRACE;
  }

  get isArray(): boolean {
    return this.text.charCodeAt(this.start) === OPEN_BRACKET;
  }

  get isString(): boolean {
    return this.text.charCodeAt(this.start) === QUOTE;
  }

  /** The exact source text. */
  get source(): string {
    return this.text.slice(this.start, this.end);
  }

  /**
   * An object's own member; of several with this name the last one counts, as `JSON.parse` has it. A name of ASCII
   * letters is not looked for among keys with escapes: no sender writes it so, and to read each key would take long.
   */
  get(name: string): JsonValue | undefined {
    const known = this.#children?.get(name);
    if (known) return known;
    const members = this.#index();
    for (let at = members.length - STRIDE; at >= 0; at -= STRIDE) {
      const keyStart = members[at]!;
      const keyEnd = members[at + 1]!;
      if (!isKey(this.text, keyStart, keyEnd, name)) continue;
      const value = new JsonValue(this.text, members[at + 2]!, members[at + 3]!, this, name);
      if (value.isObject || value.isArray) (this.#children ??= new Map()).set(name, value);
      return value;
    }
    return undefined;
  }

  /** The value behind several names; `undefined` where one is missing. A number is an array's index. */
  at(names: readonly (string | number)[]): JsonValue | undefined {
    // oxlint-disable-next-line typescript/no-this-alias
    let value: JsonValue | undefined = this;
    for (const name of names) {
      value = typeof name === 'number' ? value.items(name + 1)[name] : value.get(name);
      if (value === undefined) return undefined;
    }
    return value;
  }

  /**
   * An object's members whose names are wanted, in the order of their first arrival; the last of a name counts.
   *
   * @param limit how many members are looked at
   */
  pick(wanted: WantedNames, limit: number = Number.POSITIVE_INFINITY): Map<string, JsonValue> {
    const members = this.#index();
    const picked = new Map<string, JsonValue>();
    const end = Math.min(members.length, limit * STRIDE);
    for (let at = 0; at < end; at += STRIDE) {
      const name = wanted.read(this.text, members[at]!, members[at + 1]!);
      if (name !== undefined)
        picked.set(name, new JsonValue(this.text, members[at + 2]!, members[at + 3]!, this, name));
    }
    return picked;
  }

  /** Whether any of the first `limit` members of an object has a wanted name. */
  hasAny(wanted: WantedNames, limit: number): boolean {
    const members = this.#index();
    const end = Math.min(members.length, limit * STRIDE);
    for (let at = 0; at < end; at += STRIDE) {
      if (wanted.read(this.text, members[at]!, members[at + 1]!) !== undefined) return true;
    }
    return false;
  }

  /** An object's member names, in order; a name that comes twice is listed twice. At most `limit` of them. */
  names(limit: number): string[] {
    const members = this.#index();
    const names: string[] = [];
    for (let at = 0; at < members.length && names.length < limit; at += STRIDE) {
      const keyStart = members[at]!;
      names.push(readString(this.text, Math.abs(keyStart), members[at + 1]!));
    }
    return names;
  }

  /** How many members an object has; a name that comes twice counts twice. */
  get size(): number {
    return this.#index().length / STRIDE;
  }

  /** The name of an object's member, by its number. */
  nameAt(index: number): string {
    const members = this.#index();
    const start = members[index * STRIDE]!;
    const end = members[index * STRIDE + 1]!;
    return start < 0 ? readString(this.text, -start, end) : this.text.slice(start + 1, end - 1);
  }

  /** An object's member, by its number. @param name its own */
  memberAt(index: number, name: string): JsonValue {
    const members = this.#index();
    return new JsonValue(this.text, members[index * STRIDE + 2]!, members[index * STRIDE + 3]!, this, name);
  }

  /** Whether an object's member, by its number, is an object or an array. */
  isNestedAt(index: number): boolean {
    const code = this.text.charCodeAt(this.#index()[index * STRIDE + 2]!);
    return code === OPEN_BRACE || code === OPEN_BRACKET;
  }

  /** Whether the value is `true` or `false`; undefined for anything else. */
  get boolean(): boolean | undefined {
    const code = this.text.charCodeAt(this.start);
    if (code === LOWER_T) return true;
    return code === LOWER_F ? false : undefined;
  }

  /** The first `limit` items of an array; empty for anything else. */
  items(limit = Number.POSITIVE_INFINITY): JsonValue[] {
    if (!this.isArray) return [];
    if (this.#items && this.#items.length >= limit) return this.#items;
    const items: JsonValue[] = [];
    let at = skipSpace(this.text, this.start + 1);
    while (items.length < limit && this.text.charCodeAt(at) !== CLOSE_BRACKET) {
      const end = skipValue(this.text, at);
      items.push(new JsonValue(this.text, at, end, this, items.length));
      at = skipSpace(this.text, end);
      if (this.text.charCodeAt(at) === COMMA) at = skipSpace(this.text, at + 1);
    }
    this.#items = items;
    return items;
  }

  /**
   * A string, trimmed, or a number as it was written: `820982911946154508` stays that. `undefined` for anything else and
   * for an empty string.
   */
  get string(): string | undefined {
    const code = this.text.charCodeAt(this.start);
    if (code === QUOTE) return readString(this.text, this.start, this.end).trim() || undefined;
    return code === 0x2d || (code >= 0x30 && code <= 0x39) ? this.source : undefined;
  }

  #index(): number[] {
    this.#members ??= this.isObject ? indexMembers(this.text, this.start) : [];
    return this.#members;
  }
}

/**
 * A text as a JSON value, checked in one pass.
 *
 * @param maxDepth objects and arrays that may be open at once.
 * @param path where the text stands, when it is the text of a value in another document.
 */
export function readJson(text: string, maxDepth: number, path = ''): JsonValue | 'invalid' | 'too deep' {
  const members: number[] = [];
  const verdict = scanJson(text, maxDepth, (keyStart, keyEnd, start, end) =>
    members.push(markEscaped(text, keyStart, keyEnd), keyEnd, start, end),
  );
  if (verdict !== 'valid') return verdict;
  const start = skipSpace(text, 0);
  return JsonValue.document(text, start, text.trimEnd().length, path, members);
}

/** The path of a member or an item below another path. */
export const pathOf = (parent: string, name: string | number): string => {
  if (typeof name === 'number') return `${parent}[${name}]`;
  if (!PLAIN_NAME.test(name)) return `${parent}['${name.replaceAll(/['\\]/g, String.raw`\$&`)}']`;
  return parent === '' ? name : `${parent}.${name}`;
};

function indexMembers(text: string, start: number): number[] {
  const members: number[] = [];
  let at = skipSpace(text, start + 1);
  while (text.charCodeAt(at) !== CLOSE_BRACE) {
    const keyStart = at;
    const keyEnd = skipString(text, at);
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const valueEnd = skipValue(text, valueStart);
    members.push(markEscaped(text, keyStart, keyEnd), keyEnd, valueStart, valueEnd);
    at = skipSpace(text, valueEnd);
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
  }
  return members;
}

/** A key's start, negative when the key has an escape: such a key must be read to be compared. */
function markEscaped(text: string, start: number, end: number): number {
  for (let at = start + 1; at < end; at += 1) if (text.charCodeAt(at) === BACKSLASH) return -start;
  return start;
}

function isKey(text: string, keyStart: number, keyEnd: number, name: string): boolean {
  if (keyStart < 0) {
    const canMatch = keyEnd + keyStart - 2 <= name.length * ESCAPE_LENGTH && !PLAIN_NAME.test(name);
    return canMatch && readString(text, -keyStart, keyEnd) === name;
  }
  return keyEnd - keyStart - 2 === name.length && text.startsWith(name, keyStart + 1);
}
