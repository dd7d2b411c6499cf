import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validateConfiguration } from 'app-builder-lib/out/util/config/config.js';
import { FuseV1Options } from '@electron/fuses';
import { DebugLogger } from 'builder-util';
import { NsisUpdater } from 'electron-updater/out/NsisUpdater.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { INSTALLED } from '#electron/app/identity.ts';
import { LINK_SCHEME } from '#electron/contract.ts';
import { readPublishers } from '#electron/updates/verify-update.ts';
import { startUpdateFeed } from '#tests/support/update-feed.ts';
import { FUSES } from './fuses.ts';
import { installerConfig } from './installer-config.ts';
import { readReleaseFiles } from './release-files.ts';
import { type InstallScope, appUpdateYml, readReleases, readScope } from './releases.ts';
import { type Signing, packagerSigning, readSigning } from './signing.ts';
import { releaseType, uploadOrder } from './upload-release.ts';

const RELEASES = { owner: 'alertdesk', repo: 'alertdesk' };
const SIGNING: Signing = {
  by: 'certificate',
  certificateFile: 'C:\\certificate.pfx',
  certificatePassword: 'only for tests',
  publisherName: 'CN="Harbor: Ltd", O=Harbor',
};
const AZURE: Signing = {
  by: 'azure',
  endpoint: 'https://weu.codesigning.azure.net',
  account: 'harbor',
  profile: "harbor's releases",
  publisherName: SIGNING.publisherName,
};

describe('where releases are', () => {
  test('is said by the build, and nobody else', () => {
    expect(readReleases({})).toBeUndefined();
    expect(readReleases({ RELEASES_REPOSITORY: 'harbor/alerts.desk' })).toEqual({
      owner: 'harbor',
      repo: 'alerts.desk',
    });
    expect(() => readReleases({ RELEASES_REPOSITORY: 'https://example.org/x' })).toThrow('RELEASES_REPOSITORY');
  });

  test('is known to the updater, with the signature that it requires', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'alertdesk-yml-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'app-update.yml');
    const publishers = async (signing: Signing | undefined) => {
      await writeFile(file, appUpdateYml(RELEASES, signing));
      return readPublishers(
        new NsisUpdater(null, {
          version: '1.0.3',
          name: 'Alertdesk',
          isPackaged: true,
          appUpdateConfigPath: file,
          userDataPath: folder,
          baseCachePath: folder,
          whenReady: async () => undefined,
          relaunch: () => undefined,
          quit: () => undefined,
          onQuit: () => undefined,
        }),
      );
    };
    expect(await publishers(SIGNING)).toEqual([SIGNING.publisherName]);
    expect(await publishers(undefined)).toEqual([]);
    expect(appUpdateYml(RELEASES, undefined)).toBe(
      'provider: "github"\nowner: "alertdesk"\nrepo: "alertdesk"\nupdaterCacheDirName: "alertdesk-updater"\n',
    );
  });
});

test('builds are signed with all that it takes, or not at all', () => {
  const environment = {
    WINDOWS_CERTIFICATE_FILE: SIGNING.certificateFile,
    WINDOWS_CERTIFICATE_PASSWORD: SIGNING.certificatePassword,
    WINDOWS_PUBLISHER_NAME: SIGNING.publisherName,
  };
  expect(readSigning(environment)).toEqual(SIGNING);
  expect(readSigning({})).toBeUndefined();
  // As GitHub gives secrets that are not set.
  expect(readSigning({ WINDOWS_CERTIFICATE_FILE: '', WINDOWS_CERTIFICATE_PASSWORD: '' })).toBeUndefined();
  expect(() => readSigning({ ...environment, WINDOWS_PUBLISHER_NAME: '' })).toThrow('Missing: WINDOWS_PUBLISHER_NAME.');
  expect(() => readSigning({ WINDOWS_PUBLISHER_NAME: 'CN=Harbor' })).toThrow(
    'Missing: WINDOWS_CERTIFICATE_FILE, WINDOWS_CERTIFICATE_PASSWORD.',
  );
});

describe('Azure Trusted Signing', () => {
  const environment = {
    AZURE_SIGNING_ENDPOINT: AZURE.endpoint,
    AZURE_SIGNING_ACCOUNT: AZURE.account,
    AZURE_SIGNING_PROFILE: AZURE.profile,
    AZURE_TENANT_ID: 'tenant',
    AZURE_CLIENT_ID: 'client',
    AZURE_CLIENT_SECRET: 'only for tests',
    WINDOWS_PUBLISHER_NAME: AZURE.publisherName,
  };

  test('is read whole, with who signs, and never beside a certificate', () => {
    expect(readSigning(environment)).toEqual(AZURE);
    for (const name of Object.keys(environment))
      expect(() => readSigning({ ...environment, [name]: '' })).toThrow(`Missing: ${name}.`);
    expect(() => readSigning({ ...environment, WINDOWS_CERTIFICATE_FILE: 'C:\\certificate.pfx' })).toThrow(
      'not by both',
    );
    expect(() => readSigning({ ...environment, AZURE_SIGNING_ENDPOINT: 'weu.codesigning.azure.net' })).toThrow(
      'AZURE_SIGNING_ENDPOINT is "weu.codesigning.azure.net"',
    );
  });

  test('signs each file of the app by its name as it stands', async () => {
    const commands: string[] = [];
    const options = packagerSigning(AZURE, async (command) => void commands.push(command));
    if (!('hookFunction' in options)) throw new Error('There is no hook.');
    await options.hookFunction("C:\\Harbor's $(app)\\Alertdesk.exe");
    expect(commands).toEqual([expect.stringContaining(" -Files 'C:\\Harbor''s $(app)\\Alertdesk.exe'")]);
    expect(commands).toEqual([expect.stringContaining(" -CertificateProfileName 'harbor''s releases' ")]);
    expect(commands).toEqual([expect.stringMatching(/^\$ErrorActionPreference = 'Stop'; /)]);
    const failing = packagerSigning(AZURE, () => Promise.reject(new Error('refused')));
    await expect('hookFunction' in failing && failing.hookFunction('C:\\a.exe')).rejects.toThrow('refused');
  });
});

