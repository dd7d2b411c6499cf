import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { extractFile, getRawHeader, listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { NtExecutable, NtExecutableResource } from 'resedit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddedEntry } from '#electron/server/embedded-options.ts';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { makeStandInElectron } from '#tests/support/stand-in-electron.ts';

const { version } = JSON.parse(readFileSync(join(PROJECT_DIR, 'node_modules', 'electron', 'package.json'), 'utf8')) as {
  version: string;
};

/** All bundles are built, on a busy machine. */
const PACKAGE_TIMEOUT = 300_000;

/** What fuses are as bytes of the binary. */
const [OFF, ON] = ['0', '1'].map((digit) => digit.codePointAt(0));

describe('the app that Forge packages for Windows, around a stand-in for Electron', () => {
  let folder: string;
  let app: string;
  let archive: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'alertdesk-package-'));
    await makeStandInElectron(folder, version);
    const cli = join(PROJECT_DIR, 'node_modules', '@electron-forge', 'cli', 'dist', 'electron-forge.js');
    await promisify(execFile)(process.execPath, [cli, 'package', '--platform', 'win32', '--arch', 'x64'], {
      cwd: PROJECT_DIR,
      env: {
        ...process.env,
        CI: 'true',
        ELECTRON_ZIP_DIR: folder,
        ELECTRON_FORGE_OUT_DIR: join(folder, 'out'),
        RELEASES_REPOSITORY: 'harbor/alerts',
      },
    });
    app = join(folder, 'out', 'Alertdesk-win32-x64');
    archive = join(app, 'resources', 'app.asar');
  }, PACKAGE_TIMEOUT);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('has main process, preload script and its own page in the archive, and nothing of the project beside', () => {
    const packed = listPackage(archive, { isPack: true })
      .filter((line) => line.startsWith('pack '))
      .map((line) => line.replace(/^pack +: /, '').replaceAll('\\', '/'));
    expect(packed).toEqual(
      expect.arrayContaining([
        '/package.json',
        '/dist/desktop/main.cjs',
        '/dist/desktop/preload.cjs',
        '/dist/desktop/server-page/index.html',
      ]),
    );
    expect(
      packed.filter(
        (path) =>
          !/^\/(?:package\.json|dist(?:\/desktop(?:\/(?:main|preload)\.cjs(?:\.map)?|\/server-page(?:\/.*)?)?)?)$/.test(
            path,
          ),
      ),
    ).toEqual([]);
    expect(JSON.parse(extractFile(archive, 'package.json').toString())).toEqual({
      name: 'alertdesk',
      productName: 'Alertdesk',
      version: '1.0.3',
      main: 'dist/desktop/main.cjs',
    });
  });

  test('has a main process that needs nothing but Node and Electron', () => {
    const bundle = extractFile(archive, 'dist/desktop/main.cjs').toString();
    const asked = [...bundle.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name ?? '');
    expect(asked).toContain('electron');
    expect(asked.filter((name) => name !== 'electron' && !isBuiltin(name))).toEqual([]);
    expect(bundle).not.toContain('webpackMissingModule');
  });

  test('has the embedded server outside of the archive, where the main process looks, with binaries for Windows', async () => {
    const entry = embeddedEntry(join(archive, 'dist', 'desktop'));
    expect(await readFile(entry, 'utf8')).toContain('The embedded server is started by the desktop app only');
    const modules = join(entry, '..', '..', 'node_modules');
    const binaries = (await readdir(modules, { recursive: true })).filter((name) => name.endsWith('.node'));
    expect(binaries.map((name) => name.replaceAll('\\', '/')).toSorted()).toEqual([
      'bcrypt/prebuilds/win32-x64/bcrypt.node',
      'better-sqlite3/prebuilds/win32-x64.node',
    ]);
  });

  test('has its fuses flipped', async () => {
    const { version: _version, ...wire } = await getCurrentFuseWire(join(app, 'Alertdesk.exe'));
    const state = (fuse: FuseV1Options) => (wire as Partial<Record<FuseV1Options, number>>)[fuse];
    expect(state(FuseV1Options.RunAsNode)).toBe(OFF);
    expect(state(FuseV1Options.EnableNodeCliInspectArguments)).toBe(OFF);
    expect(state(FuseV1Options.EnableEmbeddedAsarIntegrityValidation)).toBe(ON);
    expect(state(FuseV1Options.OnlyLoadAppFromAsar)).toBe(ON);
  });

  test("carries the archive's checksum in the program", async () => {
    const program = NtExecutable.from(await readFile(join(app, 'Alertdesk.exe')), { ignoreCert: true });
    const entry = NtExecutableResource.from(program).entries.find(({ id }) => id === 'ELECTRONASAR');
    const value = createHash('sha256').update(getRawHeader(archive).headerString).digest('hex');
    expect(JSON.parse(Buffer.from(entry?.bin ?? new ArrayBuffer()).toString())).toEqual([
      { file: 'resources\\app.asar', alg: 'SHA256', value },
    ]);
  });

  test('knows where its updates are, and that it is not signed', async () => {
    const config = await readFile(join(app, 'resources', 'app-update.yml'), 'utf8');
    expect(config).toContain('provider: "github"');
    expect(config).not.toContain('publisherName');
  });
});
