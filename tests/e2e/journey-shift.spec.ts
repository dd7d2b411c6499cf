import type { Page } from '@playwright/test';
import { uuidv7 } from 'uuidv7';
import { expectAccessibleInPassing } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import {
  accountButton,
  card,
  chooseFilter,
  connected,
  folderCount,
  folderRow,
  goBy,
  navigation,
  openMoveMenu,
  toast,
  choice,
} from './support/screen.ts';
import { clearSources, makeSource, send } from './support/sources.ts';

// As most people have it: everything moves.
test.use({ moving: true });

const cards = (page: Page) => page.getByRole('feed').getByRole('article');
const panel = (page: Page) => page.getByRole('complementary', { name: 'Alert details' });
const bar = (page: Page) => page.getByRole('toolbar', { name: / selected$/ });
const titles = (page: Page) => cards(page).getByRole('link');

/** What Prometheus' Alertmanager sends of one firing alert. */
const FIRING = {
  version: '4',
  status: 'firing',
  receiver: 'alertdesk',
  groupLabels: {},
  commonLabels: {},
  commonAnnotations: {},
  externalURL: 'https://alertmanager.example',
  alerts: [
    {
      status: 'firing',
      labels: { alertname: 'DiskAlmostFull', severity: 'critical', instance: 'db-7' },
      annotations: { summary: 'Disk almost full on db-7' },
      startsAt: '2026-11-25T08:00:00Z',
      fingerprint: 'f00dfeed',
    },
  ],
};

