import type { EntityManager } from 'typeorm';
import { AlertEntity } from '#backend/alerts/alert-entity.ts';
import { FolderEntity, type StoredFolder } from './folder-entity.ts';

/** A folder with the number of its alerts that are not completed. */
export interface CountedFolder {
  folder: StoredFolder;
  alertCount: number;
}

/** All folders of a member with their counts, in one query for each of the two. */
export async function findFolders(manager: EntityManager, ownerId: string): Promise<CountedFolder[]> {
  const folders = await manager
    .getRepository(FolderEntity)
    .find({ where: { ownerId }, order: { order: 'ASC', id: 'ASC' } });
  const counts = await manager
    .getRepository(AlertEntity)
    .createQueryBuilder('alert')
    .select('alert.folderId', 'folderId')
    .addSelect('COUNT(*)', 'count')
    .where('alert.ownerId = :ownerId AND alert.folderId IS NOT NULL AND alert.status <> :done', {
      ownerId,
      done: 'completed',
    })
    .groupBy('alert.folderId')
    .getRawMany<{ folderId: string; count: string | number }>();
  const countOf = new Map(counts.map(({ folderId, count }) => [folderId, Number(count)]));
  return folders.map((folder) => ({ folder, alertCount: countOf.get(folder.id) ?? 0 }));
}

/** A member's own folder. Somebody else's is as good as none. */
export const findFolder = (manager: EntityManager, ownerId: string, id: string): Promise<StoredFolder | null> =>
  manager.getRepository(FolderEntity).findOneBy({ id, ownerId });
