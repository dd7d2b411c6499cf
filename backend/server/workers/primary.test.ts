import cluster from 'node:cluster';
import { expect, test, vi } from 'vitest';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { startWorkers } from './primary.ts';

test('connections go to the workers in turn, also on Windows', async () => {
  // As Node has it there: the system decides.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  // Node keeps the policy that is set when the first one is started.
  const fork = vi.spyOn(cluster, 'fork').mockImplementation(() => {
    throw new Error(`scheduled by ${cluster.schedulingPolicy}`);
  });
  await expect(startWorkers(2, createLogger('silent')).started).rejects.toThrow(`scheduled by ${cluster.SCHED_RR}`);
  expect(fork).toHaveBeenCalledOnce();
});
