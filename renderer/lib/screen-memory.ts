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

/** Clears all of it for the next person. Write-only. */
export const forgetScreensAtom = atom(null, (get, set) => {
  set(searchesAtom, new Map());
  get(scrollMemoryAtom).clear();
});

/** The path of a screen as it was left, with the search parameters of its filter. */
export function useRememberedPath(): (pathname: string) => string {
  const searches = useAtomValue(searchesAtom);
  return (pathname) => `${pathname}${searches.get(pathname) ?? ''}`;
}
