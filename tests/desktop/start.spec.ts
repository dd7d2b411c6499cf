import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SERVER_START, doubleOf, expect, test, useThisComputer } from './support/fixtures.ts';
import { changeSettings } from './support/used-server.ts';

test('a start that fails says so, is in the log, and ends with 1', async ({ launch }) => {
  const desktop = await launch({ hasNoTray: true });
  expect(await desktop.exited).toBe(1);
  const { world } = doubleOf(desktop);
  const log = join(desktop.userData, 'logs', 'main.log');
  expect(world.errorBoxes).toEqual([
    { title: 'Alertdesk cannot start', content: `This system has no tray.\n\nThe log is at ${log}` },
  ]);
  expect(readFileSync(log, 'utf8')).toContain('the app could not start');
  // The next start is not in the way of one that is gone.
  const second = await launch();
  await (await second.page()).getByRole('heading', { name: 'Use this computer' }).waitFor();
});

test('a second start ends before it touches anything, and the first shows its window', async ({ launch }) => {
  const first = await launch({ argv: ['--hidden'] });
  await (await first.page()).getByRole('heading', { name: 'Use this computer' }).waitFor();
  const { world } = doubleOf(first);
  const second = await launch();
  expect(await second.exited).toBe(0);
  expect(doubleOf(second).world).toMatchObject({ windows: new Set(), trays: new Set(), errorBoxes: [] });
  await expect.poll(() => first.isVisible()).toBe(true);
  expect(world.windows.size).toBe(1);
});

test('development has a name and data of its own, and runs beside the installed app', async ({ launch, userData }) => {
  const appData = userData;
  const installed = await launch({ appData, resourcesPath: join(userData, 'resources') });
  await (await installed.page()).getByRole('heading', { name: 'Use this computer' }).waitFor();
  const development = await launch({ appData });
  await useThisComputer(await development.page());

  const [ofInstalled, ofDevelopment] = [installed, development].map((desktop) => doubleOf(desktop).world.app);
  expect(ofInstalled?.appUserModelId).toBe('com.alertdesk.desktop');
  expect(ofDevelopment?.appUserModelId).toBe('com.alertdesk.desktop.development');
  expect(ofInstalled?.toastActivator).not.toBe(ofDevelopment?.toastActivator);
  // Electron writes a shortcut of this name into the Start menu, with both of them.
  expect([ofInstalled?.getName(), ofDevelopment?.getName()]).toEqual(['Alertdesk', 'Alertdesk Development']);
  expect(readdirSync(appData).filter((name) => name.startsWith('Alertdesk'))).toEqual([
    'Alertdesk',
    'Alertdesk Development',
  ]);
  expect(existsSync(join(appData, 'Alertdesk', 'server'))).toBe(false);
  expect(existsSync(join(appData, 'Alertdesk Development', 'server'))).toBe(true);

  // What the system starts is the installed app.
  const page = await development.page();
  await page.goto(`${new URL(page.url()).origin}/settings`);
  await page.getByText('Start with Windows').click();
  await expect(page.getByRole('checkbox', { name: 'Start with Windows' })).toBeChecked();
  expect(ofDevelopment?.loginItem.openAtLogin).toBe(false);
  expect([...(ofDevelopment?.protocols ?? [])]).toEqual([]);
  expect([...(ofInstalled?.protocols ?? [])]).toEqual(['alertdesk']);
});

test('data that a version before has left in roaming application data is moved to this computer’s', async ({
  launch,
  userData,
  usedServer,
}) => {
  const [appData, localAppData] = [join(userData, 'Roaming'), join(userData, 'Local')];
  const resourcesPath = join(userData, 'resources');
  await usedServer.copyTo(join(appData, 'Alertdesk'));
  await changeSettings(join(appData, 'Alertdesk'), { server: { kind: 'this-computer' } });
  const desktop = await launch({ appData, localAppData, resourcesPath });
  await (await desktop.page()).getByLabel('Email', { exact: true }).waitFor({ timeout: SERVER_START });
  const { app } = doubleOf(desktop).world;
  expect(app.getPath('userData')).toBe(join(localAppData, 'Alertdesk'));
  expect(existsSync(join(localAppData, 'Alertdesk', 'server'))).toBe(true);
  expect(existsSync(join(appData, 'Alertdesk'))).toBe(false);

  // A second start finds the first by the same folder.
  const second = await launch({ appData, localAppData, resourcesPath });
  expect(await second.exited).toBe(0);
  await desktop.quit();

  // Other systems have one folder.
  const other = await launch({ appData, localAppData, resourcesPath, platform: 'linux' });
  expect(doubleOf(other).world.app.getPath('userData')).toBe(join(appData, 'Alertdesk'));
});
