import type { Page } from '@playwright/test';
import { findingsInThemes } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { connected, toast } from './support/screen.ts';

const panel = (page: Page) => page.getByRole('complementary', { name: 'Alert details' });
const timeline = (page: Page) => panel(page).getByRole('region', { name: 'Notes and history' });
const composer = (page: Page) => panel(page).getByRole('textbox', { name: 'Add a note' });
const open = async (page: Page, title: string): Promise<void> => {
  await page.locator('article[data-alert-id]', { hasText: title }).getByRole('link').click();
  await expect(panel(page).getByRole('heading', { name: title })).toBeFocused();
};

test('a note mentions a colleague, who is led to it, and is edited and deleted by its author', async ({
  app,
  openAs,
  mara,
}) => {
  for (const title of ['Second', 'First']) await app.post({ title, customer: 'Nordwind' });
  const [page, other] = [await openAs(mara), await openAs(ADMINISTRATOR)];
  await Promise.all([connected(page), connected(other)]);
  await open(page, 'First');
  await composer(page).fill('Archive cleared, see https://runbooks.example/disk. @adm');
  const people = panel(page).getByRole('listbox', { name: 'Colleagues' });
  await expect(people.getByRole('option', { name: /Administrator/ })).toHaveAttribute('aria-selected', 'true');
  expect(await findingsInThemes(page)).toEqual([]);
  await composer(page).press('Enter');
  await expect(people).toHaveCount(0);
  await expect(composer(page)).toHaveValue('Archive cleared, see https://runbooks.example/disk. @Administrator ');

  // What was begun waits with its alert.
  await panel(page).getByRole('button', { name: 'Next alert' }).click();
  await expect(composer(page)).toHaveValue('');
  await panel(page).getByRole('button', { name: 'Previous alert' }).click();
  await expect(composer(page)).toHaveValue(/^Archive cleared/);
  await composer(page).press('Control+Enter');
  const note = timeline(page).getByRole('listitem').first();
  await expect(note).toContainText('Mara Lindqvist');
  await expect(note.getByRole('link')).toHaveAttribute('href', 'https://runbooks.example/disk');
  await expect(composer(page)).toHaveValue('');

  await expect(toast(other)).toContainText('Mara Lindqvist mentioned you');
  await toast(other).getByRole('button', { name: 'Open' }).click();
  await expect(other).toHaveURL(/\/alert\//);
  await expect(other.getByText('Archive cleared')).toBeVisible();
  await expect(other.getByRole('button', { name: 'Edit the note' })).toHaveCount(0);

  await note.getByRole('button', { name: 'Edit the note' }).click();
  await note.getByRole('textbox').fill('Watching it until noon');
  await note.getByRole('button', { name: 'Save' }).click();
  await expect(other.getByText('Watching it until noon')).toBeVisible();
  await expect(note).toContainText('edited');
  expect(await findingsInThemes(page)).toEqual([]);

  await note.getByRole('button', { name: 'Delete the note' }).click();
  await expect(timeline(page)).not.toContainText('Watching it');
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(timeline(page)).toContainText('Watching it until noon');
});
