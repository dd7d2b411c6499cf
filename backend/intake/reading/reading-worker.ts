/** The thread that reads large deliveries, one after the other. */
import { performance } from 'node:perf_hooks';
import { parentPort } from 'node:worker_threads';
import type { SenderEvent } from '#backend/intake/adapters/adapter.ts';
import { type QueryTask, type QueryValues, evaluateQueries } from './query-values.ts';
import { readDeliveryAside } from './read-delivery.ts';
import type { EvaluationAnswer, NumberedReading, PlainEvent, ReadPart } from './reading-thread.ts';

/** Alerts in one message. */
const PART = 250;

if (!parentPort) throw new Error('The reading worker was started outside a worker thread.');
const port = parentPort;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const send = (part: ReadPart) => port.postMessage(part);

/** The delivery whose paths wait for an answer: one at a time, so that each is charged before the next one asks. */
let asking: ((answer: EvaluationAnswer) => void) | undefined;
let turn: Promise<void> = Promise.resolve();

port.on('message', (message: NumberedReading | EvaluationAnswer) => {
  if (!('request' in message)) return asking?.(message);
  // A delivery that fails ends the thread, which answers for all that wait.
  turn = turn.then(() => read(message));
});

async function read({ number, request, settings, origins }: NumberedReading): Promise<void> {
  const reading = await readDeliveryAside(request, settings, (task) => evaluate(number, task));
  if ('error' in reading) {
    const { status, id, message } = reading.error;
    send({ number, problem: { status, id, message } });
    return;
  }
  const { events, ...rest } = reading;
  for (let at = 0; at < events.length; at += PART) {
    const part = events.slice(at, at + PART);
    const { shared } = part[0]!;
    const plainPart = part.map((event, index) => plain(event, shared, at + index < origins));
    send({ number, events: plainPart, shared });
  }
  send({ number, read: rest });
}

/** Evaluates a delivery's paths, if its source has time left for them. */
async function evaluate(number: number, task: QueryTask): Promise<QueryValues> {
  const { promise, resolve } = Promise.withResolvers<EvaluationAnswer>();
  asking = resolve;
  send({ number, asksToEvaluate: true });
  const { stopped } = await promise;
  if (stopped !== undefined) return { stopped };
  const startedAt = performance.now();
  try {
    return evaluateQueries(task);
  } catch {
    return { stopped: 'The path failed.' };
  } finally {
    send({ number, evaluatedMs: performance.now() - startedAt });
  }
}

/** Fields that are worked out when they are asked for do not cross by themselves. */
function plain(event: SenderEvent, shared: SenderEvent['shared'], withOrigins: boolean): PlainEvent {
  const { shared: own, ...fields } = event;
  const { element, origins } = withOrigins ? event : { element: event.element, origins: undefined };
  return { ...fields, element, ...(own !== shared && { shared: own }), ...(origins && { origins }) };
}
