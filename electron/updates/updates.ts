import { rm } from 'node:fs/promises';
import type { UpdateDownloadedEvent } from 'electron-updater';
import type { NsisUpdater } from 'electron-updater/out/NsisUpdater.js';
import type { UpdateChannel, UpdateState } from '#electron/contract/desktop.ts';
import type { Log } from '#electron/logs/logs.ts';
import { type State, createState } from '#electron/state.ts';
import { type UpdateEvent, explainUpdateError, initialUpdateState, isActive, nextUpdateState } from './update-state.ts';
import { type VerifySignature, hasChecksum, namesReleases, readPublishers } from './verify-update.ts';

/** The app's own updates, as pages use them. */
export interface Updates {
  state: State<UpdateState>;
  /** Asks whether there is a newer version; resolves when that is known. */
  check(): Promise<UpdateState>;
  /** The same in the background: failures go to the log only, and the state changes only with a result. */
  checkQuietly(): Promise<void>;
  download(): Promise<UpdateState>;
  /** Stops the embedded server, starts the installer, quits; the installer starts the new version. */
  restartAndInstall(): Promise<void>;
  setChannel(channel: UpdateChannel): UpdateState;
}

interface UpdateParts {
  updater: NsisUpdater;
  channel: UpdateChannel;
  onChannel: (channel: UpdateChannel) => void;
  verifySignature: VerifySignature;
  /** Resolves when the embedded server is gone, with all that it had taken stored. */
  stopServer: () => Promise<void>;
  /** Leaves the page; false when the person stays on it, and nothing is installed then. */
  leave: () => Promise<boolean>;
  /** Goes back to the page that was left. */
  comeBack: () => void;
  log: Log;
}

/** A reason that is a sentence for a person already. */
class UpdateError extends Error {}

const sentenceOf = (error: unknown): string =>
  error instanceof UpdateError ? error.message : explainUpdateError(error);

/** Puts the updater behind one state, which pages watch. */
export function createUpdates(parts: UpdateParts): Updates {
  const { updater, log } = parts;
  const state = createState<UpdateState>(initialUpdateState(parts.channel));
  const apply = (event: UpdateEvent): UpdateState => {
    state.set(nextUpdateState(state.get(), event));
    return state.get();
  };
  const fail = (error: unknown): UpdateState => {
    log.error('the update failed', error);
    return apply({ type: 'failed', sentence: sentenceOf(error) });
  };

  configure(updater, parts);
  let downloaded: UpdateDownloadedEvent | undefined;
  updater.on('download-progress', ({ percent }) => apply({ type: 'progress', percent }));
  updater.on('update-downloaded', (event) => {
    downloaded = event;
  });
  let isInstalling = false;

  /** The version that is on offer on the channel of now, if any. */
  const lookForUpdate = async (): Promise<UpdateEvent> => {
    if (!updater.isUpdaterActive()) throw new UpdateError('Only the installed app can update itself.');
    if (!(await namesReleases(updater))) {
      throw new UpdateError('This build has no releases page, so it cannot check for updates.');
    }
    if ((await readPublishers(updater)).length === 0) {
      throw new UpdateError('This build is not signed, so it cannot check whether an update is genuine.');
    }
    const result = await updater.checkForUpdates();
    return result?.isUpdateAvailable === true
      ? { type: 'available', version: result.updateInfo.version }
      : { type: 'not-available' };
  };
  let lastCheck: Promise<unknown> = Promise.resolve();
  /** The same once no other check runs: the updater would give its answer, which may be of another channel. */
  const findUpdate = (): Promise<UpdateEvent> => {
    const next = lastCheck.then(lookForUpdate);
    lastCheck = next.catch(() => undefined);
    return next;
  };

  return {
    state,
    async check() {
      if (isActive(state.get()) || state.get().status === 'checking') return state.get();
      const started = apply({ type: 'check-started' });
      // Another channel may be chosen meanwhile, and be asked about, too.
      const isOvertaken = () => state.get() !== started;
      try {
        const found = await findUpdate();
        return isOvertaken() ? state.get() : apply(found);
      } catch (error) {
        if (!isOvertaken()) return fail(error);
        log.warn('there is no word about updates', { reason: sentenceOf(error) });
        return state.get();
      }
    },
    async checkQuietly() {
      const before = state.get();
      if (isActive(before) || before.status === 'checking') return;
      try {
        const found = await findUpdate();
        // Somebody may have asked, or begun to download, meanwhile.
        if (state.get() === before) apply(found);
      } catch (error) {
        log.warn('there is no word about updates', { reason: sentenceOf(error) });
      }
    },
    async download() {
      if (state.get().version === null || isActive(state.get())) return state.get();
      apply({ type: 'download-started' });
      try {
        await updater.downloadUpdate();
        if (!downloaded) throw new Error('The download ended without a file.');
        return apply({ type: 'downloaded', version: downloaded.version });
      } catch (error) {
        return fail(error);
      }
    },
    async restartAndInstall() {
      if (state.get().status !== 'downloaded' || !downloaded || isInstalling) return;
      isInstalling = true;
      let hasLeft = false;
      try {
        await assertGenuine(downloaded, parts);
        if (!(await parts.leave())) {
          isInstalling = false;
          return;
        }
        hasLeft = true;
        // Again: the question whether to leave may have been open for hours.
        await assertGenuine(downloaded, parts);
        await parts.stopServer();
      } catch (error) {
        isInstalling = false;
        fail(error);
        if (hasLeft) parts.comeBack();
        return;
      }
      // With its window, so that something is seen to happen; it starts the new version when it is done.
      updater.quitAndInstall(false, true);
    },
    setChannel(channel) {
      parts.onChannel(channel);
      followChannel(updater, channel);
      return apply({ type: 'channel-changed', channel });
    },
  };
}

