import type { HistoryEntry } from '#backend/contract/history-entry.ts';
import type { StoredHistoryEntry } from './history-entity.ts';

/** A history entry as it leaves the server (contract.md section 3). What does not apply is left out. */
export function presentHistoryEntry(entry: StoredHistoryEntry): HistoryEntry {
  return {
    id: entry.id,
    action: entry.action,
    ...(entry.previousStatus && { previousStatus: entry.previousStatus }),
    ...(entry.newStatus && { newStatus: entry.newStatus }),
    ...(entry.previousFolderName && { previousFolderName: entry.previousFolderName }),
    ...(entry.newFolderName && { newFolderName: entry.newFolderName }),
    userDisplayName: entry.userDisplayName,
    createdAt: new Date(entry.createdAt).toISOString(),
  };
}
