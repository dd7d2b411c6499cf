import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PRODUCT_VERSION } from '#backend/contract/product.ts';
import { createDouble } from './double/electron.ts';
import { readStarted } from './double/run-main.ts';
import { APP_FOLDER } from './support/desktop.ts';
import { expect, test } from './support/fixtures.ts';

const SURROUNDINGS = {
  platform: 'win32' as const,
  appData: '/nowhere',
  localAppData: '/nowhere',
  argv: [],
  isPackaged: false,
  resourcesPath: undefined,
  displays: [],
  registry: {},
  notificationsBlocked: false,
  takenShortcuts: [],
  hasNoTray: false,
  loginItem: { openAtLogin: false },
};
const STARTED = { path: '/app', name: 'Alertdesk', version: '1.0.3' };

test('an app ends in Electron’s order, and whoever prevents it stops that', async ({ context }) => {
  const { electron, world } = createDouble(SURROUNDINGS, STARTED, context);
  await electron.app.whenReady();
  const preferences = { contextIsolation: true, sandbox: true };
  const window = new electron.BrowserWindow({ webPreferences: preferences });
  const order: string[] = [];
  for (const name of ['before-quit', 'will-quit', 'quit', 'window-all-closed']) {
    electron.app.on(name, () => order.push(name));
  }
  let holds = true;
  window.on('close', (event: { preventDefault: () => void }) => {
    order.push('close');
    if (holds) event.preventDefault();
  });
  window.on('closed', () => order.push('closed'));

  electron.app.quit();
  expect(order.splice(0)).toEqual(['before-quit', 'close']);
  expect(world.windows.size).toBe(1);

  holds = false;
  electron.app.quit();
  expect(await world.app.exited).toBe(0);
  expect(order).toEqual(['before-quit', 'close', 'closed', 'will-quit', 'quit']);
  expect(() => window.show()).toThrow('Object has been destroyed');
  expect(() => window.webContents.send('x')).toThrow('Object has been destroyed');
  expect(window.isDestroyed()).toBe(true);
});

test('without a listener the last window takes the app along', async ({ context }) => {
  const { electron, world } = createDouble(SURROUNDINGS, STARTED, context);
  await electron.app.whenReady();
  new electron.BrowserWindow({ webPreferences: { contextIsolation: true, sandbox: true } }).close();
  expect(await world.app.exited).toBe(0);
});

test('what is there on Windows only is an error elsewhere', async ({ context }) => {
  const { electron } = createDouble({ ...SURROUNDINGS, platform: 'darwin' }, STARTED, context);
  expect(() => electron.app.setAppUserModelId('x')).toThrow('is there on win32 only');
  expect(() => electron.Notification.handleActivation(() => undefined)).toThrow('is there on win32 only');
});

test('it imitates what surprises in Electron', async ({ context }, testInfo) => {
  const { electron, world } = createDouble({ ...SURROUNDINGS, appData: testInfo.outputPath() }, STARTED, context);
  await electron.app.whenReady();
  const window = new electron.BrowserWindow({
    show: false,
    webPreferences: { contextIsolation: true, sandbox: true },
  });
  window.maximize();
  expect(window.isVisible()).toBe(true);

  expect(electron.app.requestSingleInstanceLock()).toBe(true);
  const second = createDouble({ ...world }, STARTED, context);
  const asked = new Promise((resolve) => electron.app.once('second-instance', (_, argv) => resolve(argv)));
  expect(second.electron.app.requestSingleInstanceLock()).toBe(false);
  expect(await asked).toEqual(['alertdesk']);
  electron.app.exit();
  expect(second.electron.app.requestSingleInstanceLock()).toBe(true);

  expect(() => electron.powerMonitor.on('resumed' as 'resume', () => undefined)).toThrow('emits no resumed');
  expect(() => Reflect.get(electron.powerMonitor, 'onBatteryPower') as unknown).toThrow(
    'The double of Electron has no powerMonitor.onBatteryPower.',
  );
});

test('a utility process outlives an unhandled rejection, and is listed under a service’s name', async ({
  context,
}, testInfo) => {
  const { electron } = createDouble({ ...SURROUNDINGS, appData: testInfo.outputPath() }, STARTED, context);
  const script = testInfo.outputPath('child.mjs');
  await writeFile(
    script,
    `process.parentPort.on('message', () => process.exit(0));
     void Promise.reject(new Error('nobody waits for it'));
     setTimeout(() => process.parentPort.postMessage('still here'), 50);`,
  );
  const child = electron.utilityProcess.fork(script, [], { serviceName: 'Some server', stdio: 'ignore' });
  const exit = new Promise((resolve) => child.once('exit', resolve));
  expect(await new Promise((resolve) => child.once('message', resolve))).toBe('still here');
  expect(electron.app.getAppMetrics()).toMatchObject([{ serviceName: 'node.mojom.NodeService', name: 'Some server' }]);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process, not a window
  child.postMessage('end');
  expect(await exit).toBe(0);
});

test('name and version are those of the folder that is started; a file has none of its own', () => {
  expect(readStarted(APP_FOLDER)).toMatchObject({ path: APP_FOLDER, name: 'Alertdesk', version: PRODUCT_VERSION });
  expect(readStarted(join(APP_FOLDER, 'main.cjs'))).toMatchObject({ name: 'Electron', version: '45.4.1' });
});
