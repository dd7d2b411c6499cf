import { type Context, Script, createContext } from 'node:vm';

/** What stands in for the result of work that took too long. */
export const STOPPED = Symbol('stopped');

const SCRIPT = new Script('work()');

let context: Context | undefined;

/**
 * Runs synchronous work and stops it after so many milliseconds, wherever it is: in a loop, or in a regular expression.
 * It costs a fifth of a millisecond; what it runs may change nothing that others see, because it may stop half-way.
 */
export function runBounded<Result>(work: () => Result, milliseconds: number): Result | typeof STOPPED {
  context ??= createContext({});
  context['work'] = work;
  try {
    return SCRIPT.runInContext(context, { timeout: milliseconds }) as Result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return STOPPED;
    throw error;
  } finally {
    context['work'] = undefined;
  }
}
