import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Answer } from '#backend/alerts/insight/insight-messages.ts';
import { followArrivals } from './arrivals.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-27T21:20:00Z') }));
afterEach(() => void vi.useRealTimers());

/** What of an answer the wallboard shows: 70 alerts in all, and as many in each hour as are given. */
const answerOf = (alerts: number, isComplete = true): Answer => {
  const week = Array.from({ length: 7 * 24 }, () => alerts);
  const used: Partial<Answer> = { week, criticalByHour: week, isComplete };
  return { ...(used as Answer), totals: { arrived: 70 } as Answer['totals'] };
};

/** Arrivals by an Insight whose answers take so long, and how often it was asked. */
function follow(takesMs: () => number, answer: () => Answer) {
  const asked = { times: 0 };
  const read = followArrivals({
    async ask() {
      asked.times += 1;
      await new Promise<void>((resolve) => {
        setTimeout(resolve, takesMs());
      });
      return answer();
    },
  });
  return { asked, read: () => read(Date.now()) };
}

test('hours are kept for a minute, and the usual for ten', async () => {
  const { asked, read } = follow(
    () => 1,
    () => answerOf(3),
  );
  const first = read();
  await vi.advanceTimersByTimeAsync(100);
  const shown = await first;
  expect([shown?.usual, shown?.hours.length]).toEqual([10, 24]);
  expect(asked.times).toBe(2);
  await vi.advanceTimersByTimeAsync(50_000);
  await read();
  expect(asked.times).toBe(2);
  await vi.advanceTimersByTimeAsync(20_000);
  const later = read();
  await vi.advanceTimersByTimeAsync(100);
  await later;
  expect(asked.times).toBe(3);
});

test('a slow answer is not waited for, and nothing else is asked meanwhile', async () => {
  let takes = 1;
  const { asked, read } = follow(
    () => takes,
    () => answerOf(takes),
  );
  const first = read();
  await vi.advanceTimersByTimeAsync(100);
  await first;
  takes = 15_000;
  await vi.advanceTimersByTimeAsync(70_000);
  const late = [read(), read()];
  await vi.advanceTimersByTimeAsync(2_000);
  expect((await Promise.all(late)).map((arrivals) => arrivals?.hours[0]?.alerts)).toEqual([1, 1]);
  expect(asked.times).toBe(3);
  await vi.advanceTimersByTimeAsync(14_000);
  expect((await read())?.hours[0]?.alerts).toBe(15_000);
  expect(asked.times).toBe(3);
});

test('nothing is shown while not everything is counted', async () => {
  let isComplete = false;
  const { read } = follow(
    () => 1,
    () => answerOf(1, isComplete),
  );
  const first = read();
  await vi.advanceTimersByTimeAsync(100);
  expect(await first).toBeNull();
  isComplete = true;
  await vi.advanceTimersByTimeAsync(15_000);
  const next = read();
  await vi.advanceTimersByTimeAsync(100);
  expect(await next).toMatchObject({ usual: 10 });
});
