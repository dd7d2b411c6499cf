import { newId } from '#backend/platform/database/ids.ts';
import { nameSortKey } from '#backend/contract/name.ts';
import { CustomerEntity, type StoredCustomer } from '#backend/alerts/mutes/mute-entities.ts';
import type { Database } from '#backend/platform/database/database.ts';

const AT_ONCE = 500;

/** A name that is known, as ingest notes it. */
export const knownName = (name: string, lastSeenAt: number): Omit<StoredCustomer, 'id'> => ({
  name,
  sortKey: nameSortKey(name),
  lastSeenAt,
});

/** Puts so many customers into the database, `Customer 0000` and following, where an alert of each would take too long. */
export async function insertCustomers(database: Database, length: number, lastSeenAt = Date.now()): Promise<void> {
  const rows = Array.from({ length }, (_, index) => ({
    id: newId(),
    ...knownName(`Customer ${String(index).padStart(4, '0')}`, lastSeenAt),
  }));
  await database.transaction(async (tx) => {
    for (let at = 0; at < rows.length; at += AT_ONCE) {
      await tx.getRepository(CustomerEntity).insert(rows.slice(at, at + AT_ONCE));
    }
  });
}
