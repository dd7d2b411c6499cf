import { DARK_CLASS, SYSTEM_DARK, THEME_KEY, isDark, isThemeChoice } from '#renderer/lib/theme-storage.ts';

/**
 * Runs before the first paint, as a blocking script of its own (the content security policy forbids inline ones), so
 * that no wrong theme flashes. `lib/appearance.ts` takes over when the app has loaded.
 */
function applyThemeEarly(): void {
  document.documentElement.classList.toggle(DARK_CLASS, isDark(storedChoice(), window.matchMedia(SYSTEM_DARK).matches));
}

function storedChoice() {
  try {
    const choice: unknown = JSON.parse(localStorage.getItem(THEME_KEY) ?? 'null');
    return isThemeChoice(choice) ? choice : 'system';
  } catch {
    // Storage is forbidden, or holds something else: as if nothing had been chosen.
    return 'system';
  }
}

applyThemeEarly();
