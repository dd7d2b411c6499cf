import { atom, useAtomValue } from 'jotai';

/** The search parameters that each screen was last shown with, by path. */
const searchesAtom = atom<ReadonlyMap<string, string>>(new Map<string, string>());

/** Notes the search parameters of a screen. Write-only. */
export const rememberSearchAtom = atom(null, (get, set, pathname: string, search: string) => {
  if ((get(searchesAtom).get(pathname) ?? '') === search) return;
  set(searchesAtom, new Map([...get(searchesAtom), [pathname, search]]));
});

/** How far each list was scrolled when it was left, in pixels, by path and search parameters. Nobody draws by it. */
export const scrollMemoryAtom = atom(new Map<string, number>());

/** Lets go of all that: the next person begins anew. Write-only. */
export const forgetScreensAtom = atom(null, (get, set) => {
  set(searchesAtom, new Map());
  get(scrollMemoryAtom).clear();
});

/** The way to a screen as it was left: links lead back to its filter. */
export function useWayTo(): (pathname: string) => string {
  const searches = useAtomValue(searchesAtom);
  return (pathname) => `${pathname}${searches.get(pathname) ?? ''}`;
}
