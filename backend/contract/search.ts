import { type AlertSeverity, type AlertStatus, alertSeveritySchema, alertStatusSchema } from './alert.ts';
import { type Clock, TIME_FORMS, readTime } from './search-times.ts';

/** What can stand before a colon. Anything else with a colon is a word. */
export const SEARCH_KEYS = [
  'customer',
  'type',
  'source',
  'status',
  'severity',
  'label',
  'owner',
  'folder',
  'is',
  'from',
  'to',
] as const;
export type SearchKey = (typeof SEARCH_KEYS)[number];

/** What `is:` takes. */
export const SEARCH_TRAITS = ['test', 'flapping', 'quiet'] as const;
export type SearchTrait = (typeof SEARCH_TRAITS)[number];

const SOURCE_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Whether a value is the id of a source, which `source:` takes beside names. */
export const isSourceId = (value: string): boolean => SOURCE_ID.test(value);

/** Whether a key takes times. */
export const isTimeKey = (key: SearchKey | undefined): key is 'from' | 'to' => key === 'from' || key === 'to';

/** Words and phrases that one search looks for. */
export const MAX_SEARCH_TEXTS = 20;

/** Something in a search that is not understood, and where. */
export interface SearchHint {
  start: number;
  end: number;
  /** A sentence for people that says what is accepted. */
  message: string;
}

/** A part of a search as it was typed. */
export interface SearchToken {
  start: number;
  end: number;
  /** Undefined for a word or a phrase. */
  key: SearchKey | undefined;
  /** What is looked for, without its quotes; empty while a value is not typed yet. */
  value: string;
  isQuoted: boolean;
  /** False for a quote that is still open. */
  isClosed: boolean;
}

/** A search that is understood. Values of one key are alternatives, everything else is required together. */
export interface ParsedSearch {
  /** Words and phrases. */
  texts: string[];
  customer: string[];
  type: string[];
  source: string[];
  status: AlertStatus[];
  severity: AlertSeverity[];
  label: string[];
  owner: string[];
  folder: string[];
  is: SearchTrait[];
  /** From this moment on, and before that one, in milliseconds since the epoch. */
  from: number | undefined;
  to: number | undefined;
  tokens: SearchToken[];
  /** Parts that are not understood; they are left out of the rest. */
  hints: SearchHint[];
}

const PART = /\s+|(?:([a-z]+):)?(?:"((?:[^"\\]|\\.)*)("|\\?$)|(\S*))/giy;

/** The parts of a search, in order. Any text is a search. */
export function tokensOf(search: string): SearchToken[] {
  const tokens: SearchToken[] = [];
  PART.lastIndex = 0;
  while (PART.lastIndex < search.length) {
    const start = PART.lastIndex;
    const [all = '', named, quoted, close, bare] = PART.exec(search) ?? [];
    if (all === '') break;
    if (all.trim() === '') continue;
    const key = SEARCH_KEYS.find((one) => one === named?.toLowerCase());
    if (key === undefined && named !== undefined) {
      // `error:"disk full"` of a key that there is not: the word ends where its blank or quote is.
      const word = /^\S*/.exec(all)?.[0] ?? all;
      PART.lastIndex = start + word.length;
      tokens.push({ start, end: start + word.length, key, value: word, isQuoted: false, isClosed: true });
      continue;
    }
    const isQuoted = quoted !== undefined;
    const value = isQuoted ? quoted.replaceAll(/\\(["\\])/g, '$1') : (bare ?? '');
    tokens.push({ start, end: start + all.length, key, value, isQuoted, isClosed: !isQuoted || close === '"' });
  }
  return tokens;
}

/** Whether a search names times, so that what it finds changes as time passes. */
export const namesTimes = (search: string): boolean => tokensOf(search).some(({ key }) => isTimeKey(key));

/** Understands a search. Bad values become hints and are left out. */
export function parseSearch(search: string, clock: Clock): ParsedSearch {
  const parsed: ParsedSearch = {
    texts: [],
    customer: [],
    type: [],
    source: [],
    status: [],
    severity: [],
    label: [],
    owner: [],
    folder: [],
    is: [],
    from: undefined,
    to: undefined,
    tokens: tokensOf(search),
    hints: [],
  };
  for (const token of parsed.tokens) {
    const message = token.value.trim() === '' ? undefined : take(parsed, token, clock);
    if (message !== undefined) parsed.hints.push({ start: token.start, end: token.end, message });
  }
  return parsed;
}

/** Adds a part to what is looked for. Returns what is wrong with it. */
function take(parsed: ParsedSearch, { key, value }: SearchToken, clock: Clock): string | undefined {
  switch (key) {
    case undefined:
      if (parsed.texts.length >= MAX_SEARCH_TEXTS) return `At most ${MAX_SEARCH_TEXTS} words are looked for.`;
      parsed.texts.push(value);
      return undefined;
    case 'from':
    case 'to':
      return takeTime(parsed, key, value, clock);
    case 'status':
      return takeOneOf(parsed.status, key, value, alertStatusSchema.options);
    case 'severity':
      return takeOneOf(parsed.severity, key, value, alertSeveritySchema.options);
    case 'is':
      return takeOneOf(parsed.is, key, value, SEARCH_TRAITS);
    default:
      if (!parsed[key].includes(value)) parsed[key].push(value);
      return undefined;
  }
}

function takeOneOf<Value extends string>(
  values: Value[],
  key: SearchKey,
  value: string,
  options: readonly Value[],
): string | undefined {
  const written = value
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');
  const found = options.find((one) => one === written);
  if (found === undefined) return `${key}: takes ${listOf(options)}.`;
  if (!values.includes(found)) values.push(found);
  return undefined;
}

const listOf = (options: readonly string[]): string =>
  [options.slice(0, -1).join(', '), ...options.slice(-1)].filter((part) => part !== '').join(' or ');

function takeTime(parsed: ParsedSearch, key: 'from' | 'to', value: string, clock: Clock): string | undefined {
  const time = readTime(value.trim(), clock);
  if (!time) return `${key}: takes ${TIME_FORMS}.`;
  // Of several the narrowest holds.
  if (key === 'from') parsed.from = Math.max(parsed.from ?? 0, time.start);
  else parsed.to = Math.min(parsed.to ?? Infinity, time.end);
  return undefined;
}

const inQuotes = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** A value as it is written after its key, in quotes where it has blanks or quotes. */
export const writeValue = (value: string): string => (/^[^\s"]+$/.test(value) ? value : inQuotes(value));

/** A text that stands for itself, also where it looks like a key. */
export const writeText = (text: string): string => {
  const value = writeValue(text);
  return value.startsWith('"') || !text.includes(':') ? value : inQuotes(text);
};

/** `key:value`, as it is typed. */
export const writePart = (key: SearchKey, value: string): string => `${key}:${writeValue(value)}`;

/** The search without some of its parts, with single blanks between the others. */
export const withoutParts = (
  search: string,
  tokens: readonly SearchToken[],
  isLeftOut: (token: SearchToken) => boolean,
): string =>
  tokens
    .filter((token) => !isLeftOut(token))
    .map(({ start, end }) => search.slice(start, end))
    .join(' ');
