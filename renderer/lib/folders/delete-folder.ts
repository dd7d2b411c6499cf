import { useQueryClient } from '@tanstack/react-query';
import { useStore } from 'jotai';
import { useCallback } from 'react';
import type { Folder } from '#backend/contract/folder.ts';
import { isSettledElsewhere, refetchAlertLists } from '#renderer/lib/alerts/refetch-alert-list.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useUndoStack } from '#renderer/lib/undo-stack.ts';
import { foldersQuery } from './get-folders.ts';
import { markFolderDeletionAtom } from './pending-folder-deletions.ts';

/** `DELETE /api/folders/{id}`. `keepalive` sends it even though the page is going away. Throws an ApiError. */
export const deleteFolder = (id: string, { keepalive = false } = {}): Promise<undefined> =>
  apiSend('DELETE', `/api/folders/${encodeURIComponent(id)}`, { keepalive });

/**
 * Deletes a folder so that it can be undone: it leaves the tree at once, and the call is sent when it can no longer be
 * undone (docs/decisions/0010-undo.md).
 */
export function useDeleteFolder(): (folder: Folder) => void {
  const client = useQueryClient();
  const store = useStore();
  const undo = useUndoStack();
  return useCallback(
    ({ id, name }) => {
      // On success the folders and the lists of alerts are refreshed; after a failure they show what is so.
      const refresh = (): Promise<void> => {
        refetchAlertLists(client);
        return client.invalidateQueries(foldersQuery);
      };
      store.set(markFolderDeletionAtom, id, true);
      undo.add({
        kind: 'folder deleted',
        title: 'Folder deleted',
        description: `The alerts in ${inertLine(name)} return to My Alerts`,
        subject: { text: inertLine(name) },
        many: (count) => ({ title: `${count} folders deleted`, description: 'Their alerts return to My Alerts' }),
        undo: () => store.set(markFolderDeletionAtom, id, false),
        undoFailed: 'Too late to undo',
        commit: async (keepalive) => {
          try {
            await deleteFolder(id, { keepalive });
          } catch (error) {
            if (!(error instanceof Error && isSettledElsewhere(error))) {
              void refresh();
              throw error;
            }
          }
          await refresh();
          store.set(markFolderDeletionAtom, id, false);
        },
        commitFailed: 'Could not delete the folder',
      });
    },
    [client, store, undo],
  );
}
