import { EntitySchema, In } from 'typeorm';
import { idColumn, primary, textColumn, timeColumn } from '#backend/platform/database/columns.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import { type Age, prune } from '#backend/platform/database/prune.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { IncomingDelivery, IncomingEvent } from './incoming-delivery.ts';

/** Redeliveries are recognised for this long, in milliseconds. */
export const DELIVERY_MEMORY_MS = 24 * 60 * 60 * 1000;

/** One delivery that named an idempotency key: what it became, so that its repetition answers the same. */
export interface StoredDelivery {
  apiKeyId: string;
  /** SHA-256 of the `Idempotency-Key` or `webhook-id` header, or of what a signature with a time covers. */
  keyHash: string;
  /** SHA-256 of the body as received. */
  bodyHash: string;
  /** Empty for a signed request that touched none. */
  alertId: string;
  receivedAt: number;
}

export const DeliveryEntity = new EntitySchema<StoredDelivery>({
  name: 'Delivery',
  tableName: 'webhook_deliveries',
  columns: {
    apiKeyId: primary(idColumn('api_key_id')),
    keyHash: primary(textColumn('key_hash', 64)),
    bodyHash: textColumn('body_hash', 64),
    alertId: idColumn('alert_id'),
    receivedAt: timeColumn('received_at'),
  },
});

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
  now: number = Date.now(),
): Promise<void> => prune(database, DELIVERY_AGE, now - DELIVERY_MEMORY_MS, stopping);

/** A delivery's key within its source. */
export const deliveryKey = (apiKeyId: string, keyHash: string): string => `${apiKeyId} ${keyHash}`;

/** The deliveries of this batch that were stored within the last 24 hours. Older ones are forgotten on the way. */
export async function findDeliveries(tx: Transaction, batch: IncomingDelivery[]): Promise<Map<string, StoredDelivery>> {
  const named = batch.flatMap(({ source, receivedAt, events, signedKey }) =>
    [signedKey, ...events.map(({ delivery }) => delivery?.keyHash)].flatMap((keyHash) =>
      keyHash === undefined ? [] : [{ apiKeyId: source.id, keyHash, receivedAt }],
    ),
  );
  const found = new Map<string, StoredDelivery>();
  const newest = Math.max(...named.map(({ receivedAt }) => receivedAt));
  const deliveries = tx.getRepository(DeliveryEntity);
  const rows = await deliveries.findBy({
    apiKeyId: In([...new Set(named.map(({ apiKeyId }) => apiKeyId))]),
    keyHash: In([...new Set(named.map(({ keyHash }) => keyHash))]),
  });
  for (const row of rows) {
    if (row.receivedAt > newest - DELIVERY_MEMORY_MS) found.set(deliveryKey(row.apiKeyId, row.keyHash), row);
    else await deliveries.delete({ apiKeyId: row.apiKeyId, keyHash: row.keyHash });
  }
  return found;
}

const COLUMNS = ['api_key_id', 'key_hash', 'body_hash', 'alert_id', 'received_at'] as const;

/** By what the redeliveries of these events are recognised. */
export const insertDeliveries = (tx: Transaction, rows: StoredDelivery[]): Promise<void> =>
  tx.runRows(
    (count) => insertSql('webhook_deliveries', COLUMNS, count),
    rows.map((row) => [row.apiKeyId, row.keyHash, row.bodyHash, row.alertId, row.receivedAt]),
  );

/** Whether a delivery has the name of an earlier one, and another body. */
export function isOtherBody(
  { source }: IncomingDelivery,
  { delivery }: IncomingEvent,
  known: ReadonlyMap<string, StoredDelivery>,
): boolean {
  const earlier = delivery && known.get(deliveryKey(source.id, delivery.keyHash));
  return earlier !== undefined && earlier.bodyHash !== delivery?.bodyHash;
}
