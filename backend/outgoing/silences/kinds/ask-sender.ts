import type { z } from 'zod';
import { maskSecrets } from '#backend/outgoing/destinations/mask-secrets.ts';
import { judgeAnswer } from '#backend/outgoing/destinations/judge-answer.ts';
import type { HttpAnswer, HttpMethod, Post } from '#backend/outgoing/destinations/post.ts';
import { SenderError, type SenderTarget } from './sender-kind.ts';

/** Of an answer so much is read, in bytes: lists of silences and notes may be long. */
const ANSWER_BYTES = 2 * 1024 * 1024;

/** How requests to a sender are sent, and what its answers mean. */
interface AskOptions {
  base: string;
  headers: Record<string, string>;
  /** Whoever answers may repeat its secret; nobody reads it. */
  target: Pick<SenderTarget, 'user' | 'secret'>;
  /** Message for a status; undefined where the body of the answer has one. */
  explain: (status: number, body: string) => string | undefined;
  /** The status that an answer stands for, where its HTTP status is always 200. */
  statusOf?: (status: number, body: string) => number;
  /** Message for an answer that is not of this API. */
  noSuchApi: string;
  /** Message for an answer that is too long. */
  tooLong?: string;
}

/** Asks a sender. */
export interface AskSender {
  /** @throws errors of the connection, never because of a status */
  send(method: HttpMethod, path: string, body?: object, without?: readonly string[]): Promise<HttpAnswer>;
  /** @throws {SenderError} for a status that is no success */
  taken(answer: HttpAnswer): HttpAnswer;
  /** @throws {SenderError} for a status that is no success, and for an answer of another shape */
  read<T>(schema: z.ZodType<T>, answer: HttpAnswer): T;
}

/** Requests to one sender, with its credentials, and what its answers mean. */
export function createAskSender(
  post: Pick<Post, 'send'>,
  stopping: AbortSignal,
  {
    base,
    headers,
    target: { user, secret },
    explain,
    statusOf,
    noSuchApi,
    tooLong = 'The answer is longer than 2 MB.',
  }: AskOptions,
): AskSender {
  const taken = (answer: HttpAnswer): HttpAnswer => {
    const body = maskSecrets(answer.body, [secret], user);
    const verdict = judgeAnswer({ explain, ...(statusOf && { statusOf }) }, { ...answer, body }, Date.now());
    if (verdict.outcome === 'sent') return answer;
    const isAskedToWait = verdict.outcome === 'retry' && verdict.answer.startsWith('429');
    throw new SenderError(verdict.answer, isAskedToWait ? verdict.waitMs : undefined);
  };
  return {
    taken,
    send(method, path, body, without = []) {
      const sent = Object.entries(headers).filter(([name]) => !without.includes(name));
      return post.send(
        {
          method,
          url: `${base}${path}`,
          headers: {
            Accept: 'application/json',
            ...Object.fromEntries(sent),
            ...(body && { 'Content-Type': 'application/json' }),
          },
          ...(body && { body: JSON.stringify(body) }),
          keepBytes: ANSWER_BYTES,
        },
        stopping,
      );
    },
    read(schema, answer) {
      const { body } = taken(answer);
      try {
        return schema.parse(JSON.parse(body));
      } catch {
        throw new SenderError(body.length >= ANSWER_BYTES ? tooLong : noSuchApi);
      }
    },
  };
}
