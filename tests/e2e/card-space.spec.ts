import type { Locator } from '@playwright/test';
import { windowSchema } from '#backend/contract/maintenance.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { card } from './support/screen.ts';
import { makeSource, send } from './support/sources.ts';
import { deleteWindow } from './support/windows.ts';

const CUSTOMER = 'Harbor & Finch Logistics';
const TITLE = 'The database of the payments in Frankfurt answers late';

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox();
  if (!box) throw new Error('There is no such element on the screen.');
  return box;
};
const isCut = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => element.scrollWidth > element.clientWidth);

test('a source of the longest name leaves the customer its space, in dense and comfortable cards', async ({
  app,
  openAs,
  mara,
}) => {
  const source = await makeSource(
    app,
    'Monitoring of the data center in Frankfurt, hall 7, network segment B12 and B13',
  );
  const answer = await send(app, source.key, { title: TITLE, customer: CUSTOMER, type: 'order.payment_failed' });
  const { id } = (await answer.json()) as { id: string };
  await (await queueOf(app, mara)).client.request('POST', `/api/alerts/${id}/accept`);
  const page = await openAs(mara, '/my-alerts');
  for (const density of ['dense', 'comfortable']) {
    await page.evaluate((value) => localStorage.setItem('density', JSON.stringify(value)), density);
    for (const width of [1440, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto('/my-alerts');
      const customer = card(page, CUSTOMER).locator('.alert-card__customer');
      await expect(customer).toBeVisible();
      expect(await isCut(customer), `${density}, ${width}`).toBe(false);
      expect((await boxOf(card(page, CUSTOMER).locator('.alert-card__source'))).width).toBeGreaterThan(140);
    }
  }
});

test('on a phone what keeps an alert quiet leaves the headline most of its line', async ({ app, openAs, mara }) => {
  const window = {
    name: 'Upgrade of the database servers',
    startsAt: 'now',
    minutes: 60,
    timeZone: 'UTC',
    rrule: null,
  };
  const made = await app.admin.request('POST', '/api/maintenance/windows', {
    ...window,
    search: `customer:"${CUSTOMER}"`,
  });
  const planned = windowSchema.parse(await made.json());
  try {
    await (await queueOf(app, mara)).accept({ title: TITLE, customer: CUSTOMER });
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const page = await openAs(mara, '/my-alerts', phone);
    const line = card(page, CUSTOMER).locator('.alert-card__headline');
    await expect(line).toContainText('Upgrade of the');
    const title = await boxOf(line.locator('.alert-card__title'));
    const tag = await boxOf(line.locator('.quiet-mark__tag'));
    expect(title.width).toBeGreaterThan(100);
    expect(title.width).toBeGreaterThan(tag.width);
  } finally {
    await deleteWindow(app, planned);
  }
});

test('what a comfortable card says stands in its middle, in every list', async ({ app, openAs }) => {
  await app.post({ title: TITLE, customer: CUSTOMER, host: 'db-7', region: 'eu', load: 3 });
  const page = await openAs(ADMINISTRATOR);
  await page.evaluate(() => localStorage.setItem('density', '"comfortable"'));
  for (const path of ['/', '/admin/alerts']) {
    await page.goto(path);
    const whole = card(page, CUSTOMER);
    await expect(whole.getByText('db-7')).toBeVisible();
    const { y, height } = await boxOf(whole);
    const headline = await boxOf(whole.locator('.alert-card__headline'));
    const fields = await boxOf(whole.locator('.fields-zone__cardFields'));
    const [above, below] = [headline.y - y, y + height - fields.y - fields.height];
    expect(Math.abs(above - below), path).toBeLessThanOrEqual(1);
  }
});

test('a comfortable card of a phone has the surface of a dense one, so that nothing shows through it', async ({
  app,
  openAs,
}) => {
  await app.post({ title: TITLE, customer: CUSTOMER });
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const page = await openAs(ADMINISTRATOR, '/', phone);
  await page.locator('.swipe__list_swipe').waitFor();
  const surface = await card(page, CUSTOMER).evaluate((element) => getComputedStyle(element).backgroundColor);
  await page.evaluate(() => localStorage.setItem('density', '"comfortable"'));
  await page.reload();
  await page.locator('.swipe__list_swipe').waitFor();
  await expect(card(page, CUSTOMER)).toHaveCSS('background-color', surface);
});

test('a comfortable card that is selected has the tint of the selection also while it has the focus', async ({
  app,
  openAs,
}) => {
  await app.post({ title: TITLE, customer: CUSTOMER });
  const page = await openAs(ADMINISTRATOR);
  await page.evaluate(() => localStorage.setItem('density', '"comfortable"'));
  await page.reload();
  await expect(card(page, CUSTOMER)).toHaveCSS('background-image', 'none');
  await page.getByRole('article').filter({ hasText: CUSTOMER }).focus();
  await page.keyboard.press('x');
  await expect(page.getByRole('toolbar', { name: '1 selected' })).toBeVisible();
  await expect(card(page, CUSTOMER)).toHaveCSS('background-image', /^linear-gradient/);
});

test('rows follow one another without a gap or an overlap, in every layout whose heights are not measured', async ({
  app,
  openAs,
  mara,
}) => {
  // Little and much to say, and what is as long as a sender can make it.
  await app.post({ customer: CUSTOMER });
  await app.post({ title: TITLE, customer: CUSTOMER, type: 'order.payment_failed', instance: 'db-1.example.com' });
  await app.post({ title: 'Ä'.repeat(400), customer: 'W'.repeat(200), severity: 'critical' });
  const page = await openAs(mara, '/');
  const rows = page.locator('article');
  for (const density of ['dense', 'comfortable']) {
    await page.evaluate((value) => localStorage.setItem('density', JSON.stringify(value)), density);
    await page.goto('/');
    for (const isOpen of [false, true]) {
      if (isOpen) await rows.first().getByRole('link').click();
      for (const width of [1440, 1024]) {
        await page.setViewportSize({ width, height: 900 });
        await expect(rows.nth(2)).toBeVisible();
        await expect(async () => {
          const boxes = await rows.evaluateAll((all) =>
            all.map((row) => {
              const { top, bottom } = row.getBoundingClientRect();
              return { top, bottom };
            }),
          );
          for (const [at, { bottom }] of boxes.slice(0, -1).entries())
            expect(boxes[at + 1]?.top, `${density}, ${width}, ${isOpen}`).toBeCloseTo(bottom, 1);
        }).toPass({ timeout: 5_000 });
      }
    }
  }
});
