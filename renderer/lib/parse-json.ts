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

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;

/** TypeScript's own type does not know the third argument of a reviver (ES2026, in every browser since 2025). */
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** A run of digits or an exponent long enough to be more than a double holds. May also match inside a string. */
const MAY_LOSE_DIGITS = /\d[\d.]{15}|\d[eE][+-]?\d{3}/;

/** Any decimal of up to 15 significant digits survives the conversion to a double. */
const SAFE_LENGTH = 15;

/**
 * Parses JSON like `JSON.parse`, but keeps a number that would lose digits as an {@link ExactNumber}.
 * Throws a SyntaxError on text that is not JSON.
 *
 * A reviver is slow on long lists, so it runs only where the text can hold such a number at all.
 */
export function parseJson(text: string): unknown {
  return MAY_LOSE_DIGITS.test(text) ? parseWithSource(text, keepDigits) : JSON.parse(text);
}

const keepDigits: Reviver = (_key, value, context) =>
  typeof value === 'number' && context?.source !== undefined && !holdsExactly(value, context.source)
    ? new ExactNumber(context.source)
    : value;

/** Whether writing `value` again gives the number that `source` wrote, whatever its notation (1.50, 15e-1). */
function holdsExactly(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  if (source.length <= SAFE_LENGTH && !/[eE]/.test(source)) return true;
  return canonical(source) === canonical(String(value));
}

/** Sign, significant digits and exponent of a JSON number, so that equal numbers give equal texts. */
function canonical(source: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
