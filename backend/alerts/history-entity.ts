import { EntitySchema } from 'typeorm';
import type { AlertStatus } from '#backend/contract/alert.ts';
import type { HistoryAction } from '#backend/contract/history-entry.ts';
import { idColumn, nullable, primary, textColumn, timeColumn } from '#backend/database/columns.ts';

/**
 * One stored change of an alert. It outlives the alert; names are as they were at the time. The key begins with the
 * alert, so that an alert's entries lie together in order of time and need no index of their own. The first of them,
 * `received`, has the alert's own id. It is written with the alert's first change: until then the alert itself holds all
 * of it, and taking an alert writes one row.
 */
export interface StoredHistoryEntry {
  id: string;
  alertId: string;
  action: HistoryAction;
  previousStatus: AlertStatus | null;
  newStatus: AlertStatus | null;
  previousFolderName: string | null;
  newFolderName: string | null;
  /** Whose folders the names are; null where there are none, or where it is not known. */
  folderOwnerId: string | null;
  userDisplayName: string;
  createdAt: number;
}

export const HistoryEntity = new EntitySchema<StoredHistoryEntry>({
  name: 'HistoryEntry',
  tableName: 'alert_history',
  columns: {
    alertId: primary(idColumn('alert_id')),
    id: primary(idColumn('id')),
    action: textColumn('action', 16),
    previousStatus: nullable(textColumn('previous_status', 16)),
    newStatus: nullable(textColumn('new_status', 16)),
    previousFolderName: nullable(textColumn('previous_folder_name', 100)),
    newFolderName: nullable(textColumn('new_folder_name', 100)),
    folderOwnerId: nullable(idColumn('folder_owner_id')),
    userDisplayName: textColumn('user_display_name', 100),
    createdAt: timeColumn('created_at'),
  },
});
