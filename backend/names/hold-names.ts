import type { EntityManager } from 'typeorm';
import { dialectOf } from '#backend/database/dialect-of.ts';
import { BulkMuteEntity } from './bulk-mute-entity.ts';

/**
 * Waits for its turn before a transaction mutes names or lets them expire, so that no mute is left of a name that has
 * expired. A row of its own is locked: locking the names would hold up ingest, which touches them in another order. Call
 * it before the transaction reads names.
 */
export async function holdNames(tx: EntityManager): Promise<void> {
  const { rowLock } = dialectOf(tx);
  await tx
    .getRepository(BulkMuteEntity)
    .findOne({ where: { userId: '', kind: 'turn' }, ...(rowLock && { lock: rowLock }) });
}
