import { createContext, use, useMemo } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { type AlertField, type CardFields, cardFieldsOf } from '#renderer/alerts/card/card-fields.ts';
import { formatValue } from '#renderer/alerts/card/format-value.ts';
import * as texts from './texts.tsx';
import * as styles from './hits.module.css';

/** What is marked in cards: one pattern for all texts that are looked for. Undefined where nothing is. */
export const MarkedPattern = createContext<RegExp | undefined>(undefined);

/** A pattern for any of the words, whatever their case; of two that begin together the longer. */
export function patternOf(words: readonly string[]): RegExp | undefined {
  if (words.length === 0) return undefined;
  const longestFirst = words.toSorted((one, other) => other.length - one.length);
  return new RegExp(
    longestFirst.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|'),
    'giu',
  );
}

/** A text in which what is looked for is marked. */
export function Hits({ text }: { text: string }) {
  const pattern = use(MarkedPattern);
  if (!pattern) return text;
  return hitsIn(text, pattern).map(({ at, part, isHit }) =>
    isHit ? (
      <mark key={at} className={styles.hit}>
        {part}
      </mark>
    ) : (
      part
    ),
  );
}

/** The text cut where a hit begins and ends; `at` is where the part stands. */
export function hitsIn(text: string, pattern: RegExp): { at: number; part: string; isHit: boolean }[] {
  const parts: { at: number; part: string; isHit: boolean }[] = [];
  let at = 0;
  for (const { 0: part, index } of text.matchAll(pattern)) {
    if (part === '') continue;
    if (index > at) parts.push({ at, part: text.slice(at, index), isHit: false });
    parts.push({ at: index, part, isHit: true });
    at = index + part.length;
  }
  if (at < text.length) parts.push({ at, part: text.slice(at), isHit: false });
  return parts;
}

/** Id of the field that has a part of a note. */
const NOTE = 'note';

/** Fields that a card shows beside a note. */
const MOST_BEFORE_NOTE = 3;

const hasHit = (text: string | null, pattern: RegExp): boolean => text !== null && text.search(pattern) !== -1;

/**
 * The fields that a card shows. A hit that would be in none takes the place of the last one, and so does one in a note. What
 * has a hit stands first, so that there is space for it.
 */
export function useCardFields(alert: Alert): CardFields {
  const pattern = use(MarkedPattern);
  return useMemo(() => {
    const fields = withNote(cardFieldsOf(alert), alert.noteHit);
    const isSeen = [alert.title, alert.customer, alert.alertType].some((text) => pattern && hasHit(text, pattern));
    if (alert.noteHit !== undefined) return hitsFirst(fields, ({ id }) => id === NOTE);
    return !pattern || isSeen ? fields : hitsFirst(withHit(fields, pattern), (field) => isHitIn(field, pattern));
  }, [alert, pattern]);
}

/** The fields with the note that was found in the place of the last one. */
export function withNote({ shown, extra }: CardFields, noteHit: string | undefined): CardFields {
  if (noteHit === undefined) return { shown, extra };
  const note: AlertField = { id: NOTE, key: 'note', name: texts.note, value: noteHit };
  return { shown: [...shown.slice(0, MOST_BEFORE_NOTE), note], extra: [...shown.slice(MOST_BEFORE_NOTE), ...extra] };
}

/** The fields with one in front of the rest that has a hit, when none of the shown has. */
export function withHit(fields: CardFields, pattern: RegExp): CardFields {
  const isHit = (field: AlertField): boolean => isHitIn(field, pattern);
  const replaced = fields.shown.at(-1);
  const hit = fields.shown.some(isHit) ? undefined : fields.extra.find(isHit);
  if (!replaced || !hit) return fields;
  const extra = fields.extra.filter(({ id }) => id !== hit.id && id !== replaced.id);
  return { shown: [...fields.shown.slice(0, -1), hit], extra: [replaced, ...extra] };
}

const isHitIn = ({ key, name, value }: AlertField, pattern: RegExp): boolean =>
  hasHit(name, pattern) || hasHit(formatValue(key, value, new Date()).line, pattern);

const hitsFirst = ({ shown, extra }: CardFields, isHit: (field: AlertField) => boolean): CardFields => ({
  shown: shown.toSorted((one, other) => Number(isHit(other)) - Number(isHit(one))),
  extra,
  ...(shown.some(isHit) && { isFirstFound: true }),
});
