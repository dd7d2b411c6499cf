import { atom, useAtom } from 'jotai';
import { atomWithStorage, createJSONStorage, unstable_withStorageValidator as withStorageValidator } from 'jotai/utils';
import { useMemo } from 'react';

/** Where it is remembered which folders are collapsed: a key of the local storage that holds their ids as JSON. */
const COLLAPSED_KEY = 'collapsed-folders';

/** Most ids that are remembered, so that those of folders long gone do not pile up. */
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

/** Which folders are collapsed, remembered on this device, and the way to change that. */
export function useCollapsedFolders() {
  const [ids, setCollapsed] = useAtom(collapsedAtom);
  const collapsed = useMemo(() => new Set(ids), [ids]);
  return [collapsed, setCollapsed] as const;
}
