/**
 * A JSON number that a JavaScript number cannot hold, kept as the text that was received: `10000000000000000001`,
 * `1e400`, `0.12345678901234567890`. Every digit that was received is shown.
 */
export class ExactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  toString(): string {
    return this.source;
  }

  /** What `JSON.stringify` writes: the digits as they came, without quotes where the engine can do that. */
  toJSON(): unknown {
    const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown };
    return rawJSON ? rawJSON(this.source) : this.source;
  }
}
