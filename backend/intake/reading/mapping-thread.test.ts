import { afterEach, expect, test } from 'vitest';
import { type MappingThread, createMappingThread } from './mapping-thread.ts';
import type { QueryTask } from './query-values.ts';

/** What is stopped has used more of the processor than this, also on a busy machine. */
const LIMITS = { burstMs: 1, share: 0, waitMs: 10_000, silentMs: 10_000 };

const taskOf = (written: string): QueryTask => ({
  queries: [{ written, ofBody: false, withBooleans: false }],
  elements: [{ source: JSON.stringify({ list: Array.from({ length: 300 }, () => `${'a'.repeat(32)}!`) }), path: '' }],
  alerts: 1,
});
const SLOW = taskOf("list[?match(@, '(a|a)*(a|a)*(a|a)*c')]");
const QUICK = taskOf("list[?@ != '']");

let thread: MappingThread;
/** What a source finds that has used nothing yet. A busy machine may stop a path that is quick. */
const ofAnother = () => thread.evaluate(crypto.randomUUID(), QUICK);
afterEach(() => thread.stop());

test('a source that has used up its time goes without, while others go on', async () => {
  thread = createMappingThread(LIMITS);
  const slow = Promise.all([SLOW, SLOW, SLOW, SLOW].map((task) => thread.evaluate('slow', task)));
  await expect.poll(ofAnother).toEqual({ found: [[{ value: `${'a'.repeat(32)}!`, path: 'list[0]' }]] });
  const reasons = (await slow).map((values) => ('stopped' in values ? values.stopped.split(/[.:]/)[0] : 'found'));
  // One task may use more than is left; what follows is not begun.
  expect(reasons).toEqual(['Stopped after 50 ms', ...Array.from({ length: 3 }, () => 'Not evaluated')]);
  expect(await thread.evaluate('slow', QUICK)).toEqual({
    stopped: 'Not evaluated: the paths of this source have used up their time. Use paths that name their fields.',
  });
  await expect.poll(ofAnother).toHaveProperty('found');
});

test('what is used up comes back', async () => {
  thread = createMappingThread({ ...LIMITS, share: 10 });
  expect(await thread.evaluate('one', SLOW)).toHaveProperty('stopped');
  await expect.poll(() => thread.evaluate('one', QUICK)).toHaveProperty('found');
});

test('a thread that does not answer is replaced, and nobody waits for long', async () => {
  thread = createMappingThread({ ...LIMITS, waitMs: 1 });
  // It has not even started by then.
  expect(await thread.evaluate('one', QUICK)).toMatchObject({ stopped: expect.stringContaining('has failed') });
  await thread.stop();
  expect(await thread.evaluate('one', QUICK)).toHaveProperty('stopped');
});
