import { insertMissing } from '#backend/database/insert-missing.ts';
import type { WritableDatabase } from '#backend/sessions/on-behalf-of.ts';
import { AlertTypeEntity } from './alert-type-entity.ts';
import { AlertTypeMuteEntity } from './alert-type-mute-entity.ts';

/** Mutes every known alert type for a member, or none any more: what `muteAllCustomers` is for customers. */
export async function muteAllAlertTypes(database: WritableDatabase, userId: string, muted: boolean): Promise<void> {
  if (!muted) {
    await database.transaction((tx) => tx.getRepository(AlertTypeMuteEntity).delete({ userId }));
    return;
  }
  await insertMissing(database, AlertTypeMuteEntity, async (tx) => {
    const types = await tx.getRepository(AlertTypeEntity).find({ select: { name: true } });
    const own = await tx.getRepository(AlertTypeMuteEntity).findBy({ userId });
    const known = new Set(own.map(({ alertType }) => alertType));
    return types.filter(({ name }) => !known.has(name)).map(({ name }) => ({ userId, alertType: name }));
  });
}
