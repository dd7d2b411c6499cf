import { describe, expect, test } from 'vitest';
import { type AnswerQueue, createAnswerQueue } from './answer-limits.ts';

const LIMITS = { perMember: 2, making: 3, heldBytes: 100, queuedPerMember: 2, queued: 3, waitMs: 60_000 };
const STAYS = new AbortController().signal;

/** Asks for a turn; `has` says whether it came. */
function ask(queue: AnswerQueue, memberId: string, gone = STAYS) {
  const asked = {
    has: false,
    error: undefined as unknown,
    end: () => undefined as void,
    made: (_bytes: number) => undefined as void,
  };
  queue.enter(memberId, gone).then(
    (turn) => Object.assign(asked, { has: true, ...turn }),
    (error: unknown) => (asked.error = error),
  );
  return asked;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('turns to answer a list', () => {
  test('are so many for one member, and others do not wait for them', async () => {
    const queue = createAnswerQueue(LIMITS);
    const asks = ['a', 'a', 'a', 'b', 'b'].map((member) => ask(queue, member));
    await settled();
    expect(asks.map(({ has }) => has)).toEqual([true, true, false, true, false]);
    // b's second waits for the total alone; a's third for one of a's.
    asks[3]?.end();
    await settled();
    expect(asks.map(({ has }) => has)).toEqual([true, true, false, true, true]);
    asks[0]?.end();
    await settled();
    expect(asks[2]?.has).toBe(true);
  });

  test('of who reads slowly keep nobody else waiting, until memory is full', async () => {
    const queue = createAnswerQueue(LIMITS);
    const slow = ['a', 'a', 'b'].map((member) => ask(queue, member));
    await settled();
    const [other, own] = [ask(queue, 'c'), ask(queue, 'a')];
    await settled();
    // Three are being made.
    expect([other.has, own.has]).toEqual([false, false]);
    for (const { made } of slow) made(30);
    await settled();
    expect([other.has, own.has]).toEqual([true, false]);
    other.made(30);
    const late = ask(queue, 'd');
    await settled();
    expect(late.has).toBe(false);
    slow[0]?.end();
    slow[0]?.made(30);
    await settled();
    // Who has no turn comes before who has one, whenever they asked.
    expect([late.has, own.has]).toEqual([true, false]);
    slow[1]?.end();
    await settled();
    expect(own.has).toBe(true);
  });

  test('end once, however often they are ended', async () => {
    const queue = createAnswerQueue(LIMITS);
    const asks = ['a', 'a', 'a', 'a'].map((member) => ask(queue, member));
    await settled();
    asks[0]?.end();
    asks[0]?.end();
    await settled();
    expect(asks.map(({ has }) => has)).toEqual([true, true, true, false]);
  });

  test('beyond one member’s queue are 429, beyond everybody’s 503, both with the time to wait', async () => {
    const queue = createAnswerQueue(LIMITS);
    const asks = ['a', 'a', 'b', 'a', 'a', 'a', 'b', 'c'].map((member) => ask(queue, member));
    await settled();
    expect(asks.map(({ error }) => (error as { status?: number } | undefined)?.status)).toEqual([
      ...Array.from({ length: 5 }, () => undefined),
      429,
      undefined,
      503,
    ]);
    expect(asks[5]?.error).toMatchObject({ retryAfterSeconds: 5 });
    expect(asks[7]?.error).toMatchObject({ retryAfterSeconds: 5 });
  });

  test('that do not come in time are 503', async () => {
    const queue = createAnswerQueue({ ...LIMITS, waitMs: 5 });
    ask(queue, 'a');
    ask(queue, 'a');
    await expect(queue.enter('a', STAYS)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 5 });
  });

  test('are not kept for clients that have hung up', async () => {
    const queue = createAnswerQueue(LIMITS);
    const asks = ['a', 'a'].map((member) => ask(queue, member));
    const gone = new AbortController();
    const left = ask(queue, 'a', gone.signal);
    const stays = ask(queue, 'a');
    await settled();
    gone.abort();
    await settled();
    expect(left.error).toBeDefined();
    asks[0]?.end();
    await settled();
    expect([left.has, stays.has]).toEqual([false, true]);
  });
});
