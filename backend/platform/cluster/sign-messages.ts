import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DroppedMessage } from '#backend/platform/metrics/observers.ts';

/** A message is taken for so long after it was signed, by the database's clock, in milliseconds. */
export const TAKEN_FOR_MS = 60_000;

/** Version of the signature, its time, its number, and the signature itself, in the last line of a message. */
const SIGNATURE = /^s1\.(\d{1,15})\.(\d{1,15})\.([\w-]{43})$/;
/** Longer last lines are none, and are not looked at. */
const MAX_SIGNATURE = 80;

/** The server that a message names as its own, which is its beginning. */
const SERVER = /^\{"server":"([^"\\]{1,64})",/;

/** Proves to other servers that a message is of one of them, and is not one that was sent before. */
export interface MessageSigning {
  /** The message with its signature behind it, where the release before reads nothing. */
  sign(message: string): string;
  /** The message without its signature, or why it is dropped. */
  verify(signed: string): { message: string } | { dropped: DroppedMessage };
}

/** A key for one purpose, made of the one that the servers share. */
export const keyFor = (purpose: string, clusterKey: string): Buffer =>
  createHmac('sha256', Buffer.from(clusterKey, 'base64url')).update(purpose).digest();

/**
 * HMAC-SHA256 over channel, time, number and message. Each server numbers its messages, so one that comes again has no
 * greater number than the last; whoever does not know the last one is protected by the time.
 *
 * @param clusterKey the secret that the servers share, from their database
 * @param now the same clock for all servers, in milliseconds
 */
export function createMessageSigning(clusterKey: string, channel: string, now: () => number): MessageSigning {
  const key = keyFor('messages', clusterKey);
  const lastOf = new Map<string, { number: number; at: number }>();
  let number = 0;
  const signatureOf = (at: string, ofMessage: string, message: string): Buffer =>
    createHmac('sha256', key).update(`${channel}\n${at}.${ofMessage}\n`).update(message).digest();

  /** What is older than any message that is taken need not be remembered. */
  const forget = (): void => {
    for (const [server, { at }] of lastOf) if (now() - at > 2 * TAKEN_FOR_MS) lastOf.delete(server);
  };

  return {
    sign(message) {
      number += 1;
      const at = String(Math.max(0, Math.round(now())));
      const signature = signatureOf(at, String(number), message).toString('base64url');
      return `${message}\ns1.${at}.${number}.${signature}`;
    },
    verify(signed) {
      const end = signed.lastIndexOf('\n');
      const line = signed.length - end > MAX_SIGNATURE ? '' : signed.slice(end + 1);
      const [, at, ofMessage, signature] = SIGNATURE.exec(line) ?? [];
      if (at === undefined || ofMessage === undefined || signature === undefined) return { dropped: 'unsigned' };
      const message = signed.slice(0, end);
      const server = SERVER.exec(message)?.[1];
      const isRight = timingSafeEqual(Buffer.from(signature, 'base64url'), signatureOf(at, ofMessage, message));
      if (!isRight || server === undefined) return { dropped: 'forged' };
      if (Math.abs(now() - Number(at)) > TAKEN_FOR_MS) return { dropped: 'late' };
      if (Number(ofMessage) <= (lastOf.get(server)?.number ?? 0)) return { dropped: 'replayed' };
      if (!lastOf.has(server)) forget();
      lastOf.set(server, { number: Number(ofMessage), at: Number(at) });
      return { message };
    },
  };
}

/** Names of keys in Redis, of which nobody reads the address or e-mail that is counted. */
export function createKeyNames(clusterKey: string): (limiter: string, key: string | number) => string {
  const secret = keyFor('names', clusterKey);
  return (limiter, key) => createHmac('sha256', secret).update(`${limiter}\n${key}`).digest('base64url').slice(0, 22);
}
