import { performance } from 'node:perf_hooks';
import { type Context, Script, createContext } from 'node:vm';

/** What stands in for the result of work that took too long. */
export const STOPPED = Symbol('stopped');

const SCRIPT = new Script('work()');

let context: Context | undefined;

/** How often work is begun that is stopped while other programs have the processor. */
const MAX_ATTEMPTS = 3;

/**
 * Processor time, in milliseconds, of this thread. Node.js before 23.9 counts that of the whole process alone, which is no
 * less.
 */
function processorMs(): number {
  const { user, system } = ((process as Partial<typeof process>).threadCpuUsage ?? process.cpuUsage)();
  return (user + system) / 1000;
}

/**
 * Starts counting. The result says how many milliseconds of the processor this thread has used since, and never more than
 * have passed: other threads of the process are not counted.
 */
export function countUse(): () => number {
  const [used, at] = [processorMs(), performance.now()];
  return () => Math.min(processorMs() - used, performance.now() - at);
}

/**
 * Runs synchronous work and stops it after so many milliseconds, wherever it is: in a loop, or in a regular expression.
 * Where it had the processor for less than half of them, the machine was busy with something else, and it begins again.
 * It costs a fifth of a millisecond; what it runs may change nothing that others see, because it may stop half-way.
 */
export function runBounded<Result>(work: () => Result, milliseconds: number): Result | typeof STOPPED {
  for (let attempt = 1; ; attempt += 1) {
    const before = processorMs();
    const result = runOnce(work, milliseconds);
    const isDone = result !== STOPPED || processorMs() - before >= milliseconds / 2;
    if (isDone || attempt === MAX_ATTEMPTS) return result;
  }
}

function runOnce<Result>(work: () => Result, milliseconds: number): Result | typeof STOPPED {
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
