/** The thread that evaluates paths of mappings, one delivery after the other. */
import { parentPort } from 'node:worker_threads';
import type { EvaluatedTask, NumberedTask } from './mapping-thread.ts';
import { evaluateQueries } from './query-values.ts';
import { countUse } from './run-bounded.ts';

if (!parentPort) throw new Error('The mapping worker was started outside a worker thread.');
const port = parentPort;
port.on('message', ({ number, task }: NumberedTask) => {
  const used = countUse();
  let values: EvaluatedTask['values'];
  try {
    values = evaluateQueries(task);
  } catch {
    values = { stopped: 'The path failed.' };
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  port.postMessage({ number, values, tookMs: used() } satisfies EvaluatedTask);
});
