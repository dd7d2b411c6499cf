import { Worker } from 'node:worker_threads';
import { THREAD_LIMITS } from '#backend/platform/database/memory.ts';
import type { SearchWorkerCommand, SearchWorkerData, SearchWorkerMessage, SegmentWorkerData } from './search-files.ts';

/** The thread that keeps the index. When it dies another one takes its place. */
export interface SearchThread {
  /** Sends to the thread; lost while there is none, because a new one looks at everything by itself. */
  send(command: SearchWorkerCommand): void;
  /** Ends it and waits for its end. */
  stop(): Promise<void>;
}

interface Listener {
  onMessage(message: SearchWorkerMessage): void;
  /** A thread has ended that nobody stopped. */
  onDeath(error: Error): void;
}

/** Starts the thread. @param restartMs a dead one is replaced after this long. */
export function startSearchThread(
  workerData: SearchWorkerData | SegmentWorkerData,
  listener: Listener,
  restartMs: number,
): SearchThread {
  let isStopping = false;
  let restart: NodeJS.Timeout | undefined;
  let current = start();

  function start(): { worker: Worker; ended: Promise<void> } | undefined {
    const resourceLimits = THREAD_LIMITS;
    const worker =
      'databaseUrl' in workerData
        ? new Worker(new URL('./segment-worker.ts', import.meta.url), { workerData, resourceLimits })
        : new Worker(new URL('./search-worker.ts', import.meta.url), { workerData, resourceLimits });
    let cause: Error | undefined;
    worker.on('message', (message: SearchWorkerMessage) => listener.onMessage(message));
    worker.on('error', (error: Error) => {
      cause = error;
    });
    const ended = new Promise<void>((resolve) => {
      worker.on('exit', (code) => {
        resolve();
        if (isStopping) return;
        current = undefined;
        restart = setTimeout(() => {
          current = start();
        }, restartMs).unref();
        listener.onDeath(cause ?? new Error(`The search thread ended with code ${code}.`));
      });
    });
    // The process may end while the thread waits for news.
    worker.unref();
    return { worker, ended };
  }

  return {
    send(command) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      current?.worker.postMessage(command);
    },
    async stop() {
      isStopping = true;
      clearTimeout(restart);
      // Else the process would end here, with what comes after left undone.
      current?.worker.ref();
      this.send({ type: 'stop' });
      await current?.ended;
    },
  };
}
