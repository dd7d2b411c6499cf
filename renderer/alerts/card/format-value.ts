import { inertLine, inertText } from '#renderer/lib/inert-text.ts';
import { formatExactTime, formatFieldTime } from '#renderer/lib/times.ts';
import { isEmptyValue, isNested, summariseValue } from '#renderer/alerts/data/summarise-value.ts';

/** A value of a payload, ready to be shown. */
export type FormattedValue =
  /** Plain text: one `line` for the card, and `full` with its line breaks. */
  | { kind: 'text'; line: string; full: string }
  /** A host or path, which keeps its end when space is short. */
  | { kind: 'host'; line: string; full: string }
  /** A link that may be followed: http and https only. `line` and `full` are without the scheme. */
  | { kind: 'link'; line: string; full: string; href: string }
  /** A moment; `exact` gives it to the second. */
  | { kind: 'time'; line: string; full: string; exact: string; dateTime: string }
  /** Nothing to read: null, blank text, an empty list or object. */
  | { kind: 'empty'; line: string; full: string }
  /** An object or list: `line` says what it is about, `full` is all of it as JSON. */
  | { kind: 'json'; line: string; full: string };

const ISO_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?\s?(Z|[+-]\d\d:?\d\d)$/;

/** Names under which senders give a moment as a number. */
const TIME_KEY =
  /(^|_)(time|date|timestamp|ts|created|updated|modified|expires|started|ended)$|_(at|on|time|date)$|[a-z](At|Time|Date|Timestamp)$|^last_?updated$/;

/** Seconds and milliseconds since 1970 that are a moment from 2001 to 2065. */
const SECONDS = { from: 1e9, to: 3e9 };
const MILLISECONDS = { from: 1e12, to: 3e12 };

/** The zero of Go's clock, which senders written in Go use for "never". */
const NEVER = '0001-01-01T00:00:00Z';

const HOST = /^(?=.*[a-z])[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?(\/\S*)?$/i;

/**
 * Makes a payload's value readable: times as times, addresses as links, objects as one line and as
 * formatted JSON, every digit of a long number. `key` is the field's name, `now` decides whether a time needs its year.
 */
export function formatValue(key: string, value: unknown, now: Date): FormattedValue {
  if (isEmptyValue(value)) return { kind: 'empty', ...both(emptyWord(value)) };
  if (isNested(value)) return jsonOf(value);
  const text = String(value).trim();
  return timeOf(key, text, now) ?? linkOf(text) ?? textOf(text);
}

const both = (text: string): { line: string; full: string } => ({ line: text, full: text });

function emptyWord(value: unknown): string {
  if (Array.isArray(value)) return '[]';
  if (isNested(value)) return '{}';
  return value === null || value === undefined ? 'null' : 'empty';
}

function timeOf(key: string, text: string, now: Date): FormattedValue | undefined {
  const time = ISO_TIME.test(text) && text !== NEVER ? isoTime(text) : epochTime(key, text);
  if (!time || Number.isNaN(time.getTime())) return undefined;
  return {
    kind: 'time',
    ...both(formatFieldTime(time, now)),
    exact: formatExactTime(time),
    dateTime: time.toISOString(),
  };
}

/**
 * A moment as {@link ISO_TIME} allows it, written as every browser reads it: ISO 8601 leaves more open than they take.
 * Undefined for a day that the month does not have, which browsers count on into the next.
 */
function isoTime(text: string): Date | undefined {
  const day = text.slice(0, 10);
  if (new Date(day).getUTCDate() !== Number(day.slice(8))) return undefined;
  const time = text.slice(11).replace(',', '.').replace(' ', '');
  return new Date(`${day}T${time.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')}`);
}

function epochTime(key: string, text: string): Date | undefined {
  if (!/^\d{10,13}(\.\d+)?$/.test(text) || !TIME_KEY.test(key)) return undefined;
  const count = Number(text);
  if (count >= SECONDS.from && count < SECONDS.to) return new Date(count * 1000);
  return count >= MILLISECONDS.from && count < MILLISECONDS.to ? new Date(count) : undefined;
}

/** Longest text that may be an address, and more of a line than any card or tooltip shows, in characters. */
const ADDRESS_LENGTH = 2048;
const LINE_LENGTH = 1000;

/** A text that is one http(s) address and nothing else. Anything else that looks like one (javascript:) stays text. */
function linkOf(text: string): FormattedValue | undefined {
  if (text.length > ADDRESS_LENGTH || !/^https?:\/\/[^\s]+$/i.test(text) || !URL.canParse(text)) return undefined;
  const shown = inertLine(text.replace(/^https?:\/\//i, '').replace(/^([^/]+)\/$/, '$1'));
  return { kind: 'link', ...both(shown), href: new URL(text).href };
}

function textOf(text: string): FormattedValue {
  return {
    kind: text.length <= ADDRESS_LENGTH && HOST.test(text) ? 'host' : 'text',
    line: inertLine(text.slice(0, LINE_LENGTH)),
    // Asked for by the dialog alone: a card does without a megabyte of text.
    get full() {
      return inertText(text);
    },
  };
}

function jsonOf(value: object): FormattedValue {
  return {
    kind: 'json',
    line: summariseValue(value).text.slice(0, LINE_LENGTH),
    get full() {
      return inertText(JSON.stringify(value, null, 2));
    },
  };
}
