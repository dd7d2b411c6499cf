import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { MakerOptions } from '@electron-forge/maker-base';
import type { Arch } from 'app-builder-lib';
// First, for its parts import each other in a circle.
import 'app-builder-lib';
import { createBlockmap } from 'app-builder-lib/out/targets/differentialUpdateInfoBuilder.js';
import { NsisTarget } from 'app-builder-lib/out/targets/nsis/NsisTarget.js';
import { expect, onTestFinished, test, vi } from 'vitest';
import { NsisMaker } from './nsis-maker.ts';
import { readReleaseFiles } from './release-files.ts';

/** Where makensis would run, which cannot be had everywhere: writes some file and reports it as electron-builder does. */
async function buildWithoutNsis(this: NsisTarget, _app: string, arch: Arch): Promise<void> {
  const { packager, outDir, options } = this;
  const file = join(outDir, packager.expandArtifactNamePattern(options, 'exe', arch));
  await writeFile(file, Buffer.alloc(100_000, 'what an installer is made of'));
  const updateInfo = await createBlockmap(file, this, packager, null);
  await packager.info.emitArtifactBuildCompleted({
    file,
    updateInfo,
    target: this,
    arch,
    packager,
    isWriteUpdateInfo: true,
  });
}

test('makes the installer with what a release needs: block map and latest.yml', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-make-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const build = vi.spyOn(NsisTarget.prototype, 'build').mockImplementation(buildWithoutNsis);
  const finish = vi.spyOn(NsisTarget.prototype, 'finishBuild').mockResolvedValue(undefined);
  onTestFinished(() => {
    build.mockRestore();
    finish.mockRestore();
  });
  const app = join(folder, 'Alertdesk-win32-x64');
  await mkdir(app);

  const maker = new NsisMaker({
    electronVersion: '45.4.1',
    releases: { owner: 'harbor', repo: 'alerts' },
    signing: undefined,
    scope: 'user',
  });
  await maker.prepareConfig('x64');
  const made = await maker.make({ dir: app, makeDir: join(folder, 'make'), targetArch: 'x64' } as MakerOptions);

  expect(made.map((file) => basename(file)).toSorted()).toEqual([
    'Alertdesk-Setup-1.0.3.exe',
    'Alertdesk-Setup-1.0.3.exe.blockmap',
    'latest.yml',
  ]);
  const output = dirname(made[0] ?? '');
  expect(output).toBe(join(folder, 'make', 'nsis', 'x64'));
  // Version, names and checksums belong together, and nothing else lies there to be published.
  expect(await readReleaseFiles(output, '1.0.3')).toHaveLength(3);
  expect(await readFile(join(output, 'latest.yml'), 'utf8')).toContain('size: 100000');
});
