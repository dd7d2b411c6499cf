/** The thread of long reads: runs one `SELECT` after the other on a connection of its own that can only read. */
import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import { CACHE_KIB, limitCache } from './memory.ts';
import { errorCode } from './driver-errors.ts';
import type { LongRead, LongReadAnswer, LongReadWorkerData } from './long-read-thread.ts';
import { addFunctions } from './sqlite-functions.ts';

if (!parentPort) throw new Error('The worker of long reads was started outside a worker thread.');
const port = parentPort;
const { file, isClosing } = workerData as LongReadWorkerData;
const connection = new BetterSqlite3(file, { readonly: true });
addFunctions(connection);
limitCache(connection, CACHE_KIB.thread);

let attached: string | null = null;

/** Attaches this file alone; null: none. */
function attach(wanted: string | null): void {
  if (wanted === attached) return;
  if (attached !== null) connection.exec('DETACH DATABASE search');
  attached = null;
  if (wanted === null) return;
  connection.prepare('ATTACH DATABASE ? AS search').run(wanted);
  attached = wanted;
}

const answer = ({ number, sql, values, attached: wanted = attached }: LongRead): LongReadAnswer => {
  try {
    attach(wanted);
    return { number, rows: connection.prepare(sql).all(...values) };
  } catch (error) {
    return { number, message: error instanceof Error ? error.message : String(error), code: errorCode(error) };
  }
};

port.on('message', (asked: LongRead | null) => {
  if (asked === null || Atomics.load(isClosing, 0) === 1) {
    // Nothing keeps the thread then, and what was asked meanwhile is dropped.
    connection.close();
    port.close();
    return;
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  port.postMessage(answer(asked));
});
