/** The thread that reads emails, one after the other. */
import { parentPort } from 'node:worker_threads';
import type { MailReading, MailTask } from './mail-thread.ts';
import { readMail } from './read-mail.ts';

if (!parentPort) throw new Error('The mail worker was started outside a worker thread.');
const port = parentPort;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const send = (reading: MailReading) => port.postMessage(reading);

async function take({ raw, envelopeFrom }: MailTask): Promise<void> {
  try {
    send({ read: await readMail(Buffer.from(raw.buffer, raw.byteOffset, raw.length), envelopeFrom) });
  } catch (error) {
    send({ unreadable: error instanceof Error ? error.message : 'unknown error' });
  }
}

port.on('message', take);
