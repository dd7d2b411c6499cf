import type { SMTPServerDataStream } from 'smtp-server';
import { tooLargeMail, tooMuchInFlight } from './mail-answers.ts';

/** What messages that are being received may hold in memory, all together, in bytes. */
const IN_FLIGHT_BYTES = 64 * 1024 * 1024;

/** Receives messages within bounds. */
export interface MessageReceiver {
  /**
   * Reads a message to its end; of one that goes beyond a bound, the rest is read and thrown away.
   *
   * @returns the message, and `release`, which has its memory counted as free
   * @throws {MailError} 552 when it is too large, 452 when too much is being received at the moment
   * @throws {Error} when the connection ends in the middle
   */
  receive(stream: SMTPServerDataStream): Promise<{ raw: Buffer; release: () => void }>;
}

/** @param maxBytes what one message may have */
export function createMessageReceiver(maxBytes: number): MessageReceiver {
  const limit = Math.max(IN_FLIGHT_BYTES, 2 * maxBytes);
  let inFlight = 0;
  return {
    async receive(stream) {
      let chunks: Buffer[] = [];
      let held = 0;
      let isOver = false;
      const release = () => {
        inFlight -= held;
        held = 0;
        chunks = [];
      };
      try {
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          isOver ||= inFlight + chunk.length > limit;
          if (isOver || stream.sizeExceeded) {
            release();
            continue;
          }
          chunks.push(chunk);
          held += chunk.length;
          inFlight += chunk.length;
        }
        if (stream.sizeExceeded) throw tooLargeMail(maxBytes);
        if (isOver) throw tooMuchInFlight();
        return { raw: Buffer.concat(chunks), release };
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}
