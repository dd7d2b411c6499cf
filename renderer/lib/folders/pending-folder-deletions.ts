import { atom } from 'jotai';

/**
 * Ids of folders that were deleted here but can still be brought back: the DELETE call is sent only when their toast has
 * gone. The tree leaves them out meanwhile.
 */
export const pendingFolderDeletionsAtom = atom<ReadonlySet<string>>(new Set<string>());

/** Adds a folder to those, or takes it from them. Write-only. */
export const markFolderDeletionAtom = atom(null, (get, set, id: string, isPending: boolean) => {
  const next = new Set(get(pendingFolderDeletionsAtom));
  if (isPending) next.add(id);
  else next.delete(id);
  set(pendingFolderDeletionsAtom, next);
});
