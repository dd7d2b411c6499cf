/** The thread that reads large deliveries, one after the other. */
import { parentPort } from 'node:worker_threads';
import type { SenderEvent } from '#backend/intake/adapters/adapter.ts';
import { readDelivery } from './read-delivery.ts';
import type { NumberedReading, PlainEvent, ReadPart } from './reading-thread.ts';

/** Alerts in one message. */
const PART = 250;

if (!parentPort) throw new Error('The reading worker was started outside a worker thread.');
const port = parentPort;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const send = (part: ReadPart) => port.postMessage(part);

port.on('message', ({ number, request, settings }: NumberedReading) => {
  const reading = readDelivery(request, settings);
  if ('error' in reading) {
    const { status, id, message } = reading.error;
    send({ number, problem: { status, id, message } });
    return;
  }
  const { events, ...read } = reading;
  for (let at = 0; at < events.length; at += PART) {
    const part = events.slice(at, at + PART);
    const { shared } = part[0]!;
    send({ number, events: part.map((event) => plain(event, shared)), shared });
  }
  send({ number, read });
});

/** Fields that are worked out when they are asked for do not cross by themselves. */
function plain(event: SenderEvent, shared: SenderEvent['shared']): PlainEvent {
  const { shared: own, ...fields } = event;
  return { ...fields, element: event.element, ...(own !== shared && { shared: own }) };
}
