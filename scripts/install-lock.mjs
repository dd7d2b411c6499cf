/**
 * Lets one command at a time install packages into a project: a folder with the pids of the processes that have it, the
 * command and its npm. An npm that is interrupted takes back what it has installed, which must not hit the next install.
 * Plain JavaScript on Node's own modules, for it runs before anything is installed.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { BootstrapError } from './npm-errors.mjs';

/** How often a command that waits looks again, in milliseconds. */
const WAIT_MS = 200;

/** A folder without a pid after so long is of a command that was killed in between, in milliseconds. */
const WRITE_MS = 5000;

/** How often a command says that it has the lock still, and without that so long it has not, in milliseconds. */
const TOUCH_MS = 2000;
const UNTOUCHED_MS = 30_000;

/** When a process started, as Linux counts it: what its number does not say, which others had before it. Else empty. */
const startOf = (pid) => {
  try {
    // The program's name stands in brackets and may have any characters; the start is the 20th field behind it.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')[19];
  } catch {
    return '';
  }
};

/** What numbers of processes count in, on Linux: the machine since it started, and the container. Else empty. */
const findPlace = () => {
  try {
    return `${readlinkSync('/proc/self/ns/pid')}/${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`;
  } catch {
    return '';
  }
};
const PLACE = findPlace();

const isYoung = (lock, ms) => Date.now() - statSync(lock).mtimeMs < ms;

/** Whether an owner runs, by its line in a lock. This process has no lock while it asks for one. */
const isAlive = (owner, lock) => {
  const [pid, start = '', place = PLACE] = owner.split(' ');
  // Another container's numbers are those of other processes here.
  if (place !== PLACE) return isYoung(lock, UNTOUCHED_MS);
  const found = startOf(pid);
  if (Number(pid) === process.pid || (start !== '' && found !== '' && start !== found)) return false;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** The owners of a lock, a line with pid, start and place for each; empty when there is none. */
const readOwners = (lock) => {
  try {
    return readFileSync(join(lock, 'pid'), 'utf8');
  } catch {
    return '';
  }
};

const addOwner = (lock, pid) => appendFileSync(join(lock, 'pid'), `${pid} ${startOf(pid)} ${PLACE}\n`);

const unwritable = (lock, { code }) =>
  new BootstrapError(`The folder ${dirname(lock)} cannot be written (${code}); the project's folder must be writable.`);

/** Says to commands in other containers that a lock is in use. */
function touch(lock) {
  try {
    utimesSync(lock, new Date(), new Date());
  } catch {
    // Somebody removed it.
  }
}

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
  if (owners === '') return isYoung(lock, WRITE_MS);
  return owners
    .trim()
    .split('\n')
    .some((owner) => isAlive(owner, lock));
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
 * Runs `work` while no other command has the lock; `onWait` is called once, with the lock, when one has. `work` gets a function that
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
      onWait(lock);
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
  const touching = setInterval(() => touch(lock), TOUCH_MS);
  try {
    await work((pid) => addOwner(lock, pid));
  } finally {
    clearInterval(touching);
    rmSync(lock, { recursive: true, force: true });
  }
}
