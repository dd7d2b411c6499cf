/**
 * Installs what is missing before any other command runs (the `pre…` scripts of package.json). It runs before anything
 * is installed, on whatever Node the machine has, so it uses Node's own modules only and is plain JavaScript.
 *
 * With `--to-run` it is content with `dependencies`: what it takes to build the web app and to serve. Without, the tools of
 * development, tests and the desktop app (`devDependencies`) must be there too, which are twice as many packages.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join, sep } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const binaries = join(modules, '.bin');
const lock = join(root, '.cache', 'install.lock');

/** Least Node that can install; least Node that runs TypeScript as it stands. */
const TO_INSTALL = [20, 19];
const TO_RUN = [22, 18];

const WAIT_MS = 200;

const isToRun = process.argv.includes('--to-run');

/** Ends the command with one sentence for a person. */
class Refusal extends Error {}

const isAtLeast = (version, [major, minor]) => {
  const [ownMajor = 0, ownMinor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
};

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/**
 * True when node_modules holds what package-lock.json says and nothing else (packages of other platforms may be absent,
 * and where it is only to run, those of development).
 */
function isInstalled() {
  let wanted;
  let present;
  try {
    wanted = readJson(join(root, 'package-lock.json')).packages;
    present = readJson(join(modules, '.package-lock.json')).packages;
  } catch {
    return false;
  }
  const declared = readJson(join(root, 'package.json'));
  const agrees = ['dependencies', 'devDependencies', 'optionalDependencies'].every(
    (kind) => JSON.stringify(declared[kind] ?? {}) === JSON.stringify(wanted['']?.[kind] ?? {}),
  );
  if (!agrees || Object.keys(present).some((path) => !(path in wanted))) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const own = present[path];
    if (own) return own.version === entry.version && own.integrity === entry.integrity;
    return entry.optional === true || (isToRun && (entry.dev === true || entry.devOptional === true));
  });
}

/** Environment without this project's own binaries: what they are replaced by must not run on them. */
function outerEnvironment() {
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const paths = (process.env[name] ?? '').split(delimiter).filter((path) => path !== '' && !path.startsWith(modules));
  return { ...process.env, [name]: paths.join(delimiter), ALERTDESK_BOOTSTRAP: '1' };
}

/** Runs npm outside of node_modules, with the npm that runs this script when there is one. */
function runNpm(args) {
  const options = { cwd: root, env: outerEnvironment(), stdio: ['ignore', 'ignore', 'pipe'] };
  const cli = process.env.npm_execpath ?? '';
  const isOwnNode = process.execPath.startsWith(modules + sep);
  const child = cli.endsWith('npm-cli.js')
    ? spawn(isOwnNode ? 'node' : process.execPath, [cli, ...args], options)
    : spawn('npm', args, { ...options, shell: process.platform === 'win32' });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  return new Promise((resolve) => {
    child.on('error', (error) =>
      resolve({ code: 1, errors: `npm error code ${error.code}\nnpm error ${error.message}` }),
    );
    child.on('close', (code) => resolve({ code: code ?? 1, errors }));
  });
}

/** Says in one sentence why npm failed and what to do. */
function explain(errors) {
  const code = /npm (?:error|ERR!) code (\S+)/.exec(errors)?.[1] ?? '';
  const lines = errors.split('\n').map((line) => line.replace(/^npm (?:error|ERR!) ?/, '').trim());
  const reason =
    lines.find((line) => line !== '' && !/^(code|errno|syscall|path) |^npm (warn|WARN)/.test(line)) ??
    'no reason given';
  if (code === 'EUSAGE')
    return 'package.json and package-lock.json do not agree; run "npm install" once and commit the lock file.';
  if (code === 'ENOSPC')
    return 'The disk is full: the packages need about 600 MB; free some space and run the command again.';
  if (code === 'EINTEGRITY')
    return `A package differs from what package-lock.json promises (${reason}); nothing of it was used.`;
  if (/^E(ACCES|PERM|BUSY|ROFS)$/.test(code)) {
    return `Files in ${modules} cannot be replaced (${code}); close what uses them, see to their owner, or run "npm ci" yourself.`;
  }
  if (
    /^(ENOTFOUND|ECONN\w+|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|E[45]\d\d|FETCH_ERROR)$/.test(
      code,
    )
  ) {
    return `The packages cannot be fetched from the npm registry (${code}); check the network and npm's "registry" and "proxy" settings, then run the command again.`;
  }
  if (code === 'ENOENT' && reason.includes('spawn'))
    return 'npm was not found; install Node.js with npm and run the command again.';
  return `npm could not install the packages (${code || 'unknown error'}: ${reason}); run "npm ci" to see everything it says.`;
}

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

