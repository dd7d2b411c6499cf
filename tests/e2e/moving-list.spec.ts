import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from '@playwright/test';
import { middleOf } from './support/dragging.ts';
import { REST_MS } from '#renderer/alerts/list/list-hold.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { takeLine } from './support/line.ts';
import { watchRequests } from './support/requests.ts';
import { card, connected, toast } from './support/screen.ts';

// Cards that leave and come move here.
test.use({ moving: true });

const acceptOf = (page: Page, customer: string): Locator =>
  card(page, customer).getByRole('button', { name: 'Accept' });

/**
 * Moves the pointer to a place and has it move to and fro there within a pixel, as a hand does that is about to click, until
 * the returned function is called. The page does that itself: however slow the machine is, the list does not see it rest.
 */
async function hover(page: Page, { x, y }: { x: number; y: number }): Promise<() => Promise<void>> {
  await page.mouse.move(x, y);
  await page.evaluate(`{
    let by = 0;
    const move = () => {
      by = 1 - by;
      const at = { bubbles: true, clientX: ${x} + by, clientY: ${y}, pointerType: 'mouse' };
      document.elementFromPoint(${x}, ${y}).dispatchEvent(new PointerEvent('pointermove', at));
    };
    window.moving = setInterval(move, 20);
  }`);
  return () => page.evaluate('clearInterval(window.moving)');
}

/** Longer than a card says who accepted it and takes to leave, in milliseconds. */
const LONGER_THAN_LEAVING = 2_200;

/** The longest that this may take on a busy machine, in milliseconds. */
const LONGEST_LEAVE_MS = 20_000;

test('rows stay under a moving pointer when somebody accepts a card above, and the click hits what it aims at', async ({
  app,
  openAs,
  mara,
}) => {
  const ids = [];
  for (const customer of ['Fourth', 'Third', 'Second', 'First']) ids.push(await app.post({ customer }));
  const page = await openAs(ADMINISTRATOR);
  await connected(page);
  const member = await app.signIn(mara);
  const aim = await middleOf(acceptOf(page, 'Third'));
  const rest = await hover(page, aim);
  await member.request('POST', `/api/alerts/${ids[3]}/accept`);
  await expect(page.getByText('Accepted by Mara Lindqvist')).toBeVisible();

  await pause(LONGER_THAN_LEAVING);
  expect(await middleOf(acceptOf(page, 'Third'))).toEqual(aim);
  await expect(page.getByText('Accepted by Mara Lindqvist')).toBeVisible();
  await page.mouse.down();
  await page.mouse.up();
  await expect(toast(page)).toContainText('Alert accepted');
  const left = async () => (await app.inbox()).map(({ customer }) => customer);
  await expect.poll(left).toEqual(['Second', 'Fourth']);

  await rest();
  await page.mouse.move(4, 4);
  await expect(page.getByText('Accepted by Mara Lindqvist')).toHaveCount(0);
  await expect(page.getByRole('article')).toHaveCount(2);
});

test('accepting the card below one that was just taken moves neither the list nor the other rows', async ({
  app,
  openAs,
  mara,
}) => {
  const ids = [];
  for (let number = 20; number > 0; number -= 1) ids.push(await app.post({ customer: `Customer ${number}` }));
  const page = await openAs(ADMINISTRATOR);
  await connected(page);
  const member = await app.signIn(mara);
  const aim = await middleOf(acceptOf(page, 'Customer 2'));
  const other = await middleOf(acceptOf(page, 'Customer 4'));
  const rest = await hover(page, aim);
  await member.request('POST', `/api/alerts/${ids.at(-1)}/accept`);
  const taken = page.getByText('Accepted by Mara Lindqvist');
  await expect(taken).toBeVisible();
  const { y } = await middleOf(taken);

  await page.mouse.down();
  await page.mouse.up();
  await expect(toast(page)).toContainText('Alert accepted');
  expect(await middleOf(acceptOf(page, 'Customer 4'))).toEqual(other);
  expect((await middleOf(taken)).y).toBe(y);
  await rest();
  await page.mouse.move(4, 4);
  await expect(taken).toHaveCount(0);
  await expect.poll(async () => (await middleOf(acceptOf(page, 'Customer 3'))).y).toBe(y);
});

