import { Worker } from 'node:worker_threads';
import { THREAD_LIMITS } from '#backend/platform/database/memory.ts';
import type { InsightCommand, InsightMessage, InsightWorkerData } from './insight-messages.ts';

/** The thread that counts and answers. */
export interface InsightThread {
  send(command: InsightCommand): void;
  /** Ends it and waits for its end. */
  stop(): Promise<void>;
}

/** Starts the thread. @param onDeath is called when it ends and nobody stopped it. */
export function startInsightThread(
  workerData: InsightWorkerData,
  { onMessage, onDeath }: { onMessage: (message: InsightMessage) => void; onDeath: (error: Error) => void },
): InsightThread {
  let isStopping = false;
  let cause: Error | undefined;
  const worker = new Worker(new URL('./insight-worker.ts', import.meta.url), {
    workerData,
    resourceLimits: THREAD_LIMITS,
  });
  worker.on('message', onMessage);
  worker.on('error', (error: Error) => {
    cause = error;
  });
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', (code) => {
      resolve();
      if (!isStopping) onDeath(cause ?? new Error(`The insight thread ended with code ${code}.`));
    });
  });
  // The process may end while the thread waits.
  worker.unref();
  return {
    send(command) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(command);
    },
    async stop() {
      isStopping = true;
      // Else the process would end here, with what comes after left undone.
      worker.ref();
      this.send({ type: 'stop' });
      await ended;
    },
  };
}
