import { join } from 'node:path';
import type { Configuration } from 'app-builder-lib';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { INSTALLED } from '#electron/app/identity.ts';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import type { InstallScope, Releases } from './releases.ts';
import { type Signing, installerSigning } from './signing.ts';

/** The app's icon of Windows. */
export const ICON = join(PROJECT_DIR, 'electron', 'icons', 'icon.ico');

interface Installer {
  /** Where the installer is written. */
  output: string;
  electronVersion: string;
  releases: Releases | undefined;
  signing: Signing | undefined;
  scope: InstallScope;
}

/**
 * How electron-builder makes the installer of an app that is packaged already: without questions, with its shortcuts and
 * links, and with what updates need (`latest.yml`, the block map). One for the machine starts nothing afterwards.
 */
export const installerConfig = ({ output, electronVersion, releases, signing, scope }: Installer): Configuration => ({
  appId: INSTALLED.appUserModelId,
  productName: PRODUCT_NAME,
  electronVersion,
  directories: { output, buildResources: join(PROJECT_DIR, 'electron', 'icons') },
  npmRebuild: false,
  forceCodeSigning: signing !== undefined,
  publish: releases ? [{ provider: 'github', ...releases }] : null,
  win: {
    icon: ICON,
    verifyUpdateCodeSignature: true,
    ...(signing && installerSigning(signing)),
  },
  nsis: {
    oneClick: true,
    perMachine: scope === 'machine',
    runAfterFinish: scope === 'user',
    shortcutName: PRODUCT_NAME,
    createDesktopShortcut: true,
    createStartMenuShortcut: true,
    artifactName: `${PRODUCT_NAME}-Setup-${scope === 'machine' ? 'Machine-' : ''}\${version}.\${ext}`,
    differentialPackage: true,
    // The data stays: whoever installs again finds it.
    deleteAppDataOnUninstall: false,
    include: join(PROJECT_DIR, 'scripts', 'desktop', 'installer.nsh'),
  },
});
