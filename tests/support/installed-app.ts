import { appendFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AppAdapter } from 'electron-updater/out/AppAdapter.js';
import { NsisUpdater } from 'electron-updater/out/NsisUpdater.js';
import { type Updates, createUpdates } from '#electron/updates/updates.ts';
import type { VerifySignature } from '#electron/updates/verify-update.ts';
import { NodeHttpExecutor } from './node-http-executor.ts';
import { type UpdateFeed, startUpdateFeed } from './update-feed.ts';

/** An installed version of the app, with the stock updater and a releases page on this machine. */
export interface InstalledApp {
  feed: UpdateFeed;
  updates: Updates;
  /** Every state since the start, in order: its status, and what comes with it. */
  reported: string[];
  /** What was written to the log. */
  logged: string[];
  /** What happened around a restart, in order. */
  ledger(): Promise<string[]>;
  /** An installer that writes its arguments into the ledger when it is run. */
  installer(version: string): Buffer;
  /** Where a downloaded installer lies. */
  downloaded(version: string): string;
  dispose(): Promise<void>;
}

interface InstalledOptions {
  version?: string;
  /** As in the build's `app-update.yml`. */
  publisherName?: string | null;
  verifySignature?: VerifySignature;
  /** Whether the build names a releases page at all. */
  namesReleases?: boolean;
  /** Answers whether the page may be left; yes by default. */
  leave?: () => Promise<boolean>;
  /** The installer that it was installed with. */
  installedWith?: Buffer;
}

const PUBLISHER = 'Alertdesk Project';

/** Big enough to be downloaded in several parts. */
const INSTALLER_BYTES = 3_000_000;

export async function installApp(options: InstalledOptions = {}): Promise<InstalledApp> {
  const { version = '1.0.3', publisherName = PUBLISHER, verifySignature = async () => null, installedWith } = options;
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-updates-'));
  const ledger = join(folder, 'ledger');
  const note = (line: string) => appendFileSync(ledger, `${line}\n`);
  note('start');
  const feed = await startUpdateFeed(folder);
  const cache = join(folder, 'cache', 'alertdesk-updater');
  await mkdir(cache, { recursive: true });
  if (installedWith) await writeFile(join(cache, 'installer.exe'), installedWith);
  const configFile = join(folder, 'app-update.yml');
  const publisher = publisherName === null ? '' : `publisherName:\n  - ${publisherName}\n`;
  const config = `provider: generic\nurl: ${feed.url}\nuseMultipleRangeRequest: false\nupdaterCacheDirName: alertdesk-updater\n${publisher}`;
  if (options.namesReleases ?? true) await writeFile(configFile, config);

  const forgetElectron = await provideElectron(folder);
  const adapter: AppAdapter = {
    version,
    name: 'Alertdesk',
    isPackaged: true,
    appUpdateConfigPath: configFile,
    userDataPath: join(folder, 'data'),
    baseCachePath: join(folder, 'cache'),
    whenReady: async () => undefined,
    relaunch: () => note('relaunch'),
    quit: () => note('quit'),
    onQuit: () => undefined,
  };
  // The updater leaves the network access to whoever gives it an app of his own.
  const updater = Object.assign(new NsisUpdater(null, adapter), { httpExecutor: new NodeHttpExecutor() });
  const logged: string[] = [];
  const log = (message: string, details?: unknown) => void logged.push(`${message} ${String(details ?? '')}`.trim());
  const updates = createUpdates({
    updater,
    channel: 'stable',
    onChannel: (channel) => note(`channel ${channel}`),
    verifySignature,
    leave: options.leave ?? (async () => true),
    comeBack: () => note('back on the page'),
    async stopServer() {
      note('server stopping');
      await new Promise((resolve) => setImmediate(resolve));
      note('server stopped');
    },
    log: { info: log, warn: log, error: log },
  });
  const reported: string[] = [];
  updates.state.subscribe(({ status, version: offered, percent, error }) =>
    reported.push([status, offered, percent, error].filter((part) => part !== null).join(' ')),
  );
  const downloaded = (of: string) => join(cache, 'pending', `Alertdesk-Setup-${of}.exe`);
  return {
    feed,
    updates,
    reported,
    logged,
    ledger: async () => (await readFile(ledger, 'utf8')).trim().split('\n'),
    installer: (of) => makeInstaller(of, ledger),
    downloaded,
    async dispose() {
      forgetElectron();
      await feed.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A program for the system that the test runs on, as long as a real installer's first megabytes. */
export function makeInstaller(version: string, ledger = '/dev/null'): Buffer {
  const script = `#!/bin/sh\necho "installer ${version} $*" >> '${ledger}'\nexit 0\n`;
  const rest = Buffer.alloc(INSTALLER_BYTES);
  // Not alike anywhere, so that a block map has many blocks; the same for each version but for one part.
  for (let index = 0; index < rest.length; index += 4) rest.writeUInt32LE((index * 2_654_435_761) >>> 0, index);
  rest.write(version, INSTALLER_BYTES / 2);
  return Buffer.concat([Buffer.from(script), rest]);
}

/** Lets this system run a downloaded file, as Windows would. */
export const makeRunnable = (file: string): Promise<void> => chmod(file, 0o700);

/** The updater asks Electron itself for one thing: to announce the coming quit. */
async function provideElectron(folder: string): Promise<() => void> {
  const file = join(folder, 'electron.cjs');
  await writeFile(file, "exports.autoUpdater = new (require('node:events'))();\n");
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'electron'
        ? { url: pathToFileURL(file).href, format: 'commonjs', shortCircuit: true }
        : next(specifier, context),
  });
  return () => hooks.deregister();
}
