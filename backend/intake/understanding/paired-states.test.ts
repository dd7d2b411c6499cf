import { expect, test } from 'vitest';
import { readDelivery } from '#backend/intake/reading/read-delivery.ts';

/** Reads a body as any JSON: its alert, or undefined where it is none. */
function read(body: object) {
  const contentType = 'application/json';
  const delivery = { headers: { 'content-type': contentType }, body: JSON.stringify(body), contentType, receivedAt: 0 };
  const reading = readDelivery(delivery, { adapter: 'generic', mapping: {} });
  if ('error' in reading) throw reading.error;
  return reading.events[0];
}

test.each([
  ['not ready', 'ready'],
  ['NotReady', 'Ready'],
  ['unready', 'ready'],
  ['not passing', 'passing'],
  ['not running', 'running'],
  ['not responding', 'responding'],
  ['not available', 'available'],
  ['unhealthy', 'healthy'],
  ['out of sync', 'synced'],
  ['down', 'up'],
])('what is %s is a problem until it is %s', (problem, end) => {
  for (const thing of [{ node: 'web-1' }, { service: { name: 'billing', id: 7 } }, { host: 'db-7', id: 'host-7' }]) {
    const [begun, over] = [problem, end].map((status) => read({ ...thing, status }));
    expect([begun?.state, over?.state]).toEqual(['firing', 'resolved']);
    expect(begun?.dedupKey).not.toBeNull();
    expect(over?.dedupKey).toBe(begun?.dedupKey);
  }
});

test('a deployment that is ready ends the one that failed, and one that runs is nothing to do', () => {
  const deployment = { type: 'deployment', name: 'web' };
  const [failed, ready] = ['failed', 'ready'].map((status) => read({ ...deployment, status }));
  expect([failed?.state, ready?.state]).toEqual(['firing', 'resolved']);
  expect(ready?.dedupKey).toBe(failed?.dedupKey);
  expect(read({ ...deployment, status: 'running' })).toBeUndefined();
});
