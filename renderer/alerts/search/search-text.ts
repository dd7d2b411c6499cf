import { MAX_QUERY_LENGTH } from '#backend/contract/alert.ts';
import { type NamedTime, readTime } from '#backend/contract/search-times.ts';
import {
  type SearchKey,
  type SearchToken,
  isTimeKey,
  parseSearch,
  tokensOf,
  writePart,
} from '#backend/contract/search.ts';
import { timeZoneHere } from '#renderer/lib/clock.ts';
import { writeTime } from '#renderer/lib/times.ts';

const parse = (search: string) => parseSearch(search, { now: Date.now(), timeZone: timeZoneHere() });

/** What stands in the field: finished parts with a key, as they are written, and the text beside them. */
export interface TypedParts {
  chips: readonly string[];
  text: string;
}

/** The parts of a search with a key and a value that is understood. */
function finishedParts(search: string): { tokens: SearchToken[]; finished: Set<SearchToken> } {
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

/** Makes chips of the parts that are followed by a blank. What is being typed stays as it is. */
export function finishParts({ chips, text }: TypedParts): TypedParts {
  const { finished } = finishedParts(text);
  const done = [...finished].filter(({ end }) => /\s/.test(text.charAt(end)));
  if (done.length === 0) return { chips, text };
  let rest = text;
  for (const { start, end } of done.toReversed()) rest = `${rest.slice(0, start)}${rest.slice(end).trimStart()}`;
  return {
    chips: addTo(
      chips,
      done.map(({ start, end }) => text.slice(start, end)),
    ),
    text: rest,
  };
}

const addTo = (chips: readonly string[], more: readonly string[]): readonly string[] => [
  ...new Set([...chips, ...more]),
];

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

/** The sentence about the first part that is finished and not understood. */
export function hintIn(text: string): string | undefined {
  return parse(text).hints.find(({ end }) => end < text.length)?.message;
}

/** The value of a key that is being typed at the end of the text, and where its part begins. */
export function openPart(text: string): { key: SearchKey; value: string; start: number } | undefined {
  const last = tokensOf(text).at(-1);
  if (!last?.key || last.end < text.length || (last.isQuoted && last.isClosed)) return undefined;
  return { key: last.key, value: last.value, start: last.start };
}

/** The field with the open part completed by a value. */
export function completePart({ chips, text }: TypedParts, key: SearchKey, value: string): TypedParts {
  const open = openPart(text);
  return { chips: addTo(chips, [writePart(key, value)]), text: text.slice(0, open?.start ?? text.length) };
}

/** What a part names when its key is for times: undefined for other keys, and for a time that is not understood. */
export const timeNamed = (key: SearchKey | undefined, value: string, now: Date): NamedTime | undefined =>
  isTimeKey(key) ? readTime(value.trim(), { now: now.getTime(), timeZone: timeZoneHere() }) : undefined;

/** The day or moment with which a list begins or ends that is searched by a time: of days, `to:` takes the last one in. */
export const edgeOf = (key: SearchKey | undefined, { start, end }: NamedTime): Date =>
  new Date(key === 'to' && end > start ? end - 1 : start);

/** What a part with a time means now: "Mon, Nov 16", with the year when it is another one, and the time of a moment. */
export function timeMeaning(key: SearchKey | undefined, value: string, now: Date): string | undefined {
  const named = timeNamed(key, value, now);
  if (!named) return undefined;
  const at = edgeOf(key, named);
  const year = writeTime(at, 'yyyy') === writeTime(now, 'yyyy') ? '' : ', yyyy';
  return writeTime(at, `EEE, MMM d${year}${named.end > named.start ? '' : ', h:mm a'}`);
}
