import { useAtom, useAtomValue } from 'jotai';
import { atomWithStorage, createJSONStorage, unstable_withStorageValidator as withStorageValidator } from 'jotai/utils';

/** How close cards stand: as many as possible, or with space around them. */
export type Density = 'dense' | 'comfortable';

/** Whether a stored value is a density; anything else counts as none. */
export const isDensity = (value: unknown): value is Density => value === 'dense' || value === 'comfortable';

const densityAtom = atomWithStorage<Density>('density', 'dense', withStorageValidator(isDensity)(createJSONStorage()), {
  getOnInit: true,
});

/** The chosen density and its setter; remembered on this device and shared by its tabs. */
export function useDensityChoice(): [Density, (density: Density) => void] {
  return useAtom(densityAtom);
}

/** Whether cards are to have air around them. */
export const useIsComfortable = (): boolean => useAtomValue(densityAtom) === 'comfortable';
