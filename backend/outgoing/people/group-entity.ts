import { EntitySchema } from 'typeorm';
import { idColumn, longTextColumn, primary, textColumn, timeColumn } from '#backend/platform/database/columns.ts';

/** A stored group of members. */
export interface StoredGroup {
  id: string;
  name: string;
  /** The name as it is compared: no two groups have the same. */
  nameKey: string;
  /** Ids of members as JSON. */
  memberIds: string;
  /** Display name of the administrator who changed it last. */
  changedBy: string;
  changedAt: number;
  createdAt: number;
  version: number;
}

export const GroupEntity = new EntitySchema<StoredGroup>({
  name: 'OutgoingGroup',
  tableName: 'outgoing_groups',
  columns: {
    id: primary(idColumn('id')),
    name: textColumn('name', 100),
    nameKey: textColumn('name_key', 200),
    memberIds: longTextColumn('member_ids'),
    changedBy: textColumn('changed_by', 100),
    changedAt: timeColumn('changed_at'),
    createdAt: timeColumn('created_at'),
    version: { type: 'int', name: 'version' },
  },
});

export const membersOfGroup = ({ memberIds }: Pick<StoredGroup, 'memberIds'>): string[] =>
  JSON.parse(memberIds) as string[];