const config = (signing?: Signing, scope: InstallScope = 'user') =>
  installerConfig({
    output: '/out',
    electronVersion: '45.4.1',
    releases: scope === 'user' ? RELEASES : undefined,
    signing,
    scope,
  });

describe('the installer', () => {
  test.each([undefined, SIGNING, AZURE])('is configured as electron-builder knows it (%j)', async (signing) => {
    await expect(validateConfiguration(config(signing), new DebugLogger(false))).resolves.toBeUndefined();
  });

  test('is for one person, or for all of a computer, and then without a releases page', async () => {
    expect(readScope({})).toBe('user');
    expect(readScope({ INSTALL_SCOPE: 'machine' })).toBe('machine');
    expect(() => readScope({ INSTALL_SCOPE: 'all' })).toThrow('INSTALL_SCOPE is "all"');
    expect(() => readScope({ INSTALL_SCOPE: 'machine', RELEASES_REPOSITORY: 'harbor/alerts' })).toThrow(
      'cannot update',
    );
    expect(config().nsis).toMatchObject({ perMachine: false, runAfterFinish: true });
    const forMachine = config(undefined, 'machine');
    expect(forMachine).toMatchObject({ publish: null, nsis: { perMachine: true, runAfterFinish: false } });
    await expect(validateConfiguration(forMachine, new DebugLogger(false))).resolves.toBeUndefined();
  });

  test("has the app's identity, and is never made unsigned when there is a certificate", () => {
    expect(config()).toMatchObject({ appId: 'com.alertdesk.desktop', forceCodeSigning: false });
    expect(config(SIGNING)).toMatchObject({
      forceCodeSigning: true,
      win: { verifyUpdateCodeSignature: true, signtoolOptions: { publisherName: SIGNING.publisherName } },
    });
    expect(config(AZURE)).toMatchObject({
      forceCodeSigning: true,
      win: { azureSignOptions: { endpoint: AZURE.endpoint } },
    });
  });

  test("registers the app's links for the user alone, and takes them back", async () => {
    const script = await readFile(join(PROJECT_DIR, 'scripts', 'desktop', 'installer.nsh'), 'utf8');
    const keys = [...script.matchAll(/^ +(\w+RegKey|WriteRegStr) SHCTX "([^"]+)"/gm)].map(([, verb, key]) => [
      verb,
      key,
    ]);
    const own = `Software\\Classes\\${LINK_SCHEME}`;
    expect(keys.map(([, key]) => key).every((key) => key === own || key?.startsWith(`${own}\\`))).toBe(true);
    expect(keys).toContainEqual(['WriteRegStr', `${own}\\shell\\open\\command`]);
    expect(keys).toContainEqual(['DeleteRegKey', own]);
    expect(script).toContain(`DeleteRegKey HKCU "Software\\Classes\\CLSID\\${INSTALLED.toastActivator}"`);
  });
});

test('the file that names the others is uploaded last', () => {
  expect(uploadOrder(['/o/latest.yml', '/o/A.exe.blockmap', '/o/A.exe'])).toEqual([
    '/o/A.exe',
    '/o/A.exe.blockmap',
    '/o/latest.yml',
  ]);
});

test('betas are for those who asked for them, drafts for nobody', () => {
  expect([releaseType('1.0.4', false), releaseType('1.1.0-beta.1', false), releaseType('1.0.4', true)]).toEqual([
    'release',
    'prerelease',
    'draft',
  ]);
});

test('files are published together only when they belong together', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-release-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const feed = await startUpdateFeed(folder);
  onTestFinished(() => feed.close());
  await feed.offer('1.0.4', Buffer.from('an installer'));
  const names = ['Alertdesk-Setup-1.0.4.exe', 'Alertdesk-Setup-1.0.4.exe.blockmap', 'latest.yml'];
  expect((await readReleaseFiles(folder, '1.0.4')).toSorted()).toEqual(names.map((name) => join(folder, name)));
  await expect(readReleaseFiles(folder, '1.0.5')).rejects.toThrow('of version 1.0.4');
  await writeFile(join(folder, 'Alertdesk-Setup-1.0.4.exe'), 'another installer');
  await expect(readReleaseFiles(folder, '1.0.4')).rejects.toThrow('checksum');
  await rm(join(folder, 'Alertdesk-Setup-1.0.4.exe'));
  await expect(readReleaseFiles(folder, '1.0.4')).rejects.toThrow('not there');
  await rm(join(folder, 'latest.yml'));
  await expect(readReleaseFiles(folder, '1.0.4')).rejects.toThrow('no latest.yml');
});

test('every fuse is decided, the dangerous ones off', () => {
  const names = Object.keys(FuseV1Options).filter((name) => Number.isNaN(Number(name)));
  expect(
    Object.fromEntries(names.map((name) => [name, FUSES[FuseV1Options[name as keyof typeof FuseV1Options]]])),
  ).toEqual({
    RunAsNode: false,
    EnableCookieEncryption: true,
    EnableNodeOptionsEnvironmentVariable: false,
    EnableNodeCliInspectArguments: false,
    EnableEmbeddedAsarIntegrityValidation: true,
    OnlyLoadAppFromAsar: true,
    LoadBrowserProcessSpecificV8Snapshot: false,
    GrantFileProtocolExtraPrivileges: false,
    WasmTrapHandlers: true,
  });
});
