import { PRODUCT_NAME } from '#backend/contract/product.ts';

/** How systems distinguish apps. Electron writes a shortcut of this name, with both ids, into the Start menu. */
export interface Identity {
  name: string;
  /** By which Windows groups the app's windows; the installer gives it to its shortcuts, and toasts carry it. */
  appUserModelId: string;
  /** By which Windows starts the app again when a toast of it is used; the same in every version. */
  toastActivator: string;
}

/** The app as the installer puts it onto a computer, which is built from this too. */
export const INSTALLED: Identity = {
  name: PRODUCT_NAME,
  appUserModelId: 'com.alertdesk.desktop',
  toastActivator: '{7E1C7B52-9A0C-4B8E-9C60-2B6B0C4F1D3A}',
};

/** What runs from the sources: another app, so that it never takes the installed one's data, shortcut or toasts. */
export const DEVELOPMENT: Identity = {
  name: `${PRODUCT_NAME} Development`,
  appUserModelId: `${INSTALLED.appUserModelId}.development`,
  toastActivator: '{C2B0A3D4-6F55-4D0E-8B1A-0E5D2C7A9F16}',
};
