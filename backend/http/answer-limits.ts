import { tooMany, unavailable } from '#backend/endpoint/errors.ts';

/** How many lists are answered at once. An answer counts until its client has all of it, or is cut. */
export interface AnswerLimits {
  /** Answers to one member. */
  perMember: number;
  /** Answers to all members together. */
  total: number;
  /** Queued requests of one member. */
  queuedPerMember: number;
  /** Queued requests of all members. */
  queued: number;
  /** How long a request waits, in milliseconds. */
  waitMs: number;
}

/** A browser asks for six things at once; a member may have several of them. */
export const ANSWER_LIMITS: AnswerLimits = {
  perMember: 4,
  total: 24,
  queuedPerMember: 24,
  queued: 400,
  waitMs: 10_000,
};

/** What a client is asked to wait before it comes again, in seconds. */
const RETRY_SECONDS = 5;

/** Grants turns to answer. */
export interface AnswerQueue {
  /**
   * Waits for the member's turn.
   *
   * @param gone aborted when the client has hung up; the place in the queue is given up then
   * @returns ends the turn
   * @throws {ProblemError} 429 when the member has too many requests in the queue, 503 when all have, or when the turn
   * does not come in time
   */
  enter(memberId: string, gone: AbortSignal): Promise<() => void>;
}

interface PendingRequest {
  memberId: string;
  start: () => void;
}

/** A queue in order of arrival, in which members whose turns are all taken are passed over. */
export function createAnswerQueue(limits: AnswerLimits = ANSWER_LIMITS): AnswerQueue {
  const active = new Map<string, number>();
  const queue: PendingRequest[] = [];
  let total = 0;

  const activeOf = (memberId: string) => active.get(memberId) ?? 0;
  const hasCapacity = (memberId: string) => total < limits.total && activeOf(memberId) < limits.perMember;

  const begin = (memberId: string): (() => void) => {
    total += 1;
    active.set(memberId, activeOf(memberId) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      total -= 1;
      const left = activeOf(memberId) - 1;
      if (left === 0) active.delete(memberId);
      else active.set(memberId, left);
      const next = queue.findIndex((pending) => hasCapacity(pending.memberId));
      if (next !== -1) queue.splice(next, 1)[0]?.start();
    };
  };

  const wait = (memberId: string, gone: AbortSignal): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const leave = (reason: Error) => {
        queue.splice(queue.indexOf(pending), 1);
        settle();
        reject(reason);
      };
      const hangUp = () => leave(unavailable('The client has hung up.', RETRY_SECONDS));
      const timer = setTimeout(
        () => leave(unavailable('The server is busy with other lists. Try again in a few seconds.', RETRY_SECONDS)),
        limits.waitMs,
      );
      const settle = () => {
        clearTimeout(timer);
        gone.removeEventListener('abort', hangUp);
      };
      const pending: PendingRequest = {
        memberId,
        start() {
          settle();
          resolve(begin(memberId));
        },
      };
      gone.addEventListener('abort', hangUp);
      queue.push(pending);
    });

  return {
    async enter(memberId, gone) {
      if (hasCapacity(memberId)) return begin(memberId);
      if (queue.filter((pending) => pending.memberId === memberId).length >= limits.queuedPerMember) {
        throw tooMany('You ask for too many lists at once. Try again in a few seconds.', RETRY_SECONDS);
      }
      if (queue.length >= limits.queued) {
        throw unavailable('The server is busy with other lists. Try again in a few seconds.', RETRY_SECONDS);
      }
      return wait(memberId, gone);
    },
  };
}
