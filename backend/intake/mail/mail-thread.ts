import { Worker } from 'node:worker_threads';
import { createTaskThread } from '#backend/intake/reading/task-thread.ts';
import { unavailable } from '#backend/platform/endpoint/errors.ts';
import { type ReadMail, UnreadableMail } from './read-mail.ts';

/** What the thread is asked. */
export interface MailTask {
  raw: Uint8Array;
  envelopeFrom: string;
}

/** What the thread answers. */
export type MailReading = { read: ReadMail } | { unreadable: string };

/** Reads messages beside the server's own thread, which even 100 KiB of HTML would keep for long. */
export interface MailReader {
  /** As `readMail`. @throws {ProblemError} 503 when the thread fails, takes too long or has no room */
  read(raw: Buffer, envelopeFrom: string): Promise<ReadMail>;
  stop(): Promise<void>;
}

/** One thread, which takes one message after the other. */
export function createMailReader(): MailReader {
  const thread = createTaskThread<MailReading>(() => new Worker(new URL('./mail-worker.ts', import.meta.url)));
  return {
    read: (raw, envelopeFrom) =>
      new Promise((resolve, reject) => {
        thread.add({
          message: { raw, envelopeFrom } satisfies MailTask,
          size: raw.length,
          fail: () => reject(unavailable('The server could not read the email right now.', 5)),
          take(reading) {
            if ('read' in reading) resolve(reading.read);
            else reject(new UnreadableMail(reading.unreadable));
            return true;
          },
        });
      }),
    stop: () => thread.stop(),
  };
}
