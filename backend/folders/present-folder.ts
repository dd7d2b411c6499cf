import type { Folder } from '#backend/contract/folder.ts';
import type { StoredFolder } from './folder-entity.ts';

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
