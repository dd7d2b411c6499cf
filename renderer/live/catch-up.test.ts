import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Changes } from '#backend/contract/change.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { PRODUCT_VERSION } from '#backend/contract/product.ts';
import { ApiError } from '#renderer/lib/api-client.ts';
import { type CatchUp, createCatchUp } from './catch-up.ts';

const hello = (place?: string, version = PRODUCT_VERSION): LiveEvent => ({
  type: 'hello',
  version,
  inboxCount: 0,
  ...(place !== undefined && { place }),
});
const place = (name: string): LiveEvent => ({ type: 'place', place: name });
const deleted = (alertId: string): LiveEvent => ({ type: 'alert_deleted', alertId });
const nameOf = (event: LiveEvent): string => ('alertId' in event ? event.alertId : event.type);

let asked: {
  since: string;
  answer: (changes: Changes) => void;
  fail: (error: Error) => void;
  isGivenUp: () => boolean;
}[];
let delivered: string[];
let caughtUp: string[][];
let isAsking: boolean;
let catchUp: CatchUp;
beforeEach(() => {
  vi.useFakeTimers();
  [asked, delivered, caughtUp, isAsking] = [[], [], [], false];
  catchUp = createCatchUp({
    ask: (since, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('given up')));
        asked.push({ since, answer: resolve, fail: reject, isGivenUp: () => signal.aborted });
      }),
    deliver: (events) => delivered.push(...events.map(nameOf)),
    asking: () => (isAsking = true),
    ended: (missed) => {
      isAsking = false;
      if (missed) caughtUp.push(missed.map(nameOf));
    },
  });
});
afterEach(() => {
  catchUp.close();
  vi.useRealTimers();
});

const settle = () => vi.advanceTimersByTimeAsync(0);
const complete = (end: string, ...events: LiveEvent[]): Changes => ({ place: end, isComplete: true, events });

test('the first greeting is delivered, and places are not', () => {
  catchUp.receive([hello('p1')]);
  catchUp.receive([deleted('a'), place('p2')]);
  expect([delivered, asked]).toEqual([['hello', 'a'], []]);
});

test('a later greeting is answered with what was missed since the last place, and what came meanwhile follows', async () => {
  catchUp.receive([hello('p1')]);
  catchUp.receive([deleted('a'), place('p2')]);
  catchUp.receive([deleted('b'), hello('p5')]);
  catchUp.receive([deleted('d'), place('p6')]);
  expect([delivered, asked.map(({ since }) => since), isAsking]).toEqual([['hello', 'a', 'b'], ['p2'], true]);
  asked[0]?.answer(complete('p5', deleted('c')));
  await settle();
  expect([delivered, caughtUp, isAsking]).toEqual([['hello', 'a', 'b', 'c', 'd'], [['c']], false]);
  catchUp.receive([hello('p7')]);
  expect(asked.at(-1)?.since).toBe('p6');
});

test('with nothing missed nothing is delivered, and the answer’s place is known', async () => {
  catchUp.receive([hello('p1')]);
  catchUp.receive([hello('p2')]);
  asked[0]?.answer(complete('p3'));
  await settle();
  expect([delivered, caughtUp]).toEqual([['hello'], [[]]]);
  catchUp.receive([hello('p4')]);
  expect(asked.at(-1)?.since).toBe('p3');
});

test('a failure is repeated, and nothing is read again for it', async () => {
  catchUp.receive([hello('p1')]);
  catchUp.receive([hello('p2')]);
  asked[0]?.fail(new Error('Failed to fetch'));
  await vi.advanceTimersByTimeAsync(500);
  asked[1]?.fail(new ApiError(502, '', 'Bad Gateway'));
  await vi.advanceTimersByTimeAsync(500);
  asked[2]?.answer(complete('p2', deleted('a')));
  await settle();
  expect([delivered, asked.map(({ since }) => since)]).toEqual([
    ['hello', 'a'],
    ['p1', 'p1', 'p1'],
  ]);
});

