import { gzipSync } from 'node:zlib';
import type { Random } from './random.ts';

/** One request as a sender would make it, without the credentials of its source. */
export interface WebhookRequest {
  /** Who sends it: one of the product's senders, or the name of a request file. */
  sender: string;
  method: string;
  /** Path and query, starting with `/`. */
  path: string;
  /** Names are lower-case where the demo writes them. */
  headers: Record<string, string>;
  body: string;
}

/** What a sender says: everything but where it goes and whose it is. */
export type Message = Pick<WebhookRequest, 'headers' | 'body'>;

/** Writes the next message of its sender, as if something had just happened at `now`. */
export type Writer = (random: Random, now: Date) => Message;

/** A message of JSON. */
export const json = (body: unknown, headers: Record<string, string> = {}): Message => ({
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** The bytes of a request's body: compressed where its headers say so. */
export const bytesOf = ({ headers, body }: Message): Buffer =>
  headers['content-encoding'] === 'gzip' ? gzipSync(body) : Buffer.from(body);

/** So many seconds before `now`. */
export const secondsBefore = (now: Date, seconds: number): Date => new Date(now.getTime() - seconds * 1000);

/** Seconds since 1970, as many senders write times. */
export const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1000);

/** Random digits in the form of a UUID. */
export const uuid = (random: Random): string => uuidOf(random.hex(32));

/** 32 hexadecimal digits in the form of a UUID. */
export const uuidOf = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
