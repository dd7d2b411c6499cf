import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import type { QueryTask, QueryValues } from './query-values.ts';

/** What the thread is asked, and what it answers. */
export interface NumberedTask {
  number: number;
  task: QueryTask;
}
export interface EvaluatedTask {
  number: number;
  values: QueryValues;
  /** Of the processor: time in which the thread waits is charged to no source. */
  tookMs: number;
}

/** What evaluating paths may take. Times in milliseconds. */
export interface MappingLimits {
  /** What a source may use at once after a quiet time. */
  burstMs: number;
  /** The part of each second that it may use in the long run. */
  share: number;
  /** How long a delivery waits for its turn. */
  waitMs: number;
  /** How long the thread may be silent with a task before it is replaced. */
  silentMs: number;
}

/** A path that names few fields takes a tenth of a millisecond: a thousand deliveries a second are in the budget. */
const LIMITS: MappingLimits = { burstMs: 500, share: 0.1, waitMs: 5_000, silentMs: 2_000 };

const OVER_BUDGET = {
  stopped: 'Not evaluated: the paths of this source have used up their time. Use paths that name their fields.',
};
const NO_TURN: QueryValues = { stopped: 'Not evaluated: the server is busy with the paths of other sources.' };
const BROKEN: QueryValues = { stopped: 'Not evaluated: the thread that evaluates paths has failed.' };

/** A source's time for its paths, which are evaluated one delivery after the other. */
export interface EvaluationBudget {
  /** Why nothing is evaluated now; undefined when a delivery may be. */
  whyNot(): string | undefined;
  /** Takes off what one delivery used, in milliseconds. */
  spend(usedMs: number): void;
}

/** Evaluates the paths of sources' mappings beside the server's own thread. */
export interface MappingThread {
  /** What the paths find. It never rejects: what cannot be evaluated in time is `stopped`, with the reason. */
  evaluate(sourceId: string, task: QueryTask): Promise<QueryValues>;
  /** The time of a source, for paths that another thread evaluates. */
  budgetOf(sourceId: string): EvaluationBudget;
  stop(): Promise<void>;
}

interface Pending {
  task: QueryTask;
  settle: (values: QueryValues) => void;
}

/** The source's time that is left, at a moment of `performance.now()`. */
interface Budget {
  leftMs: number;
  at: number;
}

/**
 * One thread evaluates one delivery after the other, in turns of their sources. A source has a budget: what it has used
 * up comes back as time passes, and its deliveries go without their slow paths meanwhile. The thread starts with the
 * first task.
 */
export function createMappingThread(limits: MappingLimits = LIMITS): MappingThread {
  const queues = new Map<string, Pending[]>();
  const budgets = new Map<string, Budget>();
  let worker: Worker | undefined;
  let isStopped = false;
  let number = 0;
  let active: { sourceId: string; number: number; pending: Pending; timer: NodeJS.Timeout } | undefined;

  const budgetOf = (sourceId: string): Budget => {
    const now = performance.now();
    const { leftMs, at } = budgets.get(sourceId) ?? { leftMs: limits.burstMs, at: now };
    const budget = { leftMs: Math.min(limits.burstMs, leftMs + (now - at) * limits.share), at: now };
    budgets.set(sourceId, budget);
    return budget;
  };

  const spend = (sourceId: string, usedMs: number): void => {
    budgetOf(sourceId).leftMs -= usedMs;
    // Full again, a source need not be known.
    for (const [id] of budgets) if (budgetOf(id).leftMs >= limits.burstMs) budgets.delete(id);
  };

  const finishActive = (values: QueryValues, tookMs: number): void => {
    if (!active) return;
    const { sourceId, pending, timer } = active;
    active = undefined;
    clearTimeout(timer);
    spend(sourceId, tookMs);
    pending.settle(values);
    startNext();
  };

  const fail = (failed: Worker): void => {
    if (worker !== failed) return;
    worker = undefined;
    void failed.terminate();
    finishActive(BROKEN, limits.silentMs);
  };

  const start = (): Worker => {
    const started = new Worker(new URL('./mapping-worker.ts', import.meta.url));
    started.on('message', ({ number: answered, values, tookMs }: EvaluatedTask) => {
      if (active?.number === answered) finishActive(values, tookMs);
    });
    started.on('error', () => fail(started));
    started.on('exit', () => fail(started));
    // The process may end while the thread waits.
    started.unref();
    return started;
  };

  /** The next delivery of the next source that has something left of its budget. */
  const takeNext = (): { sourceId: string; pending: Pending } | undefined => {
    for (const [sourceId, queue] of queues) {
      // The source goes behind the others with what is queued.
      queues.delete(sourceId);
      const pending = queue.shift();
      if (queue.length > 0) queues.set(sourceId, queue);
      if (!pending) continue;
      if (budgetOf(sourceId).leftMs > 0) return { sourceId, pending };
      pending.settle(OVER_BUDGET);
    }
    return undefined;
  };

  const startNext = (): void => {
    const next = active || isStopped ? undefined : takeNext();
    if (!next) return;
    const { sourceId, pending } = next;
    number += 1;
    const isNew = worker === undefined;
    const used = (worker ??= start());
    // A thread that starts on a busy machine takes its time.
    const timer = setTimeout(() => fail(used), isNew ? limits.waitMs : limits.silentMs);
    active = { sourceId, number, pending, timer };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    used.postMessage({ number, task: pending.task } satisfies NumberedTask);
  };

  return {
    evaluate: (sourceId, task) =>
      new Promise((resolve) => {
        if (isStopped) return resolve(NO_TURN);
        if (budgetOf(sourceId).leftMs <= 0) return resolve(OVER_BUDGET);
        const queue = queues.get(sourceId) ?? [];
        const timer = setTimeout(() => {
          const place = queue.indexOf(pending);
          if (place === -1) return;
          queue.splice(place, 1);
          if (queue.length === 0 && queues.get(sourceId) === queue) queues.delete(sourceId);
          resolve(NO_TURN);
        }, limits.waitMs);
        const pending: Pending = {
          task,
          settle(values) {
            clearTimeout(timer);
            resolve(values);
          },
        };
        queue.push(pending);
        queues.set(sourceId, queue);
        startNext();
      }),
    budgetOf: (sourceId) => ({
      whyNot: () => (budgetOf(sourceId).leftMs > 0 ? undefined : OVER_BUDGET.stopped),
      spend: (usedMs) => spend(sourceId, usedMs),
    }),
    async stop() {
      isStopped = true;
      for (const queue of queues.values()) for (const { settle } of queue) settle(NO_TURN);
      queues.clear();
      const ending = worker;
      worker = undefined;
      finishActive(BROKEN, 0);
      await ending?.terminate();
    },
  };
}
