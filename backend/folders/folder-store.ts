import type { EntityManager } from 'typeorm';
import type { AlertStatus } from '#backend/contract/alert.ts';
import { lockRows } from '#backend/database/lock-rows.ts';
import { FolderEntity, type StoredFolder } from './folder-entity.ts';

/** A folder with the number of its alerts that are not completed. */
export interface CountedFolder {
  folder: StoredFolder;
  alertCount: number;
}

/** All folders of a member with their counts, in one query: the counts are counter rows. */
export async function findFolders(manager: EntityManager, ownerId: string): Promise<CountedFolder[]> {
  const { entities, raw } = await manager
    .getRepository(FolderEntity)
    .createQueryBuilder('folder')
    .leftJoin('alert_counts', 'counted', COUNTED_IN_FOLDER, { done: 'completed' satisfies AlertStatus })
    .addSelect('COALESCE(SUM(counted.alerts), 0)', 'alertCount')
    .where('folder.ownerId = :ownerId', { ownerId })
    .groupBy('folder.id')
    .orderBy('folder.order')
    .addOrderBy('folder.id')
    .getRawAndEntities<{ alertCount: string | number }>();
  return entities.map((folder, index) => ({ folder, alertCount: Number(raw[index]?.alertCount) }));
}

/** The rows that count a folder's alerts, whatever their names, that are not completed. */
const COUNTED_IN_FOLDER =
  'counted.detail = 0 AND counted.owner_id = folder.ownerId AND counted.folder_id = folder.id AND counted.status <> :done';

/** A member's own folder. Somebody else's is as good as none. */
export const findFolder = (manager: EntityManager, ownerId: string, id: string): Promise<StoredFolder | null> =>
  manager.getRepository(FolderEntity).findOneBy({ id, ownerId });

/** A member's own folder, which nobody deletes, and into which nobody files an alert, until the transaction ends. */
export async function lockFolder(tx: EntityManager, ownerId: string, id: string): Promise<StoredFolder | null> {
  const [folder] = await lockRows(tx, FolderEntity, { id, ownerId });
  return folder ?? null;
}
