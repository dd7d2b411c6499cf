/** Columns whose values the index knows beside the texts: they stay the same for the life of an alert. */
export const INDEXED_NAMES = ['customer', 'alert_type', 'source_id'] as const;
export type IndexedName = (typeof INDEXED_NAMES)[number];

/** What of an alert searches look at. */
export interface SearchedAlert extends Record<IndexedName, string | null> {
  title: string | null;
  url: string;
  payload: string;
}

/**
 * The text of an alert that searches look at, in lower case. Titles and customers mostly stand in the payload, word for word:
 * these are not gone through twice.
 */
export function searchTextOf({
  title,
  customer,
  url,
  payload,
}: Omit<SearchedAlert, 'alert_type' | 'source_id'>): string {
  let text = payload;
  for (const part of [title, customer, url]) if (part !== null && !payload.includes(part)) text = `${part}\n${text}`;
  return text.toLowerCase();
}

/** Fewer characters than this have no entry in the index. */
export const GRAM_LENGTH = 3;

/** Trigrams of ASCII characters: one bit pattern of 3 × 7 bits each, and which text had it last. */
const lastSeen = new Uint16Array(2 ** 21);
let textNumber = 0;

/**
 * A shorter text with the same trigrams (and a few more, across its line breaks): parts of which every trigram came before
 * are left out. The index stores which trigrams an alert has, not where, so their repetitions are work for nothing;
 * of what senders post four in five are repetitions.
 */
export function withoutRepeatedGrams(text: string): string {
  // A trigram has three code points. Where one of them has two units, units are not what to count.
  if (/[\ud800-\udfff]/.test(text)) return text;
  textNumber = (textNumber + 1) % 2 ** 16;
  if (textNumber === 0) {
    lastSeen.fill(0);
    textNumber = 1;
  }
  let beyondAscii: Set<number> | undefined;
  let result = '';
  let start = 0;
  let end = 0;
  let first = text.charCodeAt(0);
  let second = text.charCodeAt(1);
  for (let at = 2; at < text.length; at += 1) {
    const third = text.charCodeAt(at);
    let isNew: boolean;
    if ((first | second | third) < 128) {
      const gram = (first << 14) | (second << 7) | third;
      isNew = lastSeen[gram] !== textNumber;
      lastSeen[gram] = textNumber;
    } else {
      beyondAscii ??= new Set();
      const { size } = beyondAscii;
      isNew = beyondAscii.add((first * 2 ** 16 + second) * 2 ** 16 + third).size > size;
    }
    if (isNew) {
      // Two characters more cost less than a line break, which makes trigrams of its own.
      if (at - 2 > end + 2) {
        result += `${text.slice(start, end)}\n`;
        start = at - 2;
      }
      end = at + 1;
    }
    first = second;
    second = third;
  }
  return result + text.slice(start, end);
}

/**
 * Every way in which a text that a person looks for may stand in an alert, in lower case: as it is, and as JSON writes
 * it. A payload is kept as its sender wrote it, and senders write `é` as `\u00e9` and `/` as `\/` or not, as they like.
 */
export function spellingsOf(text: string): string[] {
  const sought = text.toLowerCase();
  const json = JSON.stringify(sought).slice(1, -1);
  const spellings = [sought, json, json.replaceAll('/', '\\/'), escaped(json), escaped(json.toUpperCase())];
  return [...new Set(spellings.map((spelling) => spelling.toLowerCase()))];
}

/** Everything beyond ASCII as JSON's `\uXXXX`. */
const escaped = (json: string): string =>
  json.replaceAll(/[^\0-\u007f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Whether every spelling of a text has an entry in the index. */
export const isLongEnough = (spellings: readonly string[]): boolean =>
  spellings.every((spelling) => gramsOf(spelling).length > 0);

/** The index's own way to ask for what may contain all texts (FTS5): of each one spelling, of a spelling all grams. */
export const gramsQuery = (texts: readonly string[][]): string =>
  texts.map((spellings) => `(${spellings.map(spellingQuery).join(' OR ')})`).join(' AND ');

const spellingQuery = (spelling: string): string =>
  `(${gramsOf(spelling)
    .map((gram) => `"${gram.replaceAll('"', '""')}"`)
    .join(' AND ')})`;

function gramsOf(text: string): string[] {
  const characters = [...text];
  const grams = new Set<string>();
  for (let at = 0; at + GRAM_LENGTH <= characters.length; at += 1) {
    grams.add(characters.slice(at, at + GRAM_LENGTH).join(''));
  }
  // A question ends at its first NUL.
  return [...grams].filter((gram) => !gram.includes('\0'));
}
