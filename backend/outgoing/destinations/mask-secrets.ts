import type { Target } from './destination-entity.ts';

const MASK = '••••';

/** Shorter parts of a secret let nobody in, in characters. */
const MIN_PART = 6;

/** Parts that are as long are keys; those that are shorter are where a digit is in them, and words such as "services" otherwise. */
const KEY_LENGTH = 16;

/** Masks secrets in a text of somebody else: a service may repeat what it was sent, or a part of it. */
export function maskSecrets(text: string, secrets: readonly string[], account: string | null): string {
  const forms = secrets
    .flatMap((secret) => formsOf(secret, account))
    .toSorted((one, other) => other.length - one.length);
  return forms.reduce((left, form) => withoutCut(left.replaceAll(form, MASK), form), text);
}

/** What an answer to a destination says, without its secrets. */
export const withoutSecrets = ({ account, secrets }: Pick<Target, 'account' | 'secrets'>, answer: string): string =>
  maskSecrets(answer, Object.values(secrets) as string[], account);

/** A secret as it may stand in an answer: whole, in HTTP Basic with the account, and each part that is a key by itself. */
function formsOf(secret: string, account: string | null): string[] {
  if (secret === '') return [];
  const basic = [secret, `${account ?? ''}:${secret}`].map((text) => Buffer.from(text).toString('base64'));
  return [
    secret,
    encodeURIComponent(secret),
    ...basic,
    ...partsOf(secret).flatMap((part) => [part, encodeURIComponent(part)]),
  ];
}

/**
 * Path and query of an address, as far as they are keys; Telegram's token without the number of its bot, which everybody knows;
 * and a code that is entered, without its times.
 */
function partsOf(secret: string): string[] {
  const url = /^https?:/.test(secret) ? URL.parse(secret) : null;
  const parts = url
    ? [...url.pathname.split('/'), ...url.search.slice(1).split(/[&=]/), ...url.searchParams.values()]
    : secret.replace(/^\d+:/, '').split(/\s/);
  return parts.filter(isKey);
}

/**
 * Answers are cut, here and by the services' own words: one may end within a secret. The beginning of an address, or of a token
 * that begins as all of its kind, is no part of a key: `https://hooks.slack.com`, `github_pat_`.
 */
function withoutCut(text: string, form: string): string {
  for (let length = Math.min(form.length - 1, text.length); length >= MIN_PART; length -= 1) {
    const cut = form.slice(0, length);
    if (text.endsWith(cut))
      return cut
        .replace(ORIGIN, '')
        .split(/[/?&=]/)
        .some(isKey)
        ? text.slice(0, -length) + MASK
        : text;
  }
  return text;
}

/** The beginning of an address, as it is or encoded. */
const ORIGIN = /^https?(?::\/\/|%3A%2F%2F)[^/%]*/;

/** Whether a part of a secret is a key by itself, and no word or version that everybody knows. */
const isKey = (part: string): boolean =>
  part.length >= KEY_LENGTH || (part.length >= MIN_PART && /\d/.test(part) && !/^\d{4}-\d{2}-\d{2}$/.test(part));
