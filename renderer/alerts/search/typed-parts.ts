import { type NamedTime, readTime } from '#backend/contract/search-times.ts';
import { type SearchKey, isTimeKey, tokensOf, writePart } from '#backend/contract/search.ts';
import { timeZoneHere } from '#renderer/lib/clock.ts';
import { writeTime } from '#renderer/lib/times.ts';
import { type TypedParts, finishedParts, parse } from './search-text.ts';

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
