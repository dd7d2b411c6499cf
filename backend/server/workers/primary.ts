import cluster from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { type WorkerSums, createWorkerSums } from '#backend/platform/metrics/sum-metrics.ts';
import { type PrimaryOrder, type StartedServer, WORKER_NUMBER, type WorkerReport } from './messages.ts';

/** Before a worker that ended is started again: so long, doubling with each end in a row, up to the longest, in milliseconds. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;

/** A worker that listened for so long had no trouble with its start: its end is the first of a row, in milliseconds. */
const STEADY_MS = 60_000;

/** A worker that stops ends within 10 s by itself. After this one that hangs is killed, in milliseconds. */
const KILL_MS = 12_000;

/** A worker that has not counted by then is left out of what is read of `/metrics`, in milliseconds. */
const COUNT_MS = 1_000;

/** The processes that share the port. */
export interface Workers {
  /** What is announced once all listen; undefined when one could not start, which it has said, or on a stop meanwhile. */
  started: Promise<StartedServer | undefined>;
  /** Gives the place of each to a new one, one after the other, so that the port is served all the time. */
  replace(): Promise<void>;
  /** Stops all of them at the same time. */
  stop(): void;
  /** The exit code of the whole, when none is left. */
  ended: Promise<number>;
}

/** How a worker ended. */
interface End {
  code: number | null;
  signal: string | null;
  /** How long it had listened, in milliseconds; undefined when it never did. */
  listenedMs: number | undefined;
}

interface RunningWorker {
  /** Of this process; none has it twice. */
  id: number;
  /** Of its place, from 1. */
  number: number;
  /** Undefined when it ends before it listens. */
  listening: Promise<StartedServer | undefined>;
  ended: Promise<End>;
  /** Kills it when it does not end in time. */
  stop(isReplaced: boolean): void;
  /** Asks it to count, and waits until it has. False when it does not answer in time. */
  count(): Promise<boolean>;
}

/**
 * Starts so many processes that share the port, and starts one again that ends. This process hands connections out and
 * holds none to the database. The first worker starts by itself: what a start does once for all (tables, administrator,
 * secrets) it has done when the others begin, and what stops it is said once. Workers run the command line of this process.
 */
export function startWorkers(count: number, logger: Logger): Workers {
  // On Windows Node leaves it to the system by default, which may give one worker most of them.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const sums = createWorkerSums();
  const running = new Set<RunningWorker>();
  /** Workers that have a new one for their place, or are about to. */
  const successors = new Map<RunningWorker, RunningWorker>();
  const stopping = new AbortController();
  const { promise: ended, resolve: end } = Promise.withResolvers<number>();

  const fork = (number: number): RunningWorker => {
    const worker = forkWorker(number, { logger, sums, scrape });
    running.add(worker);
    void worker.ended.then(() => running.delete(worker));
    return worker;
  };

  async function scrape(): Promise<string> {
    const counted = await Promise.all([...running].map(async (worker) => ((await worker.count()) ? [worker.id] : [])));
    return sums.text(new Set(counted.flat()));
  }

  /** Has another worker take the place of one that ended, until the stop. */
  const keep = async (first: RunningWorker): Promise<void> => {
    let worker = first;
    for (let ends = 1; ; ends += 1) {
      const { code, signal, listenedMs = 0 } = await worker.ended;
      if (stopping.signal.aborted) return;
      const successor = successors.get(worker);
      if (successor) {
        successors.delete(worker);
        worker = successor;
        ends = 0;
        continue;
      }
      if (listenedMs > STEADY_MS) ends = 1;
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (ends - 1), LONGEST_PAUSE_MS);
      logger.error({ worker: worker.number, code, signal, pauseMs }, 'a worker ended; another one takes its place');
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      sums.restarted();
      worker = fork(worker.number);
    }
  };

  const stop = async (exitCode = 0): Promise<void> => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    const ends = await Promise.all(
      Array.from(running, (worker) => {
        worker.stop(false);
        return worker.ended;
      }),
    );
    // One that had not listened yet has nothing to lose.
    const isClean = ends.every(({ code, listenedMs }) => code === 0 || listenedMs === undefined);
    end(exitCode || (isClean ? 0 : 1));
  };

  /** Whether they listen. When one does not, the start is over. */
  const listen = async (workers: RunningWorker[]): Promise<StartedServer | undefined> => {
    const started = await Promise.all(
      workers.map(async (worker) => {
        const server = await worker.listening;
        if (server) {
          void keep(worker);
          return server;
        }
        const { code, signal } = await worker.ended;
        if (signal && !stopping.signal.aborted) {
          logger.error({ worker: worker.number, signal }, 'a worker was killed before it listened');
        }
        void stop(code || 1);
        return undefined;
      }),
    );
    return started.includes(undefined) ? undefined : started[0];
  };
  const start = async (): Promise<StartedServer | undefined> => {
    const server = await listen([fork(1)]);
    if (!server || stopping.signal.aborted) return undefined;
    const others = Array.from({ length: count - 1 }, (_, index) => fork(index + 2));
    const areAllThere = count === 1 || (await listen(others)) !== undefined;
    return areAllThere && !stopping.signal.aborted ? server : undefined;
  };

  const started = start();
  let isReplacing = false;
  const replace = async (): Promise<void> => {
    if (isReplacing) return;
    isReplacing = true;
    await started;
    // Not those that begin meanwhile.
    for (const old of Array.from(running)) {
      if (stopping.signal.aborted) break;
      const next = fork(old.number);
      successors.set(old, next);
      if (await next.listening) {
        old.stop(true);
        await old.ended;
        continue;
      }
      // The place stays with the old one, if that still runs.
      successors.delete(old);
      if (!stopping.signal.aborted) logger.error('a new worker does not start; the others are not replaced');
      break;
    }
    isReplacing = false;
  };

  return { started, replace, stop: () => void stop(), ended };
}

