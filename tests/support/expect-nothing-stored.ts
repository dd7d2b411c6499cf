import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/** How often a request is refused before what was stored meanwhile is the route's own. */
const ATTEMPTS = 3;

/** Digests of what is stored, by table. */
export type Stored = Readonly<Record<string, unknown>>;

/**
 * Expects a request that is refused to store nothing. Work in the background, such as notices of what the test before it did, may
 * write in just that moment, each time to other tables: a route that stores something writes to the same table each time.
 *
 * @param refuse has a request refused, and resolves to everything stored before and after it
 */
export async function expectNothingStored(refuse: () => Promise<{ before: Stored; after: Stored }>): Promise<void> {
  let written: readonly string[] | undefined;
  for (let attempt = 0; attempt < ATTEMPTS && written?.length !== 0; attempt += 1) {
    const { before, after } = await refuse();
    const tables = written ?? Object.keys({ ...before, ...after });
    written = tables.filter((table) => !isDeepStrictEqual(before[table], after[table]));
  }
  expect(written, 'tables that were written to each time').toEqual([]);
}
