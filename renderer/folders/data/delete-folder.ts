import { useQueryClient } from '@tanstack/react-query';
import { useStore } from 'jotai';
import { useCallback } from 'react';
import type { Folder } from '#backend/contract/folder.ts';
import { refetchAlertLists } from '#renderer/alerts/data/list-cache.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { createPendingDeletions, sendPastDeletions, undoableDeletion } from '#renderer/toasts/undoable-deletion.ts';
import { foldersQuery } from './folders.ts';
import * as texts from './texts.ts';

const deletions = createPendingDeletions<Folder>();

/** Folders that were deleted here but can still be brought back. The tree leaves them out. */
export const pendingFolderDeletionsAtom = deletions.pendingAtom;

/** `DELETE /api/folders/{id}`. `keepalive` sends it even though the page is going away. Throws an ApiError. */
export const deleteFolder = (id: string, { keepalive = false } = {}): Promise<undefined> =>
  apiSend('DELETE', `/api/folders/${encodeURIComponent(id)}`, { keepalive });

/** Sends a call that makes a folder: one that was deleted here no longer has its name and its place. Throws an ApiError. */
export function useSendPastDeletions(): <Answer>(send: () => Promise<Answer>) => Promise<Answer> {
  const store = useStore();
  const undo = useUndoStack();
  const areAny = (): boolean => store.get(pendingFolderDeletionsAtom).size > 0;
  return (send) => sendPastDeletions(undo, { kind: texts.folderDeletedInText, areAny }, send);
}

/**
 * Deletes a folder so that it can be undone: it leaves the tree at once, and the call is sent when it can no longer be
 * undone (docs/decisions/0010-undo.md).
 */
export function useDeleteFolder(): (folder: Folder) => void {
  const client = useQueryClient();
  const store = useStore();
  const undo = useUndoStack();
  return useCallback(
    (folder) => {
      const name = inertLine(folder.name);
      // On success the folders and the lists of alerts are refreshed; after a failure they show what is so.
      const refresh = (): Promise<void> => {
        refetchAlertLists(client);
        return client.invalidateQueries(foldersQuery);
      };
      const mark = (isPending: boolean): void => store.set(deletions.markAtom, folder, isPending);
      mark(true);
      undo.add({
        kind: texts.folderDeletedInText,
        title: texts.oneFolderDeleted,
        description: texts.alertsInReturnToMy(name),
        subject: { text: name },
        many: (count) => ({ title: texts.foldersDeleted(count), description: texts.theirAlertsReturnToMy }),
        ...undoableDeletion({
          show: () => mark(false),
          send: (keepalive) => deleteFolder(folder.id, { keepalive }),
          onSent: refresh,
          onFailed: () => void refresh(),
        }),
        commitFailed: texts.couldNotDeleteFolder,
      });
    },
    [client, store, undo],
  );
}
