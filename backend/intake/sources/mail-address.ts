import { hash } from 'node:crypto';

/** Letters and digits of base 32 (RFC 4648, section 6), in lower case: relays and people change the case of addresses. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** Characters of an address before the @, of 5 bits each. */
const LENGTH = 32;

/** What stands before the @ of a source's address. */
export const LOCAL_PART = /^[a-z2-7]{32}$/;

/**
 * What stands before the @ of the address that belongs to an address token. It is made from the token's hash, so it changes
 * with the token and lasts as long, and nobody can compute the token from it.
 *
 * @param tokenHash SHA-256 of the token, as it is stored
 */
export function localPartOf(tokenHash: string): string {
  const digest = hash('sha256', `mail:${tokenHash}`, 'buffer');
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of digest) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5 && text.length < LENGTH; bits -= 5) text += ALPHABET[(value >> (bits - 5)) & 31];
  }
  return text;
}
