import { Worker } from 'node:worker_threads';
import { THREAD_LIMITS } from './memory.ts';
import type { SqlValue } from './dialect.ts';

/** Reads that look at so many rows that they would keep the event loop. */
export interface LongReads {
  /** Runs one `SELECT`. @throws what the database threw, with its code */
  query<Row>(sql: string, values?: readonly SqlValue[]): Promise<Row[]>;
}

/** The same, beside a file of SQLite that is attached to the database as `search`; on MySQL there is none. */
export interface AttachedReads extends LongReads {
  /** @param attached the file, which stays attached until another one is given, or null, which detaches it */
  query<Row>(sql: string, values?: readonly SqlValue[], attached?: string | null): Promise<Row[]>;
}

/** Long reads of SQLite, in a thread of their own, with a connection that can only read. */
export interface LongReadThread extends AttachedReads {
  /** Ends the thread and waits for its end: the read that runs is finished, and those that wait are not begun. */
  close(): Promise<void>;
}

/** What the thread is started with. `isClosing` has one number, shared with it: 1 once it is to end. */
export interface LongReadWorkerData {
  file: string;
  isClosing: Int32Array;
}

/** What the thread is asked, and what it answers. */
export interface LongRead {
  number: number;
  sql: string;
  values: readonly SqlValue[];
  attached?: string | null | undefined;
}
export type LongReadAnswer = { number: number } & ({ rows: unknown[] } | { message: string; code: string });

/** Reads that wait for the thread at most; further ones are refused, as the database's being busy. */
const MAX_WAITING = 64;

/** The code with which SQLite says that it is busy: the answer is 503 with `Retry-After`. */
const BUSY = 'SQLITE_BUSY';

interface Waiting {
  sql: string;
  resolve: (rows: never[]) => void;
  reject: (error: Error) => void;
}

interface Thread extends Pick<LongReadWorkerData, 'isClosing'> {
  worker: Worker;
  ended: Promise<void>;
}

/** Whether somebody waits for its end. */
const isEnding = ({ isClosing }: Thread): boolean => Atomics.load(isClosing, 0) === 1;

/**
 * Opens what starts the thread with the first read, and again with the next after it died. One thread, which takes one read
 * after the other: with more, people's searches would leave storing alerts no processor.
 *
 * @param onError receives every statement that failed
 */
export function openLongReads(file: string, onError: (error: Error, sql: string) => void): LongReadThread {
  const waiting = new Map<number, Waiting>();
  let thread: Thread | undefined;
  let number = 0;

  const settle = (answer: LongReadAnswer) => {
    const asked = waiting.get(answer.number);
    waiting.delete(answer.number);
    // It keeps the process while somebody waits, be it for its end, and not otherwise.
    if (waiting.size === 0 && thread && !isEnding(thread)) thread.worker.unref();
    if (!asked) return;
    if ('rows' in answer) {
      asked.resolve(answer.rows as never[]);
      return;
    }
    const error = Object.assign(new Error(answer.message), { code: answer.code });
    onError(error, asked.sql);
    asked.reject(error);
  };
  const start = (): Thread => {
    const isClosing = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const worker = new Worker(new URL('./long-read-worker.ts', import.meta.url), {
      workerData: { file, isClosing } satisfies LongReadWorkerData,
      resourceLimits: THREAD_LIMITS,
    });
    let cause = 'The thread of long reads ended.';
    worker.on('message', settle);
    worker.on('error', (error: Error) => (cause = error.message));
    const ended = new Promise<void>((resolve) => {
      worker.on('exit', () => {
        thread = undefined;
        for (const unanswered of waiting.keys()) settle({ number: unanswered, message: cause, code: BUSY });
        resolve();
      });
    });
    return { worker, isClosing, ended };
  };

  return {
    query<Row>(sql: string, values: readonly SqlValue[] = [], attached?: string | null) {
      if (waiting.size >= MAX_WAITING) {
        return Promise.reject(Object.assign(new Error('Too many long reads are waiting.'), { code: BUSY }));
      }
      const { promise, resolve, reject } = Promise.withResolvers<Row[]>();
      number += 1;
      waiting.set(number, { sql, resolve, reject });
      thread ??= start();
      thread.worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      thread.worker.postMessage({ number, sql, values, attached } satisfies LongRead);
      return promise;
    },
    async close() {
      if (!thread) return;
      const { worker, isClosing, ended } = thread;
      // Not terminated: native code that is stopped while it is being loaded or works ends the whole process.
      Atomics.store(isClosing, 0, 1);
      worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(null);
      await ended;
    },
  };
}
