import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSeldomLog } from './logger.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('whatever a text has in it, it is one line', () => {
  let written = '';
  const logger = pino({}, { write: (text: string) => void (written += text) });
  const text = 'a\r\n{"level":30}\u0000\u001b[31m';
  logger.info({ path: text }, text);
  // oxlint-disable-next-line no-control-regex
  expect(written).toMatch(/^[^\u0000-\u001f]+\n$/);
  expect(JSON.parse(written)).toMatchObject({ path: text, msg: text });
});

test('trouble that every request meets is logged at once, and then how often it came again', () => {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  const logSeldom = createSeldomLog(logger, 10_000);
  const messages = () => lines.splice(0).map((line) => [line['msg'], line['request'], line['more']]);
  for (const request of [1, 2, 3]) logSeldom('away', { request }, 'the database is away');
  logSeldom('full', { request: 4 }, 'the disk is full');
  expect(messages()).toEqual([
    ['the database is away', 1, undefined],
    ['the disk is full', 4, undefined],
  ]);
  vi.advanceTimersByTime(10_000);
  expect(messages()).toEqual([['the database is away', 3, 2]]);
  logSeldom('away', { request: 5 }, 'the database is away');
  logSeldom('full', { request: 6 }, 'the disk is full');
  expect(messages()).toEqual([['the disk is full', 6, undefined]]);
  // It goes on: one line for each interval. It has passed: none.
  vi.advanceTimersByTime(30_000);
  expect(messages()).toEqual([['the database is away', 5, 1]]);
  expect(vi.getTimerCount()).toBe(0);
});
