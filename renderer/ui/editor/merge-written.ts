/** What is written here, with what somebody else has saved in the meantime. */
export interface Merged<Written> {
  /** Theirs, but for the fields that were changed here. */
  written: Written;
  theirs: Written;
  /** Fields that were changed here and there, each in another way. */
  conflicts: (keyof Written)[];
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Whether what is written says the same as what is stored.
 *
 * @param sentOf what is saved of it: fields may differ that mean the same, or nothing; undefined while something is missing
 */
export function saysSame<Written>(start: Written, written: Written, sentOf: (written: Written) => unknown): boolean {
  const sent = sentOf(written);
  return isSame(start, written) || (sent !== undefined && isSame(sentOf(start), sent));
}

/** Of fields that never show what is stored, such as a token: something that is another where that is another. */
export type Marks<Written> = Partial<Record<keyof Written, unknown>>;

/**
 * Merges field by field.
 *
 * @param start what was stored when the writing began
 * @param mine what is written here
 * @param theirs what is stored by now
 * @param marks those of what was stored when the writing began, and those of what is stored by now
 */
export function mergeWritten<Written extends object>(
  start: Written,
  mine: Written,
  theirs: Written,
  marks: { start: Marks<Written>; theirs: Marks<Written> } = { start: {}, theirs: {} },
): Merged<Written> {
  const changed = (Object.keys(mine) as (keyof Written)[]).filter((field) => !isSame(mine[field], start[field]));
  const own = Object.fromEntries(changed.map((field) => [field, mine[field]])) as Partial<Written>;
  return {
    written: { ...theirs, ...own },
    theirs,
    conflicts: changed.filter(
      (field) =>
        !isSame([theirs[field], marks.theirs[field]], [start[field], marks.start[field]]) &&
        !isSame(theirs[field], mine[field]),
    ),
  };
}
