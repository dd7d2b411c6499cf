import { createRandom } from '#scripts/demo/random.ts';
import { createStream } from '#scripts/demo/senders.ts';
import type { AppServer } from './support/app-server.ts';
import { newAccountLinkSchema } from '#backend/contract/account-link.ts';
import { uuidv7 } from 'uuidv7';
import { expectAccessible, expectAccessibleInPassing, findings, findingsInThemes } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { accountButton, card, connected, goWithin } from './support/screen.ts';

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
      await goWithin(page, path);
      await expect(page.getByText(shows).first()).toBeVisible();
      if (isFull) await expect(page.getByRole('article').first()).toBeVisible();
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

test('a search, a view and its dialog, a note with a mention, my account, a token, and the page of an invitation: axe has nothing to say', async ({
  app,
  mara,
  open,
  openAs,
}) => {
  // Several looks at a whole page, each of which takes seconds on a busy machine.
  test.slow();
  await app.post({ customer: 'Harbor & Finch', type: 'disk.full', title: 'Disk full on db-7', severity: 'critical' });
  await app.post({ customer: 'Nordwind', type: 'disk.full', title: 'Disk full on db-9' });
  const page = await openAs(mara);
  await connected(page);
  await test.step('a search with hits and suggestions', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('full db customer:har');
    await expect(page.getByRole('option', { name: 'Harbor & Finch' })).toBeVisible();
    await expect(page.locator('mark').first()).toBeVisible();
    await expectAccessibleInPassing(page);
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Remove customer: Harbor & Finch' })).toBeVisible();
  });

  await test.step('a view and its dialog', async () => {
    await page.getByRole('button', { name: 'Save as view' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as view' });
    await dialog.getByLabel('Filter').fill('severity:awful');
    await expect(dialog.getByRole('alert')).toContainText('severity: takes critical');
    await dialog.getByLabel('Name').fill('Harbor night shift');
    expect(await findingsInThemes(page)).toEqual([]);
    await dialog.getByLabel('Filter').fill('full');
    await dialog.getByLabel('Name').press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Harbor night shift' })).toBeVisible();
    await expectAccessibleInPassing(page);
  });

  await test.step('a note that is edited, beside the names of colleagues', async () => {
    await card(page, 'db-9').getByRole('link').click();
    const panel = page.getByRole('complementary', { name: 'Alert details' });
    const composer = panel.getByRole('textbox', { name: 'Add a note' });
    await composer.fill('Archive cleared, see https://runbooks.example/disk');
    await composer.press('Control+Enter');
    const note = panel.getByRole('listitem').first();
    await note.getByRole('button', { name: 'Edit the note' }).click();
    await note.getByRole('textbox').fill('Watching it until noon');
    await note.getByRole('button', { name: 'Save' }).click();
    await expect(note).toContainText('edited');
    await composer.fill('@adm');
    await expect(panel.getByRole('option', { name: /Administrator/ })).toBeVisible();
    expect(await findingsInThemes(page)).toEqual([]);
  });

  await test.step('my account, where a wrong password is where the next one is typed, and a new token', async () => {
    await page.goto('/account');
    await page.getByLabel('Current Password').fill('not this one');
    await page.getByLabel('New Password', { exact: true }).fill('only for tests, too');
    await page.getByRole('button', { name: 'Change Password' }).click();
    await expect(page.getByLabel('Current Password')).toBeFocused();
    await expectAccessibleInPassing(page);
    await page.getByRole('button', { name: 'New Token' }).click();
    await expect(page.getByRole('dialog', { name: 'New API Token' })).toBeVisible();
    expect(await findings(page)).toEqual([]);
  });

  await test.step('who joins comes to the inbox', async () => {
    const invitation = { email: `${uuidv7()}@example.org`, displayName: 'Jonas Berg' };
    const made = await app.admin.request('POST', '/api/auth/invitations', invitation);
    const theirs = await open(newAccountLinkSchema.parse(await made.json()).path);
    await expect(theirs.getByText('Welcome, Jonas Berg.')).toBeVisible();
    await expectAccessibleInPassing(theirs);
    await theirs.getByLabel('Password', { exact: true }).fill('tea at four');
    await theirs.getByRole('button', { name: 'Create account' }).click();
    await expect(theirs).toHaveURL('/');
    await expect(theirs.getByText('waiting for action')).toBeVisible();
  });
});
