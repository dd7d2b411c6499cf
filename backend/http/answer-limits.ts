import { tooMany, unavailable } from '#backend/platform/endpoint/errors.ts';

/**
 * How many lists are answered at once. For its member an answer counts until its client has all of it, or is cut; for all
 * together while it is made, and then by the memory that it holds. So members who read slowly keep nobody else waiting.
 */
export interface AnswerLimits {
  /** Answers to one member, made or being sent. */
  perMember: number;
  /** Answers to all members that are being made. */
  making: number;
  /** Bytes that the answers to all members hold together. */
  heldBytes: number;
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
  making: 24,
  heldBytes: 128 * 1024 * 1024,
  queuedPerMember: 24,
  queued: 400,
  waitMs: 10_000,
};

/** What an answer that is made piece by piece holds while nobody reads it, in bytes: a few pieces, and its compressor. */
export const PIECEWISE_BYTES = 2 * 1024 * 1024;

/** What a client is asked to wait before it comes again, in seconds. */
const RETRY_SECONDS = 5;

/** A member's turn to be answered a list. */
export interface AnswerTurn {
  /** It came later than the request: whoever asked may have lost their access since. */
  hasWaited: boolean;
  /** The answer is made: it holds so many bytes until the turn ends. */
  made(bytes: number): void;
  /** The client has the answer, or is gone. */
  end(): void;
}

/** Grants turns to answer. */
export interface AnswerQueue {
  /**
   * Waits for the member's turn.
   *
   * @param gone aborted when the client has hung up; the place in the queue is given up then
   * @throws {ProblemError} 429 when the member has too many requests in the queue, 503 when all have, or when the turn
   * does not come in time
   */
  enter(memberId: string, gone: AbortSignal): Promise<AnswerTurn>;
}

interface PendingRequest {
  memberId: string;
  start: () => void;
}

/** A queue in which members whose turns are all taken are passed over. */
export function createAnswerQueue(limits: AnswerLimits = ANSWER_LIMITS): AnswerQueue {
  const active = new Map<string, number>();
  const queue: PendingRequest[] = [];
  let making = 0;
  let heldBytes = 0;

  const activeOf = (memberId: string) => active.get(memberId) ?? 0;
  const hasCapacity = (memberId: string) =>
    making < limits.making && heldBytes < limits.heldBytes && activeOf(memberId) < limits.perMember;
  /** The member with the fewest turns is next, of several the one that came first. */
  const startNext = () => {
    const [next] = queue
      .filter((pending) => hasCapacity(pending.memberId))
      .toSorted((one, other) => activeOf(one.memberId) - activeOf(other.memberId));
    if (!next) return;
    queue.splice(queue.indexOf(next), 1);
    next.start();
  };

  const begin = (memberId: string, hasWaited: boolean): AnswerTurn => {
    making += 1;
    active.set(memberId, activeOf(memberId) + 1);
    let isOver = false;
    /** Null while it is being made. */
    let held: number | null = null;
    const leaveMaking = (bytes: number) => {
      if (held === null) making -= 1;
      heldBytes += bytes - (held ?? 0);
      held = bytes;
    };
    return {
      hasWaited,
      made(bytes) {
        if (isOver) return;
        leaveMaking(bytes);
        startNext();
      },
      end() {
        if (isOver) return;
        isOver = true;
        leaveMaking(0);
        const left = activeOf(memberId) - 1;
        if (left === 0) active.delete(memberId);
        else active.set(memberId, left);
        startNext();
      },
    };
  };

  const wait = (memberId: string, gone: AbortSignal): Promise<AnswerTurn> =>
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
          resolve(begin(memberId, true));
        },
      };
      gone.addEventListener('abort', hangUp);
      queue.push(pending);
    });

  return {
    async enter(memberId, gone) {
      if (hasCapacity(memberId)) return begin(memberId, false);
      if (queue.filter((pending) => pending.memberId === memberId).length >= limits.queuedPerMember) {
        throw tooMany('You are requesting too many lists at once. Try again in a few seconds.', RETRY_SECONDS);
      }
      if (queue.length >= limits.queued) {
        throw unavailable('The server is busy with other lists. Try again in a few seconds.', RETRY_SECONDS);
      }
      return wait(memberId, gone);
    },
  };
}
