import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useStore } from 'jotai';
import { useCallback } from 'react';
import type { Folder } from '#backend/contract/folder.ts';
import { isSettledElsewhere, refetchAlertLists } from '#renderer/lib/alerts/refetch-alert-list.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { sendBeforeLeaving } from '#renderer/lib/send-before-leaving.ts';
import { type Toasts, useToasts } from '#renderer/lib/toast.ts';
import { foldersQuery } from './get-folders.ts';
import { markFolderDeletionAtom } from './pending-folder-deletions.ts';

type Store = ReturnType<typeof useStore>;

/** `DELETE /api/folders/{id}`. `keepalive` sends it even though the page is going away. Throws an ApiError. */
export const deleteFolder = (id: string, { keepalive = false } = {}): Promise<undefined> =>
  apiSend('DELETE', `/api/folders/${encodeURIComponent(id)}`, { keepalive });

/**
 * Deletes a folder so that it can be undone: it leaves the tree at once, and the call is sent when the toast goes or the
 * page is hidden, whichever is first (ux.md, "Hands").
 */
export function useDeleteFolder(): (folder: Folder) => void {
  const client = useQueryClient();
  const store = useStore();
  const toasts = useToasts();
  return useCallback(
    (folder) => {
      store.set(markFolderDeletionAtom, folder.id, true);
      const { send, cancel } = sendBeforeLeaving((keepalive) => {
        void finishDeletion(client, store, toasts, folder, keepalive);
      });
      const undo = (): void => {
        if (cancel()) {
          store.set(markFolderDeletionAtom, folder.id, false);
          return;
        }
        const description = 'The folder is already deleted.';
        toasts.show({ variant: 'destructive', title: 'Too late to undo', description });
      };
      toasts.show({
        title: 'Folder deleted',
        description: `The alerts in ${inertLine(folder.name)} return to My Alerts`,
        action: { label: 'Undo', onSelect: undo },
        onDismiss: send,
      });
    },
    [client, store, toasts],
  );
}

async function finishDeletion(
  client: QueryClient,
  store: Store,
  toasts: Toasts,
  { id }: Folder,
  keepalive: boolean,
): Promise<void> {
  try {
    await deleteFolder(id, { keepalive });
  } catch (error) {
    if (!(error instanceof Error && isSettledElsewhere(error))) {
      const description = error instanceof Error ? error.message : String(error);
      toasts.show({ variant: 'destructive', title: 'Could not delete the folder', description });
    }
  }
  // On success the folders and the lists of alerts are refreshed (spec.md section 7); after a failure they tell what is so.
  refetchAlertLists(client);
  await client.invalidateQueries(foldersQuery);
  store.set(markFolderDeletionAtom, id, false);
}
