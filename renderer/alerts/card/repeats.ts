import type { Alert } from '#backend/contract/alert.ts';
import { SEVERITY_WORDS, STATE_WORDS } from '#backend/contract/problem-words.ts';
import { plainKey, plainText } from '#renderer/alerts/data/summarise-value.ts';

/** What a card says of an alert beside its fields. */
type Said = Pick<Alert, 'title' | 'customer' | 'alertType' | 'sourceName' | 'severity' | 'state'>;

/** Names of fields that say how bad a problem is, or where it stands. */
const PROBLEM_KEY = /sev|level|priorit|urgen|stat(e|us)|action|transition|event|type|kind|result|conclusion/;

/** Names of fields that say what kind of alert it is. */
const KIND_KEY = /action|event|type|kind|topic|category|trigger/;

/** Names of fields that name the problem. */
const NAME_KEY = /(name|title|subject|rule|msg|message|summary|alias|reason)$/;

/** Names that are no problem's, whatever else they end with. */
const OF_PLACE = /host|server|node|service|instance|pod|user|device|cluster|zone/;

/** So many words are a sentence, which a headline may contain; fewer, such as a host, are worth a field of their own. */
const SENTENCE_WORDS = 3;

/** Whether one of two texts has all words of the other, side by side. */
const contains = (one: string, other: string): boolean =>
  one !== '' && other !== '' && (` ${one} `.includes(` ${other} `) || ` ${other} `.includes(` ${one} `));

const isSentence = (text: string): boolean => text.split(' ').length >= SENTENCE_WORDS;

/**
 * Whether a field says nothing but what its card says already: its headline, customer, type, source, severity or state, in
 * the sender's words or the product's.
 */
export function repeatsOf({ title, customer, alertType, sourceName, severity, state }: Said) {
  const headline = plainText(title ?? '');
  const type = plainText(alertType ?? '');
  const owner = plainText(customer ?? '');
  // The last part of "lakeside-works/billing-service" is no news either.
  const tail = plainText(customer?.split('/').at(-1) ?? '');
  const said = new Set([headline, type, owner, tail, plainText(sourceName ?? ''), severity, state]);
  const words = new Set([
    ...(severity === 'none' ? [] : SEVERITY_WORDS[severity]),
    ...(state === 'event' ? [] : STATE_WORDS[state]),
  ]);
  return (key: string, value: string): boolean => {
    const text = plainText(value);
    if (said.has(text)) return true;
    const name = plainKey(key);
    if (PROBLEM_KEY.test(name) && words.has(text)) return true;
    if (KIND_KEY.test(name) && contains(type, text)) return true;
    if (NAME_KEY.test(name) && !OF_PLACE.test(name) && [headline, type].some((one) => contains(one, text))) return true;
    return (isSentence(text) && headline.includes(text)) || (isSentence(headline) && text.includes(headline));
  };
}