/** How often is looked for updates by itself. */
const CHECK_INTERVAL_MS = 6 * 60 * 60 * 1_000;

/** Looks for updates now and every six hours, quietly. */
export function setupUpdateChecks({ checkQuietly }: Pick<Updates, 'checkQuietly'>): void {
  void checkQuietly();
  setInterval(() => void checkQuietly(), CHECK_INTERVAL_MS);
}

function configure(updater: NsisUpdater, { channel, verifySignature, log }: UpdateParts): void {
  updater.logger = log;
  updater.verifyUpdateCodeSignature = verifySignature;
  updater.autoDownload = false;
  // Only by restart-and-install, which stops the server first and looks at the file once more.
  updater.autoInstallOnAppQuit = false;
  updater.disableWebInstaller = true;
  followChannel(updater, channel);
}

function followChannel(updater: NsisUpdater, channel: UpdateChannel): void {
  updater.channel = channel === 'beta' ? 'beta' : 'latest';
  updater.allowPrerelease = channel === 'beta';
  // Back on stable, a beta stays until stable is newer: its data may be of a form that older versions do not know.
  updater.allowDowngrade = false;
}

/**
 * The file has lain in a folder that the user's programs can write to; it is looked at again before it is run. One that is
 * not genuine is deleted, as after a download: the updater would offer it again.
 */
async function assertGenuine(event: UpdateDownloadedEvent, parts: UpdateParts): Promise<void> {
  try {
    await checkFile(event, parts);
  } catch (error) {
    await rm(event.downloadedFile, { force: true }).catch((failure: unknown) =>
      parts.log.error('the update that was refused could not be deleted', failure),
    );
    throw error;
  }
}

async function checkFile(
  { downloadedFile, files }: UpdateDownloadedEvent,
  { updater, verifySignature }: UpdateParts,
): Promise<void> {
  const named = files.find(({ url }) => url.toLowerCase().endsWith('.exe'))?.sha512;
  if (named === undefined || !(await hasChecksum(downloadedFile, named))) {
    throw Object.assign(new Error('sha512 checksum mismatch before the installation'), {
      code: 'ERR_CHECKSUM_MISMATCH',
    });
  }
  const reason = await verifySignature(await readPublishers(updater), downloadedFile);
  if (reason !== null) throw Object.assign(new Error(reason), { code: 'ERR_UPDATER_INVALID_SIGNATURE' });
}
