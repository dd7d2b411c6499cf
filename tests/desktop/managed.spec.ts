import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVER_START, connectedPage, doubleOf, expect, signIn, test } from './support/fixtures.ts';

const KEY = String.raw`HKLM\Software\Policies\Alertdesk`;
const policy = (line: string) => ({ [KEY]: `\r\n${KEY}\r\n    ${line}\r\n` });

test('a server that a policy sets is the only one, and nobody chooses another', async ({ launch, startTeamServer }) => {
  const team = await startTeamServer();
  const { origin, host } = new URL(`http://localhost:${team.url.port}`);
  const desktop = await launch({ registry: policy(`ServerUrl    REG_SZ    ${origin}`) });
  const page = await desktop.page();
  await signIn(page);
  expect(new URL(page.url()).origin).toBe(origin);
  expect(await desktop.trayMenu()).toContain(`Server: ${host} (set by your organization)`);
  expect(doubleOf(desktop).world.applicationMenu?.find('File › Change server…')?.enabled).toBe(false);
  await page.goto(`${origin}/settings`);
  await expect(page.getByText('(set by your organization)')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Change server…' })).toHaveCount(0);
  await page.screenshot({ path: join('test-results', 'desktop', 'managed-settings.png'), fullPage: true });
  // A page that asks all the same gets nothing.
  await page.evaluate<void>('alertdesk.changeServer()');
  expect(new URL(page.url()).origin).toBe(origin);

  await team.end();
  await desktop.pressKeys('CommandOrControl+R');
  await expect(page.getByRole('alert')).toContainText('No server is running');
  await expect(page.getByRole('button', { name: 'Choose another server' })).toHaveCount(0);
  await desktop.quit();

  // By the command line, for this start.
  await team.start();
  const second = await launch({ argv: [`--server=${origin}`] });
  await connectedPage(second);
  await second.quit();

  // Nobody chose it: without policy and argument the app asks.
  const third = await launch();
  await (await third.page()).getByRole('heading', { name: 'Use this computer' }).waitFor({ timeout: SERVER_START });
});

test('crash dumps stay on this computer, the newest ten, and a policy switches them off', async ({
  launch,
  userData,
}) => {
  const reports = join(userData, 'Crashpad', 'reports');
  mkdirSync(reports, { recursive: true });
  for (let day = 1; day <= 12; day += 1) {
    const file = join(reports, `${day}.dmp`);
    writeFileSync(file, 'memory');
    utimesSync(file, day * 86_400, day * 86_400);
  }
  const first = await launch();
  await (await first.page()).getByRole('heading', { name: 'Use this computer' }).waitFor({ timeout: SERVER_START });
  expect(doubleOf(first).world.crashReporter).toEqual({ uploadToServer: false });
  expect(readdirSync(reports)).toHaveLength(10);
  expect(readdirSync(reports)).not.toContain('2.dmp');
  await first.quit();

  const second = await launch({ registry: policy('CrashDumps    REG_DWORD    0x0') });
  await (await second.page()).getByRole('heading', { name: 'Use this computer' }).waitFor({ timeout: SERVER_START });
  expect(doubleOf(second).world.crashReporter).toBeUndefined();
  expect(readdirSync(reports)).toEqual([]);
});

test('a dump that cannot be removed, or is gone by then, does not keep the app from starting', async ({
  launch,
  userData,
}) => {
  const reports = join(userData, 'Crashpad', 'reports');
  // What has the name of a dump and is none cannot be removed like a file, as on Windows a file that is in use.
  mkdirSync(join(reports, 'locked.dmp'), { recursive: true });
  symlinkSync(join(reports, 'nowhere'), join(reports, 'gone.dmp'));
  const before = join(reports, 'before.dmp');
  writeFileSync(before, 'memory');
  const desktop = await launch({ registry: policy('CrashDumps    REG_DWORD    0x0') });
  await (await desktop.page()).getByRole('heading', { name: 'Use this computer' }).waitFor({ timeout: SERVER_START });
  expect(existsSync(before)).toBe(false);
  expect(readFileSync(join(userData, 'logs', 'main.log'), 'utf8')).toContain('a crash dump could not be removed');
});
