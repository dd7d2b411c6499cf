import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { unacceptable } from '#backend/platform/endpoint/errors.ts';
import common from './common-passwords.json' with { type: 'json' };
import type { User } from './user.ts';

/** Whose password it is to be. */
export type PasswordOwner = Pick<User, 'email' | 'displayName'>;

/** So many letters have to be left of a password when the words are taken out that are known of its account. */
const LETTERS_LEFT = 4;

/** Shorter words of a name or an e-mail are no reason to refuse a password. */
const SHORTEST_WORD = 3;

let commonPasswords: ReadonlySet<string> | undefined;

/** Whether a password is among the 10,000 that are tried first, whatever its case. */
function isCommon(password: string): boolean {
  commonPasswords ??= new Set(common.passwords.split(' '));
  return commonPasswords.has(password.toLowerCase());
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(({ length }) => length >= SHORTEST_WORD);

/** Whether little is left of a password without these words, digits and signs: `Alertdesk-2026`. */
function isMadeOf(password: string, words: readonly string[]): boolean {
  const letters = password
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}]+/gu, '');
  // The longest first: of "alertdesk" nothing is left that a "desk" would have.
  const left = words
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, word) => rest.replaceAll(word, ''), letters);
  return left.length < letters.length && left.length < LETTERS_LEFT;
}

/**
 * Why a password that is long enough may not be set for this account, as one sentence; undefined when it may. Passwords
 * that are stored already are not looked at.
 */
export function weaknessOf(password: string, { email, displayName }: PasswordOwner): string | undefined {
  if (isCommon(password)) return 'This password is too common. Choose another.';
  if (isMadeOf(password, wordsOf(PRODUCT_NAME)))
    return `This password is based on the name ${PRODUCT_NAME}. Choose another.`;
  if (isMadeOf(password, [...wordsOf(PRODUCT_NAME), ...wordsOf(email), ...wordsOf(displayName)])) {
    return 'This password is based on the account’s name or email. Choose another.';
  }
  return undefined;
}

/**
 * Refuses a password that strangers would guess.
 *
 * @param path what the caller's schema calls the password
 * @throws {ProblemError} 422 with the reason
 */
export function refuseWeak(password: string, owner: PasswordOwner, path = 'password'): void {
  const message = weaknessOf(password, owner);
  if (message) throw unacceptable(message, [{ path, message }]);
}
