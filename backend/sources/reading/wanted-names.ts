import { readString } from '#backend/ingest/scan-json.ts';

/** An escape takes six characters for one at most. */
export const ESCAPE_LENGTH = 6;

/** A fixed set of names, to find them among an object's keys without building each key. */
export class WantedNames {
  readonly #names: ReadonlySet<string>;
  readonly #anyCase: ReadonlySet<string>;
  readonly #beginnings = new Set<number>();
  readonly #longest: number;

  /**
   * @param names names that count as they are written.
   * @param anyCase lower-case names that count in upper and lower case.
   */
  constructor(names: readonly string[], anyCase: readonly string[]) {
    this.#names = new Set(names);
    this.#anyCase = new Set(anyCase);
    for (const name of [...names, ...anyCase, ...anyCase.map((one) => one.toUpperCase())]) {
      this.#beginnings.add(name.length * 128 + name.charCodeAt(0));
    }
    this.#longest = Math.max(...[...names, ...anyCase].map(({ length }) => length));
  }

  /** The name of a key that stands between two positions, if it is wanted; a negative start marks an escape in it. */
  read(text: string, keyStart: number, keyEnd: number): string | undefined {
    let name: string;
    if (keyStart < 0) {
      if (keyEnd + keyStart - 2 > this.#longest * ESCAPE_LENGTH) return undefined;
      name = readString(text, -keyStart, keyEnd);
    } else {
      const length = keyEnd - keyStart - 2;
      if (!this.#beginnings.has(length * 128 + text.charCodeAt(keyStart + 1))) return undefined;
      name = text.slice(keyStart + 1, keyEnd - 1);
    }
    return this.#names.has(name) || this.#anyCase.has(name.toLowerCase()) ? name : undefined;
  }
}
