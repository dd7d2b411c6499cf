/** What stands in the place of a secret. */
export const DOTS = '•'.repeat(8);

/** Shorter ones are hidden whole, and not looked for. */
const SHORTEST = 12;
const LONGEST = 500;

/** A secret but for its last four characters; nothing of one that is too short for that. Masking it again changes nothing. */
export const mask = (secret: string): string =>
  secret.length < SHORTEST ? DOTS : `${prefixOf(secret)}${DOTS}${secret.slice(-4).toWellFormed()}`;

/** What the product's own keys and tokens begin with is no secret. */
const prefixOf = (secret: string): string =>
  secret.startsWith('ad_') ? 'ad_' : secret.startsWith('adt_') ? 'adt_' : '';

/**
 * What a credential has to look like to be looked for in texts: shorter ones and numbers would be found everywhere, and
 * no character of it has a meaning in JSON. Every key and token of a source is so.
 */
const FINDABLE = /^[\d.~+/=e-]*[a-df-z_][\w.~+/=-]*$/i;

/** Of the credentials that a request presents, those that are masked wherever they stand. */
export const findableSecrets = (plain: readonly string[]): string[] =>
  plain.filter((one) => one.length >= SHORTEST && one.length <= LONGEST && FINDABLE.test(one));

/** Letters, digits, `-` and `_` as JSON (`\u005f`, also within a string within JSON) or an address (`%5F`) may write them. */
const SPELT = String.raw`(?:2d|3\d|[46][1-9a-f]|[57][0-9a]|5f)`;
const MAY_BE_SPELT = new RegExp(`u00${SPELT}|%(?:25){0,3}${SPELT}`, 'i');
const PLAIN_SECRET = /^[\w-]+$/;

/**
 * A text with each of these {@link findableSecrets} masked, wherever it stands and however JSON, a form or an address
 * spells it. Most texts hold none, which a search for each of them settles.
 */
export function maskIn(text: string, secrets: readonly string[]): string {
  // However it is spelt, no secret is shorter.
  if (text.length < SHORTEST) return text;
  let masked = text;
  for (const secret of secrets) {
    if (masked.includes(secret)) masked = masked.replaceAll(secret, () => mask(secret));
    if (mayBeSpelt(masked, secret)) masked = masked.replace(spellingsOf(secret), () => mask(secret));
  }
  return masked;
}

const mayBeSpelt = (text: string, secret: string): boolean =>
  (text.includes('u00') || text.includes('%')) && (!PLAIN_SECRET.test(secret) || MAY_BE_SPELT.test(text));

function spellingsOf(secret: string): RegExp {
  const characters = Array.from(secret, (character) => {
    const hex = character
      .charCodeAt(0)
      .toString(16)
      .replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    // Bounded, so that a text of backslashes takes no longer than any other.
    const escaped = String.raw`(?:\\|%(?:25){0,3}5[cC]){1,8}`;
    const itself = character === '/' ? `${escaped}?/` : /\w/.test(character) ? character : `\\${character}`;
    return `(?:${itself}|${escaped}u00${hex}|%(?:25){0,3}${hex})`;
  });
  return new RegExp(characters.join(''), 'g');
}