test.each(['a server that does not know', 'an answer that is no', 'an answer that does not come'])(
  '%s has everything read again, and what came meanwhile follows',
  async (what) => {
    catchUp.receive([hello('p1')]);
    catchUp.receive([hello('p2')]);
    catchUp.receive([deleted('a')]);
    if (what === 'a server that does not know') asked[0]?.answer({ place: 'p9', isComplete: false, events: [] });
    else if (what === 'an answer that is no') asked[0]?.fail(new ApiError(404, '', 'Not Found'));
    await vi.advanceTimersByTimeAsync(5_000);
    expect([delivered, caughtUp]).toEqual([['hello', 'hello', 'a'], []]);
    catchUp.receive([hello('p3')]);
    expect(asked.at(-1)?.since).toBe(what === 'a server that does not know' ? 'p9' : 'p2');
  },
);

test.each([
  ['another version', hello('p2', '0.0.1')],
  ['no place', hello()],
])('a server of %s is not asked, but everything is read again', (_what, greeting) => {
  catchUp.receive([hello('p1')]);
  catchUp.receive([greeting]);
  expect([delivered, asked]).toEqual([['hello', 'hello'], []]);
});

test('a connection that is lost again asks once more, since the same place', async () => {
  catchUp.receive([hello('p1')]);
  catchUp.receive([hello('p2')]);
  catchUp.receive([deleted('a'), place('p3')]);
  catchUp.lost();
  catchUp.receive([hello('p4')]);
  catchUp.receive([deleted('c')]);
  expect(asked.map(({ since, isGivenUp }) => [since, isGivenUp()])).toEqual([
    ['p1', true],
    ['p1', false],
  ]);
  await settle();
  asked[1]?.answer(complete('p4', deleted('b')));
  await settle();
  expect(delivered).toEqual(['hello', 'a', 'b', 'c']);
});

test('a connection that is greeted faster than answers come gets each answer, and one more for all greetings since', async () => {
  catchUp.receive([hello('p1')]);
  catchUp.receive([hello('p2')]);
  for (const name of ['b', 'c', 'd']) {
    catchUp.receive([deleted(name), place(`after ${name}`), hello(`p ${name}`)]);
  }
  catchUp.receive([deleted('e'), place('p9')]);
  expect(asked.map(({ since, isGivenUp }) => [since, isGivenUp()])).toEqual([['p1', false]]);
  asked[0]?.answer(complete('p3', deleted('a')));
  await settle();
  expect([delivered, isAsking]).toEqual([['hello', 'a', 'b', 'c', 'd'], true]);
  expect(asked.map(({ since }) => since)).toEqual(['p1', 'p3']);
  asked[1]?.answer(complete('p8', deleted('x')));
  await settle();
  expect([delivered.slice(5), isAsking]).toEqual([['x', 'e'], false]);
  catchUp.receive([hello('p10')]);
  expect(asked.at(-1)?.since).toBe('p9');
});

test('of many greetings without an answer everything is read again once', async () => {
  catchUp.receive([hello('p1')]);
  for (const name of ['p2', 'p3', 'p4']) catchUp.receive([hello(name), deleted(name)]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect([delivered, asked.length]).toEqual([['hello', 'hello', 'p2', 'p3', 'p4'], 1]);
});

test('while the connection is lost nothing is given up: the same is asked for once there is another', async () => {
  catchUp.receive([hello('p1')]);
  catchUp.receive([hello('p2')]);
  catchUp.receive([deleted('a'), place('p3')]);
  catchUp.lost();
  expect([delivered, asked[0]?.isGivenUp()]).toEqual([['hello', 'a'], true]);
  await vi.advanceTimersByTimeAsync(60_000);
  catchUp.receive([hello('p4')]);
  expect(asked.map(({ since }) => since)).toEqual(['p1', 'p1']);
  asked[1]?.answer(complete('p4', deleted('b')));
  await settle();
  expect(delivered).toEqual(['hello', 'a', 'b']);
});

test('what is answered after the page has left is dropped', async () => {
  catchUp.receive([hello('p1')]);
  catchUp.receive([hello('p2')]);
  catchUp.close();
  asked[0]?.answer(complete('p2', deleted('a')));
  await settle();
  expect([delivered, asked[0]?.isGivenUp()]).toEqual([['hello'], true]);
});
