import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { INSTALLED } from '#electron/app/identity.ts';
import { type Workshop, openWorkshop, whyNoInstaller } from '#tests/support/nsis-on-wine.ts';
import { NsisMaker } from './nsis-maker.ts';

/** A Windows is made, two programs are compiled, and run, on a busy machine. */
const TIMEOUT = 300_000;

const problem = whyNoInstaller();
if (problem) console.warn(`The installer is not tried: ${problem}`);

/** What must not be left in the registry; Windows keeps a list of what was started. */
const isOurs = new RegExp(`${INSTALLED.appUserModelId}|${INSTALLED.toastActivator}|\\\\alertdesk|"Alertdesk`, 'i');

/** What Electron writes into the registry while the app is used: starting with Windows, and who answers its toasts. */
const WRITTEN_BY_ELECTRON = `Windows Registry Editor Version 5.00

[HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Run]
"${INSTALLED.appUserModelId}"="Alertdesk.exe --hidden"
"Another program"="another.exe"

[HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Explorer\\StartupApproved\\Run]
"${INSTALLED.appUserModelId}"=hex:03,00

[HKEY_CURRENT_USER\\Software\\Classes\\CLSID\\${INSTALLED.toastActivator}\\LocalServer32]
@="Alertdesk.exe"
`;

describe.skipIf(problem !== undefined)('the installer, on Wine', { timeout: TIMEOUT }, () => {
  let folder: string;
  let workshop: Workshop;
  let installer: string;
  const environmentBefore = { ...process.env };
  const inHome = (...path: string[]) => join(workshop.home, ...path);
  const program = () => inHome('AppData', 'Local', 'Programs', 'alertdesk');
  const data = () => inHome('AppData', 'Roaming', 'Alertdesk', 'desktop.json');
  const shortcuts = () => [
    inHome('AppData', 'Roaming', 'Microsoft', 'Windows', 'Start Menu', 'Programs', 'Alertdesk.lnk'),
    inHome('Desktop', 'Alertdesk.lnk'),
  ];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'alertdesk-installer-'));
    const app = join(folder, 'app');
    await mkdir(join(app, 'resources'), { recursive: true });
    await writeFile(join(app, 'Alertdesk.exe'), 'MZ');
    await writeFile(join(app, 'resources', 'app.asar'), 'the app');
    workshop = await openWorkshop(folder, app);
    Object.assign(process.env, workshop.environment);
    const releases = { owner: 'alertdesk', repo: 'alertdesk' };
    const maker = new NsisMaker({ electronVersion: '45.4.1', releases, signing: undefined, scope: 'user' }, ['win32']);
    await maker.prepareConfig('x64');
    const made = await maker.make({
      dir: app,
      makeDir: join(folder, 'made'),
      appName: 'Alertdesk',
      targetPlatform: 'win32',
      targetArch: 'x64',
      forgeConfig: {} as never,
      packageJSON: {},
    });
    installer = made.find((file) => file.endsWith('.exe')) ?? '';
  }, TIMEOUT);

  afterAll(async () => {
    for (const name of Object.keys(workshop.environment)) delete process.env[name];
    Object.assign(process.env, environmentBefore);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  test('is made with what updates need beside it', async () => {
    const names = await readdir(join(folder, 'made', 'nsis', 'x64'));
    expect(names).toEqual(expect.arrayContaining(['Alertdesk-Setup-1.0.3.exe.blockmap', 'latest.yml']));
  });

  test('puts the app, its shortcuts and its links onto the computer, for the user alone', async () => {
    await workshop.run(installer, '/S');
    expect(await readFile(join(program(), 'resources', 'app.asar'), 'utf8')).toBe('the app');
    expect(shortcuts().filter((shortcut) => !existsSync(shortcut))).toEqual([]);
    const exe = String.raw`C:\\users\\${basename(workshop.home)}\\AppData\\Local\\Programs\\alertdesk\\Alertdesk.exe`;
    const registry = await workshop.registry();
    expect(registry).toEqual(
      expect.arrayContaining([
        String.raw`[HKEY_CURRENT_USER\Software\Classes\alertdesk\shell\open\command]`,
        String.raw`@="\"${exe}\" \"%1\""`,
        '"URL Protocol"=""',
        '"DisplayName"="Alertdesk 1.0.3"',
      ]),
    );
    // Windows shows toasts of what has a shortcut in the Start menu with the app's own id.
    const named = registry.filter((line) => line.endsWith(`.lnk"="${INSTALLED.appUserModelId}"`));
    expect(named).toHaveLength(2);
  });

  test('leaves the links, the start with Windows and the data alone when it updates', async () => {
    await writeFile(join(folder, 'used.reg'), WRITTEN_BY_ELECTRON);
    await workshop.run('reg', 'import', `Z:${join(folder, 'used.reg')}`);
    await mkdir(join(data(), '..'), { recursive: true });
    await writeFile(data(), '{}');
    await rm(join(program(), 'resources', 'app.asar'));
    const before = shortcuts().map((shortcut) => existsSync(shortcut));
    await workshop.run(installer, '/S', '--updated');
    expect(await readFile(join(program(), 'resources', 'app.asar'), 'utf8')).toBe('the app');
    const registry = await workshop.registry();
    expect(registry).toEqual(
      expect.arrayContaining([
        String.raw`[HKEY_CURRENT_USER\Software\Classes\alertdesk\shell\open\command]`,
        `[HKEY_CURRENT_USER\\Software\\Classes\\CLSID\\${INSTALLED.toastActivator}\\LocalServer32]`,
        `"${INSTALLED.appUserModelId}"="Alertdesk.exe --hidden"`,
      ]),
    );
    expect(shortcuts().map((shortcut) => existsSync(shortcut))).toEqual(before);
    expect(await readFile(data(), 'utf8')).toBe('{}');
  });

  test('takes all of it away again but the data', async () => {
    await workshop.run(join(program(), 'Uninstall Alertdesk.exe'), '/currentuser', '/S');
    // The uninstaller goes on in a copy of itself.
    await expect.poll(() => existsSync(program()), { timeout: 60_000 }).toBe(false);
    await expect.poll(() => shortcuts().filter((shortcut) => existsSync(shortcut))).toEqual([]);
    const ours = async () => (await workshop.registry()).filter((line) => isOurs.test(line));
    await expect.poll(ours, { timeout: 30_000, interval: 1_000 }).toEqual([]);
    expect(await workshop.registry()).toContain('"Another program"="another.exe"');
    expect(await readFile(data(), 'utf8')).toBe('{}');
  });
});
