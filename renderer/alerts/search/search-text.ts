import { MAX_QUERY_LENGTH } from '#backend/contract/alert.ts';
import { type SearchToken, parseSearch, tokensOf } from '#backend/contract/search.ts';
import { clockHere } from '#renderer/lib/clock.ts';

/** A search as it is understood here and now. */
export const parse = (search: string) => parseSearch(search, clockHere);

/** What stands in the field: finished parts with a key, as they are written, and the text beside them. */
export interface TypedParts {
  chips: readonly string[];
  text: string;
}

/** The parts of a search with a key and a value that is understood. */
export function finishedParts(search: string): { tokens: SearchToken[]; finished: Set<SearchToken> } {
  const { tokens, hints } = parse(search);
  const isUnderstood = ({ start }: SearchToken) => hints.every((hint) => hint.start !== start);
  return {
    tokens,
    finished: new Set(
      tokens.filter((token) => token.key && token.value.trim() !== '' && token.isClosed && isUnderstood(token)),
    ),
  };
}

const written = (search: string, tokens: readonly SearchToken[]): string =>
  tokens.map(({ start, end }) => search.slice(start, end)).join(' ');

/** A whole search, as the field shows it. */
export function splitSearch(search: string): TypedParts {
  const { tokens, finished } = finishedParts(search);
  return {
    chips: [...finished].map(({ start, end }) => search.slice(start, end)),
    text: written(
      search,
      tokens.filter((token) => !finished.has(token)),
    ),
  };
}

/** What is looked for: the chips and the words, without what is not finished or not understood. */
export function searchOf({ chips, text }: TypedParts): string {
  const { tokens, hints } = parse(text);
  const words = tokens.filter(
    ({ key, value, start }) => !key && value.trim() !== '' && hints.every((hint) => hint.start !== start),
  );
  return [...chips, ...words.map(({ start, end }) => closed(text.slice(start, end)))]
    .join(' ')
    .slice(0, MAX_QUERY_LENGTH);
}

/** A phrase whose end is not typed yet has its end here. */
const closed = (word: string): string =>
  word.startsWith('"') && tokensOf(word)[0]?.isClosed === false ? `${word}"` : word;

/** The search of an address, without what the server would refuse; undefined for none. */
export function searchIn(params: URLSearchParams): string | undefined {
  const text = params.get('search')?.trim() ?? '';
  return searchOf(splitSearch(text)) || undefined;
}

/** What is looked for, words and phrases, in lower case: what is marked in cards. Names are marked, too. */
export function markedTexts({
  q,
  search = '',
}: {
  q?: string | undefined;
  search?: string | undefined;
}): readonly string[] {
  const { texts, customer, type } = parse(search);
  return [...(q === undefined ? [] : [q]), ...texts, ...customer, ...type].map((text) => text.toLowerCase());
}
