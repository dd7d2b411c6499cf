/** The thread that reads large deliveries, one after the other. */
import { parentPort } from 'node:worker_threads';
import type { SenderEvent } from '#backend/intake/adapters/adapter.ts';
import { type QueryTask, type QueryValues, evaluateQueries } from './query-values.ts';
import { readDeliveryAside } from './read-delivery.ts';
import { countUse } from './run-bounded.ts';
import type { EvaluationAnswer, PlainEvent, ReadPart, ReadingTask } from './reading-thread.ts';

/** Alerts in one message. */
const PART = 250;

if (!parentPort) throw new Error('The reading worker was started outside a worker thread.');
const port = parentPort;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const send = (part: ReadPart) => port.postMessage(part);

/** The delivery whose paths wait for an answer. The next one comes when this one is done, so each is charged before. */
let asking: ((answer: EvaluationAnswer) => void) | undefined;

port.on('message', (message: ReadingTask | EvaluationAnswer) => {
  if (!('request' in message)) return asking?.(message);
  // A delivery that fails ends the thread.
  void read(message);
});

async function read({ request, settings, origins }: ReadingTask): Promise<void> {
  const reading = await readDeliveryAside(request, settings, evaluate);
  if ('error' in reading) {
    const { status, id, message } = reading.error;
    send({ problem: { status, id, message } });
    return;
  }
  const { events, ...rest } = reading;
  for (let at = 0; at < events.length; at += PART) {
    const part = events.slice(at, at + PART);
    const { shared } = part[0]!;
    const plainPart = part.map((event, index) => plain(event, shared, at + index < origins));
    send({ events: plainPart, shared });
  }
  send({ read: rest });
}

/** Evaluates a delivery's paths, if its source has time left for them. */
async function evaluate(task: QueryTask): Promise<QueryValues> {
  const { promise, resolve } = Promise.withResolvers<EvaluationAnswer>();
  asking = resolve;
  send({ asksToEvaluate: true });
  const { stopped } = await promise;
  if (stopped !== undefined) return { stopped };
  const used = countUse();
  try {
    return evaluateQueries(task);
  } catch {
    return { stopped: 'The path failed.' };
  } finally {
    send({ evaluatedMs: used() });
  }
}

/** Fields that are worked out when they are asked for do not cross by themselves. */
function plain(event: SenderEvent, shared: SenderEvent['shared'], withOrigins: boolean): PlainEvent {
  const { shared: own, ...fields } = event;
  const { element, origins } = withOrigins ? event : { element: event.element, origins: undefined };
  return { ...fields, element, ...(own !== shared && { shared: own }), ...(origins && { origins }) };
}
