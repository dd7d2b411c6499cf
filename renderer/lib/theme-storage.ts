/** The choices of theme: follow the system, or one theme always. */
export type ThemeChoice = 'system' | 'light' | 'dark';

/** Where the choice is remembered: a key of the local storage that holds the choice as JSON. */
export const THEME_KEY = 'theme';

/** The class on `<html>` that turns Blueprint and the tokens dark. */
export const DARK_CLASS = 'bp6-dark';

/** The media query that matches when the system is dark. */
export const SYSTEM_DARK = '(prefers-color-scheme: dark)';

/** Whether a stored value is a choice; anything else counts as none. */
export function isThemeChoice(value: unknown): value is ThemeChoice {
  return value === 'system' || value === 'light' || value === 'dark';
}

/** Whether the choice means dark, given the system's theme. */
export function isDark(choice: ThemeChoice, systemIsDark: boolean): boolean {
  return choice === 'dark' || (choice === 'system' && systemIsDark);
}
