import { Worker } from 'node:worker_threads';
import type { NarrowedList } from '#backend/alerts/alert/alert-list.ts';
import type { DatabasePlace } from '#backend/alerts/insight/reader.ts';
import type { RuleActions } from '#backend/contract/rule.ts';
import { THREAD_LIMITS } from '#backend/platform/database/memory.ts';
import { unavailable } from '#backend/platform/endpoint/errors.ts';
import type { DryRunTally } from './tally-dry-run.ts';

/** A rule as it is handed to the thread, which compiles it. */
export interface TriedRule {
  id: string;
  name: string;
  version: number;
  actions: RuleActions;
  list: NarrowedList;
}

/** What the thread is asked. */
export interface DryRunQuestion {
  place: DatabasePlace;
  /** SQL that has alerts read in the order of their ids. */
  byKey: string;
  before: readonly TriedRule[];
  after: readonly TriedRule[];
  ruleId: string | undefined;
  /** The members to whom rules may assign alerts. */
  assignable: readonly string[];
}

export interface DryRunAnswer {
  tally: DryRunTally;
  tookMs: number;
  total: number;
}

/** A thread that takes longer is ended, in milliseconds. */
const LONGEST_MS = 15_000;

/** Dry runs that wait for the one that runs, at most. */
const MAX_WAITING = 4;

let running: Promise<unknown> = Promise.resolve();
/** Dry runs that have no answer yet, the one that runs included. */
let unanswered = 0;

/**
 * Judges alerts beside the server's own thread, one dry run after the other.
 *
 * @throws {ProblemError} 503 when it cannot, or when too many wait already
 */
export async function runInThread(question: DryRunQuestion): Promise<DryRunAnswer> {
  if (unanswered > MAX_WAITING) throw unavailable('Other dry runs come first. Try again in a moment.', 2);
  unanswered += 1;
  const mine = running.then(() => judge(question));
  running = mine.catch(() => undefined);
  try {
    return await mine;
  } finally {
    unanswered -= 1;
  }
}

function judge(question: DryRunQuestion): Promise<DryRunAnswer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./dry-run-worker.ts', import.meta.url), {
      workerData: question,
      resourceLimits: THREAD_LIMITS,
    });
    const fail = (error?: Error) =>
      reject(unavailable('The dry run could not be made just now. Try again in a moment.', 2, error));
    const timer = setTimeout(() => void worker.terminate(), LONGEST_MS);
    worker.on('message', resolve);
    worker.on('error', fail);
    worker.on('exit', () => {
      clearTimeout(timer);
      fail();
    });
  });
}
