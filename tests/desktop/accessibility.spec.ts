import { findings } from '#tests/e2e/support/axe.ts';
import { expect, test, useThisComputer } from './support/fixtures.ts';

test('the app’s own page and the desktop’s cards are accessible, in both themes and on a narrow window', async ({
  launch,
}) => {
  const desktop = await launch();
  const page = await desktop.page();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 400, height: 740 });
    await page.getByRole('heading', { name: 'Use this computer' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByLabel('Server address').fill('http://127.0.0.1:9');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('heading', { name: 'The server cannot be reached' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Choose another server' }).click();
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await useThisComputer(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto(`${new URL(page.url()).origin}/settings`);
    await page.getByText('Start with Windows').waitFor();
    expect(await findings(page)).toEqual([]);
    await desktop.chooseInTray('About Alertdesk');
    await page.getByRole('heading', { name: 'Software Updates' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  }
});
