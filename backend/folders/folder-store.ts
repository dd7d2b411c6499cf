import type { EntityManager } from 'typeorm';
import { countOpenByFolder } from '#backend/alerts/alert-counts.ts';
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
  const countOf = await countOpenByFolder(manager, ownerId);
  return folders.map((folder) => ({ folder, alertCount: countOf.get(folder.id) ?? 0 }));
}

/** A member's own folder. Somebody else's is as good as none. */
export const findFolder = (manager: EntityManager, ownerId: string, id: string): Promise<StoredFolder | null> =>
  manager.getRepository(FolderEntity).findOneBy({ id, ownerId });
