import { expect, test } from './support/fixtures.ts';
import { BESIDE_THE_APP } from './support/screen.ts';

const STORED = 'localStorage.length + sessionStorage.length';

test('a context that one test had is empty for the next', async ({ app, warmContexts }) => {
  const context = await warmContexts.take(app.storageState());
  const page = await context.newPage();
  await page.goto(BESIDE_THE_APP);
  await page.evaluate("localStorage.setItem('left', 'behind'); sessionStorage.setItem('left', 'behind')");
  expect(await page.evaluate(STORED)).toBe(2);
  expect(await context.cookies()).not.toEqual([]);
  await warmContexts.giveBack(context);

  const next = await warmContexts.take();
  expect(next === context).toBe(true);
  expect(page.isClosed()).toBe(true);
  expect(await next.cookies()).toEqual([]);
  const nextPage = await next.newPage();
  await nextPage.goto(BESIDE_THE_APP);
  expect(await nextPage.evaluate(STORED)).toBe(0);
  await warmContexts.giveBack(next);
});

test('a context in which a test changed what stays is no other test’s', async ({ warmContexts }) => {
  for (const change of ['clock', 'route'] as const) {
    const context = await warmContexts.take();
    const page = await context.newPage();
    if (change === 'clock') await page.clock.install();
    else await context.route('**/nothing', (route) => route.abort());
    await warmContexts.giveBack(context);
    const next = await warmContexts.take();
    expect(next === context).toBe(false);
    await warmContexts.giveBack(next);
  }
});
