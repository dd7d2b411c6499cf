/** How much of an address stays whole at its end, in characters. */
const TAIL = 10;

/** Shorter ones lose their end like any text: a tail would leave nothing of the rest. */
const MIN_LENGTH = 24;

/**
 * Splits a host or an address in two, so that the first part can be cut where space is short and the second stays: it
 * loses its middle, not its end. The tail starts at the last separator when there is one near.
 */
export function splitMiddle(text: string): [head: string, tail: string] {
  const letters = [...text];
  if (letters.length < MIN_LENGTH) return [text, ''];
  const near = letters.slice(-TAIL - 4, -4).findIndex((letter) => letter === '/' || letter === '.');
  const at = near === -1 ? letters.length - TAIL : letters.length - TAIL - 4 + near;
  return [letters.slice(0, at).join(''), letters.slice(at).join('')];
}
