import type { ReadDelivery, SenderRequest, UnreadDelivery } from '#backend/intake/adapters/adapter.ts';
import type { MappingThread } from './mapping-thread.ts';
import { type ReadingSettings, readDeliveryAside } from './read-delivery.ts';
import { LARGE_BODY, type ReadingThread } from './reading-thread.ts';

/** Dependencies of reading deliveries without keeping the server's own thread. */
export interface ReadingDeps {
  mappings: Pick<MappingThread, 'evaluate' | 'budgetOf'>;
  readings: Pick<ReadingThread, 'read'>;
}

/**
 * Reads a delivery: a large one, and paths that have to be evaluated, beside this thread. Never rejects: what cannot be done is
 * an error to answer.
 *
 * @param budget whose time the paths use: the id of a source, or a name of its own for what an administrator tries
 * @param origins of how many alerts it is asked where their fields come from
 */
export function readBeside(
  { mappings, readings }: ReadingDeps,
  budget: string,
  request: SenderRequest,
  settings: ReadingSettings,
  origins = 0,
): ReadDelivery | UnreadDelivery | Promise<ReadDelivery | UnreadDelivery> {
  if (request.body.length >= LARGE_BODY) return readings.read(request, settings, mappings.budgetOf(budget), origins);
  return readDeliveryAside(request, settings, (task) => mappings.evaluate(budget, task));
}
