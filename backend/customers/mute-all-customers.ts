import { insertMissing } from '#backend/database/insert-missing.ts';
import type { WritableDatabase } from '#backend/sessions/on-behalf-of.ts';
import { CustomerEntity } from './customer-entity.ts';
import { CustomerMuteEntity } from './customer-mute-entity.ts';

/** Mutes every known customer for a member, or none any more (spec.md section 2, "Enable All" and "Mute All"). */
export async function muteAllCustomers(database: WritableDatabase, userId: string, muted: boolean): Promise<void> {
  if (!muted) {
    await database.transaction((tx) => tx.getRepository(CustomerMuteEntity).delete({ userId }));
    return;
  }
  await insertMissing(database, CustomerMuteEntity, async (tx) => {
    const customers = await tx.getRepository(CustomerEntity).find({ select: { id: true } });
    const own = await tx.getRepository(CustomerMuteEntity).findBy({ userId });
    const known = new Set(own.map(({ customerId }) => customerId));
    return customers.filter(({ id }) => !known.has(id)).map(({ id }) => ({ userId, customerId: id }));
  });
}
