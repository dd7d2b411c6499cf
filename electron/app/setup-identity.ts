import { join } from 'node:path';
import process from 'node:process';
import { app } from 'electron';
import { DEVELOPMENT, INSTALLED } from './identity.ts';

/**
 * Says who this is: before the lock, which belongs to the data folder, before the first window and the first toast. Apart
 * from `identity.ts`, which the build reads too.
 */
export function setupIdentity(): void {
  const { name, appUserModelId, toastActivator } = app.isPackaged ? INSTALLED : DEVELOPMENT;
  app.setName(name);
  // The command line goes first: tests give each start a folder of its own.
  if (!app.commandLine.hasSwitch('user-data-dir')) app.setPath('userData', join(app.getPath('appData'), name));
  if (process.platform !== 'win32') return;
  app.setAppUserModelId(appUserModelId);
  app.setToastActivatorCLSID(toastActivator);
}
