import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FusesPlugin } from '@electron-forge/plugin-fuses';
import type { ForgeConfig } from '@electron-forge/shared-types';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { INSTALLED } from '#electron/app/identity.ts';
import { appPackageJson } from '#scripts/build-desktop.ts';
import { buildServer } from '#scripts/desktop/build-server.ts';
import { FUSES } from '#scripts/desktop/fuses.ts';
import { ICON } from '#scripts/desktop/installer-config.ts';
import { NsisMaker } from '#scripts/desktop/nsis-maker.ts';
import { ReleasesPublisher } from '#scripts/desktop/releases-publisher.ts';
import { appUpdateYml, readReleases, readScope } from '#scripts/desktop/releases.ts';
import { readTarget } from '#scripts/desktop/shipped-files.ts';
import { packagerSigning, readSigning } from '#scripts/desktop/signing.ts';
import { STAMP_FILE, runBuild } from '#scripts/ensure-web-build.ts';
import { LICENSES_FILE, writeLicenses } from '#scripts/third-party.ts';

const { version: electronVersion } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'node_modules', 'electron', 'package.json'), 'utf8'),
) as { version: string };
const releases = readReleases(process.env);
const signing = readSigning(process.env);
const scope = readScope(process.env);

/** Where `scripts/build-desktop.ts` puts the app's bundles, in the project as in the app. */
const APP = 'dist/desktop';

/** Where the embedded server lies within the app; outside of the archive (`electron/server/embedded-options.ts`). */
const SERVER = `${APP}/server`;

/** That folder and no other; a path without a wildcard would take `server-page` along, which belongs into the archive. */
const UNPACKED = 'dist/*/server';

/** In the folder of the bundles, but not for the app: this machine's server, and what a clone starts and builds by. */
const NOT_SHIPPED = ['server', 'package.json', STAMP_FILE].map((name) => `/${APP}/${name}`);

/**
 * What of the project is not part of the app: all but the bundles.
 *
 * @param path within the project, beginning with a slash; empty for the project itself
 */
const isLeftOut = (path: string): boolean =>
  !['', '/package.json', '/dist', `/${APP}`].includes(path) &&
  (!path.startsWith(`/${APP}/`) || NOT_SHIPPED.some((left) => path === left || path.startsWith(`${left}/`)));

/** How the desktop app is started in development, packaged, and made into an installer (docs/decisions/0020). */
const config: ForgeConfig = {
  packagerConfig: {
    name: PRODUCT_NAME,
    executableName: PRODUCT_NAME,
    appBundleId: INSTALLED.appUserModelId,
    icon: ICON.replace(/\.ico$/, ''),
    asar: { unpackDir: UNPACKED },
    ignore: isLeftOut,
    // There are no packages to prune: the bundles have what they need.
    prune: false,
    win32metadata: { CompanyName: PRODUCT_NAME, FileDescription: PRODUCT_NAME, ProductName: PRODUCT_NAME },
    ...(signing && { windowsSign: packagerSigning(signing) }),
    // Where the network does not allow to fetch Electron, its zip can lie in a folder.
    ...(process.env['ELECTRON_ZIP_DIR'] ? { electronZipDir: process.env['ELECTRON_ZIP_DIR'] } : {}),
  },
  // What is native ships its binaries, on Node-API: there is nothing to compile.
  rebuildConfig: { onlyModules: [] },
  plugins: [new FusesPlugin(FUSES)],
  makers: [new NsisMaker({ electronVersion, releases, signing, scope })],
  publishers: releases ? [new ReleasesPublisher(releases)] : [],
  hooks: {
    generateAssets: () => runBuild('build-desktop.ts', 'The desktop app could not be built'),
    async packageAfterCopy(_config, folder, _electronVersion, platform, arch) {
      await writeFile(join(folder, 'package.json'), appPackageJson(`${APP}/main.cjs`));
      await buildServer(join(folder, SERVER), readTarget(platform, arch));
    },
    async postPackage(_config, { platform, outputPaths }) {
      for (const folder of outputPaths) {
        // Beside those of Electron and Chromium.
        await writeFile(join(folder, LICENSES_FILE), await writeLicenses());
        // Without it the app looks for no updates.
        if (platform !== 'win32' || !releases) continue;
        await writeFile(join(folder, 'resources', 'app-update.yml'), appUpdateYml(releases, signing));
      }
    },
  },
};

export default config;
