import { createRandom } from '#scripts/demo/random.ts';
import { createStream } from '#scripts/demo/senders.ts';
import type { AppServer } from './support/app-server.ts';
import { expectAccessible, findings } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { accountButton } from './support/screen.ts';

/** Another one each time: the server knows the deliveries of a stream that came before. */
let seed = 5;

async function fill(app: AppServer, count: number, accepted: number): Promise<void> {
  seed += 1;
  const next = createStream(createRandom(seed));
  const ids = await Promise.all(Array.from({ length: count }, () => app.deliver(next(new Date()))));
  await Promise.all(ids.slice(0, accepted).map((id) => app.admin.request('POST', `/api/alerts/${id}/accept`)));
}

/** Every screen, with what shows that it is there, the empty ones first; the alerts come before the first full one. */
const SCREENS = [
  { name: 'sign-in', path: '/login', isSignedIn: false, isFull: false, shows: 'Sign In' },
  { name: 'empty inbox', path: '/', isSignedIn: true, isFull: false, shows: 'All caught up!' },
  { name: 'empty queue', path: '/my-alerts', isSignedIn: true, isFull: false, shows: 'No alerts yet' },
  { name: '404 card', path: '/nowhere', isSignedIn: true, isFull: false, shows: 'Page Not Found' },
  { name: 'full inbox', path: '/', isSignedIn: true, isFull: true, shows: 'waiting for action' },
  { name: 'full queue', path: '/my-alerts', isSignedIn: true, isFull: true, shows: 'in your queue' },
] as const;

test('every list, full and empty, the sign-in and the 404 card: axe has nothing to say in either theme, nothing scrolls sideways', async ({
  app,
  open,
  openAs,
}) => {
  // Several looks at a whole page, each of which takes seconds on a busy machine.
  test.slow();
  const [outside, inside] = [await open('/login'), await openAs(ADMINISTRATOR)];
  for (const { name, path, isSignedIn, isFull, shows } of SCREENS) {
    await test.step(name, async () => {
      const page = isSignedIn ? inside : outside;
      if (isFull && (await app.inbox()).length === 0) await fill(app, 40, 10);
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(path);
      await expect(page.getByText(shows).first()).toBeVisible();
      await expectAccessible(page);
    });
  }
});

test('dialogs and menus: axe has nothing to say', async ({ app, openAs }) => {
  // Several looks at a whole page, each of which takes seconds on a busy machine.
  test.slow();
  await fill(app, 8, 2);
  const page = await openAs(ADMINISTRATOR);
  await page
    .getByRole('button', { name: /^Extra information/ })
    .first()
    .click();
  await expect(page.getByRole('dialog')).toContainText('Extra Information');
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');

  await page.goto('/my-alerts');
  await page.getByRole('button', { name: 'Alert history' }).first().click();
  await expect(page.getByRole('dialog')).toContainText('Complete tracking history for this alert');
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');

  await accountButton(page, ADMINISTRATOR).click();
  await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
});
