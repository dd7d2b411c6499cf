import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { app, crashReporter } from 'electron';
import type { Log } from '#electron/logs/logs.ts';

/** A dump is some megabytes; of a process that crashes at each start the newest say as much as all. */
const KEPT = 10;

/**
 * Keeps what Chromium writes when a process of the app crashes, below the data folder, the newest ten. Nothing is sent
 * anywhere. A dump holds the memory of the process, and so alerts and keys: whoever wants none switches it off by policy.
 */
export function setupCrashDumps(isOn: boolean, log: Log): void {
  const folder = app.getPath('crashDumps');
  removeOld(folder, isOn ? KEPT : 0, log);
  if (isOn) crashReporter.start({ uploadToServer: false });
}

/** Crashpad keeps dumps in these folders, by system. */
const FOLDERS = ['reports', 'completed', 'pending', 'new'];

/** A dump that is in use is tried again at the next start: no reason not to start. */
function removeOld(folder: string, kept: number, log: Log): void {
  const dumps = FOLDERS.flatMap((name) => filesIn(join(folder, name))).filter((file) => file.endsWith('.dmp'));
  const newestFirst = dumps.map((file) => ({ file, at: writtenAt(file) })).toSorted((a, b) => b.at - a.at);
  for (const { file } of newestFirst.slice(kept)) {
    try {
      rmSync(file, { force: true });
    } catch (error) {
      log.error('a crash dump could not be removed', error);
    }
  }
}

/** 0 for a dump that is gone by then. */
const writtenAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    // There was no crash yet.
    return [];
  }
}
