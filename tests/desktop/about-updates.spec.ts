import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeInstaller, makeRunnable } from '#tests/support/installed-app.ts';
import { doubleOf, expect, test } from './support/fixtures.ts';
import { type Installed, install } from './support/installed.ts';

/** The app's own bundle with the updater in it; on real Electron only an installed app updates itself. */
test.describe('an installed app', () => {
  test.skip(process.platform === 'win32', 'What stands for the installer and for PowerShell are scripts of a shell.');
  let installed: Installed | undefined;
  test.afterEach(async () => {
    await installed?.dispose();
    installed = undefined;
  });

  test('finds an update, downloads it, and restarts into its installer once the server has stopped', async ({
    launchSignedIn,
    userData,
  }) => {
    installed = await install(join(userData, 'computer'));
    const ledger = join(userData, 'ledger');
    await installed.feed.offer('1.0.4', makeInstaller('1.0.4', ledger));
    const { desktop, page } = await launchSignedIn({ resourcesPath: installed.resourcesPath });
    const { world } = doubleOf(desktop);
    await expect(page.getByText('Update Available').first()).toBeVisible();
    await desktop.chooseInTray('About Alertdesk');
    const about = page.getByRole('dialog', { name: 'About Alertdesk' });
    await expect(about.getByText('Version 1.0.4 is available')).toBeVisible();

    await about.getByRole('button', { name: 'Download' }).click();
    await expect(about.getByText('Version 1.0.4 is ready to install')).toBeVisible();
    await expect(page.getByText('Update Downloaded').first()).toBeVisible();
    await makeRunnable(installed.downloaded('1.0.4'));
    expect(world.children.size).toBe(1);
    await about.getByRole('button', { name: 'Restart and install' }).click();

    expect(await desktop.exited).toBe(0);
    expect(world.children.size).toBe(0);
    await expect.poll(() => readFile(ledger, 'utf8').catch(() => '')).toBe('installer 1.0.4 --updated --force-run\n');
    const log = await readFile(join(userData, 'logs', 'main.log'), 'utf8');
    expect(log).toContain('Install: isSilent: false, isForceRunAfter: true');
  });

  test('throws away what another publisher has signed', async ({ launchSignedIn, userData }) => {
    installed = await install(join(userData, 'computer'), 'CN=Somebody Else');
    const ledger = join(userData, 'ledger');
    await writeFile(ledger, '');
    await installed.feed.offer('1.0.4', makeInstaller('1.0.4', ledger));
    const { desktop, page } = await launchSignedIn({ resourcesPath: installed.resourcesPath });
    await desktop.chooseInTray('About Alertdesk');
    const about = page.getByRole('dialog', { name: 'About Alertdesk' });
    await about.getByRole('button', { name: 'Download' }).click();
    await expect(about.getByText('is not signed by the publisher')).toBeVisible();
    await expect(page.getByText('Update Error').first()).toBeVisible();
    await expect(readFile(installed.downloaded('1.0.4'))).rejects.toThrow('ENOENT');
    expect(await readFile(ledger, 'utf8')).toBe('');
  });
});
