import { vi } from 'vitest';

/** The longest that a test waits for what is to come, in milliseconds, as for what it polls (`vitest.config.ts`). */
const LONGEST_WAIT = 20_000;

type Options = Exclude<Parameters<typeof vi.waitFor>[1], number | undefined>;

/**
 * Resolves to what `check` returns, once it does without an error. Vitest's own limit is a second, which a busy machine needs
 * for less than a test does.
 *
 * @throws {Error} the last error of `check`, after 20 s or `options.timeout`
 */
export const waitFor = <T>(check: () => T | Promise<T>, options: Options = {}): Promise<T> =>
  vi.waitFor(check, { timeout: LONGEST_WAIT, ...options });
