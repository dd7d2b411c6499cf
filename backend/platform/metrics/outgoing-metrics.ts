import { Counter, Gauge, type Registry } from 'prom-client';
import { destinationKindSchema } from '#backend/contract/outgoing.ts';
import { OUTGOING_OUTCOMES, type OutgoingObserver } from './observers.ts';

/** Counts attempts to send messages to destinations, and shows what waits for them. */
export function createOutgoingMetrics(registry: Registry): OutgoingObserver {
  const attempts = new Counter({
    name: 'alertdesk_outgoing_attempts_total',
    help: 'Attempts to send a message to a destination, by its kind and by what came of them: retry is tried again, refused never.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  });
  // A rate needs a zero to begin at.
  for (const kind of destinationKindSchema.options) {
    for (const outcome of OUTGOING_OUTCOMES) attempts.inc({ kind, outcome }, 0);
  }
  const waiting = new Gauge({
    name: 'alertdesk_outgoing_waiting_messages',
    help: 'Messages that wait for a destination, by its id and kind, as the server that leads counts them once a minute.',
    labelNames: ['destination', 'kind'],
    aggregator: 'max',
    registers: [registry],
  });
  return {
    attempt: (kind, outcome) => attempts.inc({ kind, outcome }),
    waiting(counts) {
      waiting.reset();
      for (const { id, kind, messages } of counts) waiting.set({ destination: id, kind }, messages);
    },
  };
}
