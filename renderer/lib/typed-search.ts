/** What stands in the search box, and how far the address has followed it. */
export interface TypedSearch {
  text: string;
  /** What is being looked for, as it was last known here. */
  search: string;
  /** What was asked for since and has not come back yet, oldest first. */
  asked: readonly string[];
}

export const startTyped = (search: string): TypedSearch => ({ text: search, search, asked: [] });

export const type = (typed: TypedSearch, text: string): TypedSearch => ({ ...typed, text });

export const ask = (typed: TypedSearch, search: string): TypedSearch => ({
  ...typed,
  asked: [...typed.asked, search],
});

/**
 * What is looked for has changed. When that was asked for here, more may have been typed meanwhile, and stays. Else it
 * was changed by other means (clearing the filters, going back), and the box follows.
 */
export function follow(typed: TypedSearch, search: string): TypedSearch {
  const place = typed.asked.indexOf(search);
  if (place < 0) return startTyped(search);
  return { text: typed.text, search, asked: typed.asked.slice(place + 1) };
}

/**
 * A reducer of which each action is the change itself, for what is typed and followed while rendering. `useState` computes a
 * change from the state of the last render ahead of the next one, also when that render was given up for the very key press;
 * a reducer computes it in the next.
 */
export const applyChange = <T>(before: T, change: (before: T) => T): T => change(before);
