import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Folder, folderListSchema } from '#backend/contract/folder.ts';
import { apiGet } from '#renderer/lib/api-client.ts';

/** `GET /api/folders`: my whole tree, flat, by order and then age. Throws an ApiError. */
export const getFolders = (signal?: AbortSignal): Promise<Folder[]> =>
  apiGet('/api/folders', folderListSchema, signal ? { signal } : {});

/** My folders, with the number of alerts in each that are not completed. */
export const foldersQuery = queryOptions({
  queryKey: ['/api/folders'] as const,
  queryFn: ({ signal }) => getFolders(signal),
});

/** My folders as the server has them. Screens show `useFolderTree`, which leaves out what is being deleted. */
export const useFolders = () => useQuery(foldersQuery);
