import { useAtom, useAtomValue } from 'jotai';
import { atomWithStorage, createJSONStorage, unstable_withStorageValidator as withStorageValidator } from 'jotai/utils';
import { useLayoutEffect } from 'react';
import { DARK_CLASS, SYSTEM_DARK, THEME_KEY, type ThemeChoice, isDark, isThemeChoice } from './theme-storage.ts';
import { useMediaQuery } from './use-media-query.ts';

const themeChoiceAtom = atomWithStorage<ThemeChoice>(
  THEME_KEY,
  'system',
  withStorageValidator(isThemeChoice)(createJSONStorage()),
  { getOnInit: true },
);

/** The person's theme choice and its setter; remembered on this device and shared by its tabs. */
export function useThemeChoice(): [ThemeChoice, (choice: ThemeChoice) => void] {
  return useAtom(themeChoiceAtom);
}

/**
 * Keeps `<html>` in the chosen theme, and in the system's when that is the choice. Mounted once; before the first
 * paint `app/apply-theme-early.ts` does the same.
 */
export function useApplyTheme(): void {
  const choice = useAtomValue(themeChoiceAtom);
  const system = useMediaQuery(SYSTEM_DARK);
  useLayoutEffect(() => {
    document.documentElement.classList.toggle(DARK_CLASS, isDark(choice, system));
  }, [choice, system]);
}

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
