const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/**
 * The order of names in every list of them, in the API as on the screen (spec.md section 2, "sorted by name"): without
 * regard to case and accents, 9 before 10. Not the database's, whose two kinds differ, nor the reader's own language's,
 * so that all see one list.
 */
export const byName = (one: string, other: string): number =>
  collator.compare(one, other) || Number(one > other) - Number(one < other);
