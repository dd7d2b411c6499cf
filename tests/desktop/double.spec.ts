import { expect, test } from '@playwright/test';
import { createDouble } from './double/electron.ts';

const SURROUNDINGS = {
  platform: 'win32' as const,
  userData: '/nowhere',
  argv: [],
  isPackaged: false,
  resourcesPath: undefined,
  version: '1.0.3',
  displays: [],
  notificationsBlocked: false,
  takenShortcuts: [],
};

test('an app ends in Electron’s order, and whoever prevents it stops that', async ({ context }) => {
  const { electron, world } = createDouble(SURROUNDINGS, context);
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
  expect(order).toEqual(['before-quit', 'close', 'closed', 'will-quit', 'quit']);
  expect(await world.app.exited).toBe(0);
  expect(() => window.show()).toThrow('Object has been destroyed');
  expect(() => window.webContents.send('x')).toThrow('Object has been destroyed');
  expect(window.isDestroyed()).toBe(true);
});

test('without a listener the last window takes the app along', async ({ context }) => {
  const { electron, world } = createDouble(SURROUNDINGS, context);
  await electron.app.whenReady();
  new electron.BrowserWindow({ webPreferences: { contextIsolation: true, sandbox: true } }).close();
  expect(await world.app.exited).toBe(0);
});

test('what is there on Windows only is an error elsewhere', async ({ context }) => {
  const { electron } = createDouble({ ...SURROUNDINGS, platform: 'darwin' }, context);
  expect(() => electron.app.setAppUserModelId('x')).toThrow('is there on win32 only');
  expect(() => electron.Notification.handleActivation(() => undefined)).toThrow('is there on win32 only');
});