const readOwner = (directory) => {
  try {
    return Number(readFileSync(join(directory, 'pid'), 'utf8'));
  } catch {
    return undefined;
  }
};

/** Takes the lock directory, made elsewhere and moved into place so that it never exists without its owner's pid. */
function takeLock() {
  mkdirSync(dirname(lock), { recursive: true });
  const own = mkdtempSync(`${lock}-`);
  writeFileSync(join(own, 'pid'), String(process.pid));
  try {
    renameSync(own, lock);
    return true;
  } catch (error) {
    rmSync(own, { recursive: true, force: true });
    if (existsSync(lock)) return false;
    throw new Refusal(
      `The folder ${dirname(lock)} cannot be written (${error.code}); the project's folder must be writable.`,
    );
  }
}

/** Removes the lock of a process that is gone, but not one that another command has taken meanwhile. */
function dropStaleLock() {
  const owner = readOwner(lock);
  if (owner === undefined || isAlive(owner)) return;
  const aside = `${lock}-stale-${process.pid}`;
  try {
    renameSync(lock, aside);
    if (readOwner(aside) !== owner) renameSync(aside, lock);
    else rmSync(aside, { recursive: true, force: true });
  } catch {
    // Another command was quicker.
  }
}

const dropLock = () => rmSync(lock, { recursive: true, force: true });

async function withLock(work) {
  let hasSaid = false;
  while (!takeLock()) {
    dropStaleLock();
    if (!hasSaid && readOwner(lock) !== undefined) {
      hasSaid = true;
      console.log('Another command is installing the packages; waiting for it.');
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
  process.once('exit', dropLock);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
  try {
    await work();
  } finally {
    dropLock();
    process.off('exit', dropLock);
  }
}

async function install() {
  if (isInstalled()) return;
  const started = Date.now();
  console.log(
    isToRun
      ? 'Installing the packages (about a minute the first time) …'
      : 'Installing the packages, with those for development (about two minutes the first time) …',
  );
  // No package here needs its install script, and older npm versions would compile what is shipped compiled.
  const { code, errors } = await runNpm([
    'ci',
    isToRun ? '--omit=dev' : '--include=dev',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  if (code !== 0) throw new Refusal(explain(errors));
  console.log(`Packages installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

/** Version of the Node at `path`, or undefined when it does not run here (as on a system with another C library). */
function versionOf(path, env) {
  if (existsSync(path) && realpathSync(path) === realpathSync(process.execPath)) return process.version;
  const { status, stdout } = spawnSync(path, ['--version'], { env, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** Makes sure that `node` of the npm scripts can run TypeScript: the locked Node, else the system's. */
function checkRuntime() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  const locked = join(modules, `node-${system}-${process.arch}`, 'bin', program);
  const isLocked = existsSync(locked);
  if (isLocked && isAtLeast(versionOf(locked) ?? '0', TO_RUN)) return;
  const own = process.execPath.startsWith(modules + sep) ? versionOf(program, outerEnvironment()) : process.version;
  if (!isAtLeast(own ?? '0', TO_RUN)) {
    throw new Refusal(
      `Alertdesk runs on Node.js ${TO_RUN.join('.')} or newer, here is ${own ?? 'none'}; install the current LTS from https://nodejs.org and run the command again.`,
    );
  }
  // A locked Node that does not run would hide the system's good one.
  if (isLocked) for (const name of ['node', 'node.cmd', 'node.ps1']) rmSync(join(binaries, name), { force: true });
}

async function main() {
  if (process.env.ALERTDESK_BOOTSTRAP) return;
  if (!isAtLeast(process.version, TO_INSTALL)) {
    throw new Refusal(
      `Alertdesk needs Node.js ${TO_INSTALL.join('.')} or newer, here is ${process.version}; install the current LTS from https://nodejs.org and run the command again.`,
    );
  }
  if (!isInstalled()) await withLock(install);
  checkRuntime();
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
