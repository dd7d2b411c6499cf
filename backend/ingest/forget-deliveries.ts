import type { Database } from '#backend/database/database.ts';
import { type Age, prune } from '#backend/database/prune.ts';
import { DELIVERY_MEMORY_MS } from './delivery-entity.ts';

/** How often deliveries that are not recognised any more are deleted, in milliseconds. */
export const DELIVERY_CLEANUP_MS = 10_000;

/** Where their age is. */
export const DELIVERY_AGE: Age = {
  table: 'webhook_deliveries',
  column: 'received_at',
  index: 'webhook_deliveries_received',
};

/**
 * Deletes the deliveries that are too old to be recognised. Outside the transactions that store alerts, and faster than
 * alerts can be stored, so that the table does not grow at any rate.
 */
export const forgetDeliveries = (
  database: Pick<Database, 'dialect' | 'reads' | 'transaction'>,
  stopping: AbortSignal,
): Promise<void> => prune(database, DELIVERY_AGE, Date.now() - DELIVERY_MEMORY_MS, stopping);
