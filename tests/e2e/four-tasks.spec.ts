import type { Page } from '@playwright/test';
import { uuidv7 } from 'uuidv7';
import type { Person } from './support/accounts.ts';
import type { AppServer } from './support/app-server.ts';
import { countActions } from './support/count-actions.ts';
import { expect, test } from './support/fixtures.ts';
import { makeSource, send } from './support/sources.ts';
import { card, choice, connected, toast } from './support/screen.ts';

// Tasks of a shift, whose counts docs/testing.md has. Cards leave here, with what follows at once.
test.use({ moving: true });

const MOST_BY_KEYS = 3;
const MOST_BY_MOUSE = 5;
const MOST_WITH_A_NOTE = 10;

const cards = (page: Page) => page.getByRole('feed').getByRole('article');

/** Alerts of two customers, whose list is in the order of severity. */
const openBySeverity = async (app: AppServer, page: Page): Promise<void> => {
  await app.post({ title: 'Atlas is down', customer: 'Atlas', severity: 'critical' });
  await app.post({ title: 'Disk full', customer: 'Atlas', severity: 'warning' });
  await app.post({ title: 'Certificate', customer: 'Atlas', severity: 'info' });
  await app.post({ title: 'Nordwind is down', customer: 'Nordwind', severity: 'critical' });
  await connected(page);
  await expect(cards(page)).toHaveCount(4);
};

const expectStarted = async (page: Page): Promise<void> => {
  await expect(toast(page)).toContainText('Alert accepted and started');
  await expect(card(page, 'Atlas is down')).toHaveCount(0);
  await expect(cards(page)).toHaveCount(2);
};

const openWithTwenty = async (app: AppServer, page: Page): Promise<string> => {
  const source = `Shop ${uuidv7().slice(-12)}`;
  await connected(page);
  const { key } = await makeSource(app, source);
  await app.post({ title: 'Of another source' });
  for (let count = 1; count <= 20; count += 1) await send(app, key, { title: `Order ${count}` });
  await expect(page.locator('.page-head__count')).toHaveText(/^21/);
  return source;
};

const expectTwenty = (page: Page): Promise<void> => expect(page.locator('.page-head__count')).toHaveText(/^20 /);

const openQueue = async (app: AppServer, openAs: (person: Person, path?: string) => Promise<Page>, mara: Person) => {
  const colleague = `Jolanta ${uuidv7().slice(-12)}`;
  await app.addMember(colleague);
  const client = await app.signIn(mara);
  const fill = async (): Promise<void> => {
    for (let count = 1; count <= 3; count += 1) {
      const id = await app.post({ title: `Order ${count}` });
      await client.request('POST', `/api/alerts/${id}/accept`);
    }
  };
  await fill();
  const page = await openAs(mara, '/my-alerts');
  await connected(page);
  await expect(cards(page)).toHaveCount(3);
  return { page, colleague, fill };
};

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Hand over my queue' });

test.describe('the most severe alert of a customer is accepted and started', () => {
  test('by keyboard', async ({ app, openAs, mara }) => {
    const page = await openAs(mara, '/?sort=severity');
    await openBySeverity(app, page);
    const person = countActions(page);
    await person.search('customer:Atlas');
    await expect(cards(page)).toHaveCount(3);
    await person.press('j');
    await person.press('2');
    await expectStarted(page);
    expect(person.taken()).toBeLessThanOrEqual(MOST_BY_KEYS);
  });

  test('by mouse', async ({ app, openAs, mara }) => {
    const page = await openAs(mara, '/?sort=severity');
    await openBySeverity(app, page);
    const person = countActions(page);
    await person.click(card(page, 'Atlas is down').getByRole('button', { name: 'Atlas, filter by customer' }));
    await expect(cards(page)).toHaveCount(3);
    await person.click(card(page, 'Atlas is down').getByRole('button', { name: 'More actions' }));
    await person.click(choice(page, /^Accept and start/));
    await expectStarted(page);
    expect(person.taken()).toBeLessThanOrEqual(MOST_BY_MOUSE);
  });
});

