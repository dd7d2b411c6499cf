import { cutText } from '#backend/contract/cut-text.ts';
import type { FieldChange } from '#backend/contract/configuration.ts';

/** Longest value that a plan shows, in characters. */
const MAX_VALUE = 200;

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value as JSON whose fields are sorted by name, so that equal values are equal texts; undefined for no value. */
export function canonical(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return JSON.stringify(value, (_name, part: unknown) =>
    isFields(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

const shown = (value: unknown): string | undefined => {
  const text = canonical(value);
  return text === undefined ? undefined : cutText(text, MAX_VALUE);
};

/**
 * What two states of something differ in, by path: `auth.key`. Lists are compared as a whole, because their places say nothing
 * to a reader. What is made has no state before, what is deleted none after: then these are all its fields.
 */
export function differencesOf(before: Fields, after: Fields, prefix = ''): FieldChange[] {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  return names.flatMap((name) => {
    const [old, current] = [before[name], after[name]];
    if (canonical(old) === canonical(current)) return [];
    if (isFields(old) && isFields(current)) return differencesOf(old, current, `${prefix}${name}.`);
    const [from, to] = [shown(old), shown(current)];
    return [
      { path: prefix + name, ...(from !== undefined && { before: from }), ...(to !== undefined && { after: to }) },
    ];
  });
}

/** The fields whose values differ. */
export const changedNames = (before: Fields, after: Fields): ReadonlySet<string> =>
  new Set(
    [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
      (name) => canonical(before[name]) !== canonical(after[name]),
    ),
  );
