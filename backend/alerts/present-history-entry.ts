import type { HistoryEntry } from '#backend/contract/history-entry.ts';
import type { StoredHistoryEntry } from './history-entity.ts';

/**
 * A history entry as it leaves the server. What does not apply is left out, and so are the names
 * of folders that are not the reader's: folders are private, also to administrators.
 */
export function presentHistoryEntry(entry: StoredHistoryEntry, readerId: string): HistoryEntry {
  const isOwnFolder = entry.folderOwnerId === readerId;
  return {
    id: entry.id,
    action: entry.action,
    ...(entry.previousStatus && { previousStatus: entry.previousStatus }),
    ...(entry.newStatus && { newStatus: entry.newStatus }),
    ...(isOwnFolder && entry.previousFolderName && { previousFolderName: entry.previousFolderName }),
    ...(isOwnFolder && entry.newFolderName && { newFolderName: entry.newFolderName }),
    userDisplayName: entry.userDisplayName,
    createdAt: new Date(entry.createdAt).toISOString(),
  };
}
