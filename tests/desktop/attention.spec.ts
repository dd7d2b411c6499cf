import { expect, test, useThisComputer } from './support/fixtures.ts';
import { senderTo } from './support/sender.ts';

test('badge, tray and flashing follow the inbox', async ({ launch }) => {
  const desktop = await launch();
  const page = await desktop.page();
  await useThisComputer(page);
  const post = await senderTo(page);
  expect(await desktop.overlay()).toBeUndefined();
  await expect.poll(() => desktop.trayTip()).toBe('Alertdesk');

  await post({ customer: 'Acme' });
  await expect
    .poll(() => desktop.overlay())
    .toEqual({
      description: '1 new alert',
      // Sharp at each of Windows' scalings.
      sizes: { 1: 16, 1.25: 20, 1.5: 24, 2: 32 },
    });
  expect(await desktop.trayTip()).toBe('Alertdesk: 1 new alert');
  expect(await desktop.trayMenu()).toContain('New Alerts (1)');
  expect(await desktop.isFlashing()).toBe(false);

  await desktop.blur();
  await post({ customer: 'Acme' });
  await expect.poll(async () => (await desktop.overlay())?.description).toBe('2 new alerts');
  expect(await desktop.isFlashing()).toBe(true);

  const accept = page.getByRole('button', { name: 'Accept' });
  await accept.first().click();
  // The card keeps its place for a moment.
  await expect(accept).toHaveCount(1);
  await accept.click();
  await expect.poll(() => desktop.overlay()).toBeUndefined();
  expect(await desktop.isFlashing()).toBe(false);
});

test('where there is no taskbar overlay the count stands at the dock', async ({ launch }) => {
  const desktop = await launch({ platform: 'darwin' });
  const page = await desktop.page();
  await useThisComputer(page);
  await (
    await senderTo(page)
  )({ customer: 'Acme' });
  await expect.poll(() => desktop.badgeCount()).toBe(1);
});

test('signing out takes the count away', async ({ launch }) => {
  const desktop = await launch();
  const page = await desktop.page();
  await useThisComputer(page);
  await (
    await senderTo(page)
  )({ customer: 'Acme' });
  await expect.poll(async () => (await desktop.overlay())?.description).toBe('1 new alert');
  await page.getByRole('button', { name: 'admin@alertdesk.local' }).click();
  await page.getByText('Logout').click();
  await page.getByRole('button', { name: 'Sign In' }).waitFor();
  await expect.poll(() => desktop.overlay()).toBeUndefined();
});
