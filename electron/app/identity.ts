import { join } from 'node:path';
import process from 'node:process';
import { app } from 'electron';
import { PRODUCT_NAME } from '#backend/contract/product.ts';

/** By which Windows knows the app: the installer gives its shortcut this name, and toasts carry it. */
export const APP_USER_MODEL_ID = 'com.alertdesk.desktop';

/** By what systems tell apps apart. Electron writes a shortcut of this name, with both ids, into the Start menu. */
interface Identity {
  name: string;
  appUserModelId: string;
  /** By which Windows starts the app again when a toast of it is used; the same in every version. */
  toastActivator: string;
}

const INSTALLED: Identity = {
  name: PRODUCT_NAME,
  appUserModelId: APP_USER_MODEL_ID,
  toastActivator: '{7E1C7B52-9A0C-4B8E-9C60-2B6B0C4F1D3A}',
};

const DEVELOPMENT: Identity = {
  name: `${PRODUCT_NAME} Development`,
  appUserModelId: `${APP_USER_MODEL_ID}.development`,
  toastActivator: '{C2B0A3D4-6F55-4D0E-8B1A-0E5D2C7A9F16}',
};

/**
 * Says who this is: before the lock, which belongs to the data folder, before the first window and the first toast. What
 * runs from the sources is another app, so that it never takes the installed one's data, shortcut or toasts.
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
