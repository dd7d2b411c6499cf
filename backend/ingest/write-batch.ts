import { type EntityManager, In } from 'typeorm';
import { newId } from '#backend/database/ids.ts';
import { countChanges } from '#backend/alerts/alert-counts.ts';
import type { Database } from '#backend/database/database.ts';
import type { Dialect, SqlValue } from '#backend/database/dialect.ts';
import { insertSql } from '#backend/database/insert-rows.ts';
import type { IncomingAlert } from './alert-writer.ts';
import { DELIVERY_MEMORY_MS, DeliveryEntity, type StoredDelivery } from './delivery-entity.ts';
import { type DueNames, type SeenNames, createSeenNames, writeSeenNames } from './seen-names.ts';

/** What became of one alert of a batch. */
export type WriteOutcome =
  | { kind: 'stored'; id: string; receivedAt: number }
  | { kind: 'repeated'; id: string; receivedAt: number }
  | { kind: 'other-body' }
  /** The API key was deleted, or the session ended, before this transaction. */
  | { kind: 'revoked' };

const ALERT_COLUMNS = [
  'id',
  'received_at',
  'status',
  'customer',
  'alert_type',
  'url',
  'payload',
  'extra_data',
  'source_name',
] as const;
const DELIVERY_COLUMNS = ['api_key_id', 'key_hash', 'body_hash', 'alert_id', 'received_at'] as const;

const IN_INBOX = { status: 'pending', ownerId: null, folderId: null } as const;

/** Stores alerts; one outcome for each, in order. */
export type BatchWriter = (batch: IncomingAlert[]) => Promise<WriteOutcome[]>;

/**
 * Stores a batch in one transaction: alerts, the customers and types they name, and the deliveries by
 * which a repetition is recognised. Plain multi-row inserts: one `save()` per alert is six times slower and more.
 */
export function createBatchWriter(database: Database): BatchWriter {
  const seenNames = createSeenNames();
  return async (batch) => {
    const write = async () => {
      let due: DueNames | undefined;
      const dueIn: SeenNames['dueIn'] = (fresh) => (due = seenNames.dueIn(fresh));
      const outcomes = await database.transaction((tx) => writeIn(tx, database.dialect, batch, dueIn));
      if (due) seenNames.noteWritten(due);
      return outcomes;
    };
    try {
      return await write();
    } catch (error) {
      // Another server stored one of these deliveries in the same moment; this time it is found.
      if (batch.some(({ delivery }) => delivery) && database.dialect.isDuplicate(error)) return write();
      throw error;
    }
  };
}

async function writeIn(
  tx: EntityManager,
  dialect: Dialect,
  batch: IncomingAlert[],
  dueIn: SeenNames['dueIn'],
): Promise<WriteOutcome[]> {
  const valid = await findValidSenders(tx, dialect, batch);
  const known = await findDeliveries(tx, batch);
  const fresh: (IncomingAlert & { id: string })[] = [];
  const outcomes = batch.map((alert): WriteOutcome => {
    if (!valid.has(alert.sessionId ?? alert.apiKey.id)) return { kind: 'revoked' };
    const earlier = alert.delivery && known.get(deliveryKey(alert.apiKey.id, alert.delivery.keyHash));
    if (earlier) {
      return earlier.bodyHash === alert.delivery?.bodyHash
        ? { kind: 'repeated', id: earlier.alertId, receivedAt: earlier.receivedAt }
        : { kind: 'other-body' };
    }
    const stored = { ...alert, id: newId() };
    fresh.push(stored);
    if (alert.delivery) {
      known.set(deliveryKey(alert.apiKey.id, alert.delivery.keyHash), {
        apiKeyId: alert.apiKey.id,
        ...alert.delivery,
        alertId: stored.id,
        receivedAt: alert.receivedAt,
      });
    }
    return { kind: 'stored', id: stored.id, receivedAt: alert.receivedAt };
  });
  if (fresh.length === 0) return outcomes;

  await insert(tx, dialect, 'alerts', ALERT_COLUMNS, fresh, (alert) => [
    alert.id,
    alert.receivedAt,
    'pending',
    alert.customer,
    alert.alertType,
    alert.url,
    alert.payload,
    alert.extraData,
    alert.apiKey.name,
  ]);
  await insert(
    tx,
    dialect,
    'webhook_deliveries',
    DELIVERY_COLUMNS,
    fresh.filter(({ delivery }) => delivery),
    (alert) => [
      alert.apiKey.id,
      alert.delivery?.keyHash ?? '',
      alert.delivery?.bodyHash ?? '',
      alert.id,
      alert.receivedAt,
    ],
  );
  // Last, because these rows are the ones that two batches share: they stay locked no longer than the commit takes.
  await writeSeenNames(tx, dialect, dueIn(fresh));
  await countChanges(
    tx,
    dialect,
    fresh.map(({ customer, alertType }) => ({ after: { ...IN_INBOX, customer, alertType } })),
  );
  return outcomes;
}

/**
 * The API keys and sessions of this batch that still exist. Nobody can delete them before the commit, so that a
 * deletion that commits first refuses the alert, on this server and on others with the same database.
 */
async function findValidSenders(tx: EntityManager, dialect: Dialect, batch: IncomingAlert[]): Promise<Set<string>> {
  const keyIds = new Set<string>();
  const sessionIds = new Set<string>();
  for (const { apiKey, sessionId } of batch) {
    if (sessionId === undefined) keyIds.add(apiKey.id);
    else sessionIds.add(sessionId);
  }
  const found = new Set<string>();
  for (const [table, ids] of [
    ['api_keys', keyIds],
    ['sessions', sessionIds],
  ] as const) {
    if (ids.size === 0) continue;
    const sql = `SELECT id FROM ${table} WHERE id IN (${Array.from(ids).fill('?').join(', ')})${dialect.forShare}`;
    const rows: { id: string }[] = await tx.query(sql, [...ids]);
    for (const { id } of rows) found.add(id);
  }
  return found;
}

const deliveryKey = (apiKeyId: string, keyHash: string): string => `${apiKeyId} ${keyHash}`;

/** The deliveries of this batch that were stored within the last 24 hours. Older ones are forgotten on the way. */
async function findDeliveries(tx: EntityManager, batch: IncomingAlert[]): Promise<Map<string, StoredDelivery>> {
  const named = batch.filter(({ delivery }) => delivery);
  const found = new Map<string, StoredDelivery>();
  if (named.length === 0) return found;
  const newest = Math.max(...named.map(({ receivedAt }) => receivedAt));
  const deliveries = tx.getRepository(DeliveryEntity);
  const rows = await deliveries.findBy({
    apiKeyId: In([...new Set(named.map(({ apiKey }) => apiKey.id))]),
    keyHash: In([...new Set(named.map(({ delivery }) => delivery?.keyHash ?? ''))]),
  });
  for (const row of rows) {
    if (row.receivedAt > newest - DELIVERY_MEMORY_MS) found.set(deliveryKey(row.apiKeyId, row.keyHash), row);
    else await deliveries.delete({ apiKeyId: row.apiKeyId, keyHash: row.keyHash });
  }
  return found;
}

async function insert<T>(
  tx: EntityManager,
  dialect: Dialect,
  table: string,
  columns: readonly string[],
  rows: T[],
  valuesOf: (row: T) => SqlValue[],
): Promise<void> {
  if (rows.length > 0) await dialect.runPrepared(tx, insertSql(table, columns, rows.length), rows.flatMap(valuesOf));
}
