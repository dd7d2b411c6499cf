import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Folder, type FolderColor, folderSchema } from '#backend/contract/folder.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/lib/toast.ts';
import { foldersQuery } from './get-folders.ts';

/** What a person says of a new folder. Without a parent it is at the top level. */
export interface FolderWish {
  name: string;
  color: FolderColor;
  parentId?: string;
}

/** `POST /api/folders`. Throws an ApiError. */
export const createFolder = (wish: FolderWish): Promise<Folder> =>
  apiSend('POST', '/api/folders', { body: { ...wish, icon: 'folder', order: 0 }, schema: folderSchema });

/** Creates a folder, and reports the result in a toast. */
export function useCreateFolder() {
  const client = useQueryClient();
  const toasts = useToasts();
  return useMutation({
    mutationFn: createFolder,
    onSuccess: (folder) => {
      client.setQueryData(foldersQuery.queryKey, (folders) => folders && [...folders, folder]);
      void client.invalidateQueries(foldersQuery);
      toasts.show({ title: 'Folder created', description: inertLine(folder.name) });
    },
    onError: ({ message }) => {
      toasts.show({ variant: 'destructive', title: 'Error', description: message || 'Failed to create folder' });
    },
  });
}
