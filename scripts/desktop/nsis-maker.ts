import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MakerBase, type MakerOptions } from '@electron-forge/maker-base';
import type { ForgePlatform } from '@electron-forge/shared-types';
import { installerConfig } from './installer-config.ts';
import { isReleaseFile } from './release-files.ts';
import type { InstallScope, Releases } from './releases.ts';
import type { Signing } from './signing.ts';

interface NsisMakerConfig {
  electronVersion: string;
  releases: Releases | undefined;
  signing: Signing | undefined;
  scope: InstallScope;
}

/** Makes the packaged app's installer for Windows, with electron-builder's NSIS. */
export class NsisMaker extends MakerBase<NsisMakerConfig> {
  override name = 'nsis';
  override defaultPlatforms: ForgePlatform[] = ['win32'];

  override isSupportedOnCurrentPlatform(): boolean {
    return true;
  }

  override async make({ dir, makeDir, targetArch }: MakerOptions): Promise<string[]> {
    // Only here: it is large, and starting the app needs nothing of it.
    const { Arch, Platform, build } = await import('app-builder-lib');
    const output = join(makeDir, 'nsis', targetArch);
    await this.ensureDirectory(output);
    await build({
      prepackaged: dir,
      targets: Platform.WINDOWS.createTarget('nsis', targetArch === 'arm64' ? Arch.arm64 : Arch.x64),
      // Forge's publisher does that, once everything is made.
      publish: 'never',
      config: installerConfig({ ...this.config, output }),
    });
    return (await readdir(output)).filter(isReleaseFile).map((name) => join(output, name));
  }
}
