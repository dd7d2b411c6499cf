import { createHash } from 'node:crypto';
import type { AlertSeverity } from '#backend/contract/alert.ts';
import { SEVERITY_WORDS } from '#backend/contract/problem-words.ts';
import type { JsonValue } from './json-value.ts';

/** Request headers as Node has them: lower-case names. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A value with where it comes from. */
export interface Found<Value = string> {
  value: Value;
  /** Path in the body, `header: NAME`, or several of them joined by ` + `; empty where there is none. */
  path: string;
  /** The rule, where the value is not the first choice or not the text that stands at the path. */
  note?: string | undefined;
}

/**
 * A value whose path is written when it is asked for: nobody asks while alerts are stored.
 */
class Traced<Value> implements Found<Value> {
  readonly value: Value;
  readonly note: string | undefined;
  readonly #origin: { path: string };

  constructor(value: Value, origin: { path: string }, note?: string) {
    this.value = value;
    this.note = note;
    this.#origin = origin;
  }

  get path(): string {
    return this.#origin.path;
  }
}

/** A value that follows from what stands somewhere, with its path. */
export const traced = <Value>(value: Value, origin: { path: string }, note?: string): Found<Value> =>
  new Traced(value, origin, note);

/** Paths below one value, in the order in which they are tried. */
export type Choice = readonly (readonly string[])[];

/** Declares a choice: dotted paths, the first choice first. */
export const choice = (...paths: string[]): Choice => paths.map((path) => path.split('.'));

/** The paths of several values as one, put together when they are asked for. */
class Paths {
  readonly #origins: readonly { path: string }[];

  constructor(origins: readonly { path: string }[]) {
    this.#origins = origins;
  }

  get path(): string {
    return [...new Set(this.#origins.map(({ path }) => path).filter(Boolean))].join(' + ');
  }
}

/** A value that follows from what stands in several places. */
export const tracedToAll = <Value>(value: Value, origins: readonly { path: string }[], note?: string): Found<Value> =>
  new Traced(value, new Paths(origins), note);

/** The first non-empty string or number of a choice. */
export function choose(from: JsonValue | undefined, paths: Choice): Found | undefined {
  if (from === undefined) return undefined;
  for (let index = 0; index < paths.length; index += 1) {
    const value = from.at(paths[index]!);
    const text = value?.string;
    if (value === undefined || text === undefined) continue;
    if (index === 0) return traced(text, value);
    const skipped = paths.slice(0, index).map((path) => path.join('.'));
    return traced(text, value, `${skipped.join(', ')}: empty or missing`);
  }
  return undefined;
}

/** A value's text, if it is a non-empty string or a number. */
export function find(value: JsonValue | undefined): Found | undefined {
  const text = value?.string;
  return value === undefined || text === undefined ? undefined : traced(text, value);
}

/** A header's text. Node joins a header that comes more than once. */
export function findHeader(headers: Headers, name: string): Found | undefined {
  const value = headerOf(headers, name);
  return value === '' ? undefined : { value, path: `header: ${name}` };
}

/** A header's text, trimmed; empty when it does not come. */
export function headerOf(headers: Headers, name: string): string {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return value === undefined ? '' : (typeof value === 'string' ? value : value.join(', ')).trim();
}

/** A value that stands nowhere, or follows from what stands at a path by a rule. */
export const rule = <Value>(value: Value, note: string, path = ''): Found<Value> => ({ value, path, note });

/** The same origin with another value. */
export const withValue = <Value>(found: Found<unknown>, value: Value, note = found.note): Found<Value> =>
  traced(value, found, note);

/** Several values as one text; `undefined` when one is missing. */
export function join(separator: string, ...parts: (Found | undefined)[]): Found | undefined {
  return parts.includes(undefined) ? undefined : joinFound(separator, ...parts);
}

/** Those of several values that are there, as one text; `undefined` when none is. */
export function joinFound(separator: string, ...parts: (Found | undefined)[]): Found | undefined {
  const found = parts.filter((part) => part !== undefined);
  if (found.length === 0) return undefined;
  return tracedToAll(found.map(({ value }) => value).join(separator), found);
}

/** Where labels of any sender name a customer. */
export const CUSTOMER_LABELS = choice('customer', 'tenant', 'client', 'cluster', 'environment', 'namespace');

const SEVERITIES = new Map(
  Object.entries(SEVERITY_WORDS).flatMap(([severity, words]) =>
    words.map((word) => [word, severity as AlertSeverity] as const),
  ),
);

/** A sender's word for a severity, in upper or lower case; unknown words mean none. */
export function severityOf(word: Found | undefined): Found<AlertSeverity> | undefined {
  if (word === undefined) return undefined;
  const severity = SEVERITIES.get(word.value.toLowerCase());
  return severity ? withValue(word, severity) : withValue(word, 'none', `“${word.value.slice(0, 40)}” is no severity`);
}

/** The first word of several that is a severity; what only the last one says when none is. */
export function firstSeverity(...words: (Found | undefined)[]): Found<AlertSeverity> | undefined {
  let last: Found<AlertSeverity> | undefined;
  for (const word of words) {
    const severity = severityOf(word);
    if (severity && severity.value !== 'none') return severity;
    last = severity ?? last;
  }
  return last;
}

/** Year 1971 to 9999: outside there are a sender's zero values. */
const FIRST_TIME = 31_536_000_000;
const LAST_TIME = 253_402_300_799_999;
/** Numbers below are seconds, others milliseconds. */
const LAST_SECONDS = 100_000_000_000;

/** A sender's time: ISO 8601, or seconds or milliseconds since 1970. One that makes no sense is left out. */
export function timeOf(found: Found | undefined): Found<number> | undefined {
  if (found === undefined) return undefined;
  const number = Number(found.value);
  const time = Number.isFinite(number) ? number * (number < LAST_SECONDS ? 1000 : 1) : Date.parse(found.value);
  return time >= FIRST_TIME && time <= LAST_TIME ? withValue(found, Math.round(time)) : undefined;
}

/** Longest address that is taken, in characters: what browsers open. */
const MAX_LINK_LENGTH = 8_000;

/** A text as an address that people may open: http(s) alone, never `javascript:` or another scheme. Else undefined. */
export const httpLink = (text: string): string | undefined =>
  text.length <= MAX_LINK_LENGTH && /^https?:\/\//i.test(text) && URL.canParse(text) ? text.toWellFormed() : undefined;

/** The first of several values that is an http(s) address. */
export function linkOf(...candidates: (Found | undefined)[]): Found | undefined {
  for (const found of candidates) {
    const link = found && httpLink(found.value);
    if (found && link !== undefined) return withValue(found, link);
  }
  return undefined;
}

/** A hash of an object's members in the order of their names: the same labels, the same text. */
export function hashOfLabels(labels: JsonValue | undefined): Found | undefined {
  if (!labels?.isObject) return undefined;
  const pairs = labels
    .names(MAX_LABELS)
    .sort()
    .map((name) => [name, labels.get(name)?.string ?? '']);
  if (pairs.length === 0) return undefined;
  const digest = createHash('sha256').update(JSON.stringify(pairs)).digest('hex').slice(0, 32);
  return rule(`labels:${digest}`, 'hash of the sorted labels', labels.path);
}

/** More labels than any sender has: an object with more is cut. */
const MAX_LABELS = 200;
