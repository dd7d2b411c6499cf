import { expect, test } from 'vitest';
import { readRequest } from '#tests/support/incoming-events.ts';
import { COSTLY_BODIES, COSTLY_QUERY, PLAIN_BODY } from './costly-bodies.ts';

const RUNS = 3;

/** A reading that goes over the body again and again, or builds its values, takes 25 to 100 times as long as a plain one's. */
const MOST = 15;

/**
 * Measured so often at most. What else the process does, such as collecting garbage, only ever adds, and on a busy machine
 * the optimizing compiler, a thread of its own, may be late. What is costly by its nature stays so.
 */
const ATTEMPTS = 40;

/** The least of several measurements, none after the first that is below `enough`. */
function leastCost(body: string, enough = 0, target = '/webhook'): number {
  let least = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && least >= enough; attempt += 1) {
    least = Math.min(least, cost(body, target));
  }
  return least;
}

/** What some work takes: processor time of this thread in microseconds, and pages of memory that the system handed out. */
function measure(work: () => void): { time: number; pages: number } {
  const pagesBefore = process.resourceUsage().minorPageFault;
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return { time: user + system, pages: process.resourceUsage().minorPageFault - pagesBefore };
}

/**
 * What a page of memory takes when it is handed out, in microseconds: a tenth on most machines, and 20 on a virtual machine
 * that gives back to its host what is free. It says nothing of how a body is read.
 */
const perPage = (() => {
  const memory = Buffer.allocUnsafeSlow(64 * 1024 * 1024);
  const [first, again] = [measure(() => memory.fill(1)), measure(() => memory.fill(2))];
  return Math.max(0, first.time - again.time) / Math.max(1, first.pages - again.pages);
})();

/** Processor time that so many readings take this thread, in microseconds: a busy machine does not change it much. */
function cost(body: string, target: string, runs = RUNS): number {
  // As it comes from the network: one piece, that nobody looked at.
  const texts = Array.from({ length: runs }, () => Buffer.from(body).toString());
  const { time, pages } = measure(() => texts.forEach((text) => readRequest(text, target)));
  return Math.max(0, time - pages * perPage);
}

/** The processor's clock ticks every 4 ms on some systems: a plain reading is measured over many. */
const PLAIN_RUNS = 8 * RUNS;
const PLAIN_ATTEMPTS = 10;
const plain =
  Math.min(...Array.from({ length: PLAIN_ATTEMPTS }, () => cost(PLAIN_BODY, '/webhook', PLAIN_RUNS))) *
  (RUNS / PLAIN_RUNS);

test.each(Object.entries(COSTLY_BODIES))('reading %s costs about as much as reading one long text', (_name, body) => {
  expect(Buffer.byteLength(body)).toBeGreaterThan(1024 * 1024 - 10);
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(1024 * 1024);
  expect(leastCost(body, MOST * plain) / plain).toBeLessThan(MOST);
});

test('so does reading with thousands of parameters', () => {
  const body = COSTLY_BODIES['keys in extra data'] ?? '';
  expect(leastCost(body, MOST * plain, `/webhook${COSTLY_QUERY}`) / plain).toBeLessThan(MOST);
});
