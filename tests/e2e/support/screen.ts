import type { Locator, Page } from '@playwright/test';

/** The toast in sight; its announcement for screen readers says the same beside it. */
export const toast = (page: Page): Locator => page.locator('.ad-toast');

/** The cards on the screen that hold a text, such as their customer. */
export const card = (page: Page, text: string): Locator => page.locator('.ad-card', { hasText: text });

/** The row of the sidebar that leads to a screen, with its count. */
export const navigation = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });

/** Resolves when the screen hears live events. */
export const connected = (page: Page): Promise<void> => page.getByText('Connected', { exact: true }).waitFor();

/** The sidebar's footer, behind which are the theme and Logout. */
export const accountButton = (page: Page, { email }: { email: string }): Locator =>
  page.getByRole('button', { name: email });
