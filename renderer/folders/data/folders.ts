import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { Alert } from '#backend/contract/alert.ts';
import { type Folder, folderListSchema } from '#backend/contract/folder.ts';
import { apiGet } from '#renderer/lib/api-client.ts';
import { refetchWhenShown } from '#renderer/lib/query-freshness.ts';

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

/**
 * Keeps the folders' badges true after an alert of mine became another: at once by what is known here, and by the
 * server a moment later. `before` is null when the alert is new, undefined when it is not loaded.
 */
export function countFiled(
  client: QueryClient,
  me: string | undefined,
  before: Alert | null | undefined,
  after: Alert | undefined,
): void {
  if (before === null) return;
  const folders = client.getQueryData(foldersQuery.queryKey);
  if (!folders) return;
  const [from, to] = [folderOf(me, before), folderOf(me, after)];
  const isKnown = before !== undefined;
  if (isKnown && from === undefined && to === undefined) return;
  // Somebody else's alert, or one of mine: with no folders it is in none.
  if (!isKnown && folders.length === 0 && to === undefined) return;
  if (isKnown) {
    const counted = adjustCounts(folders, openIn(from, before), openIn(to, after));
    client.setQueryData(foldersQuery.queryKey, counted);
  }
  refetchWhenShown(client, foldersQuery.queryKey);
}

/** The folders with one alert fewer in `from` and one more in `to`. */
export function adjustCounts(folders: Folder[], from: string | undefined, to: string | undefined): Folder[] {
  if (from === to) return folders;
  return folders.map((folder) => {
    const difference = Number(folder.id === to) - Number(folder.id === from);
    return difference === 0 ? folder : { ...folder, alertCount: Math.max(0, folder.alertCount + difference) };
  });
}

const folderOf = (me: string | undefined, alert: Alert | undefined): string | undefined =>
  alert?.ownerId === me ? alert?.folderId : undefined;

/** The folder again when it counts the alert: what is completed or snoozed is not. */
const openIn = (folderId: string | undefined, alert: Alert | undefined): string | undefined =>
  alert?.status === 'completed' || alert?.snoozedUntil !== undefined ? undefined : folderId;
