import type { Random } from './random.ts';

/** One request as a sender would make it, without the API key. */
export interface WebhookRequest {
  sender: string;
  method: string;
  /** Path and query, starting with `/`. */
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** Makes one request of its sender, as if something had just happened at `now`. */
export type Sender = (random: Random, now: Date) => WebhookRequest;

/** A request to `/webhook` with a JSON body. */
export const jsonRequest = (sender: string, body: unknown, headers: Record<string, string> = {}): WebhookRequest => ({
  sender,
  method: 'POST',
  path: '/webhook',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** So many seconds before `now`. */
export const secondsBefore = (now: Date, seconds: number): Date => new Date(now.getTime() - seconds * 1000);