test('one shift: alerts arrive, are worked by mouse, keys and in bulk, handed over and completed; a colleague sees it live', async ({
  app,
  open,
  openAs,
  mara,
}) => {
  // Several looks at a whole page, each of which takes seconds on a busy machine.
  test.slow();
  // Nobody else on this server has this name.
  const jonas = await app.addMember(`Jonas ${uuidv7().slice(-8)}`);
  await clearSources(app);
  const [prometheus, shop] = [
    await makeSource(app, 'Prometheus', 'alertmanager'),
    await makeSource(app, 'Shop', 'generic'),
  ];
  const theirs = await openAs(jonas, '/my-alerts');
  const page = await open('/login');

  await test.step('the member signs in to an empty inbox', async () => {
    await page.getByLabel('Email', { exact: true }).fill(mara.email);
    await page.getByLabel('Password', { exact: true }).fill(mara.password);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'New Alerts' })).toBeVisible();
    await Promise.all([connected(page), connected(theirs)]);
    await expect(page).toHaveTitle('Alertdesk');
  });

  await test.step('alerts of three senders arrive on both screens', async () => {
    await send(app, prometheus.key, FIRING);
    // What is in sight is read out alone; elsewhere a toast says it.
    await expect(card(page, 'Disk almost full on db-7')).toContainText('New');
    await expect(page.getByRole('status').filter({ hasText: 'New alert received' })).toBeAttached();
    await expect(toast(theirs)).toContainText('New alert received');
    await navigation(theirs, 'New Alerts').click();
    await send(app, shop.key, {
      title: 'Card issuer declined',
      customer: 'Nordwind',
      type: 'order',
      severity: 'warning',
    });
    await send(app, shop.key, {
      title: 'Checkout answers late',
      customer: 'Nordwind',
      type: 'order',
      severity: 'high',
    });
    await app.post({ title: 'Backup failed', customer: 'Atlas', type: 'backup', host: 'nas-2' });
    await app.post({ title: 'Certificate ends soon', customer: 'Atlas', type: 'tls' });
    await Promise.all([page, theirs].map((screen) => expect(card(screen, 'Certificate')).toContainText('tls')));
    for (const screen of [page, theirs]) {
      await expect(titles(screen)).toHaveText([
        'Certificate ends soon',
        'Backup failed',
        'Checkout answers late',
        'Card issuer declined',
        'Disk almost full on db-7',
      ]);
      await expect(screen).toHaveTitle('(5) Alertdesk');
      await expect(navigation(screen, 'New Alerts')).toContainText('5');
    }
  });

  await test.step('one is accepted by mouse, taken back, and accepted by key', async () => {
    await card(page, 'Certificate').hover();
    await card(page, 'Certificate').getByRole('button', { name: 'Accept' }).click();
    await expect(toast(page)).toContainText('Alert accepted');
    // A toast that has the focus stays.
    await toast(page).getByRole('button', { name: 'Undo' }).focus();
    await expect(toast(page)).toContainText('Moved to your queue');
    await expect(cards(theirs)).toHaveCount(4);
    await expect(theirs).toHaveTitle('(4) Alertdesk');
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await expect(card(theirs, 'Certificate')).toBeVisible();
    await expect(cards(page)).toHaveCount(5);
    await card(page, 'Disk almost full').locator('..').focus();
    await page.keyboard.press('a');
    await expect(toast(page)).toContainText('Alert accepted');
    await expect(card(page, 'Disk almost full')).toHaveCount(0);
    await expect(card(theirs, 'Disk almost full')).toHaveCount(0);
  });

  await test.step('those of a customer are accepted together', async () => {
    await chooseFilter(page, 'Customer', 'Nordwind');
    await expect(cards(page)).toHaveCount(2);
    await page.keyboard.press('Control+A');
    await expect(bar(page)).toHaveAccessibleName('2 selected');
    await bar(page).getByRole('button', { name: 'Accept', exact: true }).click();
    await expect(toast(page)).toContainText('2 accepted');
    await chooseFilter(page, 'Customer', 'All');
    await expect(titles(page)).toHaveText(['Certificate ends soon', 'Backup failed']);
    await expect(titles(theirs)).toHaveText(['Certificate ends soon', 'Backup failed']);
    await expect(navigation(page, 'My Alerts')).toContainText('3');
  });

  await test.step('one is opened: fields, note, status, history', async () => {
    await goBy(page, 'm');
    await expect(page.getByText('3 in your queue')).toBeVisible();
    await card(page, 'Disk almost full').getByRole('link').click();
    await expect(panel(page).getByRole('heading', { name: 'Disk almost full on db-7' })).toBeFocused();
    await expect(panel(page)).toContainText('db-7');
    await panel(page).getByRole('radio', { name: 'In Progress' }).click();
    await expect(toast(page)).toContainText('Status updated');
    const note = panel(page).getByRole('textbox', { name: 'Add a note' });
    await note.fill('Old archives are being deleted');
    await note.press('Control+Enter');
    const course = panel(page).getByRole('region', { name: 'Notes and history' });
    await expect(course.getByRole('listitem').first()).toContainText('Old archives are being deleted');
    await expect(course).toContainText('Accepted → In Progress');
    await panel(page).getByRole('heading').first().focus();
    await page.keyboard.press('Escape');
    await expect(panel(page)).toHaveCount(0);
    await expect(card(page, 'Disk almost full').locator('..')).toBeFocused();
    await expect(card(page, 'Disk almost full').getByRole('radio', { name: 'In Progress' })).toBeChecked();
  });

  await test.step('a folder is made and an alert filed in it', async () => {
    await page.getByRole('button', { name: 'Create a folder' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create New Folder' });
    await dialog.getByLabel('Folder Name').fill('Payments');
    await dialog.getByRole('button', { name: 'Create Folder' }).click();
    await expect(dialog).toHaveCount(0);
    await openMoveMenu(page, 'Card issuer declined');
    await choice(page, 'Move to Payments').click();
    await expect(toast(page)).toContainText('Moved to Payments');
    await expect(folderCount(page, 'Payments')).toHaveText('1');
    await folderRow(page, 'Payments').getByRole('link').click();
    await expect(page.getByRole('heading', { level: 1, name: 'Payments' })).toBeVisible();
    await expect(titles(page)).toHaveText(['Card issuer declined']);
  });

  await test.step('one of the inbox is snoozed for everybody', async () => {
    await navigation(page, 'New Alerts').click();
    await card(page, 'Certificate').locator('..').focus();
    await page.keyboard.press('Shift+A');
    await expect(page.getByRole('dialog', { name: 'Assign this alert' })).toBeVisible();
    await expectAccessibleInPassing(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await card(page, 'Certificate').locator('..').focus();
    await page.keyboard.press('s');
    await page.getByRole('menuitem', { name: '1 hour' }).click();
    await expect(toast(page)).toContainText('1 snoozed');
    for (const screen of [page, theirs]) {
      await expect(titles(screen)).toHaveText(['Backup failed']);
      await expect(navigation(screen, 'Snoozed')).toContainText('1');
    }
    await goBy(page, 's');
    await expect(page.getByRole('heading', { level: 1, name: 'Snoozed' })).toBeVisible();
    await expect(card(page, 'Certificate')).toContainText('Until ');
    await expect(toast(page)).toHaveCount(0);
    await expectAccessibleInPassing(page);
  });

  await test.step('one is found by a word of its note and completed', async () => {
    await navigation(page, 'My Alerts').click();
    await expect(cards(page)).toHaveCount(2);
    const search = page.getByRole('combobox', { name: 'Search alerts' });
    await page.keyboard.press('/');
    await expect(search).toBeFocused();
    await page.keyboard.type('archives');
    await expect(titles(page)).toHaveText(['Disk almost full on db-7']);
    await expect(page.locator('mark').first()).toHaveText(/archives/i);
    await page.keyboard.press('Enter');
    await card(page, 'Disk almost full').locator('..').focus();
    await page.keyboard.press('e');
    await expect(card(page, 'Disk almost full').getByRole('radio', { name: 'Completed' })).toBeChecked();
    await search.fill('');
    // A card, and the row of what is completed.
    await expect(cards(page)).toHaveCount(2);
    await expect(page.getByRole('button', { name: 'Completed (1)' })).toBeVisible();
  });

  await test.step('what is still open goes to the colleague, who sees from whom, with the note', async () => {
    await page.getByRole('button', { name: 'Hand over' }).click();
    const dialog = page.getByRole('dialog', { name: 'Hand over my queue' });
    await dialog.getByRole('button', { name: 'To', exact: true }).press('Enter');
    await choice(page, jonas.displayName).click();
    await dialog.getByRole('checkbox', { name: /Also the alerts in my folders/ }).check({ force: true });
    await dialog.getByLabel('Note').fill('The shop calls at noon');
    await expectAccessibleInPassing(page);
    await dialog.getByRole('button', { name: 'Hand over 2' }).click();
    // Both toasts are there for seconds only.
    await Promise.all([
      expect(toast(page)).toContainText(`2 handed over to ${jonas.displayName}`),
      expect(toast(theirs)).toContainText(/Mara Lindqvist handed over 2 alerts to you.*The shop calls at noon/s),
    ]);
    await expect(page.getByRole('heading', { name: 'Nothing open' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Hand over' })).toHaveCount(0);
    await expectAccessibleInPassing(page);
    await expect(folderCount(page, 'Payments')).toHaveText('');
    await navigation(theirs, 'My Alerts').click();
    await expect(titles(theirs)).toHaveText(['Checkout answers late', 'Card issuer declined']);
    await expect(card(theirs, 'Checkout')).toContainText('Handed over by Mara Lindqvist');
  });

  await test.step('the shift ends, the colleague goes on', async () => {
    await accountButton(page, mara).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(page).toHaveURL('/login');
    await page.goBack();
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
    await expect(page.getByText('Disk almost full')).toHaveCount(0);
    await navigation(theirs, 'New Alerts').click();
    await card(theirs, 'Backup failed').getByRole('button', { name: 'Accept' }).click();
    await expect(theirs.getByText('All caught up!')).toBeVisible();
    await expect(navigation(theirs, 'My Alerts')).toContainText('3');
  });
});
