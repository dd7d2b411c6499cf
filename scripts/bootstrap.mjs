/**
 * Installs what is missing before any other command runs (the `pre…` scripts of package.json). It runs before anything
 * is installed, on whatever Node the machine has, so it uses Node's own modules only and is plain JavaScript.
 *
 * `--to-run` needs `dependencies` only: what it takes to build the web app and to serve. Without it, the tools of
 * development, tests and the desktop app (`devDependencies`) must be there too, which are twice as many packages.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { delimiter, dirname, join, sep } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { BootstrapError, explainNpmError } from './npm-errors.mjs';
import { withInstallLock } from './install-lock.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const isToRun = process.argv.includes('--to-run');

/** Least Node that can install; least Node that runs TypeScript as it stands. */
const TO_INSTALL = [20, 19];
const TO_RUN = [22, 18];

const isAtLeast = (version, [major, minor]) => {
  const [ownMajor = 0, ownMinor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
};

const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/**
 * True when node_modules holds what package-lock.json says and nothing else (packages of other platforms may be absent,
 * and with `--to-run` those of development).
 */
function isInstalled() {
  let wanted;
  let present;
  try {
    wanted = readJson('package-lock.json').packages;
    present = readJson('node_modules/.package-lock.json').packages;
  } catch {
    return false;
  }
  const declared = readJson('package.json');
  const agrees = ['dependencies', 'devDependencies', 'optionalDependencies'].every(
    (kind) => JSON.stringify(declared[kind] ?? {}) === JSON.stringify(wanted['']?.[kind] ?? {}),
  );
  if (!agrees || Object.keys(present).some((path) => !(path in wanted))) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    const own = present[path];
    if (path === '') return true;
    if (own) return own.version === entry.version && own.integrity === entry.integrity;
    return entry.optional === true || (isToRun && (entry.dev === true || entry.devOptional === true));
  });
}

/** Environment without this project's own binaries, which are about to be replaced. */
function outerEnvironment() {
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const paths = (process.env[name] ?? '').split(delimiter).filter((path) => path !== '' && !path.startsWith(modules));
  return { ...process.env, [name]: paths.join(delimiter), ALERTDESK_BOOTSTRAP: '1' };
}

/** Where a Node.js lies that ran while its package was replaced. */
const asideDir = join(root, '.cache');
const ASIDE = 'node-in-use-';

/**
 * Moves the running Node.js out of node_modules, which npm is about to delete: Windows deletes no program that runs, but
 * moves it within a disk. What lies there from earlier times is removed as far as it does not run any more.
 */
function leaveModules() {
  if (existsSync(asideDir))
    for (const name of readdirSync(asideDir)) if (name.startsWith(ASIDE)) removeUnused(join(asideDir, name));
  const own = realpathSync(process.execPath);
  if (!own.startsWith(realpathSync(root) + sep)) return;
  mkdirSync(asideDir, { recursive: true });
  renameSync(own, join(asideDir, `${ASIDE}${process.pid}${process.platform === 'win32' ? '.exe' : ''}`));
}

function removeUnused(path) {
  try {
    rmSync(path, { force: true });
  } catch {
    // It runs still.
  }
}

/** Runs npm outside of node_modules, with the npm that runs this script when there is one. */
function runNpm(args, onStart) {
  const options = { cwd: root, env: outerEnvironment(), stdio: ['ignore', 'ignore', 'pipe'] };
  const cli = process.env.npm_execpath ?? '';
  const isOwnNode = process.execPath.startsWith(modules + sep);
  const child = cli.endsWith('npm-cli.js')
    ? spawn(isOwnNode ? 'node' : process.execPath, [cli, ...args], options)
    : spawn('npm', args, { ...options, shell: process.platform === 'win32' });
  if (child.pid !== undefined) onStart(child.pid);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  return new Promise((resolve) => {
    child.on('error', (error) =>
      resolve({ code: 1, errors: `npm error code ${error.code}\nnpm error ${error.message}` }),
    );
    child.on('close', (code) => resolve({ code: code ?? 1, errors }));
  });
}

async function install(addOwner) {
  if (isInstalled()) return;
  const started = Date.now();
  const which = isToRun ? ' (about a minute' : ', with those for development (about two minutes';
  console.log(`Installing the packages${which} the first time) …`);
  const omit = isToRun ? '--omit=dev' : '--include=dev';
  // No package here needs its install script, and older npm versions would compile what is shipped compiled.
  const quiet = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  leaveModules();
  const { code, errors } = await runNpm(['ci', omit, ...quiet], addOwner);
  if (code !== 0) throw new BootstrapError(explainNpmError(errors, modules));
  console.log(`Packages installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

/** Version of the Node at `path`, or undefined when it does not run here (as on a system with another C library). */
function versionOf(path, env) {
  if (existsSync(path) && realpathSync(path) === realpathSync(process.execPath)) return process.version;
  const { status, stdout } = spawnSync(path, ['--version'], { env, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

const tooOld = (verb, least, version) =>
  new BootstrapError(
    `Alertdesk ${verb} Node.js ${least.join('.')} or newer, here is ${version ?? 'none'}; install the current LTS from https://nodejs.org and run the command again.`,
  );

/** Makes sure that `node` of the npm scripts can run TypeScript: the locked Node, else the system's. */
function checkRuntime() {
  const [system, program] = process.platform === 'win32' ? ['win', 'node.exe'] : [process.platform, 'node'];
  const locked = join(modules, `node-${system}-${process.arch}`, 'bin', program);
  if (existsSync(locked) && isAtLeast(versionOf(locked) ?? '0', TO_RUN)) return;
  const own = process.execPath.startsWith(modules + sep) ? versionOf(program, outerEnvironment()) : process.version;
  if (!isAtLeast(own ?? '0', TO_RUN)) throw tooOld('runs on', TO_RUN, own);
  // A locked Node that does not run would hide the system's good one.
  if (existsSync(locked))
    for (const name of ['node', 'node.cmd', 'node.ps1']) rmSync(join(modules, '.bin', name), { force: true });
}

const reportWait = (lock) =>
  console.log(`Another command is installing the packages; waiting for it. If there is none, remove ${lock}.`);

async function main() {
  if (process.env.ALERTDESK_BOOTSTRAP) return;
  if (!isAtLeast(process.version, TO_INSTALL)) throw tooOld('needs', TO_INSTALL, process.version);
  if (!isInstalled()) await withInstallLock(join(root, '.cache', 'install.lock'), reportWait, install);
  checkRuntime();
}

try {
  await main();
} catch (error) {
  if (!(error instanceof BootstrapError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
