/** Without look-alikes: nobody should have to guess between 0 and o, 1 and l. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** The largest multiple of the alphabet's length that a byte holds: higher bytes would favour its first letters. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

/**
 * A password to take over: four groups of four from 31 characters, 79 bits, typed by hand without a mistake.
 * `randomBytes` gives so many random bytes.
 */
export function suggestPassword(randomBytes: (count: number) => Uint8Array = browserBytes): string {
  let letters = '';
  while (letters.length < GROUPS * GROUP_LENGTH) {
    for (const byte of randomBytes(GROUPS * GROUP_LENGTH)) {
      if (byte < FAIR_BYTES && letters.length < GROUPS * GROUP_LENGTH) letters += ALPHABET[byte % ALPHABET.length];
    }
  }
  return Array.from({ length: GROUPS }, (_, group) =>
    letters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH),
  ).join('-');
}

const browserBytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count));
