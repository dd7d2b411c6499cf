import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Wallboard } from '#backend/contract/wallboard.ts';
import { type WallboardState, followWallboard } from './follow-wallboard.ts';
import { ageText, currencyOf, endText, hourText, serverNow, shiftAt } from './wallboard-labels.ts';

const BOARD: Wallboard = {
  at: '2026-11-27T21:20:00.000Z',
  name: 'Operations',
  customers: { names: [], more: 0 },
  waiting: [],
  inProgress: { alerts: 0, people: 0 },
  rows: [],
  arrivals: null,
  onNow: null,
  windows: [],
  heartbeats: { down: 0, all: 0, name: null, since: null },
  sources: { refusing: 0, silent: 0, names: [] },
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Follows a server that gives these answers in turn, the last again and again. */
function follow(answers: readonly (() => Response)[]) {
  const asked: RequestInit[] = [];
  const states: WallboardState[] = [];
  const reload = vi.fn<() => void>();
  const stop = followWallboard('adt_x', (state) => states.push(state), {
    async fetch(_path, init) {
      asked.push(init);
      return (answers[asked.length - 1] ?? answers.at(-1) ?? Response.error)();
    },
    reload,
    now: () => Date.now(),
  });
  return { asked, states, reload, stop };
}

const read = () => Response.json(BOARD);
const lost = (): Response => {
  throw new TypeError('fetch failed');
};

test('figures are read every five seconds by the token alone, and stay while the server is away', async () => {
  const { asked, states, stop } = follow([read, lost, () => new Response('', { status: 503 }), read]);
  await vi.advanceTimersByTimeAsync(12_000);
  expect(new Headers(asked[0]?.headers).get('Authorization')).toBe('Bearer adt_x');
  expect(asked[0]?.credentials).toBe('omit');
  expect(states.map(({ board, readAt }) => [board?.name, readAt])).toEqual(
    Array.from({ length: 3 }, () => ['Operations', states[0]?.readAt]),
  );
  await vi.advanceTimersByTimeAsync(5_000);
  expect(states.at(-1)?.readAt).toBeGreaterThan(states[0]?.readAt ?? Infinity);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveLength(4);
});

test('a link that is revoked shows no figures any more, and is asked for once a minute', async () => {
  const { asked, states, stop } = follow([read, () => new Response('', { status: 401 })]);
  await vi.advanceTimersByTimeAsync(40_000);
  expect(states.at(-1)).toEqual({ board: undefined, readAt: undefined, isEnded: true });
  expect(asked).toHaveLength(2);
  stop();
});

test('a page that does not understand its server is loaded again after five minutes', async () => {
  const { reload, stop } = follow([() => Response.json({ of: 'a later release' })]);
  await vi.advanceTimersByTimeAsync(4 * 60_000);
  expect(reload).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  expect(reload).toHaveBeenCalled();
  stop();
});

test('hours have minutes where they begin within one of the clocks', () => {
  expect([0, 30, 45].map((minute) => hourText(new Date(2026, 10, 27, 21, minute).getTime()))).toEqual([
    '9 PM',
    '9:30 PM',
    '9:45 PM',
  ]);
});

test('ages have one unit, figures are old after a minute, and everything moves every ten minutes', () => {
  expect([30_000, 42 * 60_000, 119 * 60_000, 5 * 3_600_000, 72 * 3_600_000].map((age) => ageText(0, age))).toEqual([
    'now',
    '42 min',
    '119 min',
    '5 h',
    '3 d',
  ]);
  expect([undefined, 0, 49_000, 59_000].map((readAt) => currencyOf(readAt, 60_001))).toEqual([
    'old',
    'old',
    'lost',
    'live',
  ]);
  // Set back by more than a moment, this screen's clock says nothing of how old they are.
  expect([currencyOf(65_000, 60_000), currencyOf(600_000, 60_000)]).toEqual(['live', 'lost']);
  // A screen whose clock is an hour fast shows the ages that the server's clock says.
  expect(serverNow(new Date(0).toISOString(), 3_600_000, 3_605_000)).toBe(5_000);
  expect(new Set([0, 1, 2, 3].map((times) => shiftAt(times * 600_000))).size).toBe(4);
  expect(shiftAt(4 * 600_000)).toBe(shiftAt(0));
});

test('an end says its day where that is not today, and its date where the day may be of another week', () => {
  const now = new Date(2026, 10, 27, 21, 20).getTime();
  const texts = [
    [27, 22],
    [30, 9],
    [34, 9],
    [44, 9],
  ].map(([day = 0, hour]) => endText(new Date(2026, 10, day, hour).getTime(), now).replaceAll('\u202F', ' '));
  expect(texts).toEqual(['10:00 PM', 'Mon 9:00 AM', 'Dec 4, 9:00 AM', 'Dec 14, 9:00 AM']);
});
