import { type Locator, type Page, expect } from '@playwright/test';

/**
 * What a person does, counted: one for a click, for a key or keys pressed together, for a word or text that is typed, and
 * for a search with the key that begins and the one that ends it.
 */
export function countActions(page: Page) {
  let actions = 0;
  return {
    click: async (target: Locator) => {
      actions += 1;
      await target.click();
    },
    press: async (key: string) => {
      actions += 1;
      await page.keyboard.press(key);
    },
    type: async (text: string) => {
      actions += 1;
      await page.keyboard.type(text);
    },
    search: async (text: string) => {
      actions += 1;
      await expect(page.getByRole('combobox', { name: 'Search alerts' })).toBeVisible();
      await page.keyboard.type(`/${text}\n`);
    },
    taken: (): number => actions,
  };
}
