/**
 * Lets one command at a time install packages into a project: a folder with the pids of the processes that have it, the
 * command and its npm. An npm that is interrupted takes back what it has installed, which must not hit the next install.
 * Plain JavaScript on Node's own modules, for it runs before anything is installed.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { BootstrapError } from './npm-errors.mjs';

/** How often a command that waits looks again, in milliseconds. */
const WAIT_MS = 200;

/** A folder without a pid after so long is of a command that was killed in between, in milliseconds. */
const WRITE_MS = 5000;

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** The pids in a lock, one a line; empty when there is none. */
const readOwners = (lock) => {
  try {
    return readFileSync(join(lock, 'pid'), 'utf8');
  } catch {
    return '';
  }
};

const addOwner = (lock, pid) => appendFileSync(join(lock, 'pid'), `${pid}\n`);

const unwritable = (lock, { code }) =>
  new BootstrapError(`The folder ${dirname(lock)} cannot be written (${code}); the project's folder must be writable.`);

/** False when another command has it. @throws {BootstrapError} when the project's folder cannot be written */
function take(lock) {
  try {
    mkdirSync(lock);
    addOwner(lock, process.pid);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw unwritable(lock, error);
  }
}

function isLocked(lock, owners) {
  if (owners === '') return Date.now() - statSync(lock).mtimeMs < WRITE_MS;
  return owners
    .trim()
    .split('\n')
    .some((pid) => isAlive(Number(pid)));
}

/** Removes the lock of processes that are gone, but not one that another command has taken meanwhile. */
function dropIfStale(lock) {
  const aside = `${lock}-stale-${process.pid}`;
  try {
    const owners = readOwners(lock);
    if (isLocked(lock, owners)) return;
    renameSync(lock, aside);
    if (readOwners(aside) === owners) rmSync(aside, { recursive: true, force: true });
    else renameSync(aside, lock);
  } catch {
    // Another command was quicker.
  }
}

/**
 * Runs `work` while no other command has the lock; `onWait` is called once when one has. `work` gets a function that
 * makes a process an owner too: when this one is interrupted, the lock is held until that process has ended.
 */
export async function withInstallLock(lock, onWait, work) {
  try {
    mkdirSync(dirname(lock), { recursive: true });
  } catch (error) {
    throw unwritable(lock, error);
  }
  for (let hasWaited = false; !take(lock);) {
    dropIfStale(lock);
    if (!hasWaited && existsSync(lock)) {
      hasWaited = true;
      onWait();
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
  try {
    await work((pid) => addOwner(lock, pid));
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}