/** @param deps.scrape what all workers count, for the one whose `/metrics` is read */
function forkWorker(
  number: number,
  { logger, sums, scrape }: { logger: Logger; sums: WorkerSums; scrape: () => Promise<string> },
): RunningWorker {
  const worker = cluster.fork({ [WORKER_NUMBER]: String(number) });
  const { promise: listening, resolve: setListening } = Promise.withResolvers<StartedServer | undefined>();
  const { promise: ended, resolve: end } = Promise.withResolvers<End>();
  let listensSince: number | undefined;
  let counted: (() => void)[] = [];

  // What cannot be sent concerns a worker that has ended.
  const order = (message: PrimaryOrder): void => void worker.send(message, () => undefined);
  const setEnded = (code: number | null, signal: string | null): void => {
    setListening(undefined);
    end({ code, signal, listenedMs: listensSince === undefined ? undefined : performance.now() - listensSince });
  };
  worker.on('message', (report: WorkerReport) => {
    if (report.type === 'listening') {
      listensSince = performance.now();
      setListening(report.server);
    }
    if (report.type === 'counted') {
      sums.note(worker.id, report.values);
      for (const resolve of counted) resolve();
      counted = [];
    }
    if (report.type === 'scrape') {
      scrape().then(
        (text) => order({ type: 'scraped', text }),
        (error: unknown) => logger.error({ err: error }, 'the counts of all workers could not be added up'),
      );
    }
  });
  worker.on('error', (error: Error) => {
    logger.error({ err: error, worker: number }, 'a worker could not be reached');
    // Such as for want of memory: then it never exits.
    if (worker.process.pid === undefined) setEnded(1, null);
  });
  worker.once('exit', setEnded);
  // After its last report, which its exit may come before.
  worker.once('disconnect', () => sums.retire(worker.id));

  return {
    id: worker.id,
    number,
    listening,
    ended,
    stop(isReplaced) {
      const timer = setTimeout(() => {
        logger.error({ worker: number }, 'a worker did not stop in time and was killed');
        worker.process.kill('SIGKILL');
      }, KILL_MS);
      void ended.then(() => clearTimeout(timer));
      // Before it listens, it follows no orders.
      if (listensSince === undefined) worker.process.kill('SIGTERM');
      else order({ type: 'stop', isReplaced });
    },
    async count() {
      if (listensSince === undefined) return false;
      const answer = new Promise<true>((resolve) => counted.push(() => resolve(true)));
      order({ type: 'count' });
      return Promise.race([answer, wait(COUNT_MS, false, { ref: false })]);
    },
  };
}
