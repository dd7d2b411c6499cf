/** The thread that evaluates paths of mappings, one delivery after the other. */
import { performance } from 'node:perf_hooks';
import { parentPort } from 'node:worker_threads';
import type { EvaluatedTask, NumberedTask } from './mapping-thread.ts';
import { evaluateQueries } from './query-values.ts';

if (!parentPort) throw new Error('The mapping worker was started outside a worker thread.');
const port = parentPort;
port.on('message', ({ number, task }: NumberedTask) => {
  const startedAt = performance.now();
  let values: EvaluatedTask['values'];
  try {
    values = evaluateQueries(task);
  } catch {
    values = { stopped: 'The path failed.' };
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  port.postMessage({ number, values, tookMs: performance.now() - startedAt } satisfies EvaluatedTask);
});
