import { Worker } from 'node:worker_threads';
import { unavailable } from '#backend/platform/endpoint/errors.ts';
import { type ReadMail, UnreadableMail } from './read-mail.ts';

/** What the thread is asked. */
export interface NumberedMail {
  number: number;
  raw: Uint8Array;
  envelopeFrom: string;
}

/** What the thread answers. */
export type MailReading = { number: number } & ({ read: ReadMail } | { unreadable: string });

/** How long the thread may be silent with a message before it is replaced, in milliseconds. */
const SILENT_MS = 20_000;

interface Waiting {
  resolve: (read: ReadMail) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

/** Reads messages beside the server's own thread, which even 100 KiB of HTML would keep for long. */
export interface MailReader {
  /** As `readMail`. @throws {ProblemError} 503 when the thread fails or takes too long */
  read(raw: Buffer, envelopeFrom: string): Promise<ReadMail>;
  stop(): Promise<void>;
}

const failed = () => unavailable('The server could not read the email right now.', 5);

/** One thread, which takes one message after the other. It starts with the first, and again after it has failed. */
export function createMailReader(silentMs = SILENT_MS): MailReader {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let number = 0;
  let isStopped = false;

  const settle = (of: number, done: (one: Waiting) => void): void => {
    const one = waiting.get(of);
    if (!one) return;
    waiting.delete(of);
    clearTimeout(one.timer);
    if (waiting.size === 0) worker?.unref();
    done(one);
  };
  const failAll = (): void => {
    for (const of of waiting.keys()) settle(of, ({ reject }) => reject(failed()));
  };
  const fail = (of: Worker): void => {
    if (worker !== of) return;
    worker = undefined;
    void of.terminate();
    failAll();
  };
  const start = (): Worker => {
    const started = new Worker(new URL('./mail-worker.ts', import.meta.url));
    started.on('message', (reading: MailReading) =>
      settle(reading.number, ({ resolve, reject }) =>
        'read' in reading ? resolve(reading.read) : reject(new UnreadableMail(reading.unreadable)),
      ),
    );
    started.on('error', () => fail(started));
    started.on('exit', () => fail(started));
    return started;
  };

  return {
    read(raw, envelopeFrom) {
      if (isStopped) return Promise.reject(failed());
      return new Promise((resolve, reject) => {
        number += 1;
        const used = (worker ??= start());
        used.ref();
        waiting.set(number, { resolve, reject, timer: setTimeout(() => fail(used), silentMs) });
        const message: NumberedMail = { number, raw, envelopeFrom };
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
        used.postMessage(message);
      });
    },
    async stop() {
      isStopped = true;
      const ending = worker;
      worker = undefined;
      failAll();
      await ending?.terminate();
    },
  };
}
