import { EntitySchema } from 'typeorm';
import { idColumn, primary, textColumn, timeColumn } from '#backend/database/columns.ts';

/** Redeliveries are recognised for this long, in milliseconds. */
export const DELIVERY_MEMORY_MS = 24 * 60 * 60 * 1000;

/** One delivery that named an idempotency key: what it became, so that its repetition answers the same. */
export interface StoredDelivery {
  apiKeyId: string;
  /** SHA-256 of the `Idempotency-Key` or `webhook-id` header. */
  keyHash: string;
  /** SHA-256 of the body as received. */
  bodyHash: string;
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
