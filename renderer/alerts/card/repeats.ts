import type { Alert } from '#backend/contract/alert.ts';
import { PROBLEM_KEY, SEVERITY_WORDS, STATE_WORDS } from '#backend/contract/problem-words.ts';
import { plainKey, plainText } from '#renderer/alerts/data/summarise-value.ts';

/** What a card says of an alert beside its fields. */
type Said = Pick<Alert, 'title' | 'customer' | 'alertType' | 'sourceName' | 'severity' | 'state'>;

/** Names of fields that say what kind of alert it is. */
const KIND_KEY = /action|event|type|kind|topic|category|trigger/;

/** Names of fields that name the problem. */
const NAME_KEY = /(name|title|subject|rule|msg|message|summary|alias|reason)$/;

/** Names of where a problem is. They are looked for at their place on the card, also when the headline has them. */
const OF_PLACE = /host|server|node|service|instance|pod|device|cluster|zone/;

/** So many words are a sentence, of which a headline may be a part. */
const SENTENCE_WORDS = 3;

/** A shorter text, such as a digit, is part of many others by chance. */
const SHORTEST = 2;

/** Whether a text has all words of another one, side by side. */
const isWithin = (whole: string, part: string): boolean =>
  part.length >= SHORTEST && ` ${whole} `.includes(` ${part} `);

const contains = (one: string, other: string): boolean => isWithin(one, other) || isWithin(other, one);

const isSentence = (text: string): boolean => text.split(' ').length >= SENTENCE_WORDS;

/**
 * Whether a field says nothing but what its card says already: its headline, customer, type, source, severity or state, in
 * the sender's words or the product's; or words of these, such as the number of "Payment of SO-504505 failed".
 */
export function repeatsOf({ title, customer, alertType, sourceName, severity, state }: Said) {
  const headline = plainText(title ?? '');
  const type = plainText(alertType ?? '');
  const owner = plainText(customer ?? '');
  const source = plainText(sourceName ?? '');
  const said = new Set([headline, type, owner, source, severity, state]);
  const words = new Set([
    ...(severity === 'none' ? [] : SEVERITY_WORDS[severity]),
    ...(state === 'event' ? [] : STATE_WORDS[state]),
  ]);
  return (key: string, value: string): boolean => {
    const text = plainText(value);
    if (said.has(text) || [type, owner, source].some((one) => isWithin(one, text))) return true;
    const name = plainKey(key);
    if (isWithin(headline, text) && !OF_PLACE.test(name)) return true;
    if (PROBLEM_KEY.test(name) && words.has(text)) return true;
    if (KIND_KEY.test(name) && contains(type, text)) return true;
    if (NAME_KEY.test(name) && !OF_PLACE.test(name) && [headline, type].some((one) => contains(one, text))) return true;
    return isSentence(headline) && text.includes(headline);
  };
}