test('a deleted card keeps its place under a moving pointer, too, and says that it is gone', async ({
  app,
  openAs,
  mara,
}) => {
  const member = await app.signIn(mara);
  const ids = [];
  for (const customer of ['Third', 'Second', 'First']) ids.push(await app.post({ customer }));
  for (const id of ids) await member.request('POST', `/api/alerts/${id}/accept`);
  const page = await openAs(mara, '/my-alerts');
  await connected(page);
  const aim = await middleOf(card(page, 'Second').getByRole('radio', { name: 'Completed' }));
  const rest = await hover(page, aim);
  await app.admin.request('DELETE', `/api/webhooks/${ids[2]}`);
  await expect(page.getByText('No longer in this list')).toBeVisible();
  await pause(LONGER_THAN_LEAVING);
  await page.mouse.down();
  await page.mouse.up();
  await expect(page.getByRole('button', { name: 'Completed (1)' })).toBeVisible();
  await expect(card(page, 'Third').getByRole('radio', { name: 'Accepted' })).toBeChecked();
  await rest();
  await page.mouse.move(4, 4);
  await expect(page.getByText('No longer in this list')).toHaveCount(0);
});

test('a double click accepts one alert', async ({ app, openAs }) => {
  for (const customer of ['Third', 'Second', 'First']) await app.post({ customer });
  const page = await openAs(ADMINISTRATOR);
  await connected(page);
  const { x, y } = await middleOf(acceptOf(page, 'First'));
  await page.mouse.move(x, y);
  // In the page itself, so that a slow machine does not make two single clicks of it: the card has faded by then.
  await page.evaluate(`new Promise((done) => {
    const click = () => {
      const target = document.elementFromPoint(${x}, ${y});
      for (const type of ['pointerdown', 'pointerup', 'click']) {
        const at = { bubbles: true, cancelable: true, clientX: ${x}, clientY: ${y}, pointerType: 'mouse' };
        target.dispatchEvent(new PointerEvent(type, at));
      }
    };
    click();
    setTimeout(() => {
      click();
      done();
    }, 250);
  })`);
  await expect(page.getByRole('article')).toHaveCount(2);
  await expect.poll(async () => (await app.inbox()).map(({ customer }) => customer)).toEqual(['Second', 'Third']);
});

// What somebody accepts moves rows under a finger, what arrives also under a mouse.
for (const [pointerType, comes, left] of [
  ['mouse', 'Second', ['Newest', 'First', 'Second', 'Third', 'Fourth']],
  ['touch', 'Fourth', ['Second', 'Third', 'Fourth']],
] as const) {
  test(`a click right after the rows moved under a ${pointerType} pointer at rest does nothing`, async ({
    app,
    openAs,
    mara,
  }) => {
    const ids = [];
    for (const customer of ['Fourth', 'Third', 'Second', 'First']) ids.push(await app.post({ customer }));
    const page = await openAs(ADMINISTRATOR);
    await connected(page);
    const member = await app.signIn(mara);
    const { x, y } = await middleOf(acceptOf(page, 'Third'));
    if (pointerType === 'mouse') {
      await page.mouse.move(x, y);
      // It rests for longer than the list keeps still.
      await pause(REST_MS + 100);
    }
    // Clicks in the frame in which another card comes under the pointer: nobody can have meant that one. The page's clock stands
    // still from the change of the rows on: on a busy machine that frame may come late.
    await page.evaluate(`window.clicked = new Promise((done) => {
      const aimed = document.elementFromPoint(${x}, ${y});
      const rows = () => document.querySelectorAll('[data-alert-id]').length;
      const before = rows();
      const watching = new MutationObserver(() => {
        if (rows() === before) return;
        watching.disconnect();
        const now = performance.now();
        performance.now = () => now;
      });
      watching.observe(document.body, { childList: true, subtree: true });
      const look = () => {
        const target = document.elementFromPoint(${x}, ${y})?.closest('button');
        if (!target || aimed.closest('article') === target.closest('article')) return requestAnimationFrame(look);
        const at = { bubbles: true, cancelable: true, clientX: ${x}, clientY: ${y}, pointerType: '${pointerType}' };
        target.dispatchEvent(new PointerEvent('pointerdown', at));
        target.dispatchEvent(new PointerEvent('pointerup', at));
        target.dispatchEvent(new PointerEvent('click', at));
        delete performance.now;
        done(target.closest('article').textContent);
      };
      look();
    }); undefined`);
    if (pointerType === 'mouse') await app.post({ customer: 'Newest' });
    else await member.request('POST', `/api/alerts/${ids[3]}/accept`);
    expect(await page.evaluate<string>('window.clicked')).toContain(comes);
    await expect(page.getByRole('article')).toHaveCount(left.length);
    expect((await app.inbox()).map(({ customer }) => customer)).toEqual(left);
    // A moment later, and after a movement, a click is a click.
    await acceptOf(page, 'Third').click();
    await expect(toast(page)).toContainText('Alert accepted');
  });
}

