import { Agent, request as httpRequest } from 'node:http';
import { Agent as SecureAgent, request as httpsRequest } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { webhookReceiptSchema } from '#backend/contract/webhook.ts';
import { Complaint } from '#scripts/complaint.ts';
import type { Tally } from './tally.ts';
import { type WebhookRequest, bytesOf } from './webhook-request.ts';

/** How often an alert is sent again when the server asks to come again (429, 503). */
const MAX_ATTEMPTS = 10;

/** Wait in seconds when the server names none, and the longest that it may ask for. */
const DEFAULT_WAIT = 1;
const LONGEST_WAIT = 60;

/** Longest that the server may take to answer, in milliseconds. */
const TIMEOUT = 30_000;

interface Answer {
  status: number;
  retryAfter: string | undefined;
  body: string;
}

/** Sends alerts over kept connections, at most `connections` at once. */
export interface Poster {
  /**
   * Sends one alert and counts it in the tally; comes again as often and as late as a 429 or 503 asks for.
   *
   * @returns the last answer's status
   * @throws {Complaint} when there is no server any more, or the credentials are no longer valid
   */
  post(alert: WebhookRequest): Promise<number | 'no answer'>;
  close(): void;
}

/** A poster to the server at `url`; `authenticate` adds what each alert's sender proves itself with; `signal` ends its waiting. */
export function createPoster(where: {
  url: URL;
  authenticate: (alert: WebhookRequest) => WebhookRequest;
  connections: number;
  tally: Tally;
  signal: AbortSignal;
}): Poster {
  const { url, authenticate, connections, tally, signal } = where;
  const isSecure = url.protocol === 'https:';
  const options = { keepAlive: true, maxSockets: connections };
  const agent = isSecure ? new SecureAgent(options) : new Agent(options);
  const open = isSecure ? httpsRequest : httpRequest;
  // When the server defers one alert, the others wait as well.
  let pausedUntil = 0;

  const send = ({ method, path, headers: own, body: text }: WebhookRequest): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const body = bytesOf({ headers: own, body: text });
      const headers = { ...own, 'content-length': body.length };
      const request = open(new URL(path, url), { method, headers, agent, timeout: TIMEOUT });
      request.on('response', (response) => {
        let answer = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], body: answer }),
        );
      });
      request.on('timeout', () => request.destroy(new Error('no answer in time')));
      request.on('error', reject);
      request.end(body);
    });

  /** True when the answer is final. */
  const settle = ({ status, retryAfter, body }: Answer, milliseconds: number): boolean => {
    // Slack's senders are answered 200.
    if (status === 202 || status === 200) {
      // The Events API v2 answers with the sender's own name of the problem, not with an id.
      const receipt = webhookReceiptSchema.safeParse(JSON.parse(body));
      tally.acknowledge(receipt.data?.id, milliseconds);
      return true;
    }
    tally.refuse(status);
    if (status === 401)
      throw new Complaint(`The server does not take the demo's credentials any more (401: ${body.trim()}).`);
    if (status !== 429 && status !== 503) return true;
    const seconds = Math.min(Number(retryAfter ?? DEFAULT_WAIT) || DEFAULT_WAIT, LONGEST_WAIT);
    pausedUntil = Math.max(pausedUntil, performance.now() + seconds * 1000);
    return false;
  };

  return {
    async post(alert) {
      let last: number | 'no answer' = 'no answer';
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const wait = pausedUntil - performance.now();
        if (wait > 0) await delay(wait, undefined, { signal }).catch(() => {});
        if (signal.aborted) return last;
        const started = performance.now();
        const answer = await send(authenticate(alert)).catch((error: NodeJS.ErrnoException) => {
          tally.refuse('no answer');
          if (error.code !== 'ECONNREFUSED') return undefined;
          throw new Complaint(`The server at ${url.origin} is gone.`, { cause: error });
        });
        if (!answer) return 'no answer';
        if (settle(answer, performance.now() - started)) return answer.status;
        last = answer.status;
      }
      return last;
    },
    close: () => agent.destroy(),
  };
}
