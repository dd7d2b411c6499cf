import { EntitySchema } from 'typeorm';
import type { FolderColor } from '#backend/contract/folder.ts';
import { idColumn, primary, textColumn, timeColumn } from '#backend/database/columns.ts';

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
