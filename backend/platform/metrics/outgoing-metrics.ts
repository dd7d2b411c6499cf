import { Counter, type Registry } from 'prom-client';
import type { ObserveOutgoing } from './observers.ts';

/** Counts attempts to send messages to destinations. */
export function createOutgoingMetrics(registry: Registry): ObserveOutgoing {
  const attempts = new Counter({
    name: 'alertdesk_outgoing_attempts_total',
    help: 'Attempts to send a message to a destination, by its kind and by what came of them: retry is tried again, refused never.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  });
  return (kind, outcome) => attempts.inc({ kind, outcome });
}
