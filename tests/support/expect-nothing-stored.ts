import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/** How often a request is refused before what was stored meanwhile is the route's own. */
const ATTEMPTS = 3;

/**
 * Expects a request that is refused to store nothing. Work in the background, such as notices of what the test before it did, may
 * write in just that moment: a route that stores something does so each time.
 *
 * @param refuse has a request refused, and resolves to digests of everything before and after it
 */
export async function expectNothingStored(refuse: () => Promise<{ before: unknown; after: unknown }>): Promise<void> {
  let seen = await refuse();
  for (let attempt = 1; attempt < ATTEMPTS && !isDeepStrictEqual(seen.before, seen.after); attempt += 1)
    seen = await refuse();
  expect(seen.after).toEqual(seen.before);
}
