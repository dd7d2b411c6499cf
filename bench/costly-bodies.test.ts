import { expect, test } from 'vitest';
import { readAlert } from '#backend/ingest/read-alert.ts';
import { COSTLY_BODIES, COSTLY_QUERY, PLAIN_BODY } from './costly-bodies.ts';

const RUNS = 3;

/** A reading that goes over the body again and again, or builds its values, takes 25 to 100 times as long as a plain one's. */
const MOST = 15;

/** Processor time that reading takes this thread, in microseconds: a busy machine does not change it much. */
function cost(body: string, target = '/webhook'): number {
  // As it comes from the network: one piece, that nobody looked at.
  const texts = Array.from({ length: RUNS }, () => Buffer.from(body).toString());
  const before = process.threadCpuUsage();
  for (const text of texts) readAlert({ text, target, headers: {} });
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

cost(PLAIN_BODY);
/** The processor's clock ticks every 4 ms on some systems. */
const plain = Math.max(cost(PLAIN_BODY), 4_000);

test.each(Object.entries(COSTLY_BODIES))('reading %s costs about as much as reading one long text', (_name, body) => {
  expect(Buffer.byteLength(body)).toBeGreaterThan(1024 * 1024 - 10);
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(1024 * 1024);
  expect(cost(body) / plain).toBeLessThan(MOST);
});

test('so does reading with thousands of parameters', () => {
  expect(cost(COSTLY_BODIES['keys in extra data'] ?? '', `/webhook${COSTLY_QUERY}`) / plain).toBeLessThan(MOST);
});
