import { useAtom, useAtomValue } from 'jotai';
import { atomWithStorage, createJSONStorage, unstable_withStorageValidator as withStorageValidator } from 'jotai/utils';
import { useLayoutEffect, useSyncExternalStore } from 'react';
import { DARK_CLASS, SYSTEM_DARK, THEME_KEY, type ThemeChoice, isDark, isThemeChoice } from './theme-storage.ts';

const themeChoiceAtom = atomWithStorage<ThemeChoice>(
  THEME_KEY,
  'system',
  withStorageValidator(isThemeChoice)(createJSONStorage()),
  { getOnInit: true },
);

const subscribeToSystem = (changed: () => void): (() => void) => {
  const query = window.matchMedia(SYSTEM_DARK);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
};
const systemIsDark = (): boolean => window.matchMedia(SYSTEM_DARK).matches;

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
  const system = useSyncExternalStore(subscribeToSystem, systemIsDark);
  useLayoutEffect(() => {
    document.documentElement.classList.toggle(DARK_CLASS, isDark(choice, system));
  }, [choice, system]);
}