test('the key that was meant for a card that somebody else accepted does nothing to the next one', async ({
  app,
  openAs,
  mara,
}) => {
  const ids = [];
  for (const customer of ['Third', 'Second', 'First']) ids.push(await app.post({ customer }));
  const page = await openAs(ADMINISTRATOR);
  await connected(page);
  const member = await app.signIn(mara);
  await acceptOf(page, 'Second').focus();
  // In the page itself: a key that comes while the card says who took it, and one right after the focus went on, which cannot
  // have been meant for where it went.
  await page.evaluate(`window.pressed = new Promise((done, fail) => {
    const latest = performance.now() + ${LONGEST_LEAVE_MS};
    const press = (card) => card.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true, cancelable: true }));
    let taken;
    const look = () => {
      const focused = document.activeElement?.closest('article');
      if (!taken && focused && focused === document.activeElement && focused.textContent.includes('Accepted by Mara Lindqvist')) {
        taken = focused;
        press(taken);
      } else if (taken && focused && focused !== taken) {
        press(focused);
        return done(taken.textContent);
      }
      if (performance.now() > latest) return fail(new Error('The focus did not go on.'));
      requestAnimationFrame(look);
    };
    look();
  }); undefined`);
  await member.request('POST', `/api/alerts/${ids[1]}/accept`);
  expect(await page.evaluate<string>('window.pressed')).toContain('Second');
  await expect(page.getByRole('article', { name: 'Third' })).toBeFocused();
  await expect(page.getByRole('article')).toHaveCount(2);
  expect((await app.inbox()).map(({ customer }) => customer)).toEqual(['First', 'Third']);
});

test('when everything is read again, the view, the selection and the focus stay where they were', async ({
  app,
  openAs,
}) => {
  for (let number = 1; number <= 300; number += 1) await app.post({ title: `Problem ${number} of 300` });
  const page = await openAs(ADMINISTRATOR);
  const requests = watchRequests(page);
  const line = await takeLine(page);
  const read = card(page, 'Problem 150 of 300');
  await page.mouse.move(700, 400);
  await expect(async () => {
    await page.mouse.wheel(0, 600);
    await expect(read).toBeInViewport({ timeout: 50 });
  }).toPass();
  await page.getByRole('article').filter({ hasText: 'Problem 150 of 300' }).focus();
  await page.keyboard.press('x');
  await expect(page.getByRole('toolbar', { name: '1 selected' })).toBeVisible();
  await requests.answered();
  const before = await read.boundingBox();

  await line.cut();
  const client = await app.signIn(ADMINISTRATOR);
  for (let number = 1; number <= 30; number += 1) await app.post({ title: `Missed ${number}` });
  const bulk = { action: 'accept', filter: { list: 'inbox', q: 'Problem 29' }, expectedCount: 11 };
  expect((await client.request('POST', '/api/alerts/bulk', bulk)).status).toBe(200);
  await page.route('**/api/changes*', (route) => route.fulfill({ status: 410, body: 'Too long ago' }));
  const isRead = page.waitForResponse(/api.alerts.inbox/);
  line.restore();
  await connected(page);
  await isRead;
  await expect(page.locator('.page-head__count')).toContainText('319');
  await requests.answered();
  expect((await read.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
  await expect(page.getByRole('toolbar', { name: '1 selected' })).toBeVisible();
  await expect(page.getByRole('article').filter({ hasText: 'Problem 150 of 300' })).toBeFocused();
});

test('End goes to the last alert of the whole list, also of pages that were not loaded; Home goes back to the first', async ({
  app,
  openAs,
}) => {
  for (let number = 1; number <= 250; number += 1) await app.post({ customer: `Number ${number} of them` });
  const page = await openAs(ADMINISTRATOR);
  await connected(page);
  await page.getByRole('article').first().focus();
  await page.keyboard.press('End');
  const last = page.getByRole('article').filter({ hasText: 'Number 1 of them' });
  await expect(last).toBeFocused();
  await expect(last).toHaveAttribute('aria-posinset', '250');
  await expect(last).toBeInViewport();
  await page.keyboard.press('Home');
  await expect(page.getByRole('article').filter({ hasText: 'Number 250 of them' })).toBeFocused();
});
