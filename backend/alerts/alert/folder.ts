import { EntitySchema, type EntityManager } from 'typeorm';
import type { FolderColor, Folder } from '#backend/contract/folder.ts';
import { idColumn, primary, textColumn, timeColumn } from '#backend/platform/database/columns.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { AlertStatus } from '#backend/contract/alert.ts';

/** A stored folder of one member. `parentId` is empty at the top level, so that siblings' names can be kept unique. */
export interface StoredFolder {
  id: string;
  ownerId: string;
  parentId: string;
  name: string;
  color: FolderColor;
  icon: string;
  order: number;
  createdAt: number;
}

export const FolderEntity = new EntitySchema<StoredFolder>({
  name: 'Folder',
  tableName: 'folders',
  columns: {
    id: primary(idColumn('id')),
    ownerId: idColumn('owner_id'),
    parentId: idColumn('parent_id'),
    name: textColumn('name', 100),
    color: textColumn('color', 16),
    icon: textColumn('icon', 40),
    order: { type: 'int', name: 'sort_order' },
    createdAt: timeColumn('created_at'),
  },
});

/** A folder as it leaves the server. */
export function presentFolder(folder: StoredFolder, alertCount: number): Folder {
  return {
    id: folder.id,
    name: folder.name,
    color: folder.color,
    icon: folder.icon,
    order: folder.order,
    ...(folder.parentId && { parentId: folder.parentId }),
    alertCount,
  };
}

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
    .leftJoin('alert_counts', 'counted', COUNTED_IN_FOLDER, { open: OPEN_STATUSES })
    .addSelect('COALESCE(SUM(counted.alerts), 0)', 'alertCount')
    .where('folder.ownerId = :ownerId', { ownerId })
    .groupBy('folder.id')
    .orderBy('folder.order')
    .addOrderBy('folder.id')
    .getRawAndEntities<{ alertCount: string | number }>();
  return entities.map((folder, index) => ({ folder, alertCount: Number(raw[index]?.alertCount) }));
}

const OPEN_STATUSES = ['accepted', 'in-progress'] satisfies AlertStatus[];

/** The rows that count a folder's alerts, whatever their names, that are neither completed nor snoozed. */
const COUNTED_IN_FOLDER =
  'counted.detail = 0 AND counted.owner_id = folder.ownerId AND counted.folder_id = folder.id AND counted.status IN (:...open)';

/** A member's own folder. Somebody else's is as good as none. */
export const findFolder = (manager: EntityManager, ownerId: string, id: string): Promise<StoredFolder | null> =>
  manager.getRepository(FolderEntity).findOneBy({ id, ownerId });

/** A member's own folder, which nobody deletes, and into which nobody files an alert, until the transaction ends. */
export async function lockFolder(tx: Transaction, ownerId: string, id: string): Promise<StoredFolder | null> {
  const [folder] = await tx.holdRows(FolderEntity, { id, ownerId });
  return folder ?? null;
}

/**
 * What a folder becomes that is deleted while alerts are still in it: it has itself as its owner, so that it is in nobody's
 * tree and nothing can be filed in it, also for servers of the release before; its parent is who owned it.
 */
export const detached = ({ id, ownerId }: StoredFolder): Pick<StoredFolder, 'ownerId' | 'parentId'> => ({
  ownerId: id,
  parentId: ownerId,
});

/** The detached folders, each with its former owner. */
export const findDetached = (
  reads: EntityManager,
): Promise<(Pick<StoredFolder, 'id' | 'name' | 'ownerId'> & { displayName: string })[]> =>
  reads.query(
    'SELECT f.id AS id, f.name AS name, u.id AS ownerId, u.display_name AS displayName FROM folders f ' +
      'JOIN users u ON u.id = f.parent_id WHERE f.owner_id = f.id ORDER BY f.id',
  );
