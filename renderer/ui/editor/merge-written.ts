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
 * Merges field by field.
 *
 * @param start what was stored when the writing began
 * @param mine what is written here
 * @param theirs what is stored by now
 */
export function mergeWritten<Written extends object>(start: Written, mine: Written, theirs: Written): Merged<Written> {
  const changed = (Object.keys(mine) as (keyof Written)[]).filter((field) => !isSame(mine[field], start[field]));
  const own = Object.fromEntries(changed.map((field) => [field, mine[field]])) as Partial<Written>;
  return {
    written: { ...theirs, ...own },
    theirs,
    conflicts: changed.filter((field) => !isSame(theirs[field], start[field]) && !isSame(theirs[field], mine[field])),
  };
}
