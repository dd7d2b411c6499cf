import type { PushTestResult } from '#backend/contract/push.ts';
import type { PushAnswer } from './judge-answer.ts';

/** What came of one attempt: what the push service said, or what went wrong before it said anything. */
export type Attempted = { answer: PushAnswer } | { error: unknown };

/** Says how far a test message came, for the person who asked for it. @param host whose push service it was. */
export function testResultOf(host: string, attempted: Attempted): PushTestResult {
  if ('error' in attempted) return whyNoAnswer(host, attempted.error);
  const { status } = attempted.answer;
  if (status >= 200 && status < 300) {
    return {
      outcome: 'sent',
      status,
      detail: `The push service ${host} took the message. If no notification appears, look at the notification settings of this browser and of the system.`,
    };
  }
  if (status === 404 || status === 410) {
    return {
      outcome: 'gone',
      status,
      detail: `The push service ${host} does not know this browser any more, so it was removed here. Switch notifications off and on again.`,
    };
  }
  return { outcome: 'refused', status, detail: `The push service ${host} refused the message with status ${status}.` };
}

function whyNoAnswer(host: string, error: unknown): PushTestResult {
  if (isTimeout(error)) return { outcome: 'timeout', detail: `The push service ${host} gave no answer in time.` };
  // The same for a forbidden address: members must not learn what the names of this network stand for.
  const detail = `The server has no connection to the push service ${host}. Check the server’s way to the internet.`;
  return { outcome: 'unreachable', detail };
}

/** A request that its time ran out for says that it was aborted, and why. */
const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || isTimeout(error.cause));
