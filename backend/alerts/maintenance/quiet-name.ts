import type { EntityManager } from 'typeorm';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { HistoryEntity } from '#backend/alerts/alert/history.ts';

/** The name of the maintenance window that keeps an alert quiet, or did last; undefined when none has. */
export async function findQuietName(reads: EntityManager, alertId: string): Promise<string | undefined> {
  const alert = await reads
    .getRepository(AlertEntity)
    .findOne({ select: { id: true, quietByName: true }, where: { id: alertId } });
  if (alert?.quietByName != null) return alert.quietByName;
  const entry = await reads.getRepository(HistoryEntity).findOne({
    select: { userDisplayName: true },
    where: { alertId, action: 'kept_quiet' },
    order: { id: 'DESC' },
  });
  return entry?.userDisplayName;
}
