import { EntitySchema, In } from 'typeorm';
import { idColumn, primary, textColumn, timeColumn } from '#backend/platform/database/columns.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import { type Age, prune } from '#backend/platform/database/prune.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { ProblemError } from '#backend/platform/endpoint/errors.ts';
import type { IncomingDelivery } from './incoming-delivery.ts';

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
export const findDeliveries = (tx: Transaction, batch: IncomingDelivery[]): Promise<Map<string, StoredDelivery>> =>
  findNamed(
    tx,
    batch.flatMap(({ source, receivedAt, events, name, signedKey }) =>
      [signedKey, name?.keyHash, ...events.map(({ delivery }) => delivery?.keyHash)].flatMap((keyHash) =>
        keyHash === undefined ? [] : [{ apiKeyId: source.id, keyHash, receivedAt }],
      ),
    ),
  );

/** The same of deliveries by their names. */
async function findNamed(
  tx: Transaction,
  named: readonly Pick<StoredDelivery, 'apiKeyId' | 'keyHash' | 'receivedAt'>[],
): Promise<Map<string, StoredDelivery>> {
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

/**
 * What a call became that came with this name before; undefined for one that is new.
 *
 * @throws {ProblemError} 409 when the call before had another body
 */
export async function findRepeated(
  tx: Transaction,
  call: Omit<StoredDelivery, 'alertId'>,
): Promise<StoredDelivery | undefined> {
  const earlier = (await findNamed(tx, [call])).get(deliveryKey(call.apiKeyId, call.keyHash));
  if (earlier && earlier.bodyHash !== call.bodyHash) throw keyReused();
  return earlier;
}

export const keyReused = () =>
  new ProblemError(409, 'idempotency-key-reused', 'This idempotency key was used before, with another body.');

/** Whether a delivery, or an alert of it, has the name of an earlier one, and another body. */
export const isOtherBody = (
  { source, name, events }: IncomingDelivery,
  known: ReadonlyMap<string, StoredDelivery>,
): boolean =>
  known.size > 0 &&
  [name, ...events.map(({ delivery }) => delivery)].some((named) => {
    const earlier = named && known.get(deliveryKey(source.id, named.keyHash));
    return earlier !== undefined && earlier.bodyHash !== named?.bodyHash;
  });

/**
 * Remembers by what a delivery is recognized as a whole, beside the names of its alerts. Returns what is to be stored of it.
 *
 * @param results what it made or changed; where that is nothing, only a signed request may not come again
 */
export function rememberWhole(
  { source, name, signedKey, receivedAt }: IncomingDelivery,
  results: readonly { alertId: string | null }[],
  known: Map<string, StoredDelivery>,
): StoredDelivery[] {
  if (signedKey === undefined && name === undefined) return [];
  const alertId = results.find((result) => result.alertId !== null)?.alertId ?? '';
  const stored = { apiKeyId: source.id, alertId, receivedAt };
  const rows = [
    ...(signedKey === undefined ? [] : [{ ...stored, keyHash: signedKey, bodyHash: '' }]),
    ...(name === undefined || alertId === '' ? [] : [{ ...stored, ...name }]),
  ].filter(({ keyHash }) => !known.has(deliveryKey(source.id, keyHash)));
  for (const row of rows) known.set(deliveryKey(source.id, row.keyHash), row);
  return rows;
}
