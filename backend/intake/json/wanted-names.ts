import { readString } from './scan-json.ts';

const BACKSLASH = 0x5c;

/** An escape takes six characters for one at most. */
export const ESCAPE_LENGTH = 6;

/** A fixed set of names, to find them among an object's keys without building each key. */
export class WantedNames {
  readonly #names: ReadonlySet<string>;
  readonly #anyCase: ReadonlySet<string>;
  /** Length, first and last character of each name: a look at them spares most keys everything else. */
  readonly #shapes = new Set<number>();

  /**
   * @param names names that count as they are written.
   * @param anyCase lower-case names that count in upper and lower case.
   */
  constructor(names: readonly string[], anyCase: readonly string[]) {
    this.#names = new Set(names);
    this.#anyCase = new Set(anyCase);
    for (const name of [...names, ...anyCase]) {
      this.#shapes.add(shapeOf(name.length, name.charCodeAt(0), name.charCodeAt(name.length - 1)));
    }
  }

  /** The name of a key that stands between two positions, if it is wanted; a negative start marks an escape in it. */
  read(text: string, keyStart: number, keyEnd: number): string | undefined {
    let name: string;
    if (keyStart < 0) {
      if (!this.#shapes.has(shapeOfEscaped(text, 1 - keyStart, keyEnd - 1))) return undefined;
      name = readString(text, -keyStart, keyEnd);
    } else {
      const length = keyEnd - keyStart - 2;
      const shape = shapeOf(length, text.charCodeAt(keyStart + 1), text.charCodeAt(keyEnd - 2));
      if (!this.#shapes.has(shape)) return undefined;
      name = text.slice(keyStart + 1, keyEnd - 1);
    }
    return this.#names.has(name) || this.#anyCase.has(name.toLowerCase()) ? name : undefined;
  }
}

/** Upper and lower case look the same. Small integers, which a set finds fastest; -1 for what no name can be. */
const shapeOf = (length: number, first: number, last: number): number =>
  length > LONGEST || first > LAST_ASCII || last > LAST_ASCII
    ? -1
    : (length << 14) | ((first | LOWER) << 7) | (last | LOWER);

const LONGEST = 255;
const LAST_ASCII = 0x7f;
const LOWER = 0x20;

const LOWER_U = 0x75;

/** The shape of a valid key that has escapes, between its quotes. */
function shapeOfEscaped(text: string, start: number, end: number): number {
  let length = 0;
  let first = 0;
  let last = 0;
  for (let at = start; at < end; length += 1) {
    last = text.charCodeAt(at);
    if (last !== BACKSLASH) at += 1;
    else if (text.charCodeAt(at + 1) === LOWER_U) {
      last = Number.parseInt(text.slice(at + 2, at + 6), 16);
      at += ESCAPE_LENGTH;
    } else at += 2;
    if (length === 0) first = last;
  }
  return shapeOf(length, first, last);
}