test.describe('twenty alerts of a source are taken and completed, and that is undone', () => {
  test('by keyboard', async ({ app, openAs, mara }) => {
    const page = await openAs(mara);
    const source = await openWithTwenty(app, page);
    const person = countActions(page);
    await person.search(`source:"${source}"`);
    await expectTwenty(page);
    await person.press('Control+A');
    await expect(page.getByRole('toolbar', { name: '20 selected' })).toBeVisible();
    await person.press('e');
    await expect(toast(page)).toContainText('20 accepted and completed');
    expect(person.taken()).toBeLessThanOrEqual(MOST_BY_KEYS);
    // One more, for who has changed their mind.
    await page.keyboard.press('z');
    await expectTwenty(page);
  });

  test('by mouse', async ({ app, openAs, mara }) => {
    const page = await openAs(mara);
    const source = await openWithTwenty(app, page);
    const person = countActions(page);
    await person.click(card(page, 'Order 20').getByRole('button', { name: `${source}, filter by source` }));
    await expectTwenty(page);
    const first = page.getByRole('article').filter({ hasText: 'Order 20' });
    await first.hover();
    await person.click(first.getByRole('checkbox').locator('..'));
    await person.click(page.getByRole('button', { name: 'Select all 20' }));
    const bar = page.getByRole('toolbar', { name: '20 selected' });
    await person.click(bar.getByRole('button', { name: 'Accept and complete' }));
    await expect(toast(page)).toContainText('20 accepted and completed');
    await person.click(toast(page).getByRole('button', { name: 'Undo' }));
    await expectTwenty(page);
    expect(person.taken()).toBeLessThanOrEqual(MOST_BY_MOUSE);
  });
});

test('an alert is found by a word, gets a note that mentions a colleague, and is snoozed until tomorrow', async ({
  app,
  openAs,
  mara,
}) => {
  await app.post({ title: 'Checkout', text: 'a gateway timeout' });
  await app.post({ title: 'Mail' });
  const page = await openAs(mara);
  await connected(page);
  const person = countActions(page);
  await person.search('gateway');
  await expect(cards(page)).toHaveCount(1);
  await person.press('j');
  await person.press('c');
  await expect(page.getByRole('textbox', { name: /^Add a note/ })).toBeFocused();
  await person.type('@Admin');
  await expect(page.getByRole('option', { name: /^Administrator/ })).toBeVisible();
  await person.press('Enter');
  await person.type('please look at this tomorrow');
  await person.press('Control+Enter');
  await expect(page.getByText('please look at this tomorrow')).toBeVisible();
  await expect(page.getByRole('textbox', { name: /^Add a note/ })).toHaveValue('');
  await person.press('Escape');
  await expect(page.getByRole('textbox', { name: /^Add a note/ })).toHaveCount(0);
  await person.press('s');
  await person.click(choice(page, /^Tomorrow/));
  await expect(toast(page)).toContainText('snoozed');
  // Three of them are the mention and the note's own words.
  expect(person.taken()).toBe(MOST_WITH_A_NOTE);
});

test.describe('all open alerts are handed over', () => {
  test('by mouse, and by keyboard to the same person again', async ({ app, openAs, mara }) => {
    const { page, colleague, fill } = await openQueue(app, openAs, mara);
    const first = countActions(page);
    await first.click(page.getByRole('button', { name: 'Hand over' }));
    await first.click(dialogOf(page).getByRole('button', { name: 'To', exact: true }));
    await first.click(choice(page, colleague));
    await first.click(dialogOf(page).getByRole('button', { name: 'Hand over 3' }));
    await expect(toast(page)).toContainText(`handed over to ${colleague}`);
    expect(first.taken()).toBeLessThanOrEqual(MOST_BY_MOUSE);

    await fill();
    await expect(cards(page)).toHaveCount(3);
    const again = countActions(page);
    await again.press('Shift+H');
    await expect(dialogOf(page).getByRole('button', { name: 'Hand over 3' })).toBeEnabled();
    await again.press('Enter');
    await expect(toast(page).last()).toContainText(`handed over to ${colleague}`);
    await expect(cards(page)).toHaveCount(0);
    expect(again.taken()).toBeLessThanOrEqual(MOST_BY_KEYS);
  });
});
