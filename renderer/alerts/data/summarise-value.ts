import { inertLine } from '#renderer/lib/inert-text.ts';
import { ExactNumber } from '#renderer/lib/parse-json.ts';
import * as texts from './texts.ts';

/** Keys that name what an object is about, the best first, without case and underscores. */
const HEADLINE_KEYS = [
  'title',
  'summary',
  'subject',
  'alertname',
  'fullname',
  'displayname',
  'name',
  'message',
  'msg',
  'description',
  'label',
  'login',
  'username',
  'email',
  'text',
  'error',
  'reason',
];

/** Keys that hold its state, the most specific first. */
const STATE_KEYS = ['conclusion', 'severity', 'priority', 'urgency', 'level', 'state', 'status'];

/** How far a headline is looked for: a GitHub advisory has its summary in the second level. */
const SEARCH_DEPTH = 3;

/** Most objects looked at, most list items named, most pairs and states shown. */
const SEARCH_OBJECTS = 50;
const ITEMS = 3;
const PAIRS = 3;
const STATES = 2;

/** Most of one text that is shown, in characters. */
const TEXT_LENGTH = 500;

type Fields = Record<string, unknown>;

/** A nested value in one line. `headline` says that a headline key was found, not only its first few fields. */
export interface Summary {
  text: string;
  headline: boolean;
}

/** A key without case, underscores and dashes, so that alert_name, alertName and AlertName are one. */
export const plainKey = (key: string): string => key.toLowerCase().replace(/[_\- ]/g, '');

/** A text without case, punctuation and surplus blanks, as two that mean the same are compared. */
export const plainText = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}%]+/gu, ' ')
    .trim();

/** Whether a field of this name says what happened, or in which state it is. */
export const isHeadlineKey = (key: string): boolean =>
  HEADLINE_KEYS.includes(plainKey(key)) || STATE_KEYS.includes(plainKey(key)) || plainKey(key) === 'action';

export const isNested = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof ExactNumber);

/** Whether a value says nothing: null, blank text, or an empty list or object. */
export function isEmptyValue(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return value.trim() === '';
  return isNested(value) && Object.keys(value).length === 0;
}

/**
 * Says in one readable line what an object or a list is about: its title, summary, name and the like, wherever in its
 * upper levels the best of them is, with its severity or state; without one, its first few plain fields; else how
 * much it holds. A list shows its first items.
 */
export function summariseValue(value: object): Summary {
  if (Array.isArray(value)) return summariseList(value);
  const fields = value as Fields;
  const found = findHeadline(fields);
  if (found) return { text: [found.text, ...statesOf(found.owner, found.text)].join(' · '), headline: true };
  const pairs = Object.entries(fields)
    .filter(([, field]) => !isNested(field) && !isEmptyValue(field))
    .slice(0, PAIRS)
    .map(([key, field]) => `${inertLine(key.replaceAll('_', ' '))}: ${clip(String(field))}`);
  if (pairs.length > 0) return { text: pairs.join(', '), headline: false };
  const count = Object.keys(fields).length;
  return { text: `${count} ${count === 1 ? 'field' : 'fields'}`, headline: false };
}

function summariseList(list: unknown[]): Summary {
  const first = list.slice(0, ITEMS).map((item) => (isNested(item) ? summariseValue(item) : plain(item)));
  const rest = list.length > first.length ? texts.andMore(list.length - first.length) : '';
  return {
    text: `${first.map(({ text }) => text).join(', ')}${rest}`,
    headline: first.some(({ headline }) => headline),
  };
}

const clip = (text: string): string => inertLine(text.slice(0, TEXT_LENGTH));

const plain = (item: unknown): Summary => ({ text: clip(String(item)), headline: false });

/** The best headline of the uppermost level that has any. */
function findHeadline(root: Fields): { text: string; owner: Fields } | undefined {
  let level = [root];
  let seen = 0;
  for (let depth = 0; depth < SEARCH_DEPTH && level.length > 0 && seen < SEARCH_OBJECTS; depth += 1) {
    seen += level.length;
    const best = level.flatMap(headlinesOf).sort((a, b) => a.rank - b.rank)[0];
    if (best) return best;
    level = level.flatMap((fields) =>
      Object.values(fields)
        .filter(isNested)
        .map((inner) => inner as Fields),
    );
  }
  return undefined;
}

function headlinesOf(owner: Fields): { text: string; owner: Fields; rank: number }[] {
  return Object.entries(owner).flatMap(([key, value]) => {
    const rank = HEADLINE_KEYS.indexOf(plainKey(key));
    return rank === -1 || typeof value !== 'string' || isEmptyValue(value) ? [] : [{ text: clip(value), owner, rank }];
  });
}

function statesOf(owner: Fields, headline: string): string[] {
  const byKey = new Map(Object.entries(owner).map(([key, value]) => [plainKey(key), value]));
  return STATE_KEYS.map((key) => byKey.get(key))
    .filter((value) => typeof value === 'string' && !isEmptyValue(value))
    .map((value) => clip(String(value)))
    .filter((value) => value !== headline)
    .slice(0, STATES);
}
