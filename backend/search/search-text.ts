/** An alert's text that searches look at (spec.md section 2: customer, URL and payload), in lower case. */
export const searchTextOf = (alert: { customer: string | null; url: string; payload: string }): string =>
  `${alert.customer ?? ''}\n${alert.url}\n${alert.payload}`.toLowerCase();

/** Fewer characters than this have no entry in the index. */
export const GRAM_LENGTH = 3;

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

/**
 * The index's own way to ask for texts that may contain one of `spellings` (FTS5, all of a spelling's grams), or
 * undefined when one of them is too short for it.
 */
export function gramsQuery(spellings: string[]): string | undefined {
  const parts = spellings.map(gramsOf);
  if (parts.some((grams) => grams.length === 0)) return undefined;
  return parts.map((grams) => `(${grams.map((gram) => `"${gram.replaceAll('"', '""')}"`).join(' AND ')})`).join(' OR ');
}

function gramsOf(text: string): string[] {
  const characters = [...text];
  const grams = new Set<string>();
  for (let at = 0; at + GRAM_LENGTH <= characters.length; at += 1) {
    grams.add(characters.slice(at, at + GRAM_LENGTH).join(''));
  }
  // A question ends at its first NUL.
  return [...grams].filter((gram) => !gram.includes('\0'));
}
