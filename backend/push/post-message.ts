import { type Agent, request as httpsRequest } from 'node:https';
import type { OutgoingHttpHeaders } from 'node:http';
import type { PushAnswer } from './judge-answer.ts';

/** What a push service may take from us. */
export interface PostLimits {
  /** From the host name's lookup to the end of the answer. */
  totalMs: number;
  /** Of the answer's body; it means nothing to us. */
  answerBytes: number;
}

/**
 * Posts an encrypted message. Redirects are not followed. An answer's body is read to its end, so that the connection
 * can be used again, but no longer than the limits let it: then the connection is cut, and the status counts.
 *
 * @throws when there was no answer in time, the connection failed, or `signal` said to stop.
 */
export function postMessage(
  { endpoint, headers, body }: { endpoint: string; headers: OutgoingHttpHeaders; body: Buffer },
  agent: Agent,
  limits: PostLimits,
  signal: AbortSignal,
): Promise<PushAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(endpoint, {
      method: 'POST',
      headers,
      agent,
      signal: AbortSignal.any([signal, AbortSignal.timeout(limits.totalMs)]),
    });
    let answer: PushAnswer | undefined;
    request.on('response', (response) => {
      const said = { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] };
      answer = said;
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > limits.answerBytes) request.destroy();
      });
      // Broken off by the service or cut by us: it has said what it did with the message.
      response.on('error', () => undefined);
      response.on('close', () => resolve(said));
    });
    request.on('error', (error) => (answer ? resolve(answer) : reject(error)));
    request.end(body);
  });
}
