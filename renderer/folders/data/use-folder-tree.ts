import { useQueryClient } from '@tanstack/react-query';
import { atom, useAtom, useAtomValue } from 'jotai';
import { atomWithStorage, createJSONStorage, unstable_withStorageValidator as withStorageValidator } from 'jotai/utils';
import { useMemo, useSyncExternalStore } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { Folder } from '#backend/contract/folder.ts';
import { alertStoreOf } from '#renderer/alerts/data/list-cache.ts';
import { pendingFolderDeletionsAtom } from './delete-folder.ts';
import { type FolderRow, folderRows } from './folder-rows.ts';
import { useFolders } from './folders.ts';

/**
 * My folders as the rows of a tree, without those that are being deleted and with badges that do not count alerts that
 * are. Undefined until they are known.
 */
export function useFolderTree(): FolderRow[] | undefined {
  const { data } = useFolders();
  const hidden = useAtomValue(pendingFolderDeletionsAtom);
  const store = alertStoreOf(useQueryClient());
  const deletions = useSyncExternalStore(store.subscribe, store.delayedAlerts);
  return useMemo(
    () => data && folderRows(withoutDeleted(data, deletions), new Set(hidden.keys())),
    [data, hidden, deletions],
  );
}

function withoutDeleted(folders: Folder[], deletions: readonly Alert[]): Folder[] {
  if (deletions.length === 0) return folders;
  const open = deletions.filter(({ status, snoozedUntil }) => status !== 'completed' && snoozedUntil === undefined);
  const gone = Map.groupBy(open, ({ folderId }) => folderId);
  return folders.map((folder) => {
    const count = gone.get(folder.id)?.length ?? 0;
    return count === 0 ? folder : { ...folder, alertCount: Math.max(0, folder.alertCount - count) };
  });
}

/** Key of the local storage that holds the ids of collapsed folders as JSON. */
const COLLAPSED_KEY = 'collapsed-folders';

/** Most ids that are remembered, so that those of deleted folders do not pile up. */
const REMEMBERED = 1000;

const storedAtom = atomWithStorage<readonly string[]>(
  COLLAPSED_KEY,
  [],
  withStorageValidator(isIdList)(createJSONStorage()),
  { getOnInit: true },
);

function isIdList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((id) => typeof id === 'string');
}

/** Ids of the folders that are collapsed, and how to collapse or expand some. New folders are expanded. */
const collapsedAtom = atom(
  (get) => get(storedAtom),
  (_get, set, ids: readonly string[], isCollapsed: boolean) =>
    set(storedAtom, (known) => {
      const others = known.filter((id) => !ids.includes(id));
      return (isCollapsed ? [...others, ...ids] : others).slice(-REMEMBERED);
    }),
);

/** Which folders are collapsed, remembered on this device, and the setter. */
export function useCollapsedFolders() {
  const [ids, setCollapsed] = useAtom(collapsedAtom);
  const collapsed = useMemo(() => new Set(ids), [ids]);
  return [collapsed, setCollapsed] as const;
}
