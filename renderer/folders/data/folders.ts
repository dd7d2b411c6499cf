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

/** An alert before and after a change; `before` is null when it is new, undefined when it was not known. */
interface FiledChange {
  before: Alert | null | undefined;
  after: Alert | undefined;
}

/**
 * Keeps the folders' badges true after alerts became others: at once by what is known here, and by the server a moment
 * later.
 */
export function countFiled(client: QueryClient, me: string | undefined, changes: readonly FiledChange[]): void {
  const folders = client.getQueryData(foldersQuery.queryKey);
  if (!folders) return;
  const differences = new Map<string, number>();
  const count = (folderId: string | undefined, by: number): void => {
    if (folderId !== undefined) differences.set(folderId, (differences.get(folderId) ?? 0) + by);
  };
  let mayDiffer = false;
  for (const { before, after } of changes) {
    if (before === null) continue;
    const [from, to] = [folderOf(me, before), folderOf(me, after)];
    // One that was not known may have been in a folder, where there are any.
    mayDiffer ||= from !== undefined || to !== undefined || (before === undefined && folders.length > 0);
    if (!before) continue;
    count(openIn(from, before), -1);
    count(openIn(to, after), +1);
  }
  const counted = adjustCounts(folders, differences);
  if (counted !== folders) client.setQueryData(foldersQuery.queryKey, counted);
  if (mayDiffer) refetchWhenShown(client, foldersQuery.queryKey);
}

/** The folders with so many alerts more or fewer, by id. The same array when nothing differs. */
export function adjustCounts(folders: Folder[], differences: ReadonlyMap<string, number>): Folder[] {
  if (!folders.some(({ id }) => differences.get(id))) return folders;
  return folders.map((folder) => {
    const difference = differences.get(folder.id) ?? 0;
    return difference === 0 ? folder : { ...folder, alertCount: Math.max(0, folder.alertCount + difference) };
  });
}

const folderOf = (me: string | undefined, alert: Alert | undefined): string | undefined =>
  alert?.ownerId === me ? alert?.folderId : undefined;

/** The folder again when it counts the alert: what is completed or snoozed is not. */
const openIn = (folderId: string | undefined, alert: Alert | undefined): string | undefined =>
  alert?.status === 'completed' || alert?.snoozedUntil !== undefined ? undefined : folderId;
