import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';
import { card } from './screen.ts';

/** What a card is dragged by. */
export const handle = (page: Page, customer: string) =>
  card(page, customer).getByRole('button', { name: 'Drag to a folder' });
/** The dragged alert beside the pointer. */
export const overlay = (page: Page) => page.locator('.drag-overlay__dragOverlay');

/** Where to point at something, in pixels. */
export async function middleOf(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox();
  if (!box) throw new Error('Not on screen');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Lays hold of a card and begins to drag it. */
export async function grab(page: Page, customer: string): Promise<void> {
  const { x, y } = await middleOf(handle(page, customer));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 12, y, { steps: 3 });
  await expect(overlay(page)).toBeVisible();
}

/** Moves what is dragged over a target. */
export async function dragOver(page: Page, target: Locator): Promise<void> {
  const { x, y } = await middleOf(target);
  await page.mouse.move(x, y, { steps: 5 });
}
