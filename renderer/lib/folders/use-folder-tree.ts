import { useAtomValue } from 'jotai';
import { useMemo } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { Folder } from '#backend/contract/folder.ts';
import { pendingDeletionsAtom } from '#renderer/lib/alerts/pending-deletions.ts';
import { type FolderRow, folderRows } from './folder-tree.ts';
import { useFolders } from './get-folders.ts';
import { pendingFolderDeletionsAtom } from './pending-folder-deletions.ts';

/**
 * My folders as the rows of a tree, without those that are being deleted and with badges that do not count alerts that
 * are. Undefined until they are known.
 */
export function useFolderTree(): FolderRow[] | undefined {
  const { data } = useFolders();
  const hidden = useAtomValue(pendingFolderDeletionsAtom);
  const deletions = useAtomValue(pendingDeletionsAtom);
  return useMemo(() => data && folderRows(withoutDeleted(data, deletions), hidden), [data, hidden, deletions]);
}

function withoutDeleted(folders: Folder[], deletions: ReadonlyMap<string, Alert>): Folder[] {
  if (deletions.size === 0) return folders;
  const open = [...deletions.values()].filter(({ status }) => status !== 'completed');
  const gone = Map.groupBy(open, ({ folderId }) => folderId);
  return folders.map((folder) => {
    const count = gone.get(folder.id)?.length ?? 0;
    return count === 0 ? folder : { ...folder, alertCount: Math.max(0, folder.alertCount - count) };
  });
}
